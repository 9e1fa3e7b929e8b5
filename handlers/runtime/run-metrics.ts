/** Counts runs of work that a process repeats or that jobs begin. */
import { databaseMs } from './clock.ts';
import { gauge, histogram, timed } from './metrics.ts';

const WORK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

const workDuration = histogram(
  'work_run_duration_seconds',
  'Time of runs of work that a process repeats or that jobs begin, with the wait for their turn; error_type is absent if they succeeded.',
  WORK_SECONDS,
  'work',
  'error_type',
);

const workLastSuccess = gauge(
  'work_last_success_timestamp_seconds',
  'When a run of the work last succeeded in this process, by the clock of the database.',
  'work',
);

/** Makes a run and counts it, also if it fails. */
export async function counted<T>(work: string, run: () => Promise<T>): Promise<T> {
  const result = await timed(run, (ended, seconds) => workDuration.observe({ work, ...ended }, seconds));
  workLastSuccess.set({ work }, databaseMs() / 1_000);
  return result;
}
