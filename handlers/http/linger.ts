/**
 * The lingering close of RFC 9112 §9.6. A connection that is closed while bytes of its request are still arriving is
 * reset, and with the reset a client may lose the answer that it has not read yet. So the answer is followed by the end
 * of our side, what still arrives is thrown away for a while, and only then the connection is closed.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long is waited for a client, in milliseconds. */
export interface Patience {
  /** Longest between bytes that arrive. */
  readonly quietMs: number;
  /** Longest in all, however much arrives. */
  readonly longestMs: number;
}

const PATIENCE: Patience = { quietMs: 1_000, longestMs: 10_000 };

const lingering = new WeakSet<Socket>();

/** Whether the last answer of a connection is out: what still arrives on it is no request. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Makes an answer the last of its connection, which lingers after it: for a request that is not read to its end. Call it
 * before the head of the answer is sent.
 */
export function lingerAfterAnswer(res: ServerResponse, patience: Patience = PATIENCE): void {
  const { req } = res;
  const { socket } = req;
  res.setHeader('Connection', 'close');
  // Node calls this once such an answer is written.
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
