/** Compiles the client's package: ESM and CommonJS, each with its types. `npm pack` in `client/` calls it. */

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.ts';

const CLIENT = join(import.meta.dirname, '../../client');
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Of any consumer: nothing but the standard library, and Node's types for the entry that reads files. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  declaration: true,
  skipLibCheck: true,
};

/** @param out the folder that gets `esm/` and `cjs/`; what it held is removed */
export function build(out: string): void {
  rmSync(out, { recursive: true, force: true });
  for (const [folder, format] of Object.entries(FORMATS)) {
    const target = join(out, folder);
    // Nobody loads the commands: they are run.
    const isLeftOut = (file: string) =>
      file.endsWith('.test.ts') || (format === 'commonjs' && file.includes('client/src/cli/'));
    compile(target, { sources: ['client/src', 'generated/client'], isLeftOut, format, compilerOptions });
    withJavaScriptNames(target);
    if (format === 'module') withoutTypes(join(target, 'client/src/cli'));
  }
  cpSync(join(CLIENT, '../LICENSE'), join(out, 'LICENSE'));
}

/** The compiler names the files of a package in JavaScript `.js`, and in types `.ts`, which old compilers refuse. */
function withJavaScriptNames(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

function withoutTypes(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.d.ts')) rmSync(join(folder, name));
  }
}

/** @returns the exit code */
export async function main(): Promise<number> {
  build(join(CLIENT, 'dist'));
  return 0;
}
