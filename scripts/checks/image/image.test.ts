/**
 * Shows without a container engine that what the Containerfile copies and installs is enough: the files that it names,
 * except those that `.dockerignore` excludes, are put into a folder beside the packages that it names, and run there.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../../conformance/processes/ports.ts';
import { importsOf, type Manifest, packageOf, reduced, sourcesIn } from './packages.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const containerfile = read('Containerfile');
const manifest = JSON.parse(read('package.json')) as Manifest;

const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * Whether a path matches a pattern, as far as the ignore file uses patterns. Unlike in a shell, `*` also matches names
 * that begin with a dot.
 */
function fits(pattern: string, path: string): boolean {
  expect(pattern).toMatch(/^(\*\*\/)?[\w.*/-]+$/);
  const source = pattern.replaceAll('.', '\\.').replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`).test(path);
}

/**
 * Whether the ignore file excludes a path from the build. Of the patterns that match it or a folder above it, the last
 * one decides.
 */
function isKeptOut(path: string): boolean {
  const parts = path.split('/');
  const above = parts.map((_, n) => parts.slice(0, n + 1).join('/'));
  const last = ignored.findLast((line) => above.some((name) => fits(line.replace(/^!/, ''), name)));
  return last !== undefined && !last.startsWith('!');
}

/** What the stage `sources` copies from the checkout, each with its target below the stage's folder. */
function copied(): [from: string, to: string][] {
  const [, stage = ''] = /^FROM \S+ AS sources\n([\s\S]*?)^FROM /m.exec(containerfile) ?? [];
  return [...stage.matchAll(/^COPY (.+)$/gm)].flatMap(([, words = '']) => {
    const paths = words.trim().split(/\s+/);
    const to = paths.pop() ?? '';
    return paths.map((from): [string, string] => [from, to.endsWith('/') ? join(to, from) : to]);
  });
}

let image = '';
let suites = '';
let target: Server;
let profile = '';
let env: NodeJS.ProcessEnv = {};

/** Runs a command of the image as its ENTRYPOINT does. */
function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const argv = [join(suites, 'scripts/checks/image/entrypoint.sh'), ...words];
  return new Promise((done) => {
    execFile('sh', argv, { cwd: image, env }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
  });
}

beforeAll(async () => {
  image = mkdtempSync(join(tmpdir(), 'image-'));
  suites = join(image, 'suites');
  for (const [from, to] of copied()) {
    const filter = (path: string) => path === join(root, from) || !isKeptOut(relative(root, path));
    expect({ from, isKeptOut: isKeptOut(from) }).toEqual({ from, isKeptOut: false });
    cpSync(join(root, from), join(suites, to), { recursive: true, filter });
  }
  await new Promise<void>((done, fail) => {
    execFile(process.execPath, [join(suites, 'scripts/checks/image/packages.ts')], (error) =>
      error ? fail(error) : done(),
    );
  });
  const { dependencies } = JSON.parse(readFileSync(join(suites, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(dependencies)) {
    const folder = join(suites, 'node_modules', name);
    mkdirSync(dirname(folder), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), folder);
  }

  // A service that answers {} to every request. The suites must be able to run against it, and must report that it is
  // wrong.
  target = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{}'));
  const port = await listenOnLoopback(target);
  profile = join(image, 'profile.yaml');
  const key = 'CONF_KEY_FULL_1';
  writeFileSync(
    profile,
    readFileSync(join(suites, 'conformance/profile.example.yaml'), 'utf8')
      .replace(/^env_file:.*\n/m, '')
      .replace(/^keys:\n(?: .*\n)+/m, `keys:\n  full: [${key}]\n`),
  );
  const bin = join(image, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'k6'), K6, { mode: 0o755 });
  env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    TMPDIR: image,
    [key]: 'ak_test_0',
    CONF_BASE_URL: `http://127.0.0.1:${port}`,
  };
});

afterAll(async () => {
  await new Promise((done) => target.close(done));
  if (!process.env.KEEP) rmSync(image, { recursive: true, force: true });
});

/** Takes the place of k6: reads the script that it is given, which is the last argument, and refuses to run it. */
const K6 = `#!/bin/sh
case $1 in version) echo 'k6 v2.2.0 (go1.26.0, linux/amd64)' ;; run)
  shift $(($# - 1))
  cat "$1" > /dev/null || exit 1
  echo 'the script is there' >&2
  exit 107 ;;
esac
`;

