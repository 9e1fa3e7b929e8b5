/** The runner of all npm scripts: what it installs, and that every script uses it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { RunningProgram } from './kit/program.ts';
import { testFolder } from './kit/testing/test-folder.ts';
import { filesOf, importsOf, packageOf } from './packages/imports.ts';

const root = resolve(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(text('package.json')) as Record<'scripts' | 'dependencies', Record<string, string>>;
const [, listed = ''] = /FOR_PRODUCTION = \[(.*?)\]/s.exec(text('scripts/run.mjs')) ?? [];
const forProduction = [...listed.matchAll(/'([^']+)'/g)].map(([, file = '']) => file);

describe('npm scripts', () => {
  test.each(Object.entries(manifest.scripts))('%s is one process, which the runner starts', (_, script) => {
    const [, program = ''] = /^exec node scripts\/run\.mjs (\S+)[\w -.]*$/.exec(script) ?? [];
    if (program.startsWith('node_modules/')) expect(existsSync(join(root, program))).toBe(true);
    else expect(text(program)).toMatch(/^export (async function main\(|function main\(|const main = )/m);
  });

  test('those that run on a production installation import no development package', () => {
    expect(forProduction.length).toBeGreaterThan(5);
    const imported = forProduction.flatMap((program) =>
      filesOf(program).flatMap((file) => importsOf(text(file)).map((name) => ({ file, name: packageOf(name) }))),
    );
    expect(imported.filter(({ name }) => name !== undefined && !(name in manifest.dependencies))).toEqual([]);
  });
});

test('the longest list is whole at the other end of a pipe', () => {
  const list = (to: string) =>
    execFileSync('sh', ['-c', `"$0" scripts/run.mjs conformance/main.ts --list ${to}`, process.execPath], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    });
  const file = join(tmpdir(), `list-${process.pid}`);
  list(`> ${file}`);
  const whole = readFileSync(file, 'utf8');
  rmSync(file);
  // More than a pipe holds.
  expect(whole.length).toBeGreaterThan(2 ** 16);
  expect(list('| cat')).toBe(whole);
});

describe('the runner', () => {
  const WANTED = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', dev: true } };
  const [production, development] = ['handlers/main.ts', 'scripts/tool.ts'];
  const folder = testFolder();

  beforeAll(() => {
    for (const file of ['scripts/run.mjs', 'scripts/kit/ending.ts']) cpSync(join(root, file), join(folder, file));
    mkdirSync(join(folder, 'handlers'));
    for (const file of [production, development]) {
      writeFileSync(join(folder, file), "export const main = async (argv) => (console.log('runs', ...argv), 5);");
    }
    // Takes the place of npm.
    writeFileSync(join(folder, 'npm.cjs'), "console.log('installs', ...process.argv.slice(2)); process.exit(0)");
  });

  const lock = (file: string, packages: object) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify({ packages: { '': {}, ...packages } }));
  };
  const { 'node_modules/a': a, ...onlyDevelopment } = WANTED;
  const onlyProduction = { 'node_modules/a': a };
  const old = { version: '0.9.0' };
  const RUNS = 'runs x';
  const ALL = 'installs install --no-save --no-audit --no-fund --loglevel=error';

  test.each([
    ['nothing is installed', undefined, production, [ALL, RUNS]],
    ['everything is installed, for the server', WANTED, production, [RUNS]],
    ['everything is installed, for a tool', WANTED, development, [RUNS]],
    ['a package is out of date', { ...WANTED, 'node_modules/a': old }, production, [ALL, RUNS]],
    [
      'a development package is out of date',
      { ...WANTED, 'node_modules/b': { ...old, dev: true } },
      production,
      [ALL, RUNS],
    ],
    ['a package is missing', onlyDevelopment, development, [ALL, RUNS]],
    ['development packages are left out, for the server', onlyProduction, production, [RUNS]],
    [
      'they are left out, and a package is out of date',
      { 'node_modules/a': old },
      production,
      [`${ALL} --omit=dev`, RUNS],
    ],
    [
      'development packages are left out, for a tool',
      onlyProduction,
      development,
      [
        `${development} needs development packages, which this installation leaves out (npm ci --omit=dev). Run npm install to add them.`,
      ],
    ],
  ])('where %s', async (_, present, program, said) => {
    const installed = 'node_modules/.package-lock.json';
    lock('package-lock.json', WANTED);
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    if (present !== undefined) lock(installed, present);
    const running = new RunningProgram([process.execPath, join(folder, 'scripts/run.mjs'), program, 'x'], {
      env: { ...process.env, npm_execpath: join(folder, 'npm.cjs') },
    });
    expect(await running.ended).toBe(said.includes(RUNS) ? 5 : 1);
    const lines = `${running.stderr}${running.stdout}`.split('\n').filter((line) => !/^$|^Installing /.test(line));
    expect(lines).toEqual(said);
  });
});
