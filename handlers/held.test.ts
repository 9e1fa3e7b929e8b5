/**
 * No request holds the thread of the service for long, whatever is in it, and what a request costs grows no faster than
 * its size (D-33). The operations come from the contract, so a new one is tried too. `HELD=all` tries all bodies; without
 * it, of each operation one in three.
 */
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { type Operation, operations } from '../generated/operations.ts';
import { broken, type DemandingInput, headTexts, texts, values } from '../scripts/testbed/demanding.ts';
import { heldIn, heldTooLong, type Trial, watchedEnv } from '../scripts/testbed/held-trials.ts';
import type { RunningServer } from '../scripts/testbed/server.ts';
import { TestTenant } from '../scripts/testbed/tenant.ts';
import { testDeployment } from '../scripts/testbed/test-deployment.ts';
import { exchange, requestText } from '../scripts/testbed/wire.ts';
import { PORTION_BYTES } from './http/json-scan.ts';

const KEYS = 60;
/** Of an ingest's body: it is read in portions, so more of them show nothing else. Half of it is a large body, too. */
const BULK_BYTES = 3 * 1024 * 1024;
/** What is left of the limit for the rest of a request. */
const REST_BYTES = 4_000;
const HEAD_BYTES = 15_000;
/** The size of one field, where a body tries several kinds: half of it is more than a portion, which costs otherwise. */
const FIELD_BYTES = 2.2 * PORTION_BYTES;

const deployment = await testDeployment();
const { store } = deployment;
let server: RunningServer;
let keys: string[];

beforeAll(async () => {
  const tenant = await TestTenant.create(store);
  keys = await Promise.all(Array.from({ length: KEYS }, () => tenant.key()));
  server = await deployment.start({ ...watchedEnv, RATE_LIMIT_STORE: 'memory' });
});

let sent = 0;

async function post({ method, path, parameters }: Operation, text: string): Promise<number> {
  const target = parameters.reduce((made, { name }) => made.replace(`{${name}}`, ID), path);
  const answer = await fetch(`${server.url}${target}`, {
    method,
    headers: {
      'X-API-Key': keys[sent++ % KEYS] as string,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Idempotency-Key': `key-${sent}`,
    },
    body: gzipSync(text, { level: 1 }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const ID = '00000000-0000-4000-8000-000000000000';

/** The operations that get each kind in the largest size, too: an ordinary one and the one with larger bodies. */
const LARGEST_OF: readonly string[] = ['createDocument', 'ingestRecords'];

/** Bodies for an operation: each kind in a field, and where ids stand within arrays; for some, each kind as the body. */
function* bodyTrials(operation: Operation): Iterable<Trial> {
  const { operationId, bodyFields, bodyIds, openFields, bodyLimitBytes } = operation;
  if (operation.body === 'none') return;
  const most = Math.min(bodyLimitBytes, BULK_BYTES) - REST_BYTES;
  const trial = (what: string, make: DemandingInput, bytes = most): Trial => {
    return { what: `${operationId}: ${what}`, bytes, send: (size) => post(operation, make(size)) };
  };
  const kinds = [...values, ...texts];
  const width = Math.max(1, Math.min(bodyFields.length, Math.floor(most / FIELD_BYTES)));
  for (let from = 0; from < kinds.length; from += width) {
    const kindOf = (nth: number) => kinds[(from + nth) % kinds.length] as (typeof kinds)[number];
    const what = Array.from({ length: width }, (_, nth) => kindOf(nth)[0]).join(', ');
    // Where not all fields find room, others are left out each time.
    const fields = [...bodyFields, ...bodyFields].slice(from % Math.max(1, bodyFields.length)).slice(0, width);
    yield trial(
      what,
      inFields(fields, (nth) => kindOf(nth)[1]),
      width * FIELD_BYTES,
    );
  }
  for (const path of bodyIds.filter((each) => each.includes('*'))) {
    for (const [what, make] of values)
      yield trial(`${what} in ${path.join('.')}`, (size) => within(path, make(size)), FIELD_BYTES);
  }
  for (const name of openFields) {
    for (const [what, make] of values) yield trial(`${what} within ${name}`, (size) => within([name, 'n'], make(size)));
  }
  if (!LARGEST_OF.includes(operationId)) return;
  for (const [what, make] of [...broken, ...values]) yield trial(what, make);
  for (const [what, make] of texts)
    yield trial(
      what,
      inFields(bodyFields.slice(-1), () => make),
    );
}

/** An object with a value in each of the fields; without fields, with one that nobody knows. */
function inFields(fields: readonly string[], makeOf: (nth: number) => DemandingInput): DemandingInput {
  const names = fields.length > 0 ? fields : ['unknown'];
  return (size) => `{${names.map((name, nth) => `"${name}":${makeOf(nth)(size / names.length - 40)}`).join()}}`;
}

/** The value at a path, in objects and arrays of one element. */
const within = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, name) => (name === '*' ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`), value);

/** Heads for an operation: each parameter, an unknown one, the path and the headers that the service reads. */
function* headTrials(operation: Operation, nthOperation: number): Iterable<Trial> {
  const { operationId, method, path, parameters } = operation;
  const places = [
    ...parameters.filter((each) => each.in === 'query').map(({ name }) => `?${name}=`),
    '?',
    '?unknown=',
    ...parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`),
    'X-Request-Id',
    'Idempotency-Key',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'X-Forwarded-For',
    'X-Any',
  ];
  for (const [nth, place] of places.entries()) {
    for (let step = 0; step < 3; step++) {
      const unit = headTexts[(nthOperation + 5 * nth + 11 * step) % headTexts.length] as string;
      const send = async (size: number) => {
        const text = `${unit.repeat(size / unit.length)}!`;
        const isHeader = /^[A-Z]/.test(place);
        const target = place.startsWith('{') ? path.replace(place, encodeURI(text)) : path;
        const url = target.replaceAll(/\{\w+\}/g, ID) + (place.startsWith('?') ? place + encodeURI(text) : '');
        const head = [
          `X-API-Key: ${keys[sent++ % KEYS]}`,
          'Connection: close',
          ...(isHeader ? [`${place}: ${text}`] : []),
        ];
        if (operation.body !== 'none') head.push('Content-Length: 2');
        const body = operation.body === 'none' ? '' : '{}';
        const line = `${method.toUpperCase()} ${url.slice(0, HEAD_BYTES)}`;
        const { answers } = await exchange(server.port, requestText(line, head, body));
        return answers[0]?.status ?? 0;
      };
      yield { what: `${operationId}: ${unit} in ${place}`, bytes: HEAD_BYTES - 1_000, send };
    }
  }
}

const all = Object.values(operations);
const isWhole = process.env.HELD === 'all';
const ONE_IN = 3;

test(
  'no body holds the thread or costs more than in proportion',
  async () =>
    expect(
      await heldTooLong(
        all.flatMap((each) => [...bodyTrials(each)].filter((_, nth) => isWhole || nth % ONE_IN === 0)),
        () => heldIn(server),
      ),
    ).toEqual([]),
  600_000,
);

test('nor does a head', async () => {
  expect(
    await heldTooLong(
      all.flatMap((each, nth) => [...headTrials(each, nth)]),
      () => heldIn(server),
    ),
  ).toEqual([]);
}, 600_000);
