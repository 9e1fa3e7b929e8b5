/** A body that ends after the key was read: the key is read again. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { NO_LIMIT, serveInProcess } from '../../scripts/world/in-process.ts';
import { MemoryStorage } from '../../scripts/world/memory-storage.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { answersIn, type WireAnswer } from '../../scripts/world/wire.ts';
import { hashKey } from '../access/keys.ts';
import * as served from '../index.ts';

const { store } = await testDeployment();
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
});

const BODY = '{"filename":"a.pdf","content_type":"application/pdf","size_bytes":100}';

/** Sends a request whose key is revoked while it is admitted. @param atFirst how much of the body comes with the head */
async function answerTo(atFirst: number): Promise<WireAnswer> {
  const key = await tenant.key();
  const { promise: admission, resolve: admitted } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const limiter = {
    async take(keyId: string) {
      admitted();
      await mayGoOn;
      return NO_LIMIT.take(keyId);
    },
  };
  const server = await serveInProcess(served, store, new MemoryStorage(), undefined, { limiter });
  try {
    const { port, pathname } = new URL(server.url);
    const head = `POST ${pathname}/files HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    const client = connect(Number(port), '127.0.0.1', () => client.write(head + BODY.slice(0, atFirst)));
    const answer = text(client.setEncoding('latin1'));
    await admission;
    await store.api_keys.updateOne({ key_hash: hashKey(key) }, { $set: { revoked_at: new Date() } });
    await new Promise((resolve) => client.write(BODY.slice(atFirst), resolve));
    // A request of another connection, so the server has read the rest by then.
    await fetch(`http://127.0.0.1:${port}/`);
    goOn();
    return answersIn(await answer)[0] as WireAnswer;
  } finally {
    await server.stop();
  }
}

test.each([
  ['with its head is good, also if the key is revoked at that moment', BODY.length, 200],
  ['while the request is admitted needs a key that is still good', 10, 401],
])('a body that comes %s', async (_what, atFirst, status) => {
  expect(await answerTo(atFirst)).toMatchObject({ status });
});
