import { createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Catalogue } from './catalogue.ts';
import type { Answer, Server } from './command.ts';
import { errorAnswer, runCommand } from './commands.ts';
import { Cursors } from './cursors.ts';
import { Database } from './database.ts';
import { deleteExpired } from './expiry.ts';
import { openSocket, removeSocket, socketPath } from './listeners.ts';
import { Framing, frameReply, parseRequest, type Request } from './wire.ts';

interface StartOptions {
  /** The folder of the data. It is made if it does not exist, and other users cannot enter it. */
  readonly data: string;
}

/** How often expired documents and cursors are removed, and deleted data from the log. */
const SWEEP_MS = 60_000;
/** Less traffic than this between two sweeps counts as idle. */
const IDLE_BYTES = 16 * 1024;

/** A running database. */
export interface RunningDatabase {
  /** The connection string of the Unix socket. */
  readonly uri: string;
  /** The path of the Unix socket. */
  readonly socket: string;
  /** The number of open cursors. */
  readonly openCursors: () => number;
  /** Deletes expired documents and cursors now, as if the time were `now`, and what was deleted from the log, too. */
  readonly sweep: (now?: number) => Promise<void>;
  /** Commits, and closes all connections and the files. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the database in this process. Throws LockedError when another process has locked the data, and an error with
 * an explanation, or the system's error, when the folder or the socket is not available.
 */
export async function start(options: StartOptions): Promise<RunningDatabase> {
  const database = new Database(options.data);
  const sockets = new Set<Socket>();
  const listener = createServer();
  let path: string;
  let server: Server;
  try {
    server = { database, catalogue: new Catalogue(database), cursors: new Cursors() };
    listener.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(server, socket);
    });
    path = socketPath(options.data);
    await openSocket(listener, path);
  } catch (error) {
    listener.close();
    database.close();
    throw error;
  }
  const sweep = async (now?: number): Promise<void> => {
    server.cursors.expire(now);
    await deleteExpired(server.catalogue, now);
    database.emptyLog();
  };
  let received = 0;
  const timer = setInterval(() => {
    // Since the last sweep hardly more than the drivers' heartbeats arrived: an idle process should use little memory.
    const now = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
    if (Math.abs(now - received) < IDLE_BYTES) database.rest();
    received = now;
    sweep().catch((error) => console.error('embedded-db: the sweep failed:', error));
  }, SWEEP_MS);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    const closed = new Promise((resolve) => listener.close(resolve));
    // Writes under way are committed and acknowledged before the connections are closed.
    database.commit();
    await setImmediate();
    for (const socket of sockets) socket.destroySoon();
    await closed;
    removeSocket(path, options.data);
    database.close();
  };
  return {
    uri: `mongodb://${encodeURIComponent(path)}/`,
    socket: path,
    openCursors: () => server.cursors.size,
    sweep,
    close,
  };
}

/** Answers the messages of one connection, in order. */
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
    let request: Omit<Request, 'body' | 'documents'> = { id: message.readInt32LE(4), answer: true, legacy: false };
    let reply: Answer;
    try {
      const parsed = parseRequest(message);
      request = parsed;
      reply = await runCommand(server, parsed);
    } catch (error) {
      reply = errorAnswer(error);
    }
    if (!request.answer) return;
    const parts = frameReply(request, reply);
    // Nothing is sent before it is on disk: neither acknowledgements nor data read from uncommitted writes.
    await server.database.whenCommitted();
    for (const part of parts) socket.write(part);
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
