/**
 * The lingering close of RFC 9112 §9.6. A connection that is closed while bytes of its request are still arriving is
 * reset, and with the reset a client may lose the answer that it has not read yet. So the answer is followed by the end
 * of our side, what still arrives is thrown away for a while, and only then the connection is closed.
 */
import type { IncomingMessage } from 'node:http';
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

/** Makes the connection linger after the answer to a request that is not read to its end; call it before the answer ends. */
export function lingerAfterAnswer(req: IncomingMessage, patience: Patience = PATIENCE): void {
  const { socket } = req;
  // Node calls this once an answer with `Connection: close` is written.
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
