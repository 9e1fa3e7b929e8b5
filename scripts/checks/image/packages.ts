/**
 * The npm packages that the programs of the container image need: those that its files import. When run as a program,
 * it rewrites the image's package.json, so that nothing else is installed. It must not be run in a checkout.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Imports that are not packages: k6 provides these modules itself. */
const OF_K6 = /^k6(\/|$)/;

/** The parts of package.json that the image needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly type: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What a source file imports at run time, as written; imports of types are left out. */
export function importsOf(source: string): string[] {
  const found = source.matchAll(
    /^\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\b(?:import|require\.resolve)\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, from, alone, called]) => from ?? alone ?? called ?? '');
}

/** `@scope/name` or `name` of `name/some/module.js`; undefined for files, modules of Node and modules of k6. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier) || OF_K6.test(specifier)) return undefined;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

/** The source files below a folder. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
}

/**
 * package.json with only the given packages.
 * @throws Error when package.json does not name one of them
 */
export function reduced(manifest: Manifest, packages: ReadonlySet<string>): Manifest {
  const { name, version, license, type } = manifest;
  const known = { ...manifest.dependencies, ...manifest.devDependencies };
  const dependencies = Object.fromEntries(
    [...packages].sort().map((wanted) => {
      const range = known[wanted];
      if (range === undefined) throw new Error(`${wanted} is imported, but package.json does not name it`);
      return [wanted, range];
    }),
  );
  return { name, version, private: true, license, type, dependencies };
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../../..');
  const file = join(root, 'package.json');
  const specifiers = sourcesIn(root).flatMap((source) => importsOf(readFileSync(source, 'utf8')));
  const packages = new Set(specifiers.map(packageOf).filter((name) => name !== undefined));
  const manifest = reduced(JSON.parse(readFileSync(file, 'utf8')) as Manifest, packages);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  process.stdout.write(`Packages: ${Object.keys(manifest.dependencies).join(', ')}\n`);
}
