/** The files of the project, and copies of it, in which a test or a check changes files. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The files of the project, named from its root: those under version control, and new ones that nothing ignores.
 * @param patterns of git, which choose some; all by default
 */
export function projectFiles(root: string, ...patterns: readonly string[]): string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns];
  const listed = execFileSync('git', words, { cwd: root });
  return listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Copies the project with its uncommitted changes. The copy shares the dependencies. */
export function copyProject(root: string, folder: string): void {
  for (const file of projectFiles(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  if (existsSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
