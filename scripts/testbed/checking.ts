/** For tests: what the checks of a deployment say. */
import { expect } from '@jest/globals';
import { CHECKS, type CheckedRun, checked } from '../../handlers/check/command.ts';
import { readConfig } from '../../handlers/runtime/config.ts';
import { undisturbed } from './undisturbed.ts';

export type CheckedEnv = Readonly<Record<string, string>>;

/** The checks of a deployment that has these variables beside those of each use. */
export function checksWith(common: CheckedEnv) {
  function runOf(env: CheckedEnv, more: Partial<CheckedRun> = {}): CheckedRun {
    // A bucket takes the place of the folder.
    const read = readConfig({ ...common, ...(env.S3_BUCKET && { STORAGE_DIR: '' }), ...env });
    if ('problems' in read) throw new Error(read.problems.join());
    const stopping = new AbortController().signal;
    return { config: read.config, env, fontFiles: [], stopping, lookup: async () => [], ...more };
  }

  /** What the checks find whose names begin so. */
  const found = (names: string, env: CheckedEnv = {}, more?: Partial<CheckedRun>) =>
    checked(
      runOf(env, more),
      CHECKS.filter(({ name }) => name.startsWith(names)),
    );

  /** What one check says: its verdict, and the words. */
  const said = (...given: Parameters<typeof found>) =>
    undisturbed(async () => {
      const [finding] = await found(...given);
      return `${finding?.verdict} ${finding?.says}`;
    });

  /** Expects such words of one check. */
  const expectSaid = async (words: RegExp, ...given: Parameters<typeof found>) =>
    expect(await said(...given)).toMatch(words);

  return { runOf, found, said, expectSaid };
}
