/** The folder of `settings conformance`: which tenants it is for, and the files that are made and removed with them. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Environment, fileVariable, filledUp } from '../../../handlers/runtime/environment.ts';
import { databaseNote, note } from '../start/notes.ts';
import { envFile, profileFile, signersDir } from './profile.ts';
import { webhooksDir } from './receiver.ts';

/** Written before anything else and removed last, so that an interrupted command can be repeated. */
export const tenantsNote = note<{ readonly name: string }>('tenants');

export const serverEnvFile = (folder: string) => path.join(folder, 'server.env');

/** What a tool must know about a deployment to reach its database and its files. */
const SHARED = [
  'MONGODB_URI',
  'MONGODB_DATABASE',
  'STORAGE_DIR',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
];

const isPath = (name: string) => name === 'STORAGE_DIR' || name.endsWith('_FILE');

/** The variables of the deployment among the given ones, with paths as any folder understands them. */
export function sharedVariables(env: Environment): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of SHARED.flatMap((name) => [name, fileVariable(name)])) {
    const value = env[name];
    if (value) all[name] = isPath(name) ? path.resolve(value) : value;
  }
  return all;
}

/** The variables of the deployment: those that are given, and what else the folder says. */
export function knownVariables(folder: string, env: Environment): Record<string, string> {
  return sharedVariables(filledUp(sharedVariables(env), storedVariables(folder)));
}

/** The variables that {@link writeServerEnv} stored; none in another folder. */
function storedVariables(folder: string): Environment {
  try {
    return parseEnv(readFileSync(serverEnvFile(folder), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Notes for whom the folder is, and how the settings tool finds the database. Git ignores the folder: it holds keys. */
export function openFolder(folder: string, name: string, database: { uri: string; name: string } | undefined): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, '.gitignore'), '*\n');
  tenantsNote.write(folder, { name });
  if (database) databaseNote.write(folder, { ...database, embedded: false });
}

/** Stores what each process of the deployment must be started with (mode 0600: there may be passwords). */
export function writeServerEnv(folder: string, variables: Readonly<Record<string, string>>): void {
  const head = '# For each process of the service: npm run server -- --env-file FILE';
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quotedValue(value)}`);
  writeFileSync(serverEnvFile(folder), `${[head, ...lines].join('\n')}\n`, { mode: 0o600 });
}

/** A value that any reader of such files takes as it is. */
const quotedValue = (value: string) => (/^[\w./:,@?&=%+[\]-]*$/.test(value) ? value : `'${value}'`);

/** Removes what was made, and the folder if nothing else is in it. */
export function removeFolder(folder: string): void {
  const files = [profileFile(folder), envFile(folder), serverEnvFile(folder), signersDir(folder), webhooksDir(folder)];
  for (const file of files) rmSync(file, { recursive: true, force: true });
  databaseNote.forget(folder);
  tenantsNote.forget(folder);
  rmSync(path.join(folder, '.gitignore'), { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
