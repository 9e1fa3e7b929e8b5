/** From outcomes to a verdict: the exit code, results.json, the JUnit file and the last line. */
import type { Outcome, Status } from './outcome.ts';
import type { Rule } from './rules/rule.ts';

export const exitCodes = {
  conformant: 0,
  notConformant: 1,
  badProfile: 2,
  unreachable: 3,
  harnessFault: 4,
  incomplete: 6,
} as const;

export interface RuleResult extends Outcome {
  section: string;
  level: Rule['level'];
  text: string;
  place: string;
  decisions: readonly string[];
}

export interface Results {
  format_version: 1;
  run_id: string;
  target: { name: string; base_url: string; tenant: string; capabilities: readonly string[] };
  started_at: string;
  duration_ms: number;
  /** False when `--only` or `--section` left rules out. */
  whole: boolean;
  verdict: 'conformant' | 'not_conformant' | 'harness_fault' | 'incomplete';
  exit_code: number;
  counts: Record<Status, number>;
  must: { selected: number; exercised: number };
  exchanges: number;
  writes: number;
  rules: RuleResult[];
  excluded: { id: string; text: string; reason: string }[];
}

const STATUSES: readonly Status[] = ['PASS', 'FAIL', 'WARN', 'SKIP', 'UNTESTED', 'ERROR'];
const EXERCISED: readonly Status[] = ['PASS', 'FAIL', 'WARN'];

/** The verdict over a set of results: a violation weighs more than a fault of the suite, and that more than a gap. */
export function verdictOf(
  results: readonly Pick<RuleResult, 'status' | 'level'>[],
): Pick<Results, 'verdict' | 'exit_code'> {
  const has = (status: Status) => results.some((result) => result.status === status);
  if (has('FAIL')) return { verdict: 'not_conformant', exit_code: exitCodes.notConformant };
  if (has('ERROR') || results.length === 0) return { verdict: 'harness_fault', exit_code: exitCodes.harnessFault };
  const gap = results.some(({ status, level }) => status === 'UNTESTED' && level === 'MUST');
  return gap
    ? { verdict: 'incomplete', exit_code: exitCodes.incomplete }
    : { verdict: 'conformant', exit_code: exitCodes.conformant };
}

/** Joins outcomes with their rows. A selected rule without an outcome, or an outcome without a row, is an ERROR. */
export function joined(selected: readonly Rule[], outcomes: readonly Outcome[]): RuleResult[] {
  const left = new Map(outcomes.map((outcome) => [outcome.rule, outcome]));
  const blank = { code: '' as const, exchange: '', curl: '', exchanges: 0, durationMs: 0 };
  const results = selected.map((rule): RuleResult => {
    const outcome = left.get(rule.id) ?? {
      rule: rule.id,
      status: 'ERROR' as const,
      reason: 'the test did not run',
      ...blank,
    };
    left.delete(rule.id);
    const { section, level, text, place, decisions } = rule;
    return { ...outcome, section, level, text, place, decisions };
  });
  for (const outcome of left.values()) {
    results.push({ ...outcome, status: 'ERROR', section: '', level: 'MUST', text: '', place: '', decisions: [] });
  }
  return results;
}

export function countsOf(results: readonly { status: Status }[]): Record<Status, number> {
  const count = (status: Status) => results.filter((result) => result.status === status).length;
  return Object.fromEntries(STATUSES.map((status) => [status, count(status)])) as Record<Status, number>;
}

export function mustOf(results: readonly RuleResult[]): Results['must'] {
  const must = results.filter(({ level }) => level === 'MUST');
  return { selected: must.length, exercised: must.filter(({ status }) => EXERCISED.includes(status)).length };
}

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Text for XML: markup escaped, characters that XML 1.0 forbids replaced. */
export function xml(text: string): string {
  const allowed = (char: string) => char >= ' ' || char === '\n' || char === '\t';
  return Array.from(text.toWellFormed(), (char) => (allowed(char) ? (escapes[char] ?? char) : '�')).join('');
}

/** JUnit as CI servers read it: a suite for each section; what was not tested is `skipped` with its reason. */
export function junit(results: Results): string {
  const sections = [...new Set(results.rules.map(({ section }) => section))];
  const lines = [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="conformance ${xml(results.target.name)}">`,
  ];
  for (const section of sections) {
    const rules = results.rules.filter((rule) => rule.section === section);
    const counts = countsOf(rules);
    lines.push(
      `  <testsuite name="${xml(section)}" tests="${rules.length}" failures="${counts.FAIL}" errors="${counts.ERROR}" skipped="${counts.SKIP + counts.UNTESTED}" time="${seconds(rules.reduce((sum, rule) => sum + rule.durationMs, 0))}">`,
    );
    for (const rule of rules) {
      lines.push(
        `    <testcase classname="${xml(section)}" name="${xml(`${rule.rule} ${rule.text}`)}" time="${seconds(rule.durationMs)}">`,
      );
      const message = xml(`${rule.status}${rule.code === '' ? '' : ` (${rule.code})`}: ${rule.reason}`);
      const body = xml([rule.exchange, rule.curl].filter((part) => part !== '').join('\n'));
      if (rule.status === 'FAIL') lines.push(`      <failure message="${message}">${body}</failure>`);
      if (rule.status === 'ERROR') lines.push(`      <error message="${message}">${body}</error>`);
      if (rule.status === 'SKIP' || rule.status === 'UNTESTED') lines.push(`      <skipped message="${message}"/>`);
      if (rule.status === 'WARN') lines.push(`      <system-out>${message}</system-out>`);
      lines.push('    </testcase>');
    }
    lines.push('  </testsuite>');
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

/** The last line of a run. */
export function lastLine({ verdict, must, counts, whole }: Results): string {
  const names = {
    conformant: 'CONFORMANT',
    not_conformant: 'NOT CONFORMANT',
    harness_fault: 'FAULT OF THE SUITE',
    incomplete: 'CONFORMANT BUT INCOMPLETE',
  };
  const tally = STATUSES.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`);
  return `${names[verdict]}${whole ? '' : ' (in part of the rules)'}: ${must.exercised} of ${must.selected} MUST rules exercised; ${tally.join(', ')}`;
}
