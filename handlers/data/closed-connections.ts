/**
 * Makes every command to the database end. A command of the driver (mongodb 7.8) that waits until its socket drains never
 * learns that the socket was destroyed, because a socket that is destroyed without an error emits only `close`. The command
 * would wait for ever, beyond every time limit, and keep its connection from the pool.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { MongoClient } from 'mongodb';

/** Where Node announces each socket that a program makes, also one with TLS, while it is made. */
const MADE = 'net.client.socket';
/** Right after these, the driver makes a socket if it needs one. It hands its sockets to nobody. */
const BEFORE_SOCKETS = ['connectionCreated', 'serverHeartbeatStarted'] as const;

/** Commands of this client end when their connection closes. @param client one that has not begun to connect */
export function endCommandsOfClosedConnections(client: MongoClient): void {
  for (const event of BEFORE_SOCKETS) {
    client.on(event, () => {
      subscribe(MADE, drainAtClose);
      queueMicrotask(() => unsubscribe(MADE, drainAtClose));
    });
  }
}

/** So whoever waits goes on, and finds the error that the driver notes when the socket closes. */
function drainAtClose(message: unknown): void {
  const { socket } = message as { readonly socket: Socket };
  socket.once('close', () => socket.emit('drain'));
}
