/**
 * The package of the suites as its users get it: packed, unpacked where only the packages that it needs can be imported,
 * and called by the jobs of docs/ci. The image is that tree with Node and k6.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { exitCodes } from '../../conformance/report/exit-codes.ts';
import { listenOnLoopback } from '../../scripts/kit/ports.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { importsOf, packageOf } from '../../scripts/packages/imports.ts';
import { type Lock, shrinkwrapOf } from '../../scripts/packages/shrinkwrap.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { addBase, canSandbox, startInSandbox, treeFolder } from './sandbox.ts';
import { packedModules } from './testing/modules.ts';
import { assembleSuites, places } from './tree.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const own = JSON.parse(read('package.json')) as Manifest;
const manifest = JSON.parse(read('conformance/package.json')) as Manifest;
/** What npm packs. */
const OF_PACKAGE = ['README.md', 'dist', 'npm-shrinkwrap.json', 'package.json', 'program.mjs'];
const KEY = 'CONF_KEY_FULL_1';

const folder = treeFolder('suites-');
/** What the image has below its root. */
const tree = join(folder, 'image');
const installed = join(tree, places.suites);
const bin = join(folder, 'node_modules/.bin');
const profile = join(folder, 'staging.yaml');
const isPossible = canSandbox();
const deployment = await testDeployment();

/** Runs a program in the folder that the package is installed in. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const program = new RunningProgram(argv, { cwd: folder, env: { PATH, TMPDIR: folder, ...env } });
  return { code: await program.ended, out: program.stdout, err: program.stderr };
}

const suites = (...words: string[]) => run([manifest.name, ...words], { [KEY]: 'dev_x' });

/** Takes the place of k6: reads the script that it is given, which is the last argument, and refuses to run it. */
const K6 = `#!/bin/sh
case $1 in version) echo 'k6 v2.2.0 (go1.26.0, linux/amd64)' ;; run)
  shift $(($# - 1))
  cat "$1" > /dev/null || exit 1
  echo 'the script is there' >&2
  exit 107 ;;
esac
`;

beforeAll(() => {
  assembleSuites(tree);
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(installed, 'program.mjs'), join(bin, manifest.name));
  writeFileSync(join(bin, 'k6'), K6, { mode: 0o755 });
  const example = read('conformance/profile.example.yaml');
  writeFileSync(profile, example.replace(/^keys:\n(?: .*\n)+/m, `keys:\n  full: [${KEY}]\n`));
  writeFileSync(join(folder, 'staging.env'), '');
});

describe('what is packed', () => {
  let packed: ReturnType<typeof packedModules>;
  beforeAll(() => {
    packed = packedModules(join(installed, 'dist'));
  });

  test('every file that a program imports or reads is there, and it is JavaScript', () => {
    expect(packed.missing).toEqual([]);
    expect(packed.modules.length).toBeGreaterThan(100);
  });

  test('no part of the server, its tools and its tests, and no fault that is planted', () => {
    expect(readdirSync(installed).toSorted()).toEqual(
      [...OF_PACKAGE, 'LICENSE', 'node_modules', places.bom, places.notices].toSorted(),
    );
    const others = packed.modules.filter(
      (file) => !/^(conformance|generated|load|scripts\/(lab\/load|kit)\/)/.test(file),
    );
    const left = packed.modules.filter((file) =>
      /\.(test|faults)\.js$|^conformance\/mutation|^generated\/client/.test(file),
    );
    expect({ others, left }).toEqual({ others: [], left: [] });
  });

  test('it names the packages that it imports, in the versions of the project, and its release', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(packed.packages);
    expect({ ...own.dependencies, ...own.devDependencies }).toMatchObject(manifest.dependencies);
    expect(manifest.version).toBe(own.version);
  });

  test('it pins all that these packages need, as the lock file of the project does', () => {
    const lock: Lock = {
      lockfileVersion: 3,
      packages: {
        '': {},
        'node_modules/a': { version: '1.0.0', dev: true, dependencies: { b: '^2.0.0' }, peerDependencies: { d: '*' } },
        'node_modules/a/node_modules/b': { version: '2.1.0', optionalDependencies: { c: '1' } },
        'node_modules/b': { version: '3.0.0' },
        'node_modules/c': { version: '1.0.0' },
        'node_modules/e': { version: '1.0.0' },
      },
    };
    const of = { name: 'x', version: '1.0.0', dependencies: { a: '1.0.0' } };
    const { packages } = shrinkwrapOf(of, lock);
    const places = ['', 'node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c'];
    expect(Object.keys(packages)).toEqual(places);
    expect(packages['node_modules/a']).not.toHaveProperty('dev');
    expect(() => shrinkwrapOf({ ...of, dependencies: { c: '2.0.0' } }, lock)).toThrow('has 1.0.0');
    const written = JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')) as Lock;
    expect(written.packages['node_modules/ajv']?.version).toBe(manifest.dependencies.ajv);
    expect(Object.keys(written.packages).filter((place) => place.includes('jest'))).toEqual([]);
  });
});

