/** Words and numbers that the reports share. */
import { CONFORMANCE } from '../called-as.ts';
import { sharesText } from '../judge/coverage.ts';
import { limitLine } from '../judge/limit-facts.ts';
import type { Status } from '../judge/outcome.ts';
import { advice } from './baseline.ts';
import { type Results, VERDICTS } from './results.ts';

/** The verdict for people. It also mentions an early end, and deviations that the baseline excuses. */
export function verdictText({
  verdict,
  counts,
  unfinished,
}: Pick<Results, 'verdict' | 'counts' | 'unfinished'>): string {
  const excused = verdict === 'conformant' || verdict === 'incomplete' ? counts.DEVIATION : 0;
  const noun = excused === 1 ? 'deviation' : 'deviations';
  const isCut = unfinished === undefined ? '' : ', unfinished';
  return `${VERDICTS[verdict].words}${isCut}${excused > 0 ? `, ${excused} known ${noun}` : ''}`;
}

/** What is said of a run besides its rules. */
export const remarks = ({ unfinished, order, target, touched, limit, baseline }: Results): string[] =>
  [
    unfinished?.reason,
    order && `The rules were checked in another order: --order ${order}`,
    target.terminator && `The terminator may refuse in any form: ${target.terminator}`,
    touched && `Touched of the contract: ${sharesText(touched)}`,
    limit && `The limit: ${limitLine(limit)}`,
    ...baseline.map((problem) => `The baseline is out of date: ${advice(problem)}`),
  ].flatMap((remark) => remark || []);

export const MEANINGS: Readonly<Record<Status, string>> = {
  PASS: 'the rule was exercised and holds',
  FAIL: 'a MUST rule is violated',
  WARN: 'a SHOULD rule is violated',
  DEVIATION: 'violated, and excused by the baseline for a time',
  SKIP: 'does not apply to this target',
  UNTESTED: 'something is missing, so nothing is known',
  ERROR: 'the suite is at fault, so nothing is known',
};

/** In the order of importance to a reader. */
export const BY_WEIGHT: readonly Status[] = ['FAIL', 'ERROR', 'WARN', 'DEVIATION', 'UNTESTED', 'SKIP', 'PASS'];

/** A duration for people: `850 ms`, `12 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The part of a whole in per cent, rounded down so that only the whole gives 100. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part / whole) * 100);
}

const bare = /^[\w./@:+-]+$/;

/** The command that runs one rule alone. */
export function commandFor(rule: string, profile: string): string {
  const shown = bare.test(profile) ? profile : `'${profile.replaceAll("'", String.raw`'\''`)}'`;
  return `${CONFORMANCE} --profile ${shown} --only ${rule}`;
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
