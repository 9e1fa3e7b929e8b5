/**
 * The ratios to `ideal` of the last release, and whether a run is slower. Ratios can be compared between machines and
 * times of day, unlike times.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';

const FILE = join(import.meta.dirname, 'released.json');
/** A smaller loss can be noise: so much do five rounds of four seconds differ from one run to the next. */
const LARGEST_LOSS = 0.1;

/** By engine and operation, how much the service did with the processor time of `ideal`. */
export type ReleasedRatios = Readonly<Record<string, Readonly<Record<string, number>>>>;

const released = (): ReleasedRatios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

function ratiosOf({ scenarios }: Report): Record<string, number> {
  const found = scenarios.flatMap(({ name, rows }) => {
    const ours = rows.find(({ label }) => label === 'ours');
    const ratio = ours?.figures.find((each) => each.name === 'of ideal');
    return ratio === undefined ? [] : [[name, ratio.value] as const];
  });
  return Object.fromEntries(found);
}

/** Which operations lost more than a tenth against the release, each as a sentence. Operations without a figure pass. */
export function lossesOf(report: Report, before: ReleasedRatios = released()): string[] {
  return Object.entries(ratiosOf(report)).flatMap(([name, now]) => {
    const then = before[report.engine]?.[name];
    if (then === undefined || now >= then * (1 - LARGEST_LOSS)) return [];
    return [`${name} on ${report.engine}: ${now.toFixed(2)} of ideal, released with ${then.toFixed(2)}`];
  });
}

/** Keeps the ratios of the report's operations as the released ones. */
export function record(report: Report): void {
  const all = released();
  const kept = { ...all, [report.engine]: { ...all[report.engine], ...ratiosOf(report) } };
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}
