/** How findings are shown, and which exit code they mean. */
import { type CheckFinding, type CheckVerdict, verdicts } from './finding.ts';

const COLOURS: Readonly<Record<CheckVerdict, number>> = { OK: 32, WARN: 33, FAIL: 31, SKIPPED: 90 };
const LEAST_WIDTH = 40;

/** How a text is broken into lines of at most so many characters; a longer word keeps a line of its own. */
function linesOf(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/**
 * A table: verdict, check, and what was found with what to do.
 * @param width of the terminal; undefined where the output goes elsewhere, which then has one line for each text, without colours
 */
export function tableOf(findings: readonly CheckFinding[], width?: number): string {
  const first = Math.max(...verdicts.map((verdict) => verdict.length)) + 2;
  const second = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST_WIDTH, width - first - second);
  const rows = findings.flatMap(({ verdict, check, says, todo }) => {
    const shown = verdict.padEnd(first);
    const begin = (width === undefined ? shown : `\x1b[${COLOURS[verdict]}m${shown}\x1b[0m`) + check.padEnd(second);
    const texts = [...linesOf(says, room), ...(todo === undefined ? [] : linesOf(`→ ${todo}`, room))];
    return texts.map((text, nth) => (nth === 0 ? begin : ' '.repeat(first + second)) + text);
  });
  return [...rows, '', summaryOf(findings)].join('\n');
}

function summaryOf(findings: readonly CheckFinding[]): string {
  const counts = verdicts.map((verdict) => `${findings.filter((one) => one.verdict === verdict).length} ${verdict}`);
  return `${counts.join(', ')}.`;
}

/** The same for programs. */
export function jsonOf(findings: readonly CheckFinding[], version: string): string {
  return JSON.stringify({ verdict: verdictOf(findings), version, findings }, undefined, 2);
}

/** The verdict on all: the worst. */
function verdictOf(findings: readonly CheckFinding[]): CheckVerdict {
  return (['FAIL', 'WARN'] as const).find((worst) => findings.some(({ verdict }) => verdict === worst)) ?? 'OK';
}

/** 0, or 1 where something is wrong. @param isStrict whether a warning counts as wrong */
export function exitCodeOf(findings: readonly CheckFinding[], isStrict: boolean): 0 | 1 {
  const worst = verdictOf(findings);
  return worst === 'FAIL' || (isStrict && worst === 'WARN') ? 1 : 0;
}
