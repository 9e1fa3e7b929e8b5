/** Tries many mutations: which of them the suite finds, and which of the others the unit tests find. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { Bench, type JudgeName } from './bench.ts';
import { removeFolder } from './copy.ts';
import type { Mutation } from './mutation.ts';
import { controlOf, searchAll } from './search.ts';
import type { Side, Verdict, Verdicts } from './verdict.ts';

/** What is tried, and how. */
interface Plan {
  /** The project that is mutated, and whose suite and tests judge. */
  readonly root: string;
  readonly mutations: readonly Mutation[];
  readonly verdicts: Verdicts;
  /** How many copies are used at once. */
  readonly lanes: number;
  readonly runsUnitTests: boolean;
  readonly say: (line: string) => void;
}

/** Verdicts are kept as soon as they are known, so an interrupted run goes on where it was. */
export async function runAll(plan: Plan): Promise<void> {
  const { root, verdicts, lanes, mutations, say } = plan;
  const folder = temporaryFolder('mutations-');
  const benchIn = (name: string, judge?: string) => {
    mkdirSync(join(folder, name));
    return new Bench(root, join(folder, name), judge);
  };
  try {
    const unmutated = benchIn('control');
    const numbers = Array.from({ length: Math.min(lanes, mutations.length) }, (_, nth) => nth + 1);
    const benches = numbers.map((number) => benchIn(`lane-${number}`, unmutated.folder));
    /** Tries what is left with one judge. */
    const by = async (judge: JudgeName, isLeft: (verdict: Verdict) => boolean) => {
      const chosen = mutations.filter((one) => verdicts.of(one)[judge].state === 'not_run' && isLeft(verdicts.of(one)));
      if (chosen.length === 0) return;
      const control = controlOf(unmutated, judge);
      const note = (mutation: Mutation, side: Side) => {
        verdicts.keep(mutation, judge, side);
        say(`${side.state.padEnd(14)} ${mutation.id}  ${judge}: ${side.by ?? side.reason ?? ''}`);
      };
      await searchAll({ ...plan, judge, control, benches, note }, chosen).finally(() => control.stop());
    };
    await by('suite', () => true);
    if (plan.runsUnitTests) await by('unit', ({ suite }) => suite.state !== 'caught');
  } finally {
    removeFolder(folder);
  }
}
