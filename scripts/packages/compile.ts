/** Compiles parts of the project for a package, because Node runs no TypeScript below `node_modules`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');

interface Compilation {
  /** Files and folders below the root; what they become has the same place below the target. */
  readonly sources: readonly string[];
  /** Whether a file, named from the root, is left out. */
  readonly isLeftOut?: (file: string) => boolean;
  readonly format?: 'module' | 'commonjs';
  readonly compilerOptions?: object;
}

/** The types are those of the whole project, which `npm run typecheck` checks. */
const ALREADY_CHECKED = { target: 'es2024', verbatimModuleSyntax: true, noCheck: true };

/**
 * @param target the folder that gets the outcome; what it held is removed. Files that are no TypeScript are copied
 * @throws Error with what the compiler says, if it refuses a file
 */
export function compile(target: string, compilation: Compilation): void {
  const { sources, isLeftOut = () => false, format = 'module', compilerOptions = ALREADY_CHECKED } = compilation;
  rmSync(target, { recursive: true, force: true });
  const staged = `${target}.sources`;
  const files = sources.flatMap(filesOf).filter((file) => !isLeftOut(file));
  // TypeScript and Node decide by the nearest package.json whether a file is a module.
  for (const folder of [staged, target]) write(join(folder, 'package.json'), { type: format });
  for (const file of files) {
    // The compiler needs the types of what is no TypeScript, and its outcome needs the file.
    const isTypes = file.endsWith('.d.ts');
    const places = file.endsWith('.ts') && !isTypes ? [staged] : isTypes ? [staged, target] : [target];
    for (const place of places) copy(join(ROOT, file), join(place, file));
  }
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const common = { module: 'nodenext', rewriteRelativeImportExtensions: true, rootDir: '.', strict: true, typeRoots };
  write(join(staged, 'tsconfig.json'), {
    compilerOptions: { ...common, ...compilerOptions, outDir: target },
    include: ['**/*.ts'],
  });
  const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', staged], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${sources[0]} does not compile:\n${stdout}`);
  rmSync(staged, { recursive: true });
}

/** The files of a source, named from the root. */
function filesOf(source: string): string[] {
  if (statSync(join(ROOT, source)).isFile()) return [source];
  const names = readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(source, name)).filter((file) => statSync(join(ROOT, file)).isFile());
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value)}\n`);
}
