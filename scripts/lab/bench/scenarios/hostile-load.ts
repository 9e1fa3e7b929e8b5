/** A flood of hostile requests: several on each connection, of which the last one ends it in one way or another. */
import { gzipSync } from 'node:zlib';
import type { Random } from '../../../kit/random.ts';
import { hostile, type Keys, mutant, withBody } from '../../../world/hostile.ts';
import { exchange, requestText, type WireOutcome } from '../../../world/wire.ts';

/** How many connections are open at a time. */
const CONNECTIONS = 32;
/** At most so many requests of a connection are answered before the last one. */
const MOST_BEFORE = 20;
/** Only ends a wait; the service closes a connection that waits for the rest of a request sooner. */
const GIVEN_UP_MS = 10_000;
/** The limit of ordinary bodies. */
const MIB = 1024 * 1024;

/** The last request of a connection. */
interface Last {
  readonly bytes: string | Buffer;
  /** Whether the client waits for its answer. Otherwise it closes the connection. */
  readonly waits: boolean;
}

const answered = (bytes: Last['bytes']): Last => ({ bytes, waits: true });
const left = (bytes: Last['bytes']): Last => ({ bytes, waits: false });

const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
const TOO_LARGE = chunk('x'.repeat(MIB / 4)).repeat(5);
const BOMB = gzipSync(Buffer.alloc(2 * MIB));

/** @returns a request that ends a connection: no other request would be answered after it */
function last(random: Random, keys: Keys): Last {
  const any = random.bytes(12).toString('hex');
  const json = [`X-API-Key: ${random.pick(keys)}`, 'Content-Type: application/json'];
  const create = (head: readonly string[], body = '') =>
    requestText('POST /developer/v1/documents', [...json, ...head], body);
  const makers: readonly [() => Last, ...(() => Last)[]] = [
    () => answered(mutant(random, keys)),
    () => answered(requestText(`BREW /${any}`)),
    () => answered(requestText(`CONNECT ${any}:443`)),
    () => answered(requestText('GET /healthz', [`${any} : no name of a field`])),
    () => answered(requestText('GET /healthz', [`X-Any: ${any.repeat(700)}`])),
    () => answered(requestText(`GET /developer/v1/employees?q=${any.repeat(700)}`, json)),
    () => answered(create([`Content-Length: ${MIB + 1 + random.int(MIB)}`], '{')),
    () => answered(create(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
    () => answered(create(['Transfer-Encoding: chunked'], `${any}\r\n`)),
    () => answered(withBody('POST /developer/v1/documents', json, '[['.repeat(random.int(200_000)))),
    () => left(create([`Content-Length: ${10 + random.int(10_000)}`], '{"title"')),
    () => left(create(['Transfer-Encoding: chunked'], chunk(any))),
    () => left(create([`X-Any: ${any}`]).slice(0, -2 - random.int(60))),
    () => left(requestText('GET /developer/v1/employees', json)),
    () => rare(random, create),
  ];
  return random.pick(makers)();
}

/** What costs the client or the service much, or takes until the service loses patience. */
function rare(random: Random, create: (head: readonly string[], body?: string) => string): Last {
  const compressed = ['Content-Encoding: gzip', `Content-Length: ${BOMB.length}`];
  return random.pick([
    () => answered(create(['Transfer-Encoding: chunked'], TOO_LARGE)),
    () => answered(Buffer.concat([Buffer.from(create(compressed)), BOMB])),
    () => answered(create(['Content-Length: 1000'], '{')),
    () => answered('GET /healthz HTTP/1.1\r\nX-A: '),
  ])();
}

/** What is known of the requests so far. */
export interface Flood {
  /** How many the service answered, refused by closing their connection, or was left by their client. */
  requests: number;
  /** How many answers there were of each status. */
  readonly statuses: Map<number, number>;
}

/** Sends the requests of one connection, and counts them. */
async function connection(port: number, random: Random, keys: Keys, flood: Flood): Promise<void> {
  const before = Array.from({ length: 1 + random.int(MOST_BEFORE) }, () => hostile(random, keys));
  const { bytes, waits } = last(random, keys);
  // Who does not wait closes the connection after some of the answers, or after all but the last one.
  const answers = waits ? before.length + 1 : 1 + random.int(before.length);
  const all = Buffer.concat([Buffer.from(before.join('')), typeof bytes === 'string' ? Buffer.from(bytes) : bytes]);
  const outcome: WireOutcome = await exchange(port, all, { answers, deadlineMs: GIVEN_UP_MS });
  for (const { status } of outcome.answers) flood.statuses.set(status, (flood.statuses.get(status) ?? 0) + 1);
  const got = outcome.answers.length;
  // After the answers before it, the last request was read, too, whether or not there was an answer.
  flood.requests += got < before.length ? got : before.length + 1;
}

/** Which requests are sent. */
interface Wish {
  /** Decides them: the same state has the same requests. */
  readonly random: Random;
  /** So many valid keys that none reaches its limit. */
  readonly keys: Keys;
  /** About how many. */
  readonly count: number;
}

/** Sends hostile requests to a port, and adds them to what is known. */
export async function sendHostile(port: number, { random, keys, count }: Wish, flood: Flood): Promise<void> {
  const end = flood.requests + count;
  const send = async () => {
    while (flood.requests < end) await connection(port, random, keys, flood);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}
