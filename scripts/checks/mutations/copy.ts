/** A copy of the project, into which mutations are written one after another. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mutation, mutated } from './mutation.ts';

/** The files of the project: those under version control, and new ones that nothing ignores. */
function filesOf(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Copies the project with its uncommitted changes. The copy shares the dependencies. */
export function copyProject(root: string, folder: string): void {
  for (const file of filesOf(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  if (existsSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Removes a copy, also while programs that end still write there. */
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Does the work while the copy contains the mutations. @throws Error if one does not fit its file */
export async function withMutations<T>(
  folder: string,
  mutations: readonly Mutation[],
  work: () => Promise<T>,
): Promise<T> {
  const sources = new Map(mutations.map(({ file }) => [file, readFileSync(join(folder, file), 'utf8')]));
  const texts = new Map(sources);
  for (const mutation of mutations) texts.set(mutation.file, mutated(texts.get(mutation.file) ?? '', mutation));
  const writeAll = (all: ReadonlyMap<string, string>) => {
    for (const [file, text] of all) writeFileSync(join(folder, file), text);
  };
  writeAll(texts);
  try {
    return await work();
  } finally {
    writeAll(sources);
  }
}
