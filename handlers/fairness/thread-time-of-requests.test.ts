/**
 * No request holds the thread of the service for long, whatever is in it; what it costs grows no faster than its size, and
 * its memory is bounded (D-33). Kinds of values are crossed with how deep and how wide they stand and with the places
 * where a caller may put them: fields of each operation of the contract, known and unknown, and fields of each kind of
 * ingest record. Few of the crossings are tried here. `thread-time-of-requests.long.test.ts` tries more: `HELD` says how many of bodies and of
 * records; `HELD=all` tries all.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { type Operation, operations } from '../../generated/contract.ts';
import { eventually } from '../../scripts/kit/eventually.ts';
import { countsMemory } from '../../scripts/kit/processor-time.ts';
import { TenantFixture } from '../../scripts/world/documents.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { broken, type DemandingInput, headTexts, texts, values } from '../../scripts/world/slow-inputs.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import {
  heldIn,
  heldTooLong,
  type Trial,
  type WatchedProcess,
  watchedEnv,
} from '../../scripts/world/thread-time-trials.ts';
import { exchange, requestText } from '../../scripts/world/wire.ts';
import { payloadOf } from '../ingest/records.ts';

const KIB = 1024;
const KEYS = 60;
/** Of an ingest's body: it is read in portions, so more of them show nothing else. */
const BULK_BYTES = 3 * KIB * KIB;
/** What is left of the limit for the rest of a request. */
const REST_BYTES = 4_000;
const HEAD_BYTES = 15_000;
const isLong = expect.getState().testPath?.endsWith('.long.test.ts');
const HELD = isLong ? (process.env.HELD ?? '60') : '4';
const tried = HELD === 'all' ? Number.POSITIVE_INFINITY : Number(HELD);
/** How many of the costliest are tried in two sizes. */
const TRIED_TWICE = isLong ? 6 : 0;

const deployment = await testDeployment();
const { store } = deployment;
let server: RunningServer;
let fixture: TenantFixture;
let keys: string[];

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  keys = await Promise.all(Array.from({ length: KEYS }, () => fixture.key()));
  server = await deployment.start({ ...watchedEnv, RATE_LIMIT_STORE: 'memory' });
});

const watched = (): WatchedProcess => ({ taken: () => heldIn(server) });
const counted = (): WatchedProcess => ({ ...watched(), pid: countsMemory ? server.process.pid : undefined });

let sent = 0;
const keyInTurn = () => keys[sent++ % KEYS] as string;

