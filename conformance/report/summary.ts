/** What a run prints on the terminal at its end. */

import { byGap, findingsOf, idsOf } from './cause.ts';
import { lastLine, type Results, type RuleResult, unsentInputs } from './results.ts';
import { shortened } from './shown-values.ts';
import { commandFor, remarks } from './text.ts';

/** Headers of every answer, which the terminal leaves out unless a reason names them; the page has them. */
const COMMON = ['Cache-Control', 'Connection', 'Content-Length', 'Date', 'Keep-Alive', 'X-Content-Type-Options'];

/** The lines of an exchange that a reader of the reason needs. */
function telling(exchange: string, reason: string): string[] {
  const isCommon = (line: string) =>
    COMMON.some(
      (name) => line.toLowerCase().startsWith(`< ${name.toLowerCase()}:`) && !new RegExp(name, 'i').test(reason),
    );
  return exchange.split('\n').filter((line) => !isCommon(line));
}

function explanation(result: RuleResult, profile: string, docs: string | undefined): string[] {
  const { status, rule, level, reason, note = '', text, place, promise = '', decisions, exchange, curl } = result;
  return [
    `\n${status} ${rule} (${level}): ${reason}`,
    note && `  ${note}`,
    `  rule: ${text}`,
    `  contract: ${place}${decisions.length > 0 ? ` (${decisions.join(', ')})` : ''}`,
    docs && promise && `  docs: ${docs}${promise}`,
    ...(exchange === '' ? [] : telling(exchange, reason)).map((line) => `  ${shortened(line, 400)}`),
    curl && `  repeat the request: ${shortened(curl, 800)}`,
    `  repeat the rule:    ${commandFor(rule, profile)}`,
  ].flatMap((line) => line || []);
}

/** So many causes are named again at the end, if there are more. */
const NAMED = 5;

/** What to mend first, where the violations have scrolled away. */
function mendFirst({ rules }: Results): string[] {
  const causes = findingsOf(rules.filter(({ status }) => status === 'FAIL'));
  if (causes.length <= NAMED) return [];
  const named = causes.slice(0, NAMED).map(({ heading, rules: [first, ...others] }) => {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return `  ${first.rule}${more}: ${shortened(heading, 400)}`;
  });
  return [`\n${causes.length} causes of violations. What most rules have met:`, ...named];
}

/** @param profilePath as the user wrote it */
export function summary(results: Results, profilePath: string): string[] {
  const lines: string[] = [];
  for (const status of ['WARN', 'FAIL', 'ERROR'] as const) {
    for (const { rules } of findingsOf(results.rules.filter((one) => one.status === status))) {
      const [first, ...others] = rules;
      lines.push(...explanation(first, profilePath, results.target.docs));
      if (others.length > 0) lines.push(`  ${others.length} more of the same cause: ${idsOf(others)}`);
    }
  }
  const gaps = byGap(results.rules.filter(({ code }) => code !== 'not_run'));
  if (gaps.length > 0) lines.push('\nNot tested:');
  for (const same of gaps)
    for (const { status, code, reason } of same.slice(0, 1))
      lines.push(`  ${status}${code && ` ${code}`}: ${reason}: ${idsOf(same)}`);
  const known = results.rules.filter(({ status }) => status === 'DEVIATION');
  if (known.length > 0) lines.push('\nExcused by the baseline:');
  for (const { rule, reason, deviation } of known)
    lines.push(
      `  ${rule.padEnd(9)} until ${deviation?.expires} (${deviation?.link}): ${reason.split('\n')[0]?.slice(0, 160)}`,
    );
  const unsent = unsentInputs(results);
  if (unsent.length > 0)
    lines.push('\nTaken by the contract, and sent by no rule:', ...unsent.map((name) => `  ${name}`));
  const { exchanges, target, writes, duration_ms } = results;
  lines.push(
    ...mendFirst(results),
    ...remarks(results).map((remark) => `\n${remark}`),
    `\n${exchanges} exchanges with ${target.base_url}, ${writes} writes, ${(duration_ms / 1000).toFixed(0)} s`,
  );
  return lines;
}

/** The end of the summary: a run's last line says how many of the MUST rules were exercised. */
export const ending = (results: Results, report: string): string[] => [`Report: ${report}`, lastLine(results)];
