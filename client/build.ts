/** Compiles the package: ESM and CommonJS, each with its types. `npm pack` calls it. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = import.meta.dirname;
const ROOT = join(CLIENT, '..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Of any consumer: nothing but the standard library, and Node's types for the entry that reads files. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  skipLibCheck: true,
  rootDir: '.',
};

/** @param out the folder that gets `esm/` and `cjs/`; what it held is removed */
export function build(out: string): void {
  rmSync(out, { recursive: true, force: true });
  for (const [format, type] of Object.entries(FORMATS)) {
    const staged = join(out, `${format}.sources`);
    const target = join(out, format);
    // TypeScript and Node decide by the nearest package.json whether a file is a module.
    for (const folder of [staged, target]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
    }
    for (const folder of ['client/src', 'generated/client']) {
      cpSync(join(ROOT, folder), join(staged, folder), {
        recursive: true,
        filter: (path) => !path.endsWith('.test.ts'),
      });
    }
    const typeRoots = [join(ROOT, 'node_modules/@types')];
    const project = { compilerOptions: { ...compilerOptions, typeRoots, outDir: target }, include: ['**/*.ts'] };
    writeFileSync(join(staged, 'tsconfig.json'), JSON.stringify(project));
    const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', staged], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The client does not compile:\n${stdout}`);
    withJavaScriptNames(target);
    rmSync(staged, { recursive: true });
  }
  cpSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
}

/** The compiler names the files of a package in JavaScript `.js`, and in types `.ts`, which old compilers refuse. */
function withJavaScriptNames(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** @returns the exit code */
export async function main(): Promise<number> {
  build(join(CLIENT, 'dist'));
  return 0;
}
