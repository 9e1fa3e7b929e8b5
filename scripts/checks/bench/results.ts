/** What a run of the bench found, and how it is shown. */
import { median } from '../statistics.ts';
import type { Measurement } from './load.ts';

/** The figures of one service for one operation: the median of the rounds. */
export interface Figures {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_us: number;
  readonly database_cpu_us: number | null;
  readonly rss_mb: number;
  /**
   * How much the service does with the same processor time as `ideal`; above 1 it does more. The median of the rounds'
   * ratios: the two are measured one after the other, so other load on the machine affects both. Null without `ideal`.
   */
  readonly of_ideal: number | null;
  /** How many answers had a status that was not expected. */
  readonly unexpected: number;
}

export interface ScenarioResult {
  readonly name: string;
  /** By the name of the service, in the order in which they are shown. */
  readonly services: Readonly<Record<string, Figures>>;
}

export interface BenchReport {
  readonly format_version: 1;
  readonly made_at: string;
  readonly engine: string;
  readonly node: string;
  readonly processors: number;
  readonly employees: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly scenarios: readonly ScenarioResult[];
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

const ratioTo =
  (others: readonly Measurement[]) =>
  ({ cpuUs }: Measurement, round: number): number =>
    (others[round]?.cpuUs ?? 0) / cpuUs;

/** @param ideal the rounds of `ideal`, if it was measured */
export function figuresOf(rounds: readonly Measurement[], ideal: readonly Measurement[] | undefined): Figures {
  const of = (read: (one: Measurement) => number) => median(rounds.map(read));
  const hasDatabase = rounds.every(({ databaseCpuUs }) => databaseCpuUs !== undefined);
  const unexpected = rounds.flatMap(({ statuses }) => [...statuses]).filter(([status]) => status !== 200);
  return {
    per_second: rounded(of((one) => one.perSecond)),
    p50_ms: rounded(
      of((one) => one.p50Ms),
      2,
    ),
    p99_ms: rounded(
      of((one) => one.p99Ms),
      2,
    ),
    cpu_us: rounded(of((one) => one.cpuUs)),
    database_cpu_us: hasDatabase ? rounded(of((one) => one.databaseCpuUs ?? 0)) : null,
    rss_mb: rounded(of((one) => one.rssBytes) / 2 ** 20),
    of_ideal: ideal === undefined ? null : rounded(median(rounds.map(ratioTo(ideal))), 2),
    unexpected: unexpected.reduce((sum, [, count]) => sum + count, 0),
  };
}

/** A line of the table on the terminal. */
export function line(name: string, figures: Figures): string {
  const { per_second, p50_ms, p99_ms, cpu_us, database_cpu_us, rss_mb, of_ideal, unexpected } = figures;
  const cells = [
    `  ${name.padEnd(10)} ${per_second.toFixed(0).padStart(6)}/s`,
    `p50 ${p50_ms.toFixed(1).padStart(6)} ms  p99 ${p99_ms.toFixed(1).padStart(6)} ms`,
    `${cpu_us.toFixed(0).padStart(6)} µs`,
    `${(database_cpu_us === null ? '' : `${database_cpu_us.toFixed(0)} µs`).padStart(9)} database`,
    `${rss_mb.toFixed(0).padStart(4)} MB`,
    of_ideal === null ? '' : `× ${of_ideal.toFixed(2)}`,
    unexpected === 0 ? '' : `${unexpected} UNEXPECTED ANSWERS`,
  ];
  return cells.join('  ').trimEnd();
}
