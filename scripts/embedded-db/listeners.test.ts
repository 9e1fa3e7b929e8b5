/** Tests who can connect: the owner through the Unix socket, nobody else. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { MOST_SOCKET_BYTES, socketPath } from './listeners.ts';
import { start } from './server.ts';
import { Leftovers, type Process } from './test-fixture.ts';

const leftovers = new Leftovers();
const folder = (): string => leftovers.folder();
afterAll(() => leftovers.remove());

/** A folder that everybody may enter, so that only the database's own measures keep others out. */
function openFolder(): string {
  const made = folder();
  chmodSync(made, 0o755);
  return made;
}

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
const modesIn = (path: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]));

/** Ends a process as a crash would. */
async function kill({ child, exit }: Process): Promise<void> {
  child.kill('SIGKILL');
  await exit;
}

/** The TCP ports on which a process listens, with IPv4 and IPv6. */
function listeningPorts(pid = 0): number[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const lines = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n'));
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === '0A' && own.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

async function countAt(uri: string): Promise<number> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await client.db('a').collection('b').countDocuments();
  } finally {
    await client.close();
  }
}

describe('the Unix socket', () => {
  test('is in a folder that only the owner can read, like everything in it, no matter what the modes were before', async () => {
    const data = openFolder();
    writeFileSync(join(data, 'data.sqlite'), '', { mode: 0o644 });
    writeFileSync(join(data, 'data.sqlite-wal'), '', { mode: 0o644 });
    const running = await start({ data });
    const client = await new MongoClient(running.uri).connect();
    await client.db('a').collection('b').insertOne({ x: 1 });
    expect(modeOf(data)).toBe('700');
    expect(modesIn(data)).toEqual({ 'data.sqlite': '600', 'data.sqlite-wal': '600', 'db.sock': '600' });
    await client.close();
    await running.close();
    expect(existsSync(running.socket)).toBe(false);
  });

  test('is not opened in a folder that others can enter and that has other contents', async () => {
    const data = openFolder();
    writeFileSync(join(data, 'of-others.txt'), '');
    await expect(start({ data })).rejects.toThrow(/other users can enter the folder .* it holds of-others.txt/);
    expect(modeOf(data)).toBe('755');
  });

  (existsSync('/proc/net/tcp') ? test : test.skip)('is the only listener', async () => {
    const one = leftovers.run('--data', folder());
    await one.said;
    expect(listeningPorts(one.child.pid)).toEqual([]);
    await kill(one);
  });

  // Only root can act as another user.
  (process.getuid?.() === 0 ? test : test.skip)('lets no other user in (needs root)', async () => {
    const data = join(openFolder(), 'db');
    const running = await start({ data });
    const script = `
      const socket = require('node:net').connect(process.argv[1]);
      socket.on('connect', () => process.exit(0)).on('error', ({ code }) => console.log(code) ?? process.exit(1));`;
    const as = (id: number) =>
      spawnSync(process.execPath, ['-e', script, running.socket], {
        uid: id,
        gid: id,
        env: {},
        encoding: 'utf8',
        cwd: '/',
      });
    const [owner, stranger] = [as(0), as(65_534)];
    await running.close();
    expect([owner.status, owner.stdout]).toEqual([0, '']);
    expect([stranger.status, stranger.stdout]).toEqual([1, 'EACCES\n']);
  });
});

describe('if the path of the folder is too long for a socket', () => {
  const longIn = (base: string): string => join(base, 'l'.repeat(MOST_SOCKET_BYTES));
  const env = { ...process.env };
  afterAll(() => {
    process.env = env;
  });

  test('the socket is in a folder of its own, which is removed with it', async () => {
    const runtime = folder();
    process.env.XDG_RUNTIME_DIR = runtime;
    const running = await start({ data: longIn(folder()) });
    expect(dirname(dirname(running.socket))).toBe(runtime);
    expect([modeOf(dirname(running.socket)), modeOf(running.socket)]).toEqual(['700', '600']);
    expect(await countAt(running.uri)).toBe(0);
    await running.close();
    expect(readdirSync(runtime)).toEqual([]);
  });

  test('the same data have the same socket, also after a kill, and other data another one', async () => {
    process.env.XDG_RUNTIME_DIR = folder();
    const data = longIn(folder());
    const killed = leftovers.run('--data', data);
    await killed.said;
    await kill(killed);
    const again = await start({ data });
    expect(await killed.said).toContain(again.uri);
    expect(await countAt(again.uri)).toBe(0);
    expect(socketPath(longIn(folder()))).not.toBe(again.socket);
    await again.close();
  });

  test('a folder that others made or can enter is not used', async () => {
    const data = longIn(folder());
    process.env.XDG_RUNTIME_DIR = folder();
    chmodSync(dirname(socketPath(data)), 0o755);
    await expect(start({ data })).rejects.toThrow(/must belong to this user, and to nobody else/);
    expect(lstatSync(data).isDirectory()).toBe(true);
  });

  test('and no other path is short enough, the error says so', () => {
    const base = join(folder(), 'm'.repeat(MOST_SOCKET_BYTES));
    mkdirSync(base);
    expect(() => socketPath(longIn(base), [base, join(base, 'missing'), ''])).toThrow(
      /at most 10[37] bytes.*Take a folder with a shorter path/,
    );
  });
});
