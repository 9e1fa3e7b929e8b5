import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Who can connect: through a Unix socket, in a folder that only its owner can enter, only the owner (and root). */
const SOCKET = 'db.sock';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OF_OTHERS = 0o077;
/** The longest path of a Unix socket in bytes: `sun_path` has 108 with the final zero on Linux, 104 on other systems. */
export const MOST_SOCKET_BYTES = process.platform === 'linux' ? 107 : 103;

/** The files that the database keeps in the data's folder. */
const OURS = /^(data\.sqlite(-wal|-shm|-journal)?|db\.sock)$/;

/**
 * Makes the folder of the data. Removes all access to the folder and the database's files, except the owner's.
 * @throws Error if others can enter the folder and it holds files of other programs, whose access we must not change
 */
export function closeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const names = readdirSync(folder);
  if ((statSync(folder).mode & OF_OTHERS) !== 0) {
    const strange = names.find((name) => !OURS.test(name));
    if (strange !== undefined) {
      throw new Error(
        `other users can enter the folder ${folder}, and it holds ${strange}, which is not this database's. ` +
          'Take a folder for the database alone, or close this one: chmod 700',
      );
    }
    chmodSync(folder, FOLDER_MODE);
  }
  for (const name of names) if (OURS.test(name)) chmodSync(join(folder, name), FILE_MODE);
}

/**
 * The path of the Unix socket: in the folder of the data. If that path is too long for a socket, in a separate folder
 * under XDG_RUNTIME_DIR or the system's folder for temporary files, whose name is derived from the data's folder.
 * @throws Error if no path is short enough, or if the folder already exists and belongs to another user
 */
export function socketPath(data: string, places = [process.env.XDG_RUNTIME_DIR ?? '', tmpdir()]): string {
  const inData = resolve(data, SOCKET);
  if (Buffer.byteLength(inData) <= MOST_SOCKET_BYTES) return inData;
  const name = `embedded-db-${createHash('sha256').update(resolve(data)).digest('hex').slice(0, 16)}`;
  const found = places
    .filter((place) => place !== '' && existsSync(place))
    .map((place) => resolve(place, name, SOCKET))
    .find((path) => Buffer.byteLength(path) <= MOST_SOCKET_BYTES);
  if (found === undefined) {
    throw new Error(
      `the path of a Unix socket has at most ${MOST_SOCKET_BYTES} bytes, but ${inData} has ${Buffer.byteLength(inData)}. ` +
        'Take a folder with a shorter path, or name a short one in XDG_RUNTIME_DIR or TMPDIR',
    );
  }
  ownFolder(dirname(found));
  return found;
}

/** In a folder where everybody can write, another user may have made our folder first. */
function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & OF_OTHERS) !== 0) {
    throw new Error(`the folder ${folder} must belong to this user, and to nobody else (chmod 700)`);
  }
}

/**
 * Opens the Unix socket. A process that holds the lock on the data may replace the socket that a killed process left
 * behind.
 */
export async function openSocket(listener: Server, path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).once('listening', () => resolve());
    listener.listen(path);
  });
  chmodSync(path, FILE_MODE);
}

/** Removes the socket's folder if it is outside the data's folder. */
export function removeSocket(path: string, data: string): void {
  if (dirname(path) !== resolve(data)) rmSync(dirname(path), { recursive: true, force: true });
}
