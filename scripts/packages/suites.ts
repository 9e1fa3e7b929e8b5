/**
 * Makes what the package of the suites holds: the compiled suites, and the versions of all packages that they need, as
 * the project's lock file has them. `npm pack` in `conformance/` calls it.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.ts';
import { filesOf } from './imports.ts';
import { shrinkwrapOf } from './shrinkwrap.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'conformance');
const SOURCES = [
  'conformance',
  'generated',
  'load',
  ...filesOf('conformance/main.ts', 'scripts/lab/load/main.ts').filter((file) => file.startsWith('scripts/')),
  'scripts/lab/run/k6',
  // With its style sheets.
  'scripts/kit/page',
  'openapi.yaml',
];
/** Tests, the faults that are planted in traffic, the client, and what belongs to the package itself. */
const LEFT_OUT = [
  /\.test\.ts$/,
  /\.faults\.ts$/,
  /\.md$/,
  /^generated\/client\//,
  /^conformance\/(mutation|testing|dist|dist\.sources)\//,
  /^conformance\/(program\.mjs|package\.json|npm-shrinkwrap\.json|.*\.tgz)$/,
];

/** @returns the exit code */
export async function main(): Promise<number> {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  compile(join(PACKAGE, 'dist'), {
    sources: SOURCES,
    isLeftOut: (file) => LEFT_OUT.some((pattern) => pattern.test(file)),
  });
  copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'dist/LICENSE'));
  const shrinkwrap = shrinkwrapOf(read('conformance/package.json'), read('package-lock.json'));
  writeFileSync(join(PACKAGE, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`);
  return 0;
}
