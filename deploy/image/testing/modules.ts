/** The modules of a program as it is packed, and what they need. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { importsOf, packageOf } from '../../../scripts/packages/imports.ts';

/** @param folder of the program, from which the modules are named */
export function packedModules(folder: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modules = names.filter((name) => name.endsWith('.js') && !name.startsWith('node_modules/'));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  /** The files that a module imports, or names as `join(import.meta.dirname, 'x')` or below the root of the project. */
  function neededBy(file: string): string[] {
    const source = read(file);
    const here = join(folder, dirname(file));
    const imported = importsOf(source).filter((specifier) => specifier.startsWith('.'));
    const root = /\broot = [^;]*import\.meta\.dirname/.test(source) ? folder : undefined;
    const named = source.matchAll(/(?:join|resolve)\((import\.meta\.dirname|root), '([^']+)'\)/g);
    return [
      ...imported.map((specifier) => resolve(here, specifier)),
      ...[...named].flatMap(([, base, path = '']) => {
        const from = base === 'root' ? root : here;
        return from === undefined ? [] : resolve(from, path);
      }),
    ];
  }

  return {
    modules,
    /** The files that a module needs and that are not there. */
    missing: [...new Set(modules.flatMap(neededBy))]
      .filter((file) => !existsSync(file))
      .map((file) => relative(folder, file))
      .toSorted(),
    /** The names of the packages that the modules import. */
    packages: [...new Set(modules.flatMap((file) => importsOf(read(file)).map(packageOf)))]
      .filter((name) => name !== undefined)
      .toSorted(),
  };
}
