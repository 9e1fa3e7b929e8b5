/** JSON bodies as D-6a admits them: media type, coding, size, UTF-8, depth, and no text that a store cannot keep. */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError, fail, failField } from './errors.ts';

const MAX_DEPTH = 64;
const MEDIA_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/** Reads and decompresses up to `limitBytes`; made once for each limit, since building it costs. */
export function bodyReader(limitBytes: number): (req: Request, res: Response) => Promise<Buffer> {
  const read: RequestHandler = express.raw({ type: () => true, limit: limitBytes, inflate: true });
  return (req, res) =>
    new Promise((resolve, reject) => {
      read(req, res, (error?: unknown) => {
        if (error) reject(translated(error, limitBytes));
        else resolve(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0));
      });
    });
}

function translated(error: unknown, limitBytes: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new ApiError('REQUEST_TOO_LARGE', {
      message: `The body is larger than ${limitBytes} bytes after decompression.`,
    });
  }
  if (type === 'encoding.unsupported') return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (status !== undefined && status < 500) {
    const violations = [{ field: 'body', description: 'does not match its Content-Length or Content-Encoding' }];
    return new ApiError('INVALID_ARGUMENT', { violations });
  }
  return error;
}

/** Whether the request announces a body (RFC 9112 §6). */
export function announcesBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** Refuses media types and codings that D-6a does not name. */
export function checkMediaType(req: Request): void {
  const coding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
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
    failField('body', 'contains a NUL character or a lone surrogate');
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

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0');
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
}
