import { lstatSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import { Catalogue } from './catalogue.ts';
import { runCommand, type Server } from './commands.ts';
import { Cursors } from './cursors.ts';
import { Database } from './database.ts';
import { DatabaseError } from './errors.ts';
import { deleteExpired } from './expiry.ts';
import { Framing, frameReply, parseRequest, type Request } from './wire.ts';

export interface StartOptions {
  /** The folder of the data; made if it is not there. */
  readonly data: string;
  /** The TCP port on the loopback interface; 0, the default, takes a free one. */
  readonly port?: number;
  /** A Unix socket to listen on instead of a port. */
  readonly socket?: string;
  /** How often expired documents and cursors are looked for. */
  readonly sweepMs?: number;
  /** How long an unused cursor is kept. */
  readonly cursorTimeoutMs?: number;
}

/** Less than this in an interval of sweeping is no work. */
const IDLE_BYTES = 16 * 1024;

/** A running database. */
export interface Running {
  readonly uri: string;
  /** The number of open cursors. */
  readonly openCursors: () => number;
  /** Deletes expired documents and cursors now, as if it were the given time. */
  readonly sweep: (now?: number) => Promise<void>;
  /** Commits, closes all connections and the files. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the database in this process. Throws LockedError when another process has the data, and the system's error
 * when the port or the socket cannot be had.
 */
export async function start(options: StartOptions): Promise<Running> {
  const database = new Database(options.data);
  const sockets = new Set<Socket>();
  let listener: NetServer;
  let server: Server;
  try {
    server = { database, catalogue: new Catalogue(database), cursors: new Cursors(options.cursorTimeoutMs ?? 600_000) };
    listener = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(server, socket);
    });
    await listen(listener, options);
  } catch (error) {
    database.close();
    throw error;
  }
  const sweep = async (now?: number): Promise<void> => {
    server.cursors.expire(now);
    await deleteExpired(server.catalogue, now);
  };
  let received = 0;
  const timer = setInterval(() => {
    // Hardly more than the drivers' heartbeats came since the last time: an idle process should be a small one.
    const now = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
    if (Math.abs(now - received) < IDLE_BYTES) database.rest();
    received = now;
    sweep().catch((error) => console.error('embedded-db: deleting expired documents failed:', error));
  }, options.sweepMs ?? 60_000);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    const closed = new Promise((resolve) => listener.close(resolve));
    // What is being written is committed and acknowledged before the connections go.
    database.commit();
    for (const socket of sockets) socket.destroySoon();
    await closed;
    database.close();
  };
  return { uri: uriOf(listener, options), openCursors: () => server.cursors.size, sweep, close };
}

function listen(listener: NetServer, { port = 0, socket }: StartOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.once('listening', () => resolve());
    if (socket === undefined) listener.listen(port, '127.0.0.1');
    else {
      // Whoever holds the lock on the data may take over the socket that a killed process left behind.
      if (lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) rmSync(socket);
      listener.listen(socket);
    }
  });
}

function uriOf(listener: NetServer, { socket }: StartOptions): string {
  if (socket !== undefined) return `mongodb://${encodeURIComponent(socket)}/`;
  return `mongodb://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
}

/** Answers the messages of one connection, one after the other. */
function serve(server: Server, socket: Socket): void {
  const framing = new Framing();
  const queue: Buffer[] = [];
  let working = false;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());

  async function work(): Promise<void> {
    working = true;
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) await answer(message);
    working = false;
  }

  async function answer(message: Buffer): Promise<void> {
    let request: Request;
    try {
      request = parseRequest(message);
    } catch (error) {
      refuse(message, error);
      return;
    }
    const reply = await runCommand(server, request);
    if (!request.answer) return;
    const parts = frameReply(request, reply);
    // Nothing leaves before it is on disk: neither acknowledgements nor what was read of uncommitted writes.
    await new Promise<void>((resolve) => {
      server.database.whenCommitted(
        () => {
          for (const part of parts) socket.write(part);
          resolve();
        },
        () => {
          socket.destroy();
          resolve();
        },
      );
    });
  }

  function refuse(message: Buffer, error: unknown): void {
    const { code, codeName } = error instanceof DatabaseError ? error : { code: 22, codeName: 'InvalidBSON' };
    const reply = { ok: 0, errmsg: (error as Error).message, code, codeName };
    for (const part of frameReply({ id: message.readInt32LE(4), legacy: false }, reply)) socket.write(part);
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      queue.push(...framing.push(chunk));
    } catch {
      socket.destroy();
      return;
    }
    if (!working) work().catch(() => socket.destroy());
  });
}
