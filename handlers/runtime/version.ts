/** Which program runs: for the first line of the log, `/healthz` and the metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What an operator compares between processes. */
export interface ProgramVersion {
  /** The release, which is that of the contract (package.json). */
  readonly version: string;
  /** The commit that was built; absent where nobody has said. */
  readonly revision?: string;
  /** The version of Node, without the `v`. */
  readonly node: string;
}

/** The version of this program. Its revision is REVISION, which the image sets, or else the one that git has checked out. */
export function programVersion({ REVISION }: Pick<Config, 'REVISION'>): ProgramVersion {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const revision = REVISION ?? checkedOut();
  return { version, revision, node: process.versions.node };
}

/** The commit of a plain clone; other forms of a repository are not worth a process of git at each start. */
function checkedOut(): string | undefined {
  try {
    const git = (name: string) => readFileSync(join(ROOT, '.git', name), 'utf8').trim();
    const head = git('HEAD');
    return head.startsWith('ref: ') ? git(head.slice('ref: '.length)) : head;
  } catch {
    return undefined;
  }
}
