/** Tries many mutations, several at once, and keeps each verdict as soon as it is known. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from './bench.ts';
import type { Commands } from './commands.ts';
import { inFolder } from './folder.ts';
import { mutated, type PlannedMutation } from './mutation.ts';
import { Control, type Reach, tryMutation } from './trial.ts';
import { endingOf, fingerprintOf, type Verdict, type Verdicts } from './verdict.ts';

export interface Plan {
  readonly root: string;
  readonly mutations: readonly PlannedMutation[];
  readonly commands: Commands;
  readonly verdicts: Verdicts;
  /** How many mutations are tried at once. */
  readonly lanes: number;
  readonly reach: Reach;
  readonly runsSuite: boolean;
  /** Of the suite, only each mutation's own rule runs. */
  readonly byOwnRule: boolean;
  readonly say: (line: string) => void;
  /** The mutations under way get no verdict. */
  readonly stop: AbortSignal;
}

const inMinutes = (ms: number) => `${Math.max(1, Math.round(ms / 60_000))} min`;

/** @throws Error, before anything runs, if a mutation does not fit its file */
export async function runAll(plan: Plan): Promise<void> {
  const { root, mutations, commands, lanes } = plan;
  for (const mutation of mutations) mutated(readFileSync(join(root, mutation.file), 'utf8'), mutation);
  await inFolder('mutations', async (folder) => {
    const benchIn = (name: string, judge?: string) => {
      mkdirSync(join(folder, name));
      return new Bench(root, join(folder, name), commands, judge);
    };
    const unmutated = benchIn('control');
    const control = new Control(unmutated);
    const left = [...mutations];
    const tell = teller(plan);
    const numbers = Array.from({ length: Math.min(lanes, mutations.length) }, (_, nth) => nth + 1);
    const benches = numbers.map((number) => benchIn(`lane-${number}`, unmutated.folder));
    await Promise.all(benches.map((bench) => lane(plan, bench, control, left, tell)));
    await control.stop();
  });
}

/** Takes one mutation after another off the list. */
async function lane(plan: Plan, bench: Bench, control: Control, left: PlannedMutation[], tell: Tell): Promise<void> {
  const { root, verdicts, reach, runsSuite, byOwnRule, stop } = plan;
  for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
    if (stop.aborted) return;
    const startedAt = performance.now();
    const sides = await tryMutation(mutation, { bench, control, reach, runsSuite, byOwnRule });
    if (stop.aborted) return;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const verdict = { id: mutation.id, fingerprint: fingerprintOf(root, mutation), ...sides, seconds };
    verdicts.keep(verdict);
    tell(mutation, verdict);
  }
}

type Tell = (mutation: PlannedMutation, verdict: Verdict) => void;

/** Tells each verdict, and roughly how long the rest takes. */
function teller({ mutations, say }: Plan): Tell {
  const began = performance.now();
  let done = 0;
  return (mutation, verdict) => {
    done++;
    const rest = mutations.length - done;
    const time = rest === 0 ? '' : `  about ${inMinutes(((performance.now() - began) / done) * rest)} left`;
    const by = (['suite', 'unit'] as const).map((side) => `${side}: ${verdict[side].by ?? verdict[side].state}`);
    say(`[${done}/${mutations.length}] ${endingOf(verdict).padEnd(14)} ${mutation.id}  ${by.join('  ')}${time}`);
  };
}
