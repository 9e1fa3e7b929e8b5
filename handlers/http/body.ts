/** The bytes of a body as D-6a admits them: media type, coding, size; and no slower than D-33 allows. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ApiError, fail, invalidFields } from '../answers/errors.ts';
import { Shares } from '../fairness/shares.ts';
import { tooSlow } from './refusals.ts';

/** The limit of ordinary bodies, in bytes (D-6a); of larger ones `json-body.ts` leaves lists unparsed. */
export const PLAIN_LIMIT_BYTES = 1024 * 1024;

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('REQUEST_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}

function invalidBody(description: string): ApiError {
  return invalidFields([{ field: 'body', description }]);
}

/**
 * Reads a body that {@link checkSize} accepted, and decompresses it. Neither the compressed nor the plain form may have
 * more than `limitBytes`. After a refusal the rest stays unread.
 * @param room counts the bytes as they arrive; reading waits while there is no room
 * @throws ApiError REQUEST_TOO_LARGE; INVALID_ARGUMENT when it ends early or is not gzip, and with status 408 when it
 * comes too slowly; UNAVAILABLE when there is no room
 */
export async function readBody(req: IncomingMessage, limitBytes: number, room: BodyRoom): Promise<Buffer<ArrayBuffer>> {
  const sizes = { most: mostBytes(req, limitBytes), limitBytes };
  const floor = new Floor();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const endEarly = () => req.complete || failed.reject(invalidBody('ends early'));
  const timer = setInterval(() => floor.isBroken() && failed.reject(tooSlow('comes too slowly')), FLOOR.lookMs);
  req.once('error', endEarly).once('close', endEarly);
  if (req.destroyed) endEarly();
  try {
    const body = joined(sentParts(req, limitBytes, floor), sizes, room, floor);
    // What wins the race is kept for as long as the request: no bytes.
    await Promise.race([failed.promise, body.then(() => {})]);
    return await body;
  } finally {
    clearInterval(timer);
  }
}

/** How slowly a body may arrive (D-33). */
const FLOOR = { bytesPerSecond: 4 * 1024, afterMs: 5_000, lookMs: 500 } as const;

/**
 * Whether a body arrives fast enough. Time in which the service does not read it does not count, and of a time in which
 * this process stood still only two looks do: what arrived in it is read after the look.
 */
class Floor {
  #bytes = 0;
  #countedMs = 0;
  #countedUntil = performance.now();
  #isPaused = false;

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** While work is not done, nothing is asked of the client. */
  async during(work: Promise<void>): Promise<void> {
    this.#countTime();
    this.#isPaused = true;
    await work;
    this.#countTime();
    this.#isPaused = false;
  }

  /** To be asked every {@link FLOOR.lookMs}. */
  isBroken(): boolean {
    this.#countTime();
    return this.#countedMs > FLOOR.afterMs && this.#bytes < (this.#countedMs / 1000) * FLOOR.bytesPerSecond;
  }

  #countTime(): void {
    const now = performance.now();
    if (!this.#isPaused) this.#countedMs += Math.min(now - this.#countedUntil, 2 * FLOOR.lookMs);
    this.#countedUntil = now;
  }
}

/** The parts of a body as they arrive, decompressed. */
function sentParts(req: IncomingMessage, limitBytes: number, floor: Floor): AsyncIterable<Buffer> {
  let length = 0;
  const count = (part: Buffer) => {
    length += part.length;
    floor.count(part.length);
    if (length > limitBytes) throw tooLarge(limitBytes);
    return part;
  };
  async function* counted() {
    try {
      for await (const part of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield count(part);
    } catch (error) {
      throw error instanceof ApiError ? error : invalidBody('ends early');
    }
  }
  return codingOf(req) === 'gzip' ? unpacked(counted(), limitBytes > PLAIN_LIMIT_BYTES) : counted();
}

/** How much of a large body is unpacked at a time: each piece costs a turn of the event loop. */
const LARGE_PIECE = { chunkSize: 64 * 1024 } as const;

async function* unpacked(parts: AsyncIterable<Buffer>, mayBeLarge: boolean): AsyncIterable<Buffer> {
  const gunzip = createGunzip(mayBeLarge ? LARGE_PIECE : {});
  const fed = pipeline(parts, gunzip);
  fed.catch(() => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await fed;
  } catch (error) {
    throw error instanceof ApiError ? error : invalidBody('is not valid gzip');
  }
}

/**
 * Puts the parts together, a large body in one buffer, so that memory never holds it twice. What is not written of the
 * buffer takes none.
 */
async function joined(
  parts: AsyncIterable<Buffer>,
  { most, limitBytes }: { readonly most: number; readonly limitBytes: number },
  room: BodyRoom,
  floor: Floor,
): Promise<Buffer<ArrayBuffer>> {
  const first: Buffer[] = [];
  let whole: Buffer<ArrayBuffer> | undefined;
  let length = 0;
  for await (const part of parts) {
    const end = length + part.length;
    if (end > limitBytes) throw tooLarge(limitBytes);
    if (end > room.bytes) await floor.during(room.grow(end));
    if (whole === undefined && end > PLAIN_LIMIT_BYTES) {
      whole = Buffer.allocUnsafeSlow(most);
      Buffer.concat(first.splice(0)).copy(whole);
    }
    if (whole) part.copy(whole, length);
    else first.push(part);
    length = end;
  }
  return whole?.subarray(0, length) ?? Buffer.concat(first, length);
}

function announcedBytes(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** The largest size that a body can have, decompressed: the announced length, or the limit where that is not known. */
export function mostBytes(req: IncomingMessage, limitBytes: number): number {
  const announced = announcedBytes(req);
  return announced > 0 && codingOf(req) !== 'gzip' ? Math.min(announced, limitBytes) : limitBytes;
}

/** Refuses a body whose announced length is too large, before waiting for it or inviting it with 100 Continue. */
export function checkSize(req: IncomingMessage, limitBytes: number): void {
  if (announcedBytes(req) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * The coding of the body: `identity`, `gzip`, or the Content-Encoding that is neither. The header is a list; `identity`
 * and empty elements change nothing (RFC 9110 §5.6.1, §8.4), and `x-gzip` is gzip (§8.4.1.3).
 */
function codingOf(req: IncomingMessage): string {
  const codings = (req.headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').join();
  return applied === '' ? 'identity' : applied.replace(/^x-gzip$/, 'gzip');
}

/** Whether the request announces a body (RFC 9112 §6). */
export function announcesBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || announcedBytes(req) > 0;
}

/** Refuses media types and codings that D-6a does not name. */
export function checkMediaType(req: IncomingMessage): void {
  const refuse: (message: string) => never = (message) => fail('UNSUPPORTED_MEDIA_TYPE', { message });
  const coding = codingOf(req);
  if (coding !== 'identity' && coding !== 'gzip') refuse('The Content-Encoding must be gzip or none.');
  // `req.headers` shows only the first of repeated fields; a proxy on the way may have used another one.
  const [header = '', ...others] = req.headersDistinct['content-type'] ?? [];
  if (others.length > 0) refuse('Content-Type must be given once.');
  if (header === '') refuse('Content-Type is missing; it must be application/json.');
  const type = mediaTypeOf(header);
  if (type === undefined) refuse('Content-Type is malformed; it must be application/json.');
  if (type.name !== 'application/json') refuse('Content-Type must be application/json.');
  const isUtf8 = type.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8');
  if (!isUtf8) refuse('The charset in Content-Type must be utf-8, or none.');
}

const TOKEN = "[\\w!#$%&'*+\\-.^`|~]+";
const TYPE = new RegExp(`${TOKEN}/${TOKEN}`, 'y');
const SEPARATOR = /[ \t]*;[ \t]*/y;
const PARAMETER = new RegExp(
  `(${TOKEN})=(?:(${TOKEN})|"((?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*)")`,
  'y',
);

/** A media type: its name and the names of its parameters in lower case; values as they are meant, without quotes. */
interface MediaType {
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/**
 * The media type that a header names (RFC 9110 §8.3.1, §5.6.6), or undefined if the header is malformed. Takes time in
 * proportion to the text.
 */
export function mediaTypeOf(text: string): MediaType | undefined {
  const [name] = matchAt(TYPE, text, 0) ?? [];
  if (name === undefined) return undefined;
  const parameters: [string, string][] = [];
  let at = name.length;
  while (at < text.length) {
    const [separator] = matchAt(SEPARATOR, text, at) ?? [];
    if (separator === undefined) return undefined;
    at += separator.length;
    const [whole = '', parameter, token, quoted = ''] = matchAt(PARAMETER, text, at) ?? [];
    at += whole.length;
    if (parameter !== undefined) parameters.push([parameter.toLowerCase(), token ?? quoted.replace(/\\(.)/gs, '$1')]);
  }
  return { name: name.toLowerCase(), parameters };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const MIB = 1024 * 1024;
/** Four of the largest bodies. */
const BUDGET_BYTES = 128 * MIB;
/** The most that the bodies of one tenant may grow to together: two of the largest. */
const SHARE_BYTES = 64 * MIB;
/** How many bytes a body is given at a time. */
const STEP_BYTES = MIB;

/** The memory granted to one body as it grows. */
export interface BodyRoom {
  /** How many bytes it may have now. */
  readonly bytes: number;
  /** Gets room for at least `bytes` in all. @throws ApiError UNAVAILABLE when it takes too long */
  grow(bytes: number): Promise<void>;
  /** Gives all of it back, once the body is no longer needed. A second call does nothing. */
  release(): void;
}

/** The room of ordinary bodies, whose bytes are not counted. */
export const anyRoom: BodyRoom = { bytes: Number.POSITIVE_INFINITY, grow: async () => {}, release: () => {} };

/** `shares` counts the largest possible sizes of bodies, `bytes` their present sizes. A body that waits is not read. */
export interface Budgets {
  readonly shares: Shares;
  readonly bytes: Shares;
}

const usual: Budgets = {
  shares: new Shares({ name: 'body_rooms', inAll: Number.POSITIVE_INFINITY, ofTenant: SHARE_BYTES }),
  bytes: new Shares({ name: 'body_bytes', inAll: BUDGET_BYTES, ofTenant: Number.POSITIVE_INFINITY }),
};

/**
 * Makes the room for a large body (D-33). Its bytes are counted as they arrive, so a body that is only announced keeps
 * nobody out; its first step is free, since ordinary bodies are not counted either. A tenant's bodies are read at the same
 * time only as long as their largest possible sizes fit into its share: with more, none might ever be complete.
 * @param mostBytes its largest possible size
 */
export function roomFor(tenantId: string, mostBytes: number, { shares, bytes: held }: Budgets = usual): BodyRoom {
  let [share, taken] = [0, 0];
  let isOver = false;
  const give = () => {
    if (taken > 0) held.release(tenantId, taken);
    if (share > 0) shares.release(tenantId, share);
    [share, taken] = [0, 0];
  };
  return {
    get bytes() {
      return STEP_BYTES + taken;
    },
    async grow(bytes) {
      const more = Math.ceil((bytes - STEP_BYTES - taken) / STEP_BYTES) * STEP_BYTES;
      if (more <= 0) return;
      if (share === 0) {
        await shares.take(tenantId, mostBytes);
        share = mostBytes;
      }
      if (!isOver) {
        await held.take(tenantId, more);
        taken += more;
      }
      // The client may have gone while this waited; then the room is given back at once.
      if (isOver) give();
    },
    release() {
      isOver = true;
      give();
    },
  };
}
