/** Tries many mutations, several at once, and keeps each verdict as soon as it is known. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endPrograms } from '../test/run.ts';
import { Bench } from './bench.ts';
import type { Commands } from './commands.ts';
import type { Planned } from './mutation.ts';
import { Control, type Reach, tryMutation } from './trial.ts';
import { endingOf, fingerprintOf, type Verdict, type Verdicts } from './verdict.ts';

export interface Plan {
  readonly root: string;
  readonly mutations: readonly Planned[];
  readonly commands: Commands;
  readonly verdicts: Verdicts;
  /** How many mutations are tried at once. */
  readonly lanes: number;
  readonly reach: Reach;
  readonly runsSuite: boolean;
  readonly say: (line: string) => void;
  /** Ends what runs; the mutations under way get no verdict. */
  readonly stop: AbortSignal;
}

const inMinutes = (ms: number) => `${Math.max(1, Math.round(ms / 60_000))} min`;

/** @returns how many got a verdict */
export async function runAll(plan: Plan): Promise<number> {
  const { root, mutations, commands, verdicts, lanes, say, stop } = plan;
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  // Where this process ends before the lanes have, nothing of it stays.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  stop.addEventListener('abort', endPrograms, { once: true });
  const benchIn = (name: string) => {
    mkdirSync(join(folder, name));
    return new Bench(root, join(folder, name), commands);
  };
  let unmutated: Bench | undefined;
  const control = new Control(() => {
    unmutated ??= benchIn('control');
    return unmutated;
  });
  const left = [...mutations];
  const began = performance.now();
  let done = 0;

  function tell(mutation: Planned, verdict: Verdict): void {
    done++;
    const spent = performance.now() - began;
    const rest = mutations.length - done;
    const time = rest === 0 ? '' : `  about ${inMinutes((spent / done) * rest)} left`;
    const by = (['suite', 'unit'] as const).map((side) => `${side}: ${verdict[side].by ?? verdict[side].state}`);
    say(`[${done}/${mutations.length}] ${endingOf(verdict).padEnd(14)} ${mutation.id}  ${by.join('  ')}${time}`);
  }

  async function lane(number: number): Promise<void> {
    const bench = benchIn(`lane-${number}`);
    for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
      if (stop.aborted) return;
      const startedAt = performance.now();
      const { reach, runsSuite } = plan;
      const sides = await tryMutation(mutation, { bench, control, reach, runsSuite });
      if (stop.aborted) return;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const verdict = { id: mutation.id, fingerprint: fingerprintOf(root, mutation), ...sides, seconds };
      verdicts.keep(verdict);
      tell(mutation, verdict);
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(lanes, mutations.length) }, (_, number) => lane(number + 1)));
  } finally {
    await control.stop();
    process.off('exit', remove);
    remove();
  }
  return done;
}
