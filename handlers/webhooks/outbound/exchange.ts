/**
 * One POST over the connections of a target, within the remaining time of the attempt's deadline (D-27). Node's parser
 * reads the answers: strictly, so that what HTTP/1.1 (RFC 9112) does not allow is an error.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { ConnectionFailure, type ConnectionLease, type FailureClass } from './connections.ts';

/** How much of an answer is read; beyond it the connection is closed and the status counts. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** How long the head of an answer may be, in bytes. */
const MAX_HEAD_BYTES = 16_384;
/** Interim answers (1xx, RFC 9110 §15.2) are skipped, up to this number; no honest receiver sends more. */
const MOST_INTERIM = 32;

/** Why no status was received. `protocol_error`: the answer is one that HTTP/1.1 does not allow. */
export type ExchangeError = FailureClass | 'protocol_error';
type ExchangeResult = { readonly status_code: number } | { readonly error: ExchangeError };

interface Post {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends the request and reads the answer. The status counts once the answer has ended, reached the size limit, or
 * broken off. An answer that is still arriving at the deadline is a timeout. If a kept connection ends before a byte of
 * the answer, the receiver has most likely closed it meanwhile: the request is sent once more, on a new connection.
 * @throws the signal's reason if the request was given up
 */
export function exchange(
  lease: ConnectionLease,
  post: Post,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      // Closes the connection, unless the answer was read to its end: then it belongs to the agent again.
      request.destroy();
      settle();
    };
    const giveUp = () => end(() => reject(signal?.reason));
    const answer = (result: ExchangeResult) => end(() => resolve(result));
    const timer = setTimeout(
      () => {
        // Without a connection the class is the same, whether it was refused or not answered.
        answer({ error: request.socket === null && !lease.isGreeting() ? 'connect_error' : 'timeout' });
      },
      Math.max(0, timeoutMs),
    );
    signal?.addEventListener('abort', giveUp, { once: true });

    let request = send(lease, post, (result) => {
      if (result !== 'was_closed') return answer(result);
      if (isOver) return;
      lease.dropKept();
      request = send(lease, post, (again) => answer(again === 'was_closed' ? { error: 'connect_error' } : again));
    });
  });
}

/**
 * Sends the request once.
 * @param settle is called once; `was_closed`: the connection was a kept one, and ended before a byte of the answer
 */
function send(
  lease: ConnectionLease,
  post: Post,
  settle: (result: ExchangeResult | 'was_closed') => void,
): ClientRequest {
  const { host, port, path, headers, body } = post;
  const { agent } = lease;
  const request = requestOverTls({ host, port, path, method: 'POST', headers, agent, maxHeaderSize: MAX_HEAD_BYTES });
  let isSettled = false;
  let status = 0;
  let interim = 0;
  let bytes = 0;
  let bytesBefore = 0;
  const end = (result: ExchangeResult | 'was_closed') => {
    if (isSettled) return;
    isSettled = true;
    settle(result);
  };
  const refuse = () => end({ error: 'protocol_error' });
  const finish = () => end({ status_code: status });
  request.once('socket', ({ bytesRead }) => {
    bytesBefore = bytesRead;
  });
  request.on('information', () => {
    if (++interim > MOST_INTERIM) refuse();
  });
  // 101: the receiver goes on in a protocol that nobody asked for.
  request.once('upgrade', (_answer, socket) => {
    socket.destroy();
    refuse();
  });
  request.once('response', (response) => {
    const { statusCode = 0, httpVersionMajor } = response;
    if (statusCode < 200 || httpVersionMajor !== 1) return refuse();
    status = statusCode;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) finish();
    });
    response.once('end', finish).once('error', finish);
    // Closes the connection: what still comes would be taken for the answer to the next request.
    if (contradictsItself(response)) finish();
  });
  request.on('error', (error) => {
    if (status > 0) return finish();
    const wasClosed = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
    end(wasClosed ? 'was_closed' : { error: classOf(error) });
  });
  return request.end(body);
}

/** Whether the head of an answer announces a body that it cannot have, so that nobody knows where the answer ends. */
function contradictsItself({ statusCode, httpVersion, headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  // Neither has a body (RFC 9112 §6.3); HTTP/1.0 has no codings, and HTTP/1.1 here no other than chunked, once (§6.1).
  if (statusCode === 204 || statusCode === 304) return coding !== undefined || Number(length) > 0;
  return coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked');
}

function classOf(error: NodeJS.ErrnoException): ExchangeError {
  if (error instanceof ConnectionFailure) return error.error;
  return error.code?.startsWith('HPE_') ? 'protocol_error' : 'connect_error';
}
