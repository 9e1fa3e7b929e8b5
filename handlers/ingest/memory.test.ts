/**
 * No body of an ingest takes more memory than four times its decompressed bytes and 16 MiB, whatever is in it (D-33).
 * The process has no room for more: what it needs for answers and for garbage of other requests is grown before.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect } from '@jest/globals';
import { broken, type DemandingInput, values } from '../../scripts/testbed/demanding.ts';
import { forgetPeak, peakMiB, whereCounted } from '../../scripts/testbed/memory.ts';
import type { RunningServer } from '../../scripts/testbed/server.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';

const MIB = 1024 * 1024;
const LARGEST = 32 * MIB - 1_000;
/** What is kept of a body grows with it, so half of the largest shows it as well. */
const LARGE = LARGEST / 2;
const MOST_TIMES = 4;
const MOST_MORE_MIB = 16;
/** The bytes of large bodies that a process holds at once. */
const ROOM_MIB = 128;

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

const textOf =
  (unit: string): DemandingInput =>
  (bytes) =>
    `"${unit.repeat(bytes / Buffer.byteLength(unit))}"`;
const batchOf = (records: string, more = '') => `{"payload_type":"PERSONS"${more},"records":[${records}]}`;
const sound: DemandingInput = (bytes) => {
  const record = JSON.stringify({ external_id: 'P', first_name: 'Ж'.repeat(900), last_name: 'Ж'.repeat(900) });
  return batchOf(
    Array.from({ length: Math.min(10_000, Math.floor(bytes / Buffer.byteLength(record)) - 100) }, () => record).join(),
  );
};
/** A field of a body, of a record, or an unknown one with that value. */
const places: readonly (readonly [string, (value: string) => string])[] = [
  ['the body', (value) => value],
  ['payload_type', (value) => `{"payload_type":${value},"records":[{}]}`],
  ['create_missing', (value) => batchOf('{}', `,"create_missing":${value}`)],
  ['records', (value) => batchOf('{}', `,"records":${value}`)],
  ['a record', (value) => batchOf(value)],
  ['a field of a record', (value) => batchOf(`{"external_id":"P","first_name":${value}}`)],
  ['an unknown field', (value) => batchOf('{}', `,"unknown":${value}`)],
];
const members = (value: string, bytes: number) =>
  `{${Array.from({ length: Math.floor(bytes / (value.length + 9)) }, (_, nth) => `"n${nth}":${value}`).join()}}`;

/** Kinds of values that differ in what their reading may keep. */
const named = values.filter(([what]) => what.startsWith('different names'));
const kinds: readonly (readonly [string, DemandingInput])[] = [
  ...values.filter(([what]) => /^(arrays of|numbers 1e0|objects of|digits|a long name|many deep)/.test(what)),
  ['a text of two bytes a character', textOf('Ж')],
  ['a text of escapes', textOf('\\u0416')],
  ['a text of line feeds', textOf('\\n')],
  ['fields of 20,000 elements each', (bytes) => members(`[${'0,'.repeat(20_000)}0]`, bytes)],
  ['fields of 60 KB each', (bytes) => members(`[${'[],'.repeat(20_000)}0]`, bytes)],
];

interface Shape {
  readonly what: string;
  readonly make: DemandingInput;
}

const wholes: readonly Shape[] = [...broken, ...named, ['sound records', sound] as const].map(([what, make]) => {
  return { what, make };
});
/** Each kind in one of the places, in turn, so that every place gets several. */
const parts = (step: number): readonly Shape[] =>
  kinds.map(([what, make], nth) => {
    const [place, within] = places[(nth + step) % places.length] as (typeof places)[number];
    return { what: `${what} as ${place}`, make: (bytes) => within(make(bytes - 200)) };
  });

whereCounted.each<[number, readonly Shape[]]>([
  [3 * MIB, [...wholes, ...parts(0), ...parts(3)]],
  [LARGE, [...wholes, ...parts(5).filter((_, nth) => nth % 2 === 0)]],
])(
  'a body of %i bytes',
  async (bytes, shapes) => {
    const faults: string[] = [];
    const { pid } = server.process;
    for (const { what, make } of shapes) {
      const text = make(bytes);
      const mostMiB = (MOST_TIMES * Buffer.byteLength(text)) / MIB + MOST_MORE_MIB;
      let before = forgetPeak(pid);
      let status = await send(text);
      // A busy machine may refuse it unread, or stop in the middle of sending it.
      for (let again = 0; again < 5 && [408, 503].includes(status); again++) {
        before = forgetPeak(pid);
        status = await send(text);
      }
      const tookMiB = peakMiB(pid) - before;
      if (![200, 400].includes(status)) faults.push(`${what}: ${status}`);
      if (tookMiB > mostMiB) faults.push(`${what}: ${Math.round(tookMiB)} MiB instead of ${Math.round(mostMiB)}`);
    }
    expect(faults).toEqual([]);
  },
  600_000,
);

whereCounted(
  'eight at once take what the room for large bodies allows',
  async () => {
    const { pid } = server.process;
    const text = (broken[0] as (typeof broken)[number])[1](LARGEST);
    const before = forgetPeak(pid);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => send(text)));
    // A busy machine may refuse some unread, or not bring them in time.
    expect(statuses.filter((status) => ![400, 408, 503].includes(status))).toEqual([]);
    expect(peakMiB(pid) - before).toBeLessThan(ROOM_MIB + 8 * MOST_MORE_MIB);
  },
  600_000,
);