describe('what is in the image', () => {
  test('every file that a program imports or reads is there', () => {
    const missing = sourcesIn(suites).flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      const modules = importsOf(source).flatMap((specifier) => {
        const name = packageOf(specifier);
        if (name !== undefined) return [join(suites, 'node_modules', name, 'package.json')];
        return specifier.startsWith('.') ? [resolve(dirname(file), specifier)] : [];
      });
      // Paths written as `join(import.meta.dirname, 'x')`, or below the root of the project.
      const here = [...source.matchAll(/join\((import\.meta\.dirname|root), '([^']+)'\)/g)].map(([, base, path = '']) =>
        join(base === 'root' ? suites : dirname(file), path),
      );
      return [...modules, ...here]
        .filter((needed) => !existsSync(needed))
        .map((needed) => `${relative(suites, file)}: ${relative(suites, needed)}`);
    });
    expect(missing).toEqual([]);
    expect(sourcesIn(suites).length).toBeGreaterThan(100);
  });

  test('and no part of the server, its tools, its data and its tests', () => {
    const files = sourcesIn(suites).map((file) => relative(suites, file));
    expect(
      files.filter(
        (file) => !/^(conformance|generated|load|scripts\/(checks\/(image|load)|testbed\/go-tool\.ts))/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => /\.test\.ts$|^conformance\/mutation\//.test(file))).toEqual([]);
    expect(
      ['.data/conformance.env', '.git/config', 'handlers/main.ts', '.env'].filter((file) => !isKeptOut(file)),
    ).toEqual([]);
    const packages = ['mongodb', 'express', 'agenda', 'typescript', '@redocly/cli', '@stoplight/prism-cli', 'node'];
    expect(packages.filter((name) => existsSync(join(suites, 'node_modules', name)))).toEqual([]);
  });

  test('the bases are the versions of Node and Go that the project pins, and the label is its version', () => {
    const [, node] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(containerfile) ?? [];
    const [, go] = /^ARG GO_IMAGE=golang:(\d+\.\d+)\./m.exec(containerfile) ?? [];
    const [, label] = /image\.version="([^"]+)"/.exec(containerfile) ?? [];
    const [, goOfK6] = /^go (\d+\.\d+)/m.exec(read('scripts/checks/test/k6/go.mod')) ?? [];
    expect({ node, go, label }).toEqual({ node: manifest.dependencies.node, go: goOfK6, label: manifest.version });
  });

  test('every stage has a base image that an argument gives, and the last one runs as any user', () => {
    const stages = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect([...new Set(stages)].sort()).toEqual(['$GO_IMAGE', '$NODE_IMAGE']);
    const last = containerfile.slice(containerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).not.toMatch(/^COPY (?!--from=)/m);
  });
});

describe('a command of the image', () => {
  test('lists the commands', async () => {
    const [help, rules, scenarios, version, ofLoad] = await Promise.all([
      run('--help'),
      run('conformance', '--list'),
      run('load', '--list'),
      run('--version'),
      run('load', '--help'),
    ]);
    expect(ofLoad).toMatchObject({ code: 0, out: expect.stringContaining('--profile') });
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('load SCENARIO') });
    expect(rules).toMatchObject({ code: 0, out: expect.stringMatching(/^AUTH-1 /m) });
    expect(scenarios).toMatchObject({ code: 0, out: expect.stringMatching(/^smoke /m) });
    expect(version).toMatchObject({ code: 0, out: `${manifest.version}\n` });
  });

  test('that is unknown or missing is refused', async () => {
    expect(await run('judge')).toMatchObject({ code: 2, err: expect.stringContaining('There is no command judge.') });
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining('Usage:') });
  });

  test('judges a target, writes the reports and passes the exit code on', async () => {
    const { code, out } = await run('conformance', '--profile', 'profile.yaml', '--only', 'EMP-1,VER-1');
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('NOT CONFORMANT') });
    const written = ['report.html', 'results.json', 'junit.xml', 'summary.md'];
    expect(written.filter((name) => !existsSync(join(image, 'reports/conformance', name)))).toEqual([]);
  });

  test('gives k6 its script', async () => {
    const { code, err } = await run('load', 'smoke', '--profile', 'profile.yaml');
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('the script is there') });
  });
});

describe('the packages that a source needs', () => {
  test('are the packages that it imports at run time', () => {
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
    expect(names.filter((name) => name !== undefined)).toEqual([
      'one',
      '@two/two',
      'three',
      'four',
      'five',
      'six',
      'seven',
    ]);
  });

  test('are named in package.json, or the image is not built', () => {
    const small = { name: 'x', version: '1.0.0', license: 'MIT', type: 'module', dependencies: { one: '1.2.3' } };
    const both = { ...small, devDependencies: { two: '2.0.0', three: '3.0.0' } };
    expect(reduced(both, new Set(['two', 'one'])).dependencies).toEqual({ one: '1.2.3', two: '2.0.0' });
    expect(() => reduced(both, new Set(['four']))).toThrow('four is imported, but package.json does not name it');
  });
});
