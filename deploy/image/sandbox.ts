/**
 * Runs what an image holds as a container engine would, without one: below its own root, read-only, as another user
 * without rights, as process 1, with /tmp and one folder to write to. It needs root, and `unshare` and `chroot` of Linux.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../scripts/kit/eventually.ts';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { librariesOf } from './openssl.ts';

/** Nobody's number on any machine, and the one that the images run as. */
export const USER = 65_532;
/** The folder of a container that it may write to, besides /tmp. */
export const DATA = '/data';

const IN_MEMORY = '/dev/shm';
/** A tree with Node has 250 MB. */
const ROOM = 2 ** 30;
const NODE = '/usr/local/bin/node';

/** What the shell does as process 1 before the program takes its place. */
const ENTER = `set -e
root=$1 data=$2; shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root${DATA}"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot --userspec=${USER}:${USER} "$root" "$@"`;

/** A folder for a tree: in memory, where its thousands of files take a tenth of the time, if there is room for programs. */
export function treeFolder(prefix: string): string {
  return temporaryFolder(prefix, hasRoom() ? IN_MEMORY : tmpdir());
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const withoutPrograms = new RegExp(`^\\S+ ${IN_MEMORY} \\S+ \\S*\\bnoexec\\b`, 'm');
    return bavail * bsize > ROOM && !withoutPrograms.test(readFileSync('/proc/mounts', 'utf8'));
  } catch {
    return false;
  }
}

/** Whether this user, on this machine, may do what {@link startInSandbox} does; root of a container often may not. */
export function canSandbox(): boolean {
  const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']);
  return status === 0;
}

/** Gives a root what the base of its image has: Node with its libraries, and the places for what is mounted. */
export function addBase(root: string): void {
  cpSync(process.execPath, join(root, NODE));
  for (const library of librariesOf(process.execPath)) cpSync(realpathSync(library), join(root, library));
  for (const place of ['tmp', 'proc', 'dev', DATA]) mkdirSync(join(root, place), { recursive: true });
}

interface SandboxPlace {
  /** Has been through {@link addBase}. */
  readonly root: string;
  /** What {@link DATA} is; it belongs to {@link USER}. */
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program of a root. Signals are for {@link signalled}: its parent would end it without asking. */
export function startInSandbox(argv: readonly string[], { root, data, env = {} }: SandboxPlace): RunningProgram {
  const enter = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', root, data];
  return new RunningProgram([...enter, ...argv], {
    name: argv.join(' '),
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, ...env },
  });
}

/** Sends the signal to process 1, as an engine does. @returns its exit code */
export async function signalled(running: RunningProgram, signal: NodeJS.Signals): Promise<number | string> {
  const children = `/proc/${running.pid}/task/${running.pid}/children`;
  const pid = await eventually('process 1', () => Number(readFileSync(children, 'utf8')) || undefined);
  process.kill(pid, signal);
  return running.ended;
}
