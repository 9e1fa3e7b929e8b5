/**
 * What the images hold, as files below a root that is laid over their base: the Containerfile and the tests take both
 * trees from here.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compile } from '../../scripts/packages/compile.ts';
import { filesOf } from '../../scripts/packages/imports.ts';
import { type Lock, type PackageNeeds, shrinkwrapOf } from '../../scripts/packages/shrinkwrap.ts';
import { bomOf, copyPackages, nodeProgram, noticesOf, type PlacedProgram, sourceDate } from './packages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = 'deploy/image/program.ts';
/** What the server reads besides its modules. */
const DATA = ['openapi.yaml', 'generated/openapi.json', 'generated/collection.json'];

/** Where the parts of the images are, below their root. */
export const places = {
  service: 'app',
  suites: 'suites',
  docs: 'app/docs.html',
  /** In the folder of each. */
  bom: 'sbom.cdx.json',
  notices: 'THIRD-PARTY-NOTICES.txt',
} as const;

interface ProjectManifest extends PackageNeeds {
  readonly description: string;
  readonly license: string;
}

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** What the service needs of packages. Node is no package of it: the image has it as its program. */
export function serviceLock(): Lock {
  const { name, version, description, license, dependencies } = read('package.json') as ProjectManifest;
  const { node: _, ...needed } = dependencies;
  const manifest = { name, version, description, license, private: true, type: 'module', dependencies: needed };
  return shrinkwrapOf(manifest, read('package-lock.json'));
}

/** Lays out the service: its program, its packages, the docs, programs beside Node. @param out the root; what it held is removed */
export function assembleService(out: string, docs: string, programs: readonly PlacedProgram[]): void {
  const app = join(out, places.service);
  rmSync(out, { recursive: true, force: true });
  compile(app, { sources: [...filesOf(PROGRAM), ...DATA] });
  const lock = serviceLock();
  writeJson(join(app, 'package.json'), lock.packages['']);
  writeJson(join(app, 'package-lock.json'), lock);
  copyFileSync(docs, join(out, places.docs));
  link(out, 'developer-api', `/${places.service}/${PROGRAM.replace(/ts$/, 'js')}`);
  finish(out, app, lock, programs);
}

/** Lays out the package of the suites as npm packs it, with the packages that it needs. */
export function assembleSuites(out: string): void {
  const folder = join(out, places.suites);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packing = ['pack', '--silent', '--pack-destination', out, join(ROOT, 'conformance')];
  const archive = join(out, execFileSync('npm', packing, { encoding: 'utf8' }).trim());
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', folder]);
  rmSync(archive);
  link(out, 'developer-api-conformance', `/${places.suites}/program.mjs`);
  finish(out, folder, JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as Lock);
}

/** Adds to a folder with its lock file the packages and what is said of them, and makes all of it the same each time. */
function finish(out: string, folder: string, lock: Lock, more: readonly PlacedProgram[] = []): void {
  const programs = [nodeProgram(), ...more];
  for (const { files } of more) for (const [from, to] of files) cpSync(realpathSync(from), join(out, to));
  writeFileSync(join(folder, places.bom), bomOf(folder, lock.packages['']?.name ?? '', programs));
  const packages = copyPackages(lock, folder);
  writeFileSync(join(folder, places.notices), noticesOf(packages, programs));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  equalise(out);
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A command of the image. @param target in the image */
function link(out: string, name: string, target: string): void {
  const file = join(out, 'usr/local/bin', name);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(target, file);
  chmodSync(join(out, target), 0o755);
}

/** Gives everything one time, and rights that do not depend on who lays it out: anybody reads, nobody but root writes. */
function equalise(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isRun = !entry.isSymbolicLink() && (entry.isDirectory() || (statSync(path).mode & 0o100) !== 0);
    if (!entry.isSymbolicLink()) chmodSync(path, isRun ? 0o755 : 0o644);
    lutimesSync(path, sourceDate(), sourceDate());
  }
  lutimesSync(folder, sourceDate(), sourceDate());
}
