/**
 * Requests that Node's timers found late. Node looks at the clock only. So it also blames a client whose bytes wait in
 * the socket because this process stood still. It also blames a client whose pipelined requests Node itself does not
 * read while earlier answers wait to be written. Such a request is not late: its client did what it could.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** The requests of one connection. */
export interface WatchedConnection {
  /** How many requests have begun, that is, how many heads have arrived. */
  begun: number;
  /** The request that began last. */
  latest: IncomingMessage | undefined;
  /** The answers that are not finished yet, in the order of their requests. */
  readonly open: Set<ServerResponse>;
}

/** Times in milliseconds. */
export interface LateTimes {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** How long this side has, at least, to read what has arrived of a late request. */
const GRACE_MS = 1_000;

/**
 * Waits until a request that Node reported as late has arrived, or is late by its client's fault. Node reports a
 * request once, so this also watches the body of a request whose head was late. A client that had to wait for this side
 * has its whole time again.
 * @returns whether the client is to blame; false when the request has arrived or the connection is closed
 */
export async function isClientLate(socket: Socket, connection: WatchedConnection, times: LateTimes): Promise<boolean> {
  const { begun, latest } = connection;
  let hasHead = latest?.complete === false;
  const late = hasHead ? begun : begun + 1;
  let until = performance.now();
  for (;;) {
    await setTimeout(Math.min(GRACE_MS, times.headersTimeoutMs), undefined, { ref: false });
    // The event loop reads sockets between its timers and its immediates.
    await setImmediate(undefined, { ref: false });
    const hasArrived = connection.begun > late || (connection.begun === late && connection.latest?.complete === true);
    if (hasArrived || socket.destroyed) return false;
    const hasNewHead = !hasHead && connection.begun === late;
    hasHead ||= hasNewHead;
    if (hasNewHead || isUnread(socket, connection)) until = performance.now() + times.requestTimeoutMs;
    else if (performance.now() >= until) return true;
  }
}

/** Whether this side does not read now: it writes answers first, or has not come to the body yet. */
export function isUnread(socket: Socket, { latest }: WatchedConnection): boolean {
  const isBodyWaiting = latest !== undefined && !latest.complete && latest.readableFlowing === null;
  return socket.isPaused() || isBodyWaiting;
}
