/** For tests: what the checks of a deployment say. */
import { expect } from '@jest/globals';
import { CHECKS, type CheckedRun, checked } from '../../handlers/check/command.ts';
import { readConfig } from '../../handlers/runtime/config.ts';
import { eventually } from '../kit/eventually.ts';

/** What a check says that got no answer within its seconds. */
const NO_TURN = /^SLOW|database is not reached|(bucket|interface) does not answer|did not answer in time/;

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

  /** What one check says: its verdict, and the words. It is made again while it gets no answer. */
  const said = (...given: Parameters<typeof found>) =>
    eventually('a check that gets its answers', async () => {
      const [finding] = await found(...given);
      const says = `${finding?.verdict} ${finding?.says}`;
      return !NO_TURN.test(says) && says;
    });

  /** Expects such words of one check. */
  const expectSaid = async (words: RegExp, ...given: Parameters<typeof found>) =>
    expect(await said(...given)).toMatch(words);

  return { runOf, found, said, expectSaid };
}
