/** Requests that no HTTP library would send: bytes over a bare socket, and the first answer that arrives. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { NoAnswer, type WireAnswer } from './client.ts';
import type { Headers } from './exchange.ts';

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
  const value = (name: string) => headers.find(([given]) => given.toLowerCase() === name)?.[1];
  const length = value('content-length');
  if (length !== undefined) {
    return rest.length >= Number(length) ? { status, headers, body: rest.subarray(0, Number(length)) } : undefined;
  }
  if (/chunked/i.test(value('transfer-encoding') ?? '')) {
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
export function exchangeOverWire(baseUrl: string, bytes: Buffer, timeoutMs = 10_000): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const socket = opened(baseUrl);
    const sentAtMs = performance.now();
    let got = Buffer.alloc(0);
    const finish = (closed: boolean) => {
      const answer = parseAnswer(got, closed);
      if (answer) {
        clearTimeout(timer);
        socket.destroy();
        resolve({ ...answer, sentAtMs, receivedAtMs: performance.now(), continued: false });
      } else if (closed) {
        clearTimeout(timer);
        reject(new NoAnswer('the connection was closed without an answer', 'CLOSED'));
      }
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new NoAnswer(`no answer within ${timeoutMs} ms`, 'TIMEOUT'));
    }, timeoutMs);
    socket.on('data', (part) => {
      got = Buffer.concat([got, part]);
      finish(false);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}

/**
 * Sends bytes and reads until the target closes.
 * @returns how many final answers arrived, and whether the connection was closed within the time
 */
export function answersOverWire(
  baseUrl: string,
  bytes: Buffer,
  withinMs = 3000,
): Promise<{ answers: number; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = opened(baseUrl);
    let got = '';
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: got.match(/HTTP\/1\.[01] [2-5]\d\d\b/g)?.length ?? 0, closed });
    };
    const timer = setTimeout(() => finish(false), withinMs);
    socket.on('data', (part) => {
      got += part.toString('latin1');
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}

function opened(baseUrl: string): Socket {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  return secure ? connectTls({ host, port, servername: host }) : connectTcp(port, host);
}
