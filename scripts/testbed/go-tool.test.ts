import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { goTool } from './go-tool.ts';

let dir: string;
let said: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'go-tool-'));
  said = [];
  for (const name of ['module', 'bin', 'cache']) mkdirSync(join(dir, name));
  pin('v1.0.0');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function pin(version: string): void {
  writeFileSync(
    join(dir, 'module/go.mod'),
    `module x\ntool example.com/cmd/thing/v2\nrequire example.com ${version}\n`,
  );
  writeFileSync(join(dir, 'module/go.sum'), '');
}

function program(name: string, text: string): void {
  writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(dir, 'bin', name), 0o755);
}

/** Takes the place of Go: writes the file that follows `-o`. */
const GO = 'while [ "$1" != -o ]; do shift; done; echo "$3" > "$2"';

const find = () => {
  const env = { PATH: `${join(dir, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(dir, 'cache') };
  return goTool(join(dir, 'module'), (text) => said.push(text), { env, usualGo: join(dir, 'nowhere') });
};
const cached = () => readdirSync(join(dir, 'cache/developer-api'));

test('a tool on the PATH comes first', async () => {
  program('thing', '');
  program('go', GO);
  expect(await find()).toEqual({ path: join(dir, 'bin/thing') });
  expect(said).toEqual([]);
});

test('otherwise it is built once for each version, and a message says so', async () => {
  program('go', GO);
  const first = await find();
  expect(first).toEqual({ path: expect.stringMatching(/\/cache\/developer-api\/thing-[0-9a-f]{12}$/) });
  expect(await find()).toEqual(first);
  expect(said).toHaveLength(1);
  pin('v1.0.1');
  expect(await find()).not.toEqual(first);
  expect(cached()).toHaveLength(2);
});

test('a failed build leaves no files and says why', async () => {
  program('go', 'echo "no such module" >&2; exit 1');
  expect(await find()).toEqual({ missing: 'thing could not be built: no such module' });
  expect(cached()).toEqual([]);
});

test('without Go it is not available', async () => {
  expect(await find()).toEqual({ missing: 'thing is not on the PATH, and there is no Go to build it with' });
});
