/**
 * An upgrade and its roll-back on one database under load: processes of the last release are replaced, one by one, by
 * those of this checkout, and then the other way. In between, both releases work side by side.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { collectionNames } from '../../../handlers/data/store.ts';
import { OwnDatabase } from '../../testbed/database.ts';
import { run } from '../../testbed/run-program.ts';
import { runBlock } from '../page-blocks.ts';
import { drillBlocks, RollingFleet } from './rolling.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MINUTES_MS = 10 * 60_000;

/** What git prints for a command. @throws Error with what it said */
async function git(...args: readonly string[]): Promise<string> {
  let said = '';
  const hear = (text: string) => {
    said += text;
  };
  if ((await run(['git', ...args], { cwd: ROOT, hear })) !== 0)
    throw new Error(`git ${args.join(' ')}: ${said.trim()}`);
  return said.trim();
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
  else if ((await run(['npm', 'ci', '--omit=dev'], { cwd: folder, withinMs: MINUTES_MS })) !== 0)
    throw new Error('npm ci failed for the last release.');
}

async function drill(options: SuiteOptions): Promise<Result> {
  const { say, size: sizeOf, text } = options;
  const release = await lastRelease(text('from'));
  const folder = join(temporaryFolder('release-'), 'checkout');
  try {
    await checkedOut(release, folder);
    say(`the last release is ${release.slice(0, 10)}`);
    return await upgraded(folder, sizeOf('times'), options);
  } finally {
    if (existsSync(folder)) await git('worktree', 'remove', '--force', folder);
  }
}

async function upgraded(checkout: string, times: number, options: SuiteOptions): Promise<Result> {
  const fleet = await RollingFleet.open(new OwnDatabase(), options);
  const { deployment, store } = fleet.documents;
  await using _ended = deployment;
  // The store is as the last release prepares it.
  for (const name of collectionNames)
    await store.db
      .collection(name)
      .dropIndexes()
      .catch(() => {});
  await fleet.start({ checkout });
  for (let time = 0; time < times; time++) {
    await fleet.roll({ checkout: '' });
    await fleet.roll({ checkout });
  }
  await fleet.roll({ checkout: '' });
  const { line, wrong } = await fleet.end();
  return { lines: [`${times} upgrades, each rolled back, and one more: ${line}`], wrong };
}

/** The suite. */
export const upgrade: Suite = {
  name: 'upgrade',
  about: 'Replaces processes of the last release by those of this one and back, one by one, under load.',
  sizes: [size('times', 'how often it is upgraded and rolled back', 2, 1)],
  texts: [{ name: 'from', about: 'the commit or tag of the last release', usual: '' }],
  // It takes minutes.
  inQuick: false,
  run: drill,
};