describe('the program', () => {
  test('lists rules and scenarios, makes a plan, and names commands as they are called', async () => {
    const [help, rules, scenarios, ofLoad, plan, version, mistaken] = await Promise.all([
      suites('--help'),
      suites('--list'),
      suites('load', '--list'),
      suites('load', '--help'),
      suites('--profile', profile, '--plan'),
      suites('--version'),
      suites('judge'),
    ]);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`${manifest.name} doctor --profile`) });
    expect(help.out).toContain(`${manifest.name} load --help`);
    expect(rules).toMatchObject({ code: 0, out: expect.stringMatching(/^AUTH-1 /m) });
    expect(scenarios).toMatchObject({ code: 0, out: expect.stringMatching(/^smoke /m) });
    expect(ofLoad).toMatchObject({ code: 0, out: expect.stringContaining(`${manifest.name} load smoke`) });
    expect(plan).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was sent.') });
    expect(version).toMatchObject({ code: 0, out: `${manifest.version}\n` });
    expect(mistaken).toMatchObject({ code: 2, err: expect.stringContaining('judge') });
    for (const { out } of [help, scenarios, ofLoad, plan]) expect(out).not.toContain('npm run');
  });

  test('says which Node it needs to one that is too old', async () => {
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.14.9' } })`;
    expect(await run([process.execPath, '--import', old, join(installed, 'program.mjs'), '--list'])).toEqual({
      code: 2,
      out: '',
      err: `${manifest.name} needs Node 22.15 or newer; this is 22.14.9.\n`,
    });
  });

  test('gives k6 its script', async () => {
    const { url } = await answering('{}');
    const env = { [KEY]: 'dev_x', CONF_BASE_URL: url };
    const { code, err } = await run([manifest.name, 'load', 'smoke', '--profile', profile], env);
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('the script is there') });
  });
});

/** A service that gives every request the same answer; it ends with this process. */
async function answering(body: string): Promise<{ url: string }> {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end(body));
  server.unref();
  return { url: `http://127.0.0.1:${await listenOnLoopback(server)}` };
}

interface GitHubStep {
  readonly uses?: string;
  readonly run?: string;
}

interface GitLabJob {
  readonly image: { readonly name: string };
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly allow_failure: { readonly exit_codes: readonly number[] };
  readonly artifacts: { readonly reports: { readonly junit: string } };
}

