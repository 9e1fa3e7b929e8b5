/** What planted faults have shown, as data and as text. Both ways of planting report with it; report-html.ts makes the page. */

export interface ReportedFault {
  readonly id: string;
  /** The part of the service or of the suite that it belongs to. */
  readonly part: string;
  /** The rule that must find it, or the file that it is in. */
  readonly place: string;
  /** What is wrong. */
  readonly breaks: string;
  readonly verdict: string;
  readonly isFound: boolean;
  /** What those said that looked for it. */
  readonly said: string;
  /** Why nothing has to find it. */
  readonly reason?: string;
}

export interface Control {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly right: boolean;
}

export interface FaultReport {
  readonly format_version: 2;
  readonly title: string;
  /** How the faults were planted, in one sentence. */
  readonly how: string;
  readonly started_at: string;
  readonly duration_ms: number;
  /** False if only some of the faults were planted. */
  readonly whole: boolean;
  readonly faults: readonly ReportedFault[];
  readonly controls: readonly Control[];
  /** What no fault was planted for, and why. */
  readonly without: readonly { readonly name: string; readonly reason: string }[];
}

type ReportedFaults = Pick<FaultReport, 'faults'>;

/** The faults that somebody has to look at. */
export const openOf = ({ faults }: ReportedFaults): ReportedFault[] =>
  faults.filter(({ isFound, reason }) => !isFound && reason === undefined);

export const isRight = (report: ReportedFaults & Pick<FaultReport, 'controls'>): boolean =>
  openOf(report).length === 0 && report.controls.every(({ right }) => right);

export const byPart = ({ faults }: ReportedFaults): [part: string, faults: ReportedFault[]][] => [
  ...Map.groupBy(faults, ({ part }) => part),
];

/** How many faults there are of each verdict, the most frequent first. */
export function counted(faults: readonly ReportedFault[]): [verdict: string, count: number][] {
  const groups = [...Map.groupBy(faults, ({ verdict }) => verdict)];
  return groups.map(([verdict, own]): [string, number] => [verdict, own.length]).sort((a, b) => b[1] - a[1]);
}

/** The outcome in one sentence. */
export function summary({ faults, controls }: Pick<FaultReport, 'faults' | 'controls'>): string {
  const verdicts = counted(faults).map(([verdict, count]) => `${count} ${verdict}`);
  const right = controls.filter((one) => one.right).length;
  const controlled = controls.length === 0 ? '' : `; ${right} of ${controls.length} controls are right`;
  return `${faults.length} planted faults: ${verdicts.join(', ')}${controlled}.`;
}

export function text(report: FaultReport): string {
  const verdicts = counted(report.faults).map(([verdict]) => verdict);
  const lines = ['', `${'Part'.padEnd(16)}faults  ${verdicts.join('  ')}`];
  for (const [part, faults] of byPart(report)) {
    const counts = new Map(counted(faults));
    const cells = verdicts.map((verdict) => String(counts.get(verdict) ?? 0).padStart(verdict.length));
    lines.push(`${part.padEnd(16)}${String(faults.length).padStart(6)}  ${cells.join('  ')}`);
  }
  const left = report.faults.filter(({ isFound }) => !isFound);
  if (left.length > 0) lines.push('', 'Not found:');
  for (const { verdict, place, id, breaks, said, reason } of left) {
    lines.push(`  ${verdict}  ${place}  ${id}: ${breaks}`, `    ${said}`);
    if (reason !== undefined) lines.push(`    Nothing has to find it: ${reason}`);
  }
  if (report.controls.length > 0) lines.push('', 'Controls:');
  for (const { name, expected, found, right } of report.controls) {
    lines.push(`  ${right ? 'right' : 'WRONG'}  ${name}: ${found}${right ? '' : ` (expected: ${expected})`}`);
  }
  return [...lines, '', `${summary(report)} ${Math.round(report.duration_ms / 1000)} s`].join('\n');
}
