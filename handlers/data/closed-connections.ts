/**
 * Mends the driver (mongodb 7.8): a command that waits until its connection's buffer drains never learns that the
 * connection was closed, because a socket that is destroyed without an error emits only `close`. Such a command would
 * wait for ever, beyond every time limit, and keep its connection from the pool.
 */
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { MongoNetworkError } from 'mongodb';

/** The part of the driver's connection that this uses. */
interface Connection extends EventEmitter {
  readonly error: Error | null;
  /** Writes a command to the socket; settles when its buffer has room again. */
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

/** Marks the driver itself: tests load this module anew for each file, and the driver once. */
const MENDED = Symbol.for('developer-api: commands of closed connections fail');

/** Makes every command of the driver fail as soon as its connection is closed; a second call changes nothing. */
export function failCommandsOfClosedConnections(): void {
  const require = createRequire(import.meta.url);
  const { Connection: kind } = require('mongodb/lib/cmap/connection.js') as { Connection: { prototype: Connection } };
  const driver = kind.prototype;
  if (MENDED in driver) return;
  Object.defineProperty(driver, MENDED, { value: true });
  const { writeCommand } = driver;
  driver.writeCommand = async function (command, options) {
    const { promise: closing, reject } = Promise.withResolvers<never>();
    const onClose = () => reject(this.error ?? new MongoNetworkError('the connection was closed'));
    this.once('close', onClose);
    try {
      await Promise.race([writeCommand.call(this, command, options), closing]);
    } finally {
      this.off('close', onClose);
    }
  };
}
