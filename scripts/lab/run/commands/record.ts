/** Turns the record of several programs' commands, which `preload.ts` writes, into checks. */
import { existsSync, readFileSync } from 'node:fs';
import { SHARDABLE } from '../../../../handlers/data/store.ts';
import { preloading } from '../../../kit/run-program.ts';
import { joined, judged, type Outcome } from '../run.ts';
import type { Verdict } from './judge.ts';

/** The environment that makes a program, and the programs that it starts, record their commands. */
export function recording(file: string): Record<string, string> {
  return { JUDGED_COMMANDS: file, ...preloading(new URL('./preload.ts', import.meta.url)) };
}

/** One check for each collection that may be sharded: commands on it were seen, and none of them was wrong. */
export function recordOutcome(file: string): Outcome {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const verdicts = [...new Set(lines)].filter((line) => line !== '').map((line): Verdict => JSON.parse(line));
  return joined(
    SHARDABLE.map((collection) => {
      const those = verdicts.filter((verdict) => verdict.collection === collection);
      const wrong = those.flatMap(({ command, fields, problem }) =>
        problem === undefined ? [] : `${command} with {${fields.join(', ')}}: ${problem}`,
      );
      const said = those.length === 0 ? ['no command on it was seen'] : wrong;
      return judged(said.length === 0, [`commands on ${collection}, which may be sharded`, ...said].join('\n'));
    }),
  );
}
