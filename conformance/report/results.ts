/** From outcomes to a verdict: the content of results.json, the exit code and the last line. */

import { operationsOf } from '../engine/needs.ts';
import type { Sighting, StatusCounts } from '../judge/contract-coverage.ts';
import type { OperationCoverage, TouchedShare } from '../judge/coverage.ts';
import type { LimitFacts } from '../judge/limit-facts.ts';
import { NOT_RUN, type Outcome, outcomeWithout, type Status } from '../judge/outcome.ts';
import type { Rule } from '../rules/rule.ts';
import { exitCodes } from './exit-codes.ts';
import { promiseOf } from './promise.ts';

/** Why a run ended before all its rules were tried. */
export interface EarlyEnd {
  cause: 'stopped' | 'target_lost' | 'suite_failed';
  /** For people. */
  reason: string;
}

/** An outcome with what the rule table says of its rule. */
export interface RuleResult extends Outcome {
  section: string;
  level: Rule['level'];
  text: string;
  place: string;
  /** Where the docs say so, as an anchor on their page; absent or '' if they do not. */
  promise?: string;
  decisions: readonly string[];
  /** Ids of earlier releases that the rule covers; absent if there are none. */
  replaces?: readonly string[];
  /** Why the rule ran alone, if it did. */
  alone?: string;
  /** Operations that the rule is about or called, and how often each gave each status. */
  operations: StatusCounts;
  /** The baseline entry that excuses the violation. */
  deviation?: { link: string; expires: string; note: string };
}

/** An outdated entry of the baseline. */
export interface BaselineProblem {
  rule: string;
  problem: 'stale' | 'expired';
  link: string;
  expires: string;
}

/** What results.json holds. */
export interface Results {
  format_version: 1;
  run_id: string;
  target: {
    name: string;
    base_url: string;
    tenant: string;
    capabilities: readonly string[];
    /** The checks that a terminator may answer, for people; absent if the profile names none. */
    terminator?: string;
    /** The page of the docs; absent if none is known. */
    docs?: string;
  };
  started_at: string;
  duration_ms: number;
  /** False when `--only` or `--section` left rules out. */
  whole: boolean;
  /** What `--order` named; absent if the rules had the order of the suite. */
  order?: string;
  /** Absent if the run came to its end. */
  unfinished?: EarlyEnd;
  /** The profile as it was named on the command line. */
  profile: string;
  verdict: 'conformant' | 'not_conformant' | 'harness_fault' | 'outdated_baseline' | 'incomplete' | 'unfinished';
  exit_code: number;
  counts: Record<Status, number>;
  must: { selected: number; exercised: number };
  exchanges: number;
  writes: number;
  rules: RuleResult[];
  baseline: BaselineProblem[];
  coverage: OperationCoverage[];
  /** What share of the contract the run has touched; absent in results of an earlier version of the suite. */
  touched?: TouchedShare[];
  /** How finely the limit was judged; absent if no rule judged it. */
  limit?: LimitFacts;
  excluded: { id: string; text: string; reason: string }[];
}

/**
 * What the contract takes and no successful request of the run had, as `operation input`. Only a run of all rules that
 * came to its end says anything about that.
 */
export const unsentInputs = ({ coverage, whole, unfinished }: Results): string[] =>
  (whole && unfinished === undefined ? coverage : []).flatMap(({ operation, inputs }) =>
    (inputs?.unsent ?? []).map((name) => `${operation} ${name}`),
  );

const STATUSES: readonly Status[] = ['PASS', 'FAIL', 'WARN', 'DEVIATION', 'SKIP', 'UNTESTED', 'ERROR'];
/** The rule was tried and judged. */
export const EXERCISED: readonly Status[] = ['PASS', 'FAIL', 'WARN', 'DEVIATION'];

/**
 * The verdict over a set of results. A violation has priority over an early end, that over a fault of the suite, that
 * over an outdated baseline, and that over a gap.
 */
