/** How findings are shown, and which exit code they mean. */
import { styleText } from 'node:util';
import { type CheckFinding, type CheckVerdict, verdicts } from './finding.ts';

const COLOURS = { OK: 'green', WARN: 'yellow', FAIL: 'red', SLOW: 'magenta', SKIPPED: 'gray' } as const;

/** A table: verdict, check, and what was found with what to do. It has colours where it goes to a terminal. */
export function tableOf(findings: readonly CheckFinding[]): string {
  const first = Math.max(...verdicts.map((verdict) => verdict.length)) + 2;
  const second = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const rows = findings.flatMap(({ verdict, check, says, todo }) => [
    styleText(COLOURS[verdict], verdict.padEnd(first)) + check.padEnd(second) + says,
    ...(todo === undefined ? [] : [`${' '.repeat(first + second)}→ ${todo}`]),
  ]);
  const counts = verdicts.map((verdict) => `${findings.filter((one) => one.verdict === verdict).length} ${verdict}`);
  return [...rows, '', `${counts.join(', ')}.`].join('\n');
}

/** The same for programs. */
export function jsonOf(findings: readonly CheckFinding[], version: string): string {
  return JSON.stringify({ verdict: verdictOf(findings), version, findings }, undefined, 2);
}

/** The verdict on all: the worst. */
function verdictOf(findings: readonly CheckFinding[]): CheckVerdict {
  return (['FAIL', 'WARN', 'SLOW'] as const).find((worst) => findings.some(({ verdict }) => verdict === worst)) ?? 'OK';
}

/** 0, or 1 where something is wrong. @param isStrict whether a warning, or what was too slow to tell, counts as wrong */
export function exitCodeOf(findings: readonly CheckFinding[], isStrict: boolean): 0 | 1 {
  const worst = verdictOf(findings);
  return worst === 'FAIL' || (isStrict && worst !== 'OK') ? 1 : 0;
}
