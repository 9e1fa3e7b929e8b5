/** What a step of the test run is, and its outcome. */

import { endingOf, LAST_WORDS, type Place } from '../../kit/run-program.ts';
import type { FoundTool } from '../../kit/tools.ts';
import type { Demand } from './schedule.ts';

/** The result of a step. */
export interface Outcome {
  readonly passed: number;
  /** The checks that failed. Each names the check in its first line and gives the reason below. */
  readonly failures: readonly string[];
  /** What was not checked, and which optional program is missing for it. */
  readonly notRun?: readonly string[];
}

/** The outcome of one check. @param failure the message if it failed */
export function judged(isRight: boolean, failure: string): Outcome {
  return isRight ? { passed: 1, failures: [] } : { passed: 0, failures: [failure] };
}

/** Joins several outcomes into one. */
export function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    notRun: outcomes.flatMap(({ notRun = [] }) => notRun),
  };
}

/** Makes a value when it is first asked for, and then returns the same. */
export function once<T, From = void>(make: (from: From) => T): (from: From) => T {
  let made: { readonly value: T } | undefined;
  return (from) => {
    made ??= { value: make(from) };
    return made.value;
  };
}

/** Gets the text to show, piece by piece. */
export type Say = (text: string) => void;

/** Where a step shows what it does. */
export interface Stage {
  readonly say: Say;
  /** Whether a person reads the output as it arrives; otherwise it is shown when the step has ended. */
  readonly isLive: boolean;
  /** How much a patient step leaves to the others. */
  readonly niceness: number;
}

/** One step of `npm run check`. */
export interface Step extends Demand {
  readonly about: string;
  /** Whether it is a step of `npm test`, too: it needs only Node, and finds more than its processor time costs. */
  readonly isQuick?: boolean;
  /** Starts preparing in the background what the step needs, before the first step runs. */
  prepare?(): void;
  run(stage: Stage): Promise<Outcome>;
}

/** The work of a step that needs a program; without it, the step says why it did not run. */
export function needing(
  find: () => Promise<FoundTool>,
  run: (stage: Stage, path: string) => Promise<Outcome>,
): Step['run'] {
  return async (stage) => {
    const found = await find();
    return 'missing' in found ? { passed: 0, failures: [], notRun: [found.missing] } : run(stage, found.path);
  };
}

/** What a step that only reads files needs: one of them fits beside the unit tests of both databases. */
export const READER_CORES = 0.4;

/** Runs a program as one check, which passes if the exit code is `due`. @param what names it in a failure */
export async function runCheck(what: string, argv: readonly string[], place: Place, due = 0): Promise<Outcome> {
  const { code, said } = await endingOf(argv, place);
  return judged(code === due, `${what} ended with ${code}, not ${due}\n${said.slice(-LAST_WORDS).trimEnd()}`);
}
