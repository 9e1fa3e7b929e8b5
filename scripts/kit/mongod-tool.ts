/** An optional real MongoDB for tests: given by its path, found on the PATH, or else fetched once as a wheel by pip. */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundTool, onPath, pinnedVersion, runTool, toolCache } from './go-tool.ts';

/** The file that names the wheel with its digest. */
const PINNED = join(import.meta.dirname, 'mongod/requirements.txt');

/** Finds a mongod that runs: MONGOD, or one on the PATH, or the fetched one. @param say called before something slow */
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

/** Checks that the program runs: a binary for another system may exist, but does not run. */
async function running(path: string, env: NodeJS.ProcessEnv): Promise<FoundTool> {
  const failure = await runTool(path, ['--version'], { env });
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
  const failure = await runTool('python3', [...pip, '--require-hashes', '--dest', scratch, '--requirement', PINNED], {
    env,
  });
  if (failure !== undefined) return missing(`could not be fetched by pip: ${failure}`);
  const [wheel = ''] = globSync('*.whl', { cwd: scratch });
  const torn = await runTool('python3', ['-m', 'zipfile', '--extract', join(scratch, wheel), scratch], { env });
  if (torn !== undefined) return missing(`its wheel could not be opened: ${torn}`);
  const [binary] = globSync('**/bin/mongod', { cwd: scratch });
  if (binary === undefined) return missing('its wheel does not hold it');
  const unpacked = join(scratch, binary);
  chmodSync(unpacked, 0o755);
  const broken = await runTool(unpacked, ['--version'], { env });
  if (broken !== undefined) return missing(`the one that pip fetches does not run here: ${broken}`);
  renameSync(unpacked, path);
  return { path };
}
