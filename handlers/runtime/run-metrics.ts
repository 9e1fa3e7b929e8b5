/** Counts runs of work that a process repeats or that jobs begin. */
import { databaseMs } from './clock.ts';
import { errorType, workDuration, workLastSuccess } from './metrics.ts';

/** Makes a run and counts it, also if it fails. */
export async function counted<T>(work: string, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const count = (labels: { readonly error_type?: string }) =>
    workDuration.observe({ work, ...labels }, (performance.now() - startedMs) / 1_000);
  try {
    const result = await run();
    count({});
    workLastSuccess.set({ work }, databaseMs() / 1_000);
    return result;
  } catch (error) {
    count({ error_type: errorType(error) });
    throw error;
  }
}
