/** What a run prints on the terminal at its end. */

import { limitLine } from '../judge/limit-facts.ts';
import { advice } from './baseline.ts';
import { lastLine, type Results, type RuleResult, unsentInputs } from './results.ts';
import { commandFor } from './text.ts';

/** How many outcomes with the same reason are explained individually. */
const EXPLAINED = 3;

function explanation(result: RuleResult, profile: string): string[] {
  const { status, rule, level, reason, text, place, decisions, exchange, curl } = result;
  return [
    `\n${status} ${rule} (${level}): ${reason}`,
    `  rule: ${text}`,
    `  contract: ${place}${decisions.length > 0 ? ` (${decisions.join(', ')})` : ''}`,
    ...(exchange === '' ? [] : exchange.split('\n').map((line) => `  ${line.slice(0, 400)}`)),
    ...(curl === '' ? [] : [`  repeat the request: ${curl.slice(0, 800)}`]),
    `  repeat the rule:    ${commandFor(rule, profile)}`,
  ];
}

/** @param profilePath as the user wrote it */
export function summary(results: Results, profilePath: string): string[] {
  const lines: string[] = [];
  for (const status of ['WARN', 'FAIL', 'ERROR'] as const) {
    const seen = new Map<string, number>();
    for (const result of results.rules.filter((one) => one.status === status)) {
      const times = (seen.get(result.reason) ?? 0) + 1;
      seen.set(result.reason, times);
      if (times <= EXPLAINED) lines.push(...explanation(result, profilePath));
    }
    for (const [reason, times] of seen) {
      if (times > EXPLAINED)
        lines.push(`\n${status}: ${times - EXPLAINED} more of the same kind: ${reason.slice(0, 200)}`);
    }
  }
  const gaps = results.rules.filter(({ status }) => status === 'UNTESTED' || status === 'SKIP');
  if (gaps.length > 0) lines.push('\nNot tested:');
  for (const { rule, status, code, reason } of gaps)
    lines.push(`  ${rule.padEnd(9)} ${status}${code === '' ? '' : ` ${code}`}: ${reason}`);
  const known = results.rules.filter(({ status }) => status === 'DEVIATION');
  if (known.length > 0) lines.push('\nExcused by the baseline:');
  for (const { rule, reason, deviation } of known)
    lines.push(
      `  ${rule.padEnd(9)} until ${deviation?.expires} (${deviation?.link}): ${reason.split('\n')[0]?.slice(0, 160)}`,
    );
  for (const problem of results.baseline) lines.push(`\nBASELINE: ${advice(problem)}`);
  const unsent = results.whole ? unsentInputs(results) : [];
  if (unsent.length > 0)
    lines.push('\nTaken by the contract, and sent by no rule:', ...unsent.map((name) => `  ${name}`));
  const { exchanges, target, writes, duration_ms, limit } = results;
  if (limit) lines.push(`\nThe limit: ${limitLine(limit)}`);
  lines.push(
    `\n${exchanges} exchanges with ${target.base_url}, ${writes} writes, ${(duration_ms / 1000).toFixed(0)} s`,
  );
  return lines;
}

/** The end of the summary: a run's last line says how many of the MUST rules were exercised. */
export const ending = (results: Results, report: string): string[] => [`Report: ${report}`, lastLine(results)];
