/** The result of the mutation tests as data and as text; report-html.ts makes the page. */
import type { OutOfReach } from './fault.ts';
import type { JudgedFault, Verdict } from './judge.ts';

export interface Control {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
}

export interface MutationReport {
  format_version: 1;
  started_at: string;
  duration_ms: number;
  /** False if only some of the faults or controls were requested. */
  whole: boolean;
  counts: Record<Verdict, number>;
  faults: readonly JudgedFault[];
  controls: readonly Control[];
  out_of_reach: readonly OutOfReach[];
}

export const isAllCaught = ({ faults, controls }: Pick<MutationReport, 'faults' | 'controls'>): boolean =>
  faults.every(({ verdict }) => verdict === 'caught') && controls.every(({ right }) => right);

export function countsOf(faults: readonly JudgedFault[]): Record<Verdict, number> {
  const count = (verdict: Verdict) => faults.filter((one) => one.verdict === verdict).length;
  return {
    caught: count('caught'),
    survived: count('survived'),
    not_reached: count('not_reached'),
    unsound: count('unsound'),
    error: count('error'),
  };
}

export const bySection = (faults: readonly JudgedFault[]): [section: string, faults: JudgedFault[]][] => {
  const sections = [...new Set(faults.map(({ section }) => section))];
  return sections.map((section) => [section, faults.filter((one) => one.section === section)]);
};

export function text(report: MutationReport): string {
  const lines = ['', 'Section   faults  caught  rules'];
  for (const [section, faults] of bySection(report.faults)) {
    const rules = new Set(faults.map(({ rule }) => rule)).size;
    const caught = faults.filter(({ verdict }) => verdict === 'caught').length;
    lines.push(`${section.padEnd(9)} ${String(faults.length).padStart(6)}  ${String(caught).padStart(6)}  ${rules}`);
  }
  const left = report.faults.filter(({ verdict }) => verdict !== 'caught');
  if (left.length > 0) lines.push('', 'Not caught:');
  for (const { verdict, rule, id, breaks, status, reason } of left) {
    lines.push(`  ${verdict.padEnd(11)} ${rule.padEnd(9)} ${id}: ${breaks}`, `              ${status}: ${reason}`);
  }
  if (report.controls.length > 0) lines.push('', 'Controls:');
  for (const { name, expected, found, right } of report.controls) {
    lines.push(`  ${right ? 'right' : 'WRONG'}  ${name}: ${found}${right ? '' : ` (expected: ${expected})`}`);
  }
  const caught = report.counts.caught;
  const controls = report.controls.filter(({ right }) => right).length;
  lines.push(
    '',
    `${caught} of ${report.faults.length} faults caught by their own rule; ${controls} of ${report.controls.length} controls right; ${(report.duration_ms / 1000).toFixed(0)} s`,
  );
  return lines.join('\n');
}
