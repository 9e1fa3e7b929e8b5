import { expect, test } from '@jest/globals';
import type { LoadedProfile } from '../profile/profile.ts';
import { inJson, served } from '../testing/small-target.ts';
import { deleteEndpoints } from './delete-endpoints.ts';

const asked: string[] = [];
const target = served(
  inJson(({ method, url, headers }) => {
    asked.push(`${method} ${url.split('/').at(-1)} ${headers['x-api-key']}`);
    return [asked.length < 3 || url.endsWith('stuck') ? 429 : 200, {}];
  }),
);
const deleted = (...ids: string[]) => {
  const loaded = { profile: { base_url: target.baseUrl }, secrets: { KEY: 'k' } };
  const made = ids.map((id) => ({ id, key: 'KEY' }));
  return deleteEndpoints(made, loaded as unknown as LoadedProfile);
};

test('every endpoint is deleted, also if the limit of its key is reached', async () => {
  await deleted('a', 'b');
  expect(asked).toEqual(['DELETE a k', 'DELETE a k', 'DELETE a k', 'DELETE b k']);
});

test('a target that deletes nothing is asked once for each endpoint, and ten times more in all', async () => {
  asked.length = 0;
  await deleted('stuck', 'stuck', 'b');
  expect(asked).toEqual([...Array(12).fill('DELETE stuck k'), 'DELETE b k']);
});
