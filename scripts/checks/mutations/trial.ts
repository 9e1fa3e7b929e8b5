/** Tries one mutation: the unit tests that its file concerns, and the suite against the service with it. */
import { SECTIONS } from '../../../conformance/rules/rule.ts';
import type { Bench, Finding, Judgement, Target } from './bench.ts';
import { withMutation } from './copy.ts';
import type { PlannedMutation } from './mutation.ts';
import type { Side } from './verdict.ts';

/** Which unit tests run: all whose imports reach the file, or only those of its room. */
export type Reach = 'related' | 'near' | 'none';

/** How many of the rules or tests that failed are run a second time. */
const REPEATED = 5;

const NOT_RUN: Side = { state: 'not_run' };

/**
 * A copy of the project without a mutation. What fails with a mutation counts only if it passes here: other work on the
 * machine can make a rule or a test fail.
 */
export class Control {
  readonly #bench: Bench;
  readonly #passes = new Map<string, Promise<boolean>>();
  #service: Promise<Target> | undefined;
  /** Settles when the last question is answered: runs of the suite on one service would disturb each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  rulePasses(rule: string): Promise<boolean> {
    this.#service ??= this.#bench.service();
    const service = this.#service;
    return this.#once(rule, async () => (await service).suite({ only: [rule] }));
  }

  testsPass(file: string): Promise<boolean> {
    return this.#once(file, () => this.#bench.tests([file]));
  }

  #once(name: string, judge: () => Promise<Judgement>): Promise<boolean> {
    const known = this.#passes.get(name);
    if (known !== undefined) return known;
    const passes = this.#last.then(judge).then(({ failed, unclear }) => failed.length === 0 && unclear === undefined);
    this.#passes.set(name, passes);
    this.#last = passes.catch(() => {});
    return passes;
  }

  async stop(): Promise<void> {
    await (await this.#service?.catch(() => undefined))?.stop();
  }
}

interface TrialRequest {
  /** Runs again what failed. */
  again(failed: readonly Finding[]): Promise<Judgement>;
  passesWithout(one: Finding): Promise<boolean>;
}

/** The first rule or test that failed twice with the mutation and passes without it. */
async function confirmed(failed: readonly Finding[], asked: TrialRequest): Promise<Finding | undefined> {
  const few = failed.slice(0, REPEATED);
  if (few.length === 0) return undefined;
  const again = await asked.again(few);
  for (const one of few) {
    if (again.failed.some(({ name }) => name === one.name) && (await asked.passesWithout(one))) return one;
  }
  return undefined;
}

/** Tries the steps until one of them finds the mutation for sure. */
async function firstOf(steps: readonly (() => Promise<Judgement>)[], asked: TrialRequest): Promise<Side> {
  const warned = new Set<string>();
  const unsteady = new Set<string>();
  let unclear: string | undefined;
  for (const step of steps) {
    const judgement = await step();
    const found = await confirmed(judgement.failed, asked);
    if (found !== undefined) return { state: 'caught', by: found.name, reason: found.reason };
    for (const name of judgement.warned) warned.add(name);
    for (const { name } of judgement.failed) unsteady.add(name);
    unclear ??= judgement.unclear;
  }
  return {
    state: unclear === undefined ? 'survived' : 'unclear',
    ...(unclear !== undefined && { reason: unclear }),
    ...(warned.size > 0 && { warned: [...warned] }),
    ...(unsteady.size > 0 && { unsteady: [...unsteady] }),
  };
}

async function byUnit(bench: Bench, control: Control, file: string, reach: Reach): Promise<Side> {
  if (reach === 'none') return NOT_RUN;
  const { near, far } = await bench.relatedTests(file);
  const steps = [() => bench.tests(near), ...(reach === 'related' ? [() => bench.tests(far)] : [])];
  return firstOf(steps, {
    again: (failed) => bench.tests([...new Set(failed.map((one) => one.file ?? ''))]),
    passesWithout: ({ file: test = '' }) => control.testsPass(test),
  });
}

/** First the sections that the mutation concerns, then the others: most faults are found in a fraction of the time. */
async function bySuite({ bench, control, byOwnRule }: Trial, { sections, rule }: PlannedMutation): Promise<Side> {
  if (byOwnRule && rule === undefined) return NOT_RUN;
  let service: Target;
  try {
    // On a busy machine a start can fail by itself.
    service = await bench.service().catch(() => bench.service());
  } catch (error) {
    return { state: 'does_not_start', reason: (error as Error).message };
  }
  try {
    const others = SECTIONS.filter((section) => !sections.includes(section));
    const steps = byOwnRule && rule ? [{ only: [rule] }] : [{ sections }, { sections: others }];
    const asked = steps.map((step) => () => service.suite(step));
    return await firstOf(asked, {
      again: (failed) => service.suite({ only: failed.map(({ name }) => name) }),
      passesWithout: ({ name }) => control.rulePasses(name),
    });
  } finally {
    await service.stop();
  }
}

export interface Trial {
  readonly bench: Bench;
  readonly control: Control;
  readonly reach: Reach;
  readonly runsSuite: boolean;
  /** Of the suite, only the mutation's own rule runs. */
  readonly byOwnRule: boolean;
}

/** @throws Error if its text is not in the file exactly once */
export function tryMutation(mutation: PlannedMutation, trial: Trial): Promise<{ suite: Side; unit: Side }> {
  const { bench, control, reach, runsSuite } = trial;
  return withMutation(bench.folder, mutation, async () => ({
    suite: runsSuite ? await bySuite(trial, mutation) : NOT_RUN,
    unit: await byUnit(bench, control, mutation.file, reach),
  }));
}
