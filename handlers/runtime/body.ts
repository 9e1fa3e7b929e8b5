/** JSON bodies as D-6a admits them: media type, coding, size, UTF-8, depth, and no text that a store cannot keep. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { ApiError, fail, failField } from './errors.ts';

/** How many arrays and objects of a body may stand in each other (D-6a). */
export const MAX_DEPTH = 64;

/** The limit of ordinary bodies, in bytes (D-6a); larger ones are read as `bulk-body.ts` tells. */
export const PLAIN_LIMIT_BYTES = 1024 * 1024;

/** What is wrong with a body that has such text. */
export const UNSTORABLE = 'contains a NUL character or a lone surrogate';

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
 * @throws ApiError REQUEST_TOO_LARGE, or INVALID_ARGUMENT when it ends early or is no gzip
 */
export async function readBody(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const sent = await sentBytes(req, limitBytes);
  if (codingOf(req) !== 'gzip') return sent;
  return new Promise((resolve, reject) => {
    gunzip(sent, { maxOutputLength: limitBytes }, (error, bytes) => {
      if (error === null) resolve(bytes);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(limitBytes));
      else reject(invalidBody('is not valid gzip'));
    });
  });
}

function sentBytes(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = announcedBytes(req);
    // A large body is put together as it comes, so that it is never there twice.
    const whole = announced > PLAIN_LIMIT_BYTES ? Buffer.allocUnsafe(announced) : undefined;
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      if (length + chunk.length > limitBytes) {
        req.off('data', take).pause();
        return reject(tooLarge(limitBytes));
      }
      if (whole === undefined) chunks.push(chunk);
      else chunk.copy(whole, length);
      length += chunk.length;
    };
    const endEarly = () => reject(invalidBody('ends early'));
    req.on('data', take).once('end', () => resolve(whole ?? Buffer.concat(chunks, length)));
    req.once('error', endEarly).once('close', endEarly);
    if (req.destroyed) endEarly();
  });
}

function announcedBytes(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
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
  if (!MEDIA_TYPE.test(req.headers['content-type'] ?? '')) fail('UNSUPPORTED_MEDIA_TYPE');
}

/**
 * Parses a body.
 * @throws ApiError INVALID_ARGUMENT on `body` for anything that is not one JSON text of at most 64 levels in UTF-8
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) failField('body', 'begins with a byte order mark');
  if (!isUtf8(bytes)) failField('body', 'is not UTF-8');
  if (isTooDeep(bytes)) failField('body', `is nested deeper than ${MAX_DEPTH} levels`);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    failField('body', 'is not valid JSON');
  }
  // Only an escape can bring in what UTF-8 and JSON forbid in the raw, so bodies without one are not searched.
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text) && hasUnstorableText(value)) {
    failField('body', UNSTORABLE);
  }
  return value;
}

/** Counts brackets outside strings, so that depth is known before anything is built. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** Whether a text in a parsed value, or a name, has what UTF-8 and the store do not: a lone surrogate, NUL. */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0');
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
}
