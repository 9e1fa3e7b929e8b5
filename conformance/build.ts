/**
 * Makes what the package of the suites holds: the compiled suites, and the versions of all packages that they need, as
 * the project's lock file has them. `npm pack` calls it.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../scripts/compile.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = [
  'conformance',
  'generated',
  'load',
  'scripts/checks/load',
  'scripts/checks/test/k6',
  'scripts/testbed/go-tool.ts',
  'openapi.yaml',
];
/** Tests, the faults that are planted in traffic, the client, and what belongs to the package itself. */
const LEFT_OUT = [
  /\.test\.ts$/,
  /\.faults\.ts$/,
  /^conformance\/(engine\/small-target\.ts$|processes\/testing\/)/,
  /\.md$/,
  /^generated\/client\//,
  /^conformance\/(mutation|dist|dist\.sources)\//,
  /^conformance\/(build\.ts|program\.mjs|package\.json|npm-shrinkwrap\.json|.*\.tgz)$/,
];

/** The types are those of the whole project, which `npm run typecheck` checks. */
const compilerOptions = { target: 'es2024', verbatimModuleSyntax: true, noCheck: true };

/** An entry of a lock file, as far as it matters here. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** What a package says of itself and of the packages that it needs. */
export interface PackageNeeds {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Where a package finds another one: in the nearest `node_modules` at or above its own folder. */
function placeOf(name: string, from: string, { packages }: Lock): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = join(folder, 'node_modules', name);
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}

/**
 * The part of a lock file that a package needs, as its `npm-shrinkwrap.json`.
 * @throws Error if the lock file lacks a dependency of the package, or has another version of it
 */
export function shrinkwrapOf(manifest: PackageNeeds, lock: Lock): Lock & Omit<PackageNeeds, 'dependencies'> {
  const { name, version, dependencies } = manifest;
  for (const [wanted, exact] of Object.entries(dependencies)) {
    const found = lock.packages[`node_modules/${wanted}`]?.version;
    if (found !== exact) throw new Error(`${name} wants ${wanted} ${exact}, and package-lock.json has ${found}`);
  }
  const kept = new Map<string, LockedPackage>([['', { ...manifest }]]);
  for (const [place, one] of kept) {
    const wanted = { ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies };
    for (const needed of Object.keys(wanted)) {
      const at = placeOf(needed, place, lock);
      const { dev: _, ...entry } = (at === undefined ? undefined : lock.packages[at]) ?? {};
      if (at !== undefined && !kept.has(at)) kept.set(at, entry);
    }
  }
  const packages = Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { name, version, lockfileVersion: lock.lockfileVersion, packages };
}

/** @returns the exit code */
export async function main(): Promise<number> {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  compile(join(import.meta.dirname, 'dist'), {
    sources: SOURCES,
    isLeftOut: (file) => LEFT_OUT.some((pattern) => pattern.test(file)),
    format: 'module',
    compilerOptions,
  });
  copyFileSync(join(ROOT, 'LICENSE'), join(import.meta.dirname, 'dist/LICENSE'));
  const shrinkwrap = shrinkwrapOf(read('conformance/package.json'), read('package-lock.json'));
  writeFileSync(join(import.meta.dirname, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`);
  return 0;
}