export function verdictOf(
  results: readonly Pick<RuleResult, 'status' | 'level'>[],
  baseline: readonly BaselineProblem[] = [],
  unfinished?: EarlyEnd,
): Pick<Results, 'verdict' | 'exit_code'> {
  const has = (status: Status) => results.some((result) => result.status === status);
  if (has('FAIL')) return { verdict: 'not_conformant', exit_code: exitCodes.notConformant };
  if (unfinished) {
    const isLost = unfinished.cause === 'target_lost';
    return { verdict: 'unfinished', exit_code: isLost ? exitCodes.unreachable : exitCodes.harnessFault };
  }
  if (has('ERROR') || results.length === 0) return { verdict: 'harness_fault', exit_code: exitCodes.harnessFault };
  if (baseline.length > 0) return { verdict: 'outdated_baseline', exit_code: exitCodes.outdatedBaseline };
  const gap = results.some(({ status, level }) => status === 'UNTESTED' && level === 'MUST');
  return gap
    ? { verdict: 'incomplete', exit_code: exitCodes.incomplete }
    : { verdict: 'conformant', exit_code: exitCodes.conformant };
}

/**
 * Joins outcomes with their rows in the rule table. An outcome without a row is an ERROR, and so is a selected rule
 * without an outcome, unless the run ended early.
 */
export function joined(
  selected: readonly Rule[],
  outcomes: readonly Outcome[],
  sightings: readonly Sighting[] = [],
  unfinished?: EarlyEnd,
): RuleResult[] {
  const sighted = new Map(sightings.map(({ rule, operations }) => [rule, operations]));
  const left = new Map(outcomes.map((outcome) => [outcome.rule, outcome]));
  const missing = (rule: string) =>
    unfinished
      ? outcomeWithout(rule, 'UNTESTED', 'not_run', NOT_RUN)
      : outcomeWithout(rule, 'ERROR', '', 'the test did not run');
  const results = selected.map((rule): RuleResult => {
    const outcome = left.get(rule.id) ?? missing(rule.id);
    left.delete(rule.id);
    const { section, level, text, place, decisions, replaces, because: alone } = rule;
    const needed = Object.fromEntries(operationsOf(rule).map((id) => [id, {}]));
    const operations = { ...needed, ...sighted.get(rule.id) };
    const promise = promiseOf(rule);
    return { ...outcome, section, level, text, place, promise, decisions, operations, alone, replaces };
  });
  const nameless = { section: '', level: 'MUST', text: '', place: '', decisions: [], operations: {} } as const;
  return [...results, ...[...left.values()].map((outcome) => ({ ...outcome, ...nameless, status: 'ERROR' as const }))];
}

/** How many results have each status. */
export function countsOf(results: readonly { status: Status }[]): Record<Status, number> {
  const count = (status: Status) => results.filter((result) => result.status === status).length;
  return Object.fromEntries(STATUSES.map((status) => [status, count(status)])) as Record<Status, number>;
}

/** How many MUST rules were selected, and how many of them judged. */
export function mustOf(results: readonly RuleResult[]): Results['must'] {
  const must = results.filter(({ level }) => level === 'MUST');
  return { selected: must.length, exercised: must.filter(({ status }) => EXERCISED.includes(status)).length };
}

/** Each verdict in words, and the status that has its colour. */
export const VERDICTS: Readonly<Record<Results['verdict'], { words: string; tone: Status }>> = {
  conformant: { words: 'Conformant', tone: 'PASS' },
  not_conformant: { words: 'Not conformant', tone: 'FAIL' },
  harness_fault: { words: 'Fault of the suite', tone: 'ERROR' },
  outdated_baseline: { words: 'Out-of-date baseline', tone: 'WARN' },
  incomplete: { words: 'Conformant but incomplete', tone: 'UNTESTED' },
  unfinished: { words: 'No verdict', tone: 'ERROR' },
};

/** The last line of a run. */
export function lastLine({ verdict, must, counts, whole, unfinished }: Results): string {
  const excused = (verdict === 'conformant' || verdict === 'incomplete') && counts.DEVIATION > 0;
  const isCut = unfinished === undefined ? '' : ', UNFINISHED';
  const tally = STATUSES.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`);
  return `${VERDICTS[verdict].words.toUpperCase()}${isCut}${excused ? ' BUT FOR KNOWN DEVIATIONS' : ''}${whole ? '' : ' (in part of the rules)'}: ${must.exercised} of ${must.selected} MUST rules exercised; ${tally.join(', ')}`;
}
