/** The listener at the URLs of the disk storage: forms by POST, presigned URLs by GET and HEAD. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { isStoreAway } from '../data/database-unavailable.ts';
import { logFailure, noteAway } from '../data/outages.ts';
import { methodLabel } from '../http/call-metrics.ts';
import { type Listener, type ListenOptions, listen } from '../http/listener.ts';
import { httpDate, lingerAfterAnswer, plainHeaders, writeAnswer } from '../http/refusals.ts';
import { nowMs } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { HTTP_SECONDS, histogram } from '../runtime/metrics.ts';
import { codeOf, reasonOf } from '../runtime/outage-reasons.ts';
import { checkForm, checkUrl } from './aws-signature.ts';
import { BUCKET, type DiskParts, signerOf } from './disk.ts';
import { ClientGone, receiveForm } from './disk-upload.ts';
import type { Folder } from './folder.ts';
import { refusalXml, refuse, StorageRefusal } from './refusal.ts';
import type { ObjectVersion } from './storage.ts';

const storageServerDuration = histogram(
  'storage_server_request_duration_seconds',
  'Time of uploads and downloads that clients make at this process; only of a folder, not of a bucket.',
  HTTP_SECONDS,
  'http_request_method',
  'http_response_status_code',
);

/** How much of a refused body is read, so that a client that reads only after sending gets its answer. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** How to listen; times in milliseconds. */
export interface DiskListenOptions extends Omit<ListenOptions, 'requestTimeoutMs' | 'refuse'> {
  /** How long one upload or one download may take. */
  readonly transferTimeoutMs: number;
}

/** Listens. @param parts is called for each request, because the URL is known only after the port is */
export function serveDisk(parts: () => DiskParts, log: Logger, options: DiskListenOptions): Promise<Listener> {
  const { transferTimeoutMs, ...rest } = options;
  const handle = (req: IncomingMessage, res: ServerResponse) => {
    const timer = setTimeout(() => res.destroy(), transferTimeoutMs);
    res.once('close', () => clearTimeout(timer));
    void answer(req, res, parts(), log);
  };
  return listen(handle, { ...rest, requestTimeoutMs: transferTimeoutMs, refuse: refuseBare });
}

function refuseBare(socket: Socket, code: string): void {
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const refusal = new StorageRefusal('MalformedPOSTRequest', 'The request is not valid HTTP/1.1, or took too long.');
  writeAnswer(socket, status, { 'Content-Type': 'application/xml' }, refusalXml(refusal, randomUUID()));
}

async function answer(req: IncomingMessage, res: ServerResponse, parts: DiskParts, log: Logger): Promise<void> {
  const requestId = randomUUID();
  const operation = req.method === 'POST' ? 'storageUpload' : 'storageDownload';
  const startedAt = performance.now();
  let refusal: StorageRefusal | undefined;
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const method = methodLabel(req.method);
    const labels = { http_request_method: method, http_response_status_code: res.statusCode };
    storageServerDuration.observe(labels, durationMs / 1000);
    log.info({
      request_id: requestId,
      operation_id: operation,
      status: res.statusCode,
      duration_ms: Math.round(durationMs * 10) / 10,
      error_name: refusal?.code,
      aborted: res.writableFinished ? undefined : true,
    });
  });
  try {
    res.setHeader('X-Amz-Request-Id', requestId);
    res.setHeader('Date', httpDate());
    for (const name in plainHeaders) res.setHeader(name, plainHeaders[name] as string);
    await route(req, res, parts);
  } catch (error) {
    if (error instanceof ClientGone || res.headersSent || req.socket.destroyed) return void res.destroy();
    if (!(error instanceof StorageRefusal)) noteFailure(error, requestId, log);
    // Otherwise the disk or the database is away.
    const away = () => new StorageRefusal('ServiceUnavailable', 'Please try again.', { 'Retry-After': '1' });
    refusal = error instanceof StorageRefusal ? error : away();
    await answerRefusal(req, res, refusal, requestId);
  }
}

/** Anything but a refusal: the database or the disk is away, or there is a fault of ours. */
function noteFailure(error: unknown, requestId: string, log: Logger): void {
  const isOfDisk = !isStoreAway(error) && (error as NodeJS.ErrnoException).syscall !== undefined;
  if (isOfDisk) noteAway('storage', reasonOf(codeOf(error)));
  else logFailure(log, 'error', { request_id: requestId }, error);
}

async function answerRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  refusal: StorageRefusal,
  requestId: string,
): Promise<void> {
  const length = Number(req.headers['content-length'] ?? 0);
  const isInvited = req.headers.expect === undefined;
  if (!req.complete) {
    if (isInvited && length <= MAX_UNREAD_BYTES) await finished(req.resume(), { writable: false }).catch(() => {});
    else lingerAfterAnswer(res);
  }
  const body = refusalXml(refusal, requestId);
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  res.statusCode = refusal.httpStatus;
  res.setHeader('Content-Type', 'application/xml');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

async function route(req: IncomingMessage, res: ServerResponse, parts: DiskParts): Promise<void> {
  const prefix = new URL(parts.url).pathname.replace(/\/$/, '');
  const [, given = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(req.url ?? '') ?? [];
  // A proxy may keep or remove the path of STORAGE_URL.
  const path = prefix !== '' && given.startsWith(`${prefix}/`) ? given.slice(prefix.length) : given;
  if (path === `/${BUCKET}` || path === `/${BUCKET}/`) {
    if (req.method !== 'POST') refuseMethod('POST');
    return upload(req, res, parts);
  }
  if (!path.startsWith(`/${BUCKET}/`)) refuse('NoSuchKey', 'There is nothing here.');
  if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod('GET, HEAD');
  const key = decodedKey(path.slice(BUCKET.length + 2));
  const { object, sent } = await checkUrl(signerOf(parts), key, new URLSearchParams(query), nowMs());
  await sendObject(req, res, parts.folder, object, {
    'Content-Type': sent.type,
    'Content-Disposition': sent.disposition,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
}

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
async function sendObject(
  req: IncomingMessage,
  res: ServerResponse,
  folder: Folder,
  object: ObjectVersion,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const size = (await folder.size(object)) ?? refuse('NoSuchVersion', 'There is no such version.');
  const etag = `"${object.version}"`;
  const range = rangeOf(req, etag, size);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('ETag', etag);
  res.setHeader('Content-Length', range === undefined ? size : range.end - range.start + 1);
  if (range !== undefined) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  res.statusCode = range === undefined ? 200 : 206;
  if (req.method === 'HEAD' || size === 0) return void res.end();
  await pipeline(Readable.from(folder.read(object, range), { objectMode: false }), res);
}

async function upload(req: IncomingMessage, res: ServerResponse, { folder, secret }: DiskParts): Promise<void> {
  const length = req.headers['content-length'];
  if (length === undefined) refuse('MissingContentLength', 'The request needs a Content-Length.');
  const signedWith = await secret();
  if (req.headers.expect !== undefined) res.writeContinue();
  await receiveForm(req, folder, (fields) => checkForm(fields, BUCKET, signedWith, nowMs()));
  res.statusCode = 204;
  res.end();
}

function decodedKey(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return refuse('InvalidURI', 'The path is not percent-encoded UTF-8.');
  }
}

function refuseMethod(allowed: string): never {
  return refuse('MethodNotAllowed', 'The method is not allowed here.', { Allow: allowed });
}
