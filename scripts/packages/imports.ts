/** What source files import, and what a program consists of. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The imports of a file, as written. @param withTypes also those of types, of which nothing is left at run time */
export function importsOf(source: string, withTypes = false): string[] {
  const found = source.matchAll(
    /^\s*(?:import|export)\b(\s+type\b)?[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\b(?:import|require\.resolve)\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found]
    .filter(([, isType]) => withTypes || isType === undefined)
    .map(([, , from, alone, called]) => from ?? alone ?? called ?? '');
}

/** k6 provides these modules itself. */
const OF_K6 = /^k6(\/|$)/;

/** `@scope/name` or `name` of `name/some/module.js`; undefined for files, modules of Node and modules of k6. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier) || OF_K6.test(specifier)) return undefined;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

/** The files that programs consist of, and the programs, as paths from the root: what they import, and threads that they start. */
export function filesOf(...programs: readonly string[]): string[] {
  const found = new Set(programs);
  for (const file of found) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const threads = [...source.matchAll(/new URL\(`(\.[^$]+)\$\{extname\(import\.meta\.filename\)\}`/g)];
    const names = [
      ...importsOf(source).filter((each) => each.startsWith('.')),
      ...threads.map(([, name]) => `${name}.ts`),
    ];
    for (const name of names) {
      found.add(relative(ROOT, resolve(ROOT, dirname(file), name)));
    }
  }
  return [...found];
}
