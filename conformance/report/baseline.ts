/**
 * The baseline: known deviations that are accepted for a limited time. Each entry names its rule, a link to where the
 * deviation is dealt with, and the last day on which it is excused. An entry that is no longer needed, or whose last
 * day has passed, fails the run.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { isDay } from '../../generated/validators.js';
import { messageOf, misuse, withProblems } from '../../scripts/kit/command-line.ts';
import { type BaselineProblem, EXERCISED, type RuleResult } from './results.ts';

/** The message is for the person who wrote it. */
const unusable = (file: string, problems: readonly string[]): never =>
  misuse(withProblems(`The baseline ${file} cannot be used:`, problems));

export interface Deviation {
  /** The present id. */
  rule: string;
  link: string;
  /** The last day (UTC) on which the deviation is excused, YYYY-MM-DD. */
  expires: string;
  note: string;
}

const form = z.strictObject({
  baseline_version: z.literal(1),
  deviations: z.array(
    z.strictObject({
      rule: z.string(),
      link: z.url({ protocol: /^https?$/, error: 'must be an http or https URL of where the deviation is dealt with' }),
      expires: z.string().refine(isDay, 'must be a day, as in "2027-01-31"'),
      note: z.string().max(500).default(''),
    }),
  ),
});

type PresentId = (id: string) => string | undefined;

/**
 * Reads a baseline.
 * @param text YAML
 * @param file its name, for messages
 * @param presentId the id of the rule that an entry names, which may be an id of an earlier release; undefined if there is none
 * @returns one deviation for a rule; if several entries name it, the one whose last day comes first
 * @throws Failure with every problem
 */
export function parseBaseline(text: string, file: string, presentId: PresentId): Deviation[] {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    return unusable(file, [`is no YAML: ${messageOf(error).split('\n')[0]}`]);
  }
  const read = form.safeParse(raw);
  if (!read.success) {
    return unusable(
      file,
      read.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`),
    );
  }
  const { deviations } = read.data;
  const problems = deviations.flatMap(({ rule }, at) => {
    if (presentId(rule) === undefined) return [`deviations.${at}.rule: there is no rule ${rule}; --list shows all`];
    const first = deviations.findIndex((other) => other.rule === rule);
    return first < at ? [`deviations.${at}.rule: ${rule} is listed twice; keep one`] : [];
  });
  if (problems.length > 0) return unusable(file, problems);
  const last = deviations.toSorted((a, b) => (a.expires < b.expires ? 1 : -1));
  return [...new Map(last.map((one) => [presentId(one.rule) ?? one.rule, one]))].map(([rule, one]) => ({
    ...one,
    rule,
  }));
}

/** @throws Failure */
export function loadBaseline(file: string, presentId: PresentId): Deviation[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return unusable(file, ['cannot be read; give the path of a file with --baseline']);
  }
  return parseBaseline(text, file, presentId);
}

/**
 * Marks the violations that the baseline lists as DEVIATION, and finds outdated entries. An entry is judged only if its
 * rule was selected, and can be `stale` only if the rule was exercised.
 * @param today YYYY-MM-DD, UTC
 */
export function excuse(
  results: readonly RuleResult[],
  deviations: readonly Deviation[],
  today: string,
): { results: RuleResult[]; problems: BaselineProblem[] } {
  const entries = new Map(deviations.map((entry) => [entry.rule, entry]));
  const problems: BaselineProblem[] = [];
  const excused = results.map((result): RuleResult => {
    const entry = entries.get(result.rule);
    if (!entry) return result;
    const { rule, link, expires, note } = entry;
    const violated = result.status === 'FAIL' || result.status === 'WARN';
    if (expires < today) problems.push({ rule, problem: 'expired', link, expires });
    else if (!violated && EXERCISED.includes(result.status)) problems.push({ rule, problem: 'stale', link, expires });
    return violated ? { ...result, status: 'DEVIATION', deviation: { link, expires, note } } : result;
  });
  return { results: excused, problems };
}

/** What to do about an outdated entry. */
export function advice({ rule, problem, link, expires }: BaselineProblem): string {
  return problem === 'stale'
    ? `${rule} holds again: take it out of the baseline (${link}).`
    : `${rule} was excused until ${expires} only: mend it, or agree on a new day (${link}).`;
}
