/** A version of an object as an answer to a GET or HEAD, whole or in part (RFC 9110 §14). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Folder } from './folder.ts';
import { refuse } from './refusal.ts';
import type { ObjectVersion } from './storage.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The requested range; undefined if there is none that this server supports, which then sends the whole object. */
function rangeOf(req: IncomingMessage, etag: string, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(req.headers.range ?? '') ?? [];
  const isSame = req.headers['if-range'] === undefined || req.headers['if-range'] === etag;
  if (req.method !== 'GET' || !isSame || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  // A range whose last position is before the first is invalid and ignored.
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  if (start >= size) refuse('InvalidRange', 'The range is not satisfiable.', { 'Content-Range': `bytes */${size}` });
  return { start, end };
}

/** Sends the object. @throws StorageRefusal when there is no such version or no such range */
export async function sendObject(
  req: IncomingMessage,
  res: ServerResponse,
  folder: Folder,
  object: ObjectVersion,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const size = (await folder.size(object)) ?? refuse('NoSuchVersion', 'There is no such version.');
  const etag = `"${object.version}"`;
  const range = rangeOf(req, etag, size);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('ETag', etag);
  res.setHeader('Content-Length', range === undefined ? size : range.end - range.start + 1);
  if (range !== undefined) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  res.statusCode = range === undefined ? 200 : 206;
  if (req.method === 'HEAD' || size === 0) return void res.end();
  await pipeline(Readable.from(folder.read(object, range), { objectMode: false }), res);
}
