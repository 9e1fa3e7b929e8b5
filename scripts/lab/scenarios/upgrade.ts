/**
 * An upgrade and its roll-back on one database under load: processes of the last release are replaced, one by one, by
 * those of this checkout, and then the other way. In between, both releases work side by side.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { collectionNames } from '../../../handlers/data/store.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { runBlock } from '../../kit/page-blocks.ts';
import { saidBy } from '../../kit/run-program.ts';
import { OwnDatabase } from '../../world/database.ts';
import { drillBlocks, ROLLING_LANES, RollingProcesses } from '../rolling.ts';
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
  for (const block of drillBlocks('checkout')) await runBlock(block, { RELEASE: release, FOLDER: folder });
  const isSame = JSON.stringify(packagesOf(folder)) === JSON.stringify(packagesOf(ROOT));
  if (isSame) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await saidBy('npm ci of the last release', ['npm', 'ci', '--omit=dev'], { cwd: folder, withinMs: MINUTES_MS });
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
  const processes = await RollingProcesses.start(scene, { checkout });
  for (let time = 0; time < times; time++) {
    await processes.roll({ checkout: '' });
    await processes.roll({ checkout });
  }
  await processes.roll({ checkout: '' });
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
