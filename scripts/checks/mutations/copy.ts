/** A copy of the project, into which mutations are written one after another. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Does the work while the copy contains the mutation. */
export async function withMutation<T>(folder: string, mutation: Mutation, work: () => Promise<T>): Promise<T> {
  const file = join(folder, mutation.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(source, mutation));
  try {
    return await work();
  } finally {
    writeFileSync(file, source);
  }
}
