/** The bytes of a body as D-6a admits them: media type, coding, size; and no slower than D-33 allows. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ApiError, fail } from './errors.ts';
import type { BodyRoom } from './large-bodies.ts';
import { tooSlow } from './refusals.ts';

/** The limit of ordinary bodies, in bytes (D-6a); larger ones are parsed as `bulk-body.ts` tells. */
export const PLAIN_LIMIT_BYTES = 1024 * 1024;

const MEDIA_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('REQUEST_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}

function invalidBody(description: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', { violations: [{ field: 'body', description }] });
}

/**
 * Reads a body that {@link checkSize} let pass and decompresses it; neither form may have more than `limitBytes`. On a
 * refusal the rest is left unread.
 * @param room where the bytes are counted as they come; what is read waits while there is none
 * @throws ApiError REQUEST_TOO_LARGE; INVALID_ARGUMENT when it ends early or is no gzip, as 408 when it comes too slowly;
 * UNAVAILABLE when there is no room
 */
export async function readBody(req: IncomingMessage, limitBytes: number, room: BodyRoom): Promise<Buffer> {
  const body = new Body(limitBytes, mostBytes(req, limitBytes));
  const floor = new Floor();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const endEarly = () => req.complete || failed.reject(invalidBody('ends early'));
  const timer = setInterval(() => floor.isBroken && failed.reject(tooSlow('comes too slowly')), FLOOR.lookMs);
  req.once('error', endEarly).once('close', endEarly);
  if (req.destroyed) endEarly();
  try {
    await Promise.race([failed.promise, take(sentParts(req, limitBytes, floor), body, room, floor)]);
    return body.bytes();
  } finally {
    clearInterval(timer);
  }
}

/** How slow a body may come (D-33). */
const FLOOR = { bytesPerSecond: 4 * 1024, afterMs: 5_000, lookMs: 500 } as const;

/** Whether a body comes fast enough; the time in which the service does not read it does not count. */
class Floor {
  #bytes = 0;
  #countedMs = 0;
  #sinceMs = performance.now();
  #isPaused = false;

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    this.#countedMs += performance.now() - this.#sinceMs;
    this.#isPaused = true;
  }

  resume(): void {
    this.#sinceMs = performance.now();
    this.#isPaused = false;
  }

  get isBroken(): boolean {
    const ms = this.#countedMs + (this.#isPaused ? 0 : performance.now() - this.#sinceMs);
    return ms > FLOOR.afterMs && this.#bytes < (ms / 1000) * FLOOR.bytesPerSecond;
  }
}

/** The parts of a body as they come, decompressed. */
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
  return codingOf(req) === 'gzip' ? unpacked(counted()) : counted();
}

async function* unpacked(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  const fed = pipeline(parts, gunzip);
  fed.catch(() => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await fed;
  } catch (error) {
    throw error instanceof ApiError ? error : invalidBody('is not valid gzip');
  }
}

async function take(parts: AsyncIterable<Buffer>, body: Body, room: BodyRoom, floor: Floor): Promise<void> {
  for await (const part of parts) {
    body.check(part);
    if (body.length + part.length > room.bytes) {
      floor.pause();
      await room.grow(body.length + part.length);
      floor.resume();
    }
    body.add(part);
  }
}

/** A body as it is put together. */
class Body {
  readonly #limitBytes: number;
  readonly #mostBytes: number;
  #parts: Buffer[] = [];
  #whole: Buffer | undefined;
  length = 0;

  /** @param mostBytes what it may become, decompressed */
  constructor(limitBytes: number, mostBytes: number) {
    this.#limitBytes = limitBytes;
    this.#mostBytes = mostBytes;
  }

  check(part: Buffer): void {
    if (this.length + part.length > this.#limitBytes) throw tooLarge(this.#limitBytes);
  }

  add(part: Buffer): void {
    if (this.#whole === undefined && this.length + part.length > PLAIN_LIMIT_BYTES) this.#spread();
    if (this.#whole) part.copy(this.#whole, this.length);
    else this.#parts.push(part);
    this.length += part.length;
  }

  /** A large body is put together as it comes, so that it is never there twice; what is not written yet takes no memory. */
  #spread(): void {
    const whole = Buffer.allocUnsafeSlow(this.#mostBytes);
    Buffer.concat(this.#parts).copy(whole);
    this.#parts = [];
    this.#whole = whole;
  }

  bytes(): Buffer {
    return this.#whole?.subarray(0, this.length) ?? Buffer.concat(this.#parts, this.length);
  }
}

function announcedBytes(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** What a body may become: what it announces, or the limit where that says nothing. */
export function mostBytes(req: IncomingMessage, limitBytes: number): number {
  const announced = announcedBytes(req);
  return announced > 0 && codingOf(req) !== 'gzip' ? Math.min(announced, limitBytes) : limitBytes;
}

/** Refuses a body whose head says already that it is too large: it is not waited for, nor invited. */
export function checkSize(req: IncomingMessage, limitBytes: number): void {
  if (announcedBytes(req) > limitBytes) throw tooLarge(limitBytes);
}

/** What the body is coded with; `identity` where nothing is said. */
export function codingOf(req: IncomingMessage): string {
  return (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

/** Whether the request announces a body (RFC 9112 §6). */
export function announcesBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || announcedBytes(req) > 0;
}

/** Refuses media types and codings that D-6a does not name. */
export function checkMediaType(req: IncomingMessage): void {
  const coding = codingOf(req);
  if (coding !== 'identity' && coding !== 'gzip') {
    fail('UNSUPPORTED_MEDIA_TYPE', { message: 'The Content-Encoding must be gzip or none.' });
  }
  // Of a field that is repeated Node shows the first only, and whoever is on the way may have read another one.
  const given = req.headersDistinct['content-type'] ?? [];
  if (given.length > 1) fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Content-Type must be given once.' });
  if (!MEDIA_TYPE.test(given[0] ?? '')) fail('UNSUPPORTED_MEDIA_TYPE');
}
