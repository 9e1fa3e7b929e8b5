/**
 * No request holds the thread of the service for long, whatever is in it, and what a request costs grows no faster than
 * its size (D-33). The operations come from the contract, so a new one is tried too.
 */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Operation, operations } from '../generated/operations.ts';
import type { Store } from './data/store.ts';
import { Database } from './testing/database.ts';
import { broken, type Demanding, headTexts, texts, values } from './testing/demanding.ts';
import { type RunningServer, ready, startServer } from './testing/processes.ts';
import { TestTenant } from './testing/tenant.ts';
import type { Held } from './testing/thread-watch.ts';
import { exchange, requestText } from './testing/wire.ts';

/** The longest piece, in milliseconds of processor time; a busy machine has colder caches and slower threads. */
const longestMs = () => ((loadavg()[0] as number) > availableParallelism() ? 250 : 50);
/** How much more twice the size may cost. */
const MOST_RATIO = 2.5;
/** A request that costs less is not tried in two sizes: noise decides then. */
const NOTICED_MS = 40;
/** How many of the costliest are tried in two sizes. */
const TRIED_TWICE = 12;
const KEYS = 60;
/** Of an ingest's body: it is read in portions, so more of them show nothing else. */
const BULK_BYTES = 4 * 1024 * 1024;
/** What is left of the limit for the rest of a request. */
const REST_BYTES = 4_000;
const HEAD_BYTES = 15_000;
/** The size of one field, where a body tries several kinds. */
const FIELD_BYTES = 170_000;

const database = new Database();
let store: Store;
let server: RunningServer;
let keys: string[];

beforeAll(async () => {
  store = await database.open();
  const tenant = await TestTenant.create(store);
  keys = await Promise.all(Array.from({ length: KEYS }, () => tenant.key()));
  server = await startServer({
    ...{ ...database.env, RATE_LIMIT_STORE: 'memory' },
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'testing/watched.ts')}`,
  });
  await ready(server);
});

afterAll(async () => {
  await server.process.stop();
  await store.close();
  await database.remove();
});

/** What the thread has done since this was called last. */
async function heldSince(): Promise<Held> {
  const { lines } = server.process;
  const said = new Promise<Held>((resolve) => {
    const look = (line: string) => {
      if (!line.includes('"event":"held"')) return;
      lines.off('line', look);
      resolve(JSON.parse(line));
    };
    lines.on('line', look);
  });
  server.process.signal('SIGUSR2');
  return said;
}

/** One request, in any size. */
interface Trial {
  readonly what: string;
  readonly bytes: number;
  send(bytes: number): Promise<number>;
}

let sent = 0;

async function post({ method, path, parameters }: Operation, text: string): Promise<number> {
  const target = parameters.reduce((made, { name }) => made.replace(`{${name}}`, ID), path);
  const answer = await fetch(`${server.url}${target}`, {
    method,
    headers: {
      ...{ 'X-API-Key': keys[sent++ % KEYS] as string, 'Content-Type': 'application/json' },
      ...{ 'Content-Encoding': 'gzip', 'Idempotency-Key': `key-${sent}` },
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
  const { operationId, bodyFields, bodyIds, bodyLimitBytes } = operation;
  if (operation.body === 'none') return;
  const most = Math.min(bodyLimitBytes, BULK_BYTES) - REST_BYTES;
  const trial = (what: string, make: Demanding, bytes = most): Trial => {
    return { what: `${operationId}: ${what}`, bytes, send: (size) => post(operation, make(size)) };
  };
  const kinds = [...values, ...texts];
  const width = Math.max(1, bodyFields.length);
  for (let from = 0; from < kinds.length; from += width) {
    const what = Array.from({ length: width }, (_, nth) => kinds[(from + nth) % kinds.length]?.[0]).join(', ');
    const make = inFields(bodyFields, (nth) => kinds[(from + nth) % kinds.length]?.[1] as Demanding);
    yield trial(what, make, Math.min(most, width * FIELD_BYTES));
  }
  for (const path of bodyIds.filter((each) => each.includes('*'))) {
    for (const [what, make] of values)
      yield trial(`${what} in ${path.join('.')}`, (size) => within(path, make(size)), FIELD_BYTES);
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
function inFields(fields: readonly string[], makeOf: (nth: number) => Demanding): Demanding {
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
    ...['?', '?unknown='],
    ...parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`),
    ...['X-Request-Id', 'Idempotency-Key', 'Content-Type', 'Content-Encoding', 'Cookie', 'X-Forwarded-For', 'X-Any'],
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

const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] as number;

async function costOf({ what, send }: Trial, bytes: number): Promise<Held> {
  const status = await send(bytes);
  if (status >= 500 || status === 429 || status === 0) throw new Error(`${what} was answered ${status}`);
  return heldSince();
}

/** Tries all, and names those that hold the thread for too long or cost too much in twice the size. */
async function faultsOf(trials: readonly Trial[]): Promise<string[]> {
  const faults: string[] = [];
  const costly: { readonly trial: Trial; readonly total: number }[] = [];
  let [longest, where] = [0, ''];
  await heldSince();
  for (const trial of trials) {
    let held = await costOf(trial, trial.bytes);
    const total = held.total_ms;
    // The first time includes compiling.
    for (let again = 0; again < 2 && held.longest_ms > longestMs(); again++) held = await costOf(trial, trial.bytes);
    if (held.longest_ms > longestMs()) faults.push(`${trial.what}: held for ${Math.round(held.longest_ms)} ms`);
    if (held.longest_ms > longest) [longest, where] = [held.longest_ms, trial.what];
    if (total >= NOTICED_MS) costly.push({ trial, total });
  }
  for (const { trial } of costly.toSorted((a, b) => b.total - a.total).slice(0, TRIED_TWICE)) {
    const [half, whole]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      half.push((await costOf(trial, trial.bytes / 2)).total_ms);
      whole.push((await costOf(trial, trial.bytes)).total_ms);
    }
    const ratio = median(whole) / median(half);
    if (ratio > MOST_RATIO && median(whole) >= NOTICED_MS)
      faults.push(`${trial.what}: twice the size costs ${ratio} times`);
  }
  // For whoever wants to know how far from the limit it is.
  process.stderr.write(`${trials.length} requests; the longest piece was ${longest.toFixed(1)} ms: ${where}\n`);
  return faults;
}

const all = Object.values(operations);

test(
  'no body holds the thread or costs more than in proportion',
  async () => expect(await faultsOf(all.flatMap((each) => [...bodyTrials(each)]))).toEqual([]),
  600_000,
);

test('nor does a head', async () => {
  expect(await faultsOf(all.flatMap((each, nth) => [...headTrials(each, nth)]))).toEqual([]);
}, 600_000);
