/**
 * The lingering close of RFC 9112 §9.6. A connection that is closed while bytes of its request are still arriving is
 * reset, and the reset may destroy an answer that the client has not read yet. So after the answer we end only our
 * side, discard what still arrives for a while, and then close the connection.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long to wait for a client, in milliseconds. */
export interface Patience {
  /** Longest time without any byte. */
  readonly quietMs: number;
  /** Longest time in all, however much arrives. */
  readonly longestMs: number;
}

const PATIENCE: Patience = { quietMs: 1_000, longestMs: 10_000 };

const lingering = new WeakSet<Socket>();

/** Whether the last answer of a connection has been sent: what still arrives on it is not a request. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Makes an answer the last one of its connection, and lets the connection linger after it. It is for a request that is
 * not read to its end. Call it before the head of the answer is sent.
 */
export function lingerAfterAnswer(res: ServerResponse, patience: Patience = PATIENCE): void {
  const { req } = res;
  const { socket } = req;
  res.setHeader('Connection', 'close');
  // Node calls this after writing an answer with `Connection: close`.
  socket.destroySoon = () => {
    if (lingering.has(socket)) return;
    lingering.add(socket);
    socket.end();
    req.resume();
    const startedAt = performance.now();
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      const isQuiet = socket.bytesRead === seen;
      seen = socket.bytesRead;
      if (isQuiet || performance.now() - startedAt > patience.longestMs) socket.destroy();
    }, patience.quietMs);
    socket.once('close', () => clearInterval(timer));
  };
}
