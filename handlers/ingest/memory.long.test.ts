/**
 * No large body of an ingest takes more memory than four times its decompressed bytes and 16 MiB, whatever is in it (D-33);
 * `thread-time-of-requests.test.ts` tries every kind in smaller ones.
 * The process has no room for more: what it needs for answers and for garbage of other requests is grown before.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { countsMemory, forgetPeak, peakMib } from '../../scripts/kit/processor-time.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { broken, type DemandingInput } from '../../scripts/world/slow-inputs.ts';
import { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';

const MIB = 1024 * 1024;
const LARGEST = 32 * MIB - 1_000;
const MOST_TIMES = 4;
const MOST_MORE_MIB = 16;
/** The bytes of large bodies of one tenant that a process holds at once. */
const ROOM_MIB = 64;

const deployment = await testDeployment();
const { store } = deployment;
let tenant: TestTenant;
let server: RunningServer;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  server = await deployment.start({ RATE_LIMIT_STORE: 'memory', ROLE: 'api' });
  for (let time = 0; time < 3; time++) await send(sound(4 * MIB));
});

async function send(text: string): Promise<number> {
  const answer = await fetch(`${server.url}/developer/v1/ingest/KEDO`, {
    method: 'POST',
    headers: {
      'X-API-Key': await tenant.key(),
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Idempotency-Key': randomUUID(),
    },
    body: gzipSync(text, { level: 1 }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const batchOf = (records: string) => `{"payload_type":"PERSONS","records":[${records}]}`;
const sound: DemandingInput = (bytes) => {
  const record = JSON.stringify({ external_id: 'P', first_name: 'Ж'.repeat(900), last_name: 'Ж'.repeat(900) });
  return batchOf(
    Array.from({ length: Math.min(10_000, Math.floor(bytes / Buffer.byteLength(record)) - 100) }, () => record).join(),
  );
};
(countsMemory ? test : test.skip)(
  'a large batch',
  async () => {
    const { pid } = server.process;
    const text = sound(LARGEST / 2);
    const before = forgetPeak(pid);
    // A busy machine may refuse it unread, or stop in the middle of sending it.
    await eventually('an answer', async () => (await send(text)) === 200);
    expect(peakMib(pid) - before).toBeLessThan((MOST_TIMES * Buffer.byteLength(text)) / MIB + MOST_MORE_MIB);
  },
  600_000,
);

(countsMemory ? test : test.skip)(
  'eight at once take what the room for large bodies allows',
  async () => {
    const { pid } = server.process;
    const text = (broken[0] as (typeof broken)[number])[1](LARGEST);
    const before = forgetPeak(pid);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => send(text)));
    // A busy machine may refuse some unread, or not bring them in time.
    expect(statuses.filter((status) => ![400, 408, 503].includes(status))).toEqual([]);
    expect(peakMib(pid) - before).toBeLessThan(ROOM_MIB + 8 * MOST_MORE_MIB);
  },
  600_000,
);
