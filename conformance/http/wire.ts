/** Requests that no HTTP library would send: bytes over a bare socket, and the first answer that arrives. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { endOfWire, NoAnswer, type WireAnswer } from './client.ts';
import { type Headers, headerOf } from './exchange.ts';

/** How long a target may say nothing, so that a machine may stand still meanwhile. */
const SILENT_MS = 30_000;

/** The first complete HTTP/1.1 answer in `bytes`, or undefined while none is complete. */
export function parseAnswer(
  bytes: Buffer,
  closed: boolean,
): Pick<WireAnswer, 'status' | 'headers' | 'body'> | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!(status > 0)) return undefined;
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(rest, closed);
  const headers: Headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = headerOf({ headers }, 'content-length');
  if (length !== undefined) {
    return rest.length >= Number(length) ? { status, headers, body: rest.subarray(0, Number(length)) } : undefined;
  }
  if (/chunked/i.test(headerOf({ headers }, 'transfer-encoding') ?? '')) {
    const body = dechunk(rest);
    return body && { status, headers, body };
  }
  return closed || status === 204 || status === 304 ? { status, headers, body: rest } : undefined;
}

function dechunk(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size >= 0) || bytes.length < lineEnd + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/**
 * Sends bytes and reads one answer.
 * @throws NoAnswer with code `CLOSED` if the target closes without one, `TIMEOUT` if it says nothing
 */
export async function exchangeOverWire(baseUrl: string, bytes: Buffer, timeoutMs = SILENT_MS): Promise<WireAnswer> {
  const sentAtMs = performance.now();
  const isWhole = (got: Buffer) => parseAnswer(got, false) !== undefined;
  const { got, closed } = await conversation(baseUrl, bytes, timeoutMs, isWhole);
  const answer = parseAnswer(got, closed);
  if (answer) return { ...answer, sentAtMs, receivedAtMs: performance.now() };
  if (closed) throw new NoAnswer('the connection was closed without an answer', 'CLOSED');
  throw new NoAnswer(`no answer within ${timeoutMs} ms`, 'TIMEOUT');
}

/**
 * Sends bytes and reads until the target closes.
 * @param withinMs after the last byte
 * @returns how many final answers arrived, and whether the connection was closed within the time
 */
export async function answersOverWire(
  baseUrl: string,
  bytes: Buffer,
  withinMs = 3000,
): Promise<{ answers: number; closed: boolean }> {
  const { got, closed } = await conversation(baseUrl, bytes, SILENT_MS, () => false, withinMs);
  return { answers: got.toString('latin1').match(/HTTP\/1\.[01] [2-5]\d\d\b/g)?.length ?? 0, closed };
}

/**
 * Sends bytes, and reads until that is enough, the target closes, or the time is over.
 * @param quietMs the time after each part of an answer, if it is another
 */
function conversation(
  baseUrl: string,
  bytes: Buffer,
  withinMs: number,
  isEnough: (got: Buffer) => boolean,
  quietMs?: number,
): Promise<{ got: Buffer; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = opened(baseUrl);
    let got: Buffer = Buffer.alloc(0);
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ got, closed });
    };
    let timer = setTimeout(() => finish(false), withinMs);
    socket.on('data', (part) => {
      got = Buffer.concat([got, part]);
      if (quietMs !== undefined) {
        clearTimeout(timer);
        timer = setTimeout(() => finish(false), quietMs);
      }
      if (isEnough(got)) finish(false);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}

function opened(baseUrl: string): Socket {
  const { secure, host, port } = endOfWire(new URL(baseUrl));
  return secure ? connectTls({ host, port, servername: host }) : connectTcp(port, host);
}
