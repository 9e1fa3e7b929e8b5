import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { LoadedProfile } from '../profile/profile.ts';
import { deleteEndpoints } from './delete-endpoints.ts';

test('every endpoint is deleted, also if the limit of its key is reached', async () => {
  const asked: string[] = [];
  const target = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('/').at(-1)} ${request.headers['x-api-key']}`);
    response.writeHead(asked.length < 3 ? 429 : 200).end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const loaded = { profile: { base_url: `http://127.0.0.1:${port}` }, secrets: { KEY: 'k' } };
  const made = (id: string) => ({ id, key: 'KEY' });
  await deleteEndpoints([made('a'), made('b')], loaded as unknown as LoadedProfile);
  target.closeAllConnections();
  target.close();
  expect(asked).toEqual(['DELETE a k', 'DELETE a k', 'DELETE a k', 'DELETE b k']);
});