describe('the jobs of docs/ci', () => {
  const github = parse(read('docs/ci/github.yml')).jobs.conformance as {
    env: Record<string, string>;
    steps: GitHubStep[];
  };
  const gitlab = parse(read('docs/ci/gitlab.yml')).conformance as GitLabJob;
  const warnings = [exitCodes.outdatedBaseline, exitCodes.incomplete];
  const [judging = '', showing = ''] = github.steps.flatMap(({ run }) => (run?.includes('\n') ? [run] : []));
  const given = { ...github.env, PROFILE: 'staging.yaml', RUNNER_TEMP: folder, URL: '', KEYS: '' };

  test('GitHub: judges a deployment, and shows what could not be tested as a warning with the summary', async () => {
    const key = await (await deployment.tenant()).key();
    const { url } = await deployment.start();
    const summary = join(folder, 'summary');
    const env = { ...given, URL: url, KEYS: `${KEY}=${key}`, OPTIONS: '--only AUTH-1,AUTH-2,AUTH-4' };
    const judged = await run(['bash', '-e', '-c', judging], env);
    expect(judged).toMatchObject({ code: 0, out: expect.stringContaining('2 of 3 MUST rules exercised; 2 PASS') });
    expect(judged.out).toContain('::warning title=Conformance::No rule is violated, but some could not');
    expect(judged.out + judged.err).not.toContain(key);
    expect(existsSync(join(folder, 'conformance.env'))).toBe(false);
    await run(['bash', '-e', '-c', showing], { GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, 'utf8')).toContain('## Conformance: Conformant but incomplete');
    expect(readdirSync(join(folder, 'reports'))).toEqual(expect.arrayContaining(['report.html', 'junit.xml']));
    const report = readFileSync(join(folder, 'reports/report.html'), 'utf8');
    expect(report).toContain('id="statement-verify.answer" data-statement data-place="Endpoints" data-verdict="PASS ');
  });

  test('GitHub: a job without reports shows none, and only these codes are warnings', async () => {
    const stub = join(folder, 'stub');
    mkdirSync(stub);
    writeFileSync(join(stub, 'npx'), '#!/bin/sh\nexit $CODE\n', { mode: 0o755 });
    const path = [stub, process.env.PATH].join(delimiter);
    for (const due of Object.values(exitCodes)) {
      const { code } = await run(['bash', '-e', '-c', judging], { ...given, CODE: String(due), PATH: path });
      expect({ due, code }).toEqual({ due, code: (warnings as readonly number[]).includes(due) ? 0 : due });
    }
    const nowhere = `cd "$(mktemp -d)"\n${showing}`;
    expect(await run(['bash', '-e', '-c', nowhere], { GITHUB_STEP_SUMMARY: '/nowhere' })).toMatchObject({ code: 0 });
  });

  test('GitHub: takes only the own actions of GitHub, each by its major version', () => {
    const used = github.steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual([]);
    expect(github.env.SUITE).toBe(`./${manifest.name}-${manifest.version}.tgz`);
  });

  test('GitLab: fails on a violation, leaves what it publishes, and takes the same codes as warnings', async () => {
    const { url } = await answering('{}');
    const keys = join(folder, 'keys');
    writeFileSync(keys, `${KEY}=dev_x\n`);
    const env = { ...gitlab.variables, PROFILE: 'staging.yaml', OPTIONS: '--only AUTH-2', CONF_BASE_URL: url };
    const { code, out } = await run(['sh', '-e', '-c', gitlab.script.join('\n')], { ...env, CONF_ENV_FILE: keys });
    expect({ code, out }).toEqual({ code: exitCodes.notConformant, out: expect.stringContaining('NOT CONFORMANT') });
    expect(out).toContain(`repeat the rule:    ${manifest.name} --profile staging.yaml --only AUTH-2\n`);
    expect(existsSync(join(folder, gitlab.artifacts.reports.junit))).toBe(true);
    expect(gitlab.allow_failure.exit_codes).toEqual(warnings);
    expect(gitlab.image.name).toMatch(new RegExp(`/developer-api-suites:${manifest.version}$`));
  });
});

if (!isPossible)
  test.skip('DID NOT RUN: the image of the suites without an engine (needs the rights of root to mount)', () => {});

(isPossible ? test : test.skip)('it runs below its own root, read-only, as another user', async () => {
  addBase(tree);
  chmodSync(folder, 0o711);
  const data = join(folder, 'written');
  mkdirSync(data);
  const list = startInSandbox(['/usr/local/bin/node', '/suites/program.mjs', '--list'], { root: tree, data });
  expect({ code: await list.ended, stderr: list.stderr }).toEqual({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(/^AUTH-1 /m);
});

test('imports are found where they are made at run time', () => {
  const source = `import { a } from 'one';
import type { B } from 'type-only';
import { type C, d } from '@two/two/deep.js';
import 'three';
import {
  e,
} from "four";
export { f } from 'five/f';
import http from 'k6/http';
import { join } from 'node:path';
import { g } from './g.ts';
const h = await import('six');
const i = require.resolve('seven/package.json');
const text = "from 'eight'";
`;
  const names = importsOf(source).map(packageOf);
  const wanted = ['one', '@two/two', 'three', 'four', 'five', 'six', 'seven'];
  expect(names.filter((name) => name !== undefined)).toEqual(wanted);
  expect(importsOf(source, true)).toContain('type-only');
});
