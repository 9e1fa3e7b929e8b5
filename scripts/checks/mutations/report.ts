/** The verdicts as data and as text for a terminal or a page of Markdown; page.ts makes the page. */
import type { PlannedMutation } from './mutation.ts';
import { type Ending, endingOf, isOpen, type Side, type TriedMutation, type Verdict } from './verdict.ts';

export interface Report {
  readonly format_version: 1;
  readonly made_at: string;
  readonly areas: readonly AreaCounts[];
  readonly tried: readonly TriedMutation[];
  /** Mutations of the catalogue without a verdict. */
  readonly untried: readonly PlannedMutation[];
}

export interface AreaCounts extends Record<Ending, number> {
  readonly name: string;
  readonly tried: number;
  /** How many of the mutations that the suite found were also found by a unit test. */
  readonly both: number;
}

function countsOf(name: string, tried: readonly TriedMutation[]): AreaCounts {
  const endings = tried.map(({ verdict }) => endingOf(verdict));
  const count = (ending: Ending) => endings.filter((one) => one === ending).length;
  return {
    name,
    tried: tried.length,
    suite: count('suite'),
    both: tried.filter(({ verdict }) => verdict.suite.state === 'caught' && verdict.unit.state === 'caught').length,
    unit: count('unit'),
    does_not_start: count('does_not_start'),
    unclear: count('unclear'),
    survived: count('survived'),
  };
}

export function reportOf(
  planned: readonly PlannedMutation[],
  verdicts: ReadonlyMap<string, Verdict>,
  madeAt: string,
): Report {
  const tried = planned.flatMap((mutation): TriedMutation[] => {
    const verdict = verdicts.get(mutation.id);
    return verdict === undefined ? [] : [{ mutation, verdict }];
  });
  const names = [...new Set(tried.map(({ mutation }) => mutation.area))];
  const areas = names.map((name) =>
    countsOf(
      name,
      tried.filter(({ mutation }) => mutation.area === name),
    ),
  );
  const untried = planned.filter(({ id }) => !verdicts.has(id));
  return { format_version: 1, made_at: madeAt, areas: [...areas, countsOf('all', tried)], tried, untried };
}

/** The columns of the table of areas. */
export const COLUMNS = [
  ['tried', 'Tried'],
  ['suite', 'By the suite'],
  ['both', 'of these by unit tests too'],
  ['unit', 'By unit tests alone'],
  ['does_not_start', 'Does not start'],
  ['unclear', 'Unclear'],
  ['survived', 'Survived'],
] as const satisfies readonly (readonly [keyof AreaCounts, string])[];

/** The result of the suite, or of the unit tests, in a few words. */
export function told({ state, by, reason, warned = [], unsteady = [] }: Side): string {
  if (state === 'caught') return by ?? '';
  const more = [
    ...(warned.length > 0 ? [`warned: ${warned.join(', ')}`] : []),
    ...(unsteady.length > 0 ? [`failed once: ${unsteady.join(', ')}`] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  return [state.replaceAll('_', ' '), ...more].join('; ');
}

/** The mutations that no rule and no unit test found: first those that the catalogue does not explain. */
export function leftOf({ tried }: Report): TriedMutation[] {
  const left = tried.filter(({ verdict }) => !['suite', 'unit'].includes(endingOf(verdict)));
  return [...left.filter(isOpen), ...left.filter((one) => !isOpen(one))];
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const plain = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Markdown that a terminal shows well enough. */
export function markdown(report: Report): string {
  const open = report.tried.filter(isOpen).length;
  const widths = [14, ...COLUMNS.map(([, title]) => title.length)];
  const padded = (cells: readonly (string | number)[]) =>
    row(cells.map((cell, nth) => String(cell).padEnd(widths[nth] ?? 0)));
  const lines = [
    '# Mutations of the source',
    '',
    `${report.tried.length} tried, ${report.untried.length} not tried. ${open} survived or are unclear without a reason in the catalogue.`,
    'A rule that only warns has found nothing. What failed once, or without the mutation too, has found nothing.',
    '',
    padded(['Area', ...COLUMNS.map(([, title]) => title)]),
    row(widths.map((width) => '-'.repeat(width))),
    ...report.areas.map((area) => padded([area.name, ...COLUMNS.map(([key]) => area[key])])),
  ];
  const left = leftOf(report);
  if (left.length > 0) lines.push('', '## What nothing found', '');
  for (const { mutation, verdict } of left) {
    lines.push(
      `- **${mutation.id}** (${mutation.file}): ${plain(mutation.customer)}`,
      `  Suite: ${plain(told(verdict.suite))}. Unit tests: ${plain(told(verdict.unit))}.`,
      ...(mutation.reason === undefined ? [] : [`  Reason: ${plain(mutation.reason)}`]),
    );
  }
  return `${lines.join('\n')}\n`;
}
