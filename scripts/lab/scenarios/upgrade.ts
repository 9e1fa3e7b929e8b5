/**
 * An upgrade and its roll-back on one database under load: processes of the last release are replaced, one by one, by
 * those of this checkout, and then the other way. In between, both releases work side by side.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { collectionNames } from '../../../handlers/data/store.ts';
import { fileVariable } from '../../../handlers/runtime/environment.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { saidBy } from '../../kit/run-program.ts';
import { OwnDatabase } from '../../world/database.ts';
import { ROLLING_LANES, RollingProcesses, runDrill } from '../rolling.ts';
import { size } from '../scenario.ts';
import type { Scene } from '../scene.ts';
import { type Aftermath, surviving } from '../surviving.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MINUTES_MS = 10 * 60_000;

/** What git prints for a command. @throws Error with what it said */
async function git(...args: readonly string[]): Promise<string> {
  const argv = ['git', ...args];
  return (await saidBy(argv.join(' '), argv, { cwd: ROOT })).trim();
}

/** The last release: its tag or, in a clone without tags, the commit that set its version. @param asked another one */
async function lastRelease(asked: string): Promise<string> {
  if (asked !== '') return git('rev-parse', '--verify', `${asked}^{commit}`);
  const [, version = ''] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  const tag = await git('tag', '--list', `v${version}`);
  if (tag !== '') return git('rev-parse', '--verify', `${tag}^{commit}`);
  const commits = await git('log', '--format=%H', '-S', `"version": "${version}"`, '--', 'package.json');
  const commit = commits.split('\n').at(-1) ?? '';
  if (commit === '')
    throw new Error(`There is neither a tag v${version} nor the commit of that release: --from names one.`);
  return commit;
}

const packagesOf = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;

/** Checks the release out, with its packages: those of this checkout if they are the same. */
async function checkedOut(release: string, folder: string): Promise<void> {
  await runDrill('checkout', { RELEASE: release, FOLDER: folder });
  const isSame = JSON.stringify(packagesOf(folder)) === JSON.stringify(packagesOf(ROOT));
  if (isSame) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await saidBy('npm ci of the last release', ['npm', 'ci', '--omit=dev'], { cwd: folder, withinMs: MINUTES_MS });
}

/** Secrets in files, as this release is given them, and, by the block of the runbook, in variables for the last one. */
async function secretsOf({ world }: Scene, folder: string) {
  const { MONGODB_URI } = world.database.env;
  const keys = () => randomBytes(32).toString('base64url');
  const secrets = { MONGODB_URI, PAGE_TOKEN_KEYS: keys(), WEBHOOK_SECRET_KEYS: keys() };
  const names = Object.keys(secrets);
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries(secrets)) {
    files[name] = '';
    files[fileVariable(name)] = join(folder, name);
    writeFileSync(join(folder, name), value);
  }
  const said = await runDrill('values', { ...files, S3_ENDPOINT: '' }, `printenv ${names.join(' ')}`);
  const shown = said.split('\n');
  const values = names.flatMap((name, at) => [[name, shown[at] ?? ''] as const, [fileVariable(name), ''] as const]);
  return { files, values: Object.fromEntries(values) };
}

/** Rolls between the last release and this one. @param checkout the folder of the last one */
async function upgraded(scene: Scene, checkout: string): Promise<Aftermath> {
  const { store } = scene.world;
  const times = scene.size('times');
  // The store is as the last release prepares it.
  for (const name of collectionNames)
    await store.db
      .collection(name)
      .dropIndexes()
      .catch(() => {});
  const { files, values } = await secretsOf(scene, resolve(checkout, '..'));
  const [last, next] = [
    { checkout, env: values },
    { checkout: '', env: files },
  ];
  const processes = await RollingProcesses.start(scene, last);
  for (let time = 0; time < times; time++) {
    await processes.roll(next);
    await processes.roll(last);
  }
  await processes.roll(next);
  return processes.end([`${times} upgrades, each rolled back, and one more:`], []);
}

/** The scenario. It takes minutes. */
export const upgrade = surviving({
  name: 'upgrade',
  about: 'Replaces processes of the last release by those of this one and back, one by one, under load.',
  finds: 'rows, tokens or jobs of one release that the other one cannot read',
  sizes: [size('times', 'how often it is upgraded and rolled back', 2, 1)],
  texts: [{ name: 'from', about: 'the commit or tag of the last release' }],
  database: () => new OwnDatabase(),
  lanes: ROLLING_LANES,
  async disturb(scene) {
    const release = await lastRelease(scene.text('from'));
    const folder = join(temporaryFolder('release-'), 'checkout');
    scene.world.atEnd(async () => {
      if (existsSync(folder)) await git('worktree', 'remove', '--force', folder);
    });
    await checkedOut(release, folder);
    scene.say(`the last release is ${release.slice(0, 10)}`);
    return await upgraded(scene, folder);
  },
});