async function post(path: string, text: string, key = keyInTurn(), method = 'POST'): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Idempotency-Key': randomUUID(),
    },
    body: gzipSync(text, { level: 1 }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Where a value stands: within so many levels of arrays or objects, cut into so many parts. */
const DEPTHS: readonly (readonly [what: string, open: string, close: string])[] = [
  ['', '', ''],
  ['30 objects of ', '{"a":'.repeat(30), '}'.repeat(30)],
  ['58 arrays of ', '['.repeat(58), ']'.repeat(58)],
];
const WIDTHS = [1, 17, 900];

/** Each kind at each depth in each width. */
function crossed(
  kinds: readonly (readonly [string, DemandingInput])[],
): readonly (readonly [string, DemandingInput])[] {
  return kinds.flatMap(([what, make]) =>
    DEPTHS.flatMap(([levels, open, close]) =>
      WIDTHS.map((width): readonly [string, DemandingInput] => {
        const list = (bytes: number) => `[${Array.from({ length: width }, () => make(bytes / width)).join()}]`;
        return [
          `${levels}${width === 1 ? '' : `${width} times `}${what}`,
          (bytes) => open + (width === 1 ? make(bytes) : list(bytes)) + close,
        ];
      }),
    ),
  );
}

/** Pairs of both lists, spread evenly over all of them. @param count of pairs; all if there are fewer */
function sampleOf<A, B>(these: readonly A[], those: readonly B[], count: number): [A, B][] {
  const all = these.length * those.length;
  // Steps in the golden section come near every pair of a list and of its parts.
  const places = new Set(
    Array.from({ length: Math.min(count, all) }, (_, nth) => Math.floor(((nth * GOLDEN) % 1) * all)),
  );
  const taken = count < all ? places : Array(all).keys();
  return [...taken].map((at) => [these[Math.floor(at / those.length)] as A, those[at % those.length] as B]);
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

const ID = '00000000-0000-4000-8000-000000000000';

/** Where a value may stand in what is sent. */
interface Place {
  readonly what: string;
  readonly bytes: number;
  /** @param valueIn makes a value of a size */
  send(size: number, valueIn: (size: number) => string): Promise<number>;
}

/** The value at a path, in objects and arrays of one element. */
const within = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, name) => (name === '*' ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`), value);

/** The body itself, each field that an operation knows, items of arrays, an unknown field, and what stands in an open one. */
function placesIn(operation: Operation): Place[] {
  const { operationId, method, path, bodyFields, bodyIds, bodyOptionals, openFields, bodyLimitBytes } = operation;
  const target = path.replaceAll(/\{\w+\}/g, ID);
  const bytes = Math.min(bodyLimitBytes, BULK_BYTES) - REST_BYTES;
  const paths = [...bodyIds, ...bodyOptionals].flatMap((each) => each.map((_, nth) => each.slice(0, nth + 1)));
  const names = [...bodyFields, 'unknown'].map((name) => [name]);
  const all = [[], ...names, ...paths, ...openFields.map((name) => [name, 'n'])];
  const different = new Map(all.map((each) => [each.join('.'), each]));
  return [...different].map(([name, each]) => ({
    what: `${operationId} ${name}`,
    bytes,
    send: (size, valueIn) => post(target, within(each, valueIn(size)), keyInTurn(), method.toUpperCase()),
  }));
}

const pairs = [
  ...['PERSONS', 'EMPLOYEES', 'ORGANIZATIONS', 'DEPARTMENTS', 'JOB_TITLES'].map((type) => ['KEDO', type] as const),
  ...['EMPLOYEES_FULL', 'DEPARTMENTS'].map((type) => ['LEDGER', type] as const),
];

async function ingest([source_type, payload_type]: readonly [string, string], records: string): Promise<number> {
  const text = `{"payload_type":"${payload_type}","create_missing":true,"records":[${records}]}`;
  const status = await post(`/developer/v1/ingest/${source_type}`, text);
  const waiting = { tenant_id: fixture.id, ended_at: null };
  await eventually('the batch', async () => (await store.ingest_requests.findOne(waiting)) === null || undefined);
  return status;
}

/** A record, its fields, those within them and an unknown one: in records of several sizes, until they are applied. */
function placesInRecords(pair: (typeof pairs)[number]): Place[] {
  const columns = payloadOf({ source_type: pair[0], payload_type: pair[1] })?.columns ?? {};
  const nested = Object.entries(columns).flatMap(([name, column]) =>
    'type' in column ? [] : Object.keys(column).map((inner) => [name, inner]),
  );
  const paths = [[], ['unknown'], ...Object.keys(columns).map((name) => [name]), ...nested];
  return paths.flatMap((path) =>
    [KIB, 60 * KIB, KIB * KIB].map((recordBytes) => ({
      what: `${pair.join(' ')} ${path.join('.')} of records of ${recordBytes} bytes`,
      bytes: KIB * KIB,
      send: (size, valueIn) => {
        const made = Math.min(size, recordBytes);
        const record = (nth: number) => `{"external_id":"${nth}",${within(path, valueIn(made)).slice(1)}`;
        const one = path.length === 0 ? () => valueIn(made) : record;
        return ingest(pair, Array.from({ length: Math.min(10_000, Math.ceil(size / made)) }, (_, n) => one(n)).join());
      },
    })),
  );
}

/** Each way of being crossed with each place; the texts that are no JSON stand as the body only. */
const trialsOf = (places: readonly Place[]): Trial[] =>
  sampleOf(places, crossed([...values, ...texts]), tried).map(([{ what, bytes, send }, [kind, make]]) => ({
    what: `${what}: ${kind}`,
    bytes,
    send: (size) => send(size, make),
  }));

const all = Object.values(operations);
const places = all.filter(({ body }) => body !== 'none').flatMap(placesIn);

test('no body holds the thread, costs more than in proportion or takes more memory than its bytes allow', async () => {
  const wholes = broken.flatMap(([kind, make]) =>
    places
      .filter(({ what }) => /^(createDocument|ingestRecords) $/.test(what))
      .map(({ what, bytes, send }): Trial => ({ what: what + kind, bytes, send: (size) => send(size, make) })),
  );
  expect(await heldTooLong([...trialsOf(places), ...wholes.slice(0, tried)], counted(), TRIED_TWICE)).toEqual([]);
}, 3_600_000);

test('nor does a record, until it is applied', async () => {
  expect(await heldTooLong(trialsOf(pairs.flatMap(placesInRecords)), counted(), TRIED_TWICE)).toEqual([]);
}, 3_600_000);

test('nor do values of templates, and titles', async () => {
  const { employeeId } = await fixture.owner();
  await store.users.updateOne({ _id: fixture.ownerId }, { $set: { employee_id: employeeId } });
  const type_id = await fixture.type();
  const template_id = await fixture.template(type_id, ['a', 'b', 'c']);
  const make = (title: string, c: string) =>
    `{"title":${title},"type_id":"${type_id}","template_id":"${template_id}","template_values":{"a":"x","b":"y","c":${c}}}`;
  const trials = sampleOf(['title', 'value'], [...values, ...texts], Math.min(40, tried)).map(
    ([field, [kind, valueIn]]): Trial => {
      const bytes = field === 'title' ? 300 : 900 * KIB;
      const send = (size: number) =>
        post('/developer/v1/documents', field === 'title' ? make(valueIn(size), '"z"') : make('"x"', valueIn(size)));
      return { what: `${kind} as a ${field}`, bytes, send };
    },
  );
  expect(await heldTooLong(trials, watched(), TRIED_TWICE)).toEqual([]);
}, 600_000);

(isLong ? test : test.skip)(
  'twenty at once of the worst are done in twice the time of as many harmless ones',
  async () => {
    const list = (value: string) => `[${Array.from({ length: 20_000 }, () => value).join()}]`;
    const wide = (value: string) =>
      `${'['.repeat(58)}${Array.from({ length: 17 }, () => list(value)).join()}${']'.repeat(58)}`;
    const costOf = async (value: string) => {
      const text = within(['template_values', 'a'], wide(value));
      await heldIn(server);
      await Promise.all(Array.from({ length: 20 }, () => post('/developer/v1/documents', text, keys[0])));
      return (await heldIn(server)).total_ms;
    };
    let ratio = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3 && ratio >= 2; round++) {
      const harmless = await costOf('0');
      ratio = (await costOf('-0')) / harmless;
    }
    expect(ratio).toBeLessThan(2);
  },
  600_000,
);

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
        const head = [`X-API-Key: ${keyInTurn()}`, 'Connection: close', ...(isHeader ? [`${place}: ${text}`] : [])];
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

test('nor does a head', async () => {
  const trials = all.flatMap((each, nth) => [...headTrials(each, nth)]).filter((_, nth) => isLong || nth % 10 === 0);
  expect(await heldTooLong(trials, watched())).toEqual([]);
}, 600_000);
