/** The TLS terminator in front of the api processes and the storage: nginx or HAProxy, from the PATH. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { eventually } from '../../scripts/kit/eventually.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { onPath } from '../../scripts/kit/tools.ts';
import { DEPLOY, filledFile } from './filled.ts';

export const terminatorKinds = ['nginx', 'haproxy'] as const;
export type TerminatorKind = (typeof terminatorKinds)[number];

/** The words in `deploy/terminator/`; addresses are `host:port`. */
export interface TerminatorWords {
  readonly API_LISTEN: string;
  readonly STORAGE_LISTEN: string;
  readonly API_1: string;
  readonly API_2: string;
  readonly STORAGE: string;
  /** A PEM file with the key, the certificate, and those of its issuers. */
  readonly CERTIFICATE: string;
  /** `ERROR_DOMAIN` of the service. */
  readonly ERROR_DOMAIN: string;
}

/** A way to start a terminator. */
interface TerminatorProgram {
  readonly argv: readonly string[];
  /** The same, but it only checks its configuration. */
  readonly check: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Where Debian puts servers, which is not on every PATH. */
const SERVER_FOLDERS = '/usr/local/sbin:/usr/sbin';

/** The program on the PATH, or where servers are. */
export const findTerminator = (kind: TerminatorKind): string | undefined =>
  onPath(kind, { PATH: `${process.env.PATH ?? ''}:${SERVER_FOLDERS}` });

/** Writes its configuration below the folder. @throws Error where the program is not on the PATH */
export function terminatorProgram(kind: TerminatorKind, words: TerminatorWords, folder: string): TerminatorProgram {
  const { PATH } = process.env;
  const program = findTerminator(kind);
  if (program === undefined) throw new Error(`${kind} is not on the PATH`);
  if (kind === 'haproxy') {
    const argv = [program, '-db', '-f', join(DEPLOY, 'terminator/haproxy.cfg')];
    return { argv, check: [...argv, '-c'], env: { PATH, ...words } };
  }
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    filledFile('terminator/nginx.conf', { ...words, TEMP_DIR: folder, ACCESS_LOG: join(folder, 'access.log') }),
  );
  const argv = [program, '-c', file, '-p', folder, '-g', `daemon off; pid ${join(folder, 'nginx.pid')};`];
  return { argv, check: [...argv, '-t'], env: { PATH } };
}

/** The status of a GET at an address whose certificate this authority has issued; undefined without an answer. */
export function statusAt(
  url: string,
  ca: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { ca, agent: false, timeout: 5_000, headers }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(undefined));
    asked.end();
  });
}

/** Starts it, and waits until a process behind it answers. @param onOutput gets its log */
export async function startTerminator(
  { argv, env }: TerminatorProgram,
  { API_LISTEN }: TerminatorWords,
  ca: string,
  onOutput: (text: string) => void,
): Promise<{ readonly process: RunningProgram }> {
  const how = { name: 'The terminator', env, leadsGroup: true, keptOutput: 4_000, onOutput };
  const process = new RunningProgram(argv, how);
  await eventually('the terminator', async () => {
    if (process.hasEnded) throw new Error(process.endReason);
    return (await statusAt(`https://${API_LISTEN}/readyz`, ca)) === 200;
  });
  return { process };
}
