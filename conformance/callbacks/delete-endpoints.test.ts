import { expect, test } from '@jest/globals';
import type { LoadedProfile } from '../profile/profile.ts';
import { inJson, served } from '../testing/small-target.ts';
import { deleteEndpoints } from './delete-endpoints.ts';

const asked: string[] = [];
const target = served(
  inJson(({ method, url, headers }) => {
    asked.push(`${method} ${url.split('/').at(-1)} ${headers['x-api-key']}`);
    return [asked.length < 3 ? 429 : 200, {}];
  }),
);

test('every endpoint is deleted, also if the limit of its key is reached', async () => {
  const loaded = { profile: { base_url: target.baseUrl }, secrets: { KEY: 'k' } };
  const made = (id: string) => ({ id, key: 'KEY' });
  await deleteEndpoints([made('a'), made('b')], loaded as unknown as LoadedProfile);
  expect(asked).toEqual(['DELETE a k', 'DELETE a k', 'DELETE a k', 'DELETE b k']);
});
