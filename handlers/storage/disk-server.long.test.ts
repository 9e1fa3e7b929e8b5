/** The folder behind two real servers, which share it and never hold a whole file in memory. */
import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { countsMemory, peakMib } from '../../scripts/kit/processor-time.ts';
import { diskPresigner, newKey, PDF, postForm } from '../../scripts/world/disk-storage.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { sharedSecret } from '../data/token-keys.ts';
import { openFolder } from './folder.ts';
import type { Presigner } from './presign.ts';

const MIB = 1024 * 1024;
const LARGEST = 50 * MIB;
const deployment = await testDeployment();
const { store } = deployment;
const files = join(deployment.folder, 'files');
let servers: RunningServer[];
let signers: Presigner[];

beforeAll(async () => {
  servers = await Promise.all([deployment.start(), deployment.start()]);
  const secret = Buffer.from(await sharedSecret(store, 'storage')).toString('base64url');
  signers = servers.map(({ storageUrl }) => diskPresigner(storageUrl, secret));
});

const latest = async (key: string) => {
  const found = await (await openFolder(files)).latest(key);
  if (found === undefined) throw new Error('nothing was stored');
  return { key, version: found.version };
};
const form = (server: number, key: string) => (signers[server] as Presigner).uploadForm(key, PDF, LARGEST, 60_000);
const url = (server: number, object: { key: string; version: string }) =>
  (signers[server] as Presigner).downloadUrl(object, { filename: 'a.pdf', content_type: PDF }, 60_000);

test('a file that one server stored can be downloaded from another', async () => {
  const key = newKey();
  expect(await postForm(await form(0, key), 'bytes')).toBe(204);
  const answer = await fetch(await url(1, await latest(key)));
  expect([answer.status, await answer.text()]).toEqual([200, 'bytes']);
});

test('a URL or form of one server is refused by another host, because hosts are signed', async () => {
  const object = await (async () => {
    const key = newKey();
    await postForm(await form(0, key), 'bytes');
    return latest(key);
  })();
  const address = new URL(await url(0, object));
  const other = new URL(servers[1]?.storageUrl ?? '');
  address.port = other.port;
  expect((await fetch(address)).status).toBe(403);
});

(countsMemory ? test : test.skip)(
  'three files of 50 MiB go up and down at once in less than 100 MiB of memory',
  async () => {
    const [server] = servers as [RunningServer];
    async function upAndDown(bytes: Buffer) {
      const digest = hash('sha256', bytes, 'hex');
      const key = `uploads/${randomUUID()}/large`;
      expect(await postForm(await form(0, key), bytes)).toBe(204);
      const answer = await fetch(await url(0, await latest(key)));
      const received = createHash('sha256');
      for await (const chunk of answer.body ?? []) received.update(chunk);
      expect(received.digest('hex')).toBe(digest);
    }
    // The first transfers of a process also load code and fill buffers, which is not measured.
    for (let i = 0; i < 3; i++) await upAndDown(randomBytes(MIB));
    const before = peakMib(server.process.pid);
    await Promise.all([1, 2, 3].map(() => upAndDown(randomBytes(LARGEST))));
    // About 60 MiB of buffers that have passed gather before V8 collects them, however many files pass.
    expect(peakMib(server.process.pid) - before).toBeLessThan(100);
  },
);
