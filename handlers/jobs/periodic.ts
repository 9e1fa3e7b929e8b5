/**
 * Work that every process repeats: at once, then at an interval, and sooner after a failure. Processes do not take turns, so
 * several must be able to do the work at once. For work that one process does for all of them, see `recurring.ts`.
 */

import { isPartOfOutage } from '../data/outages.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { counted } from '../runtime/run-metrics.ts';
import { inTrace } from '../runtime/tracing.ts';

/** How soon failed work is tried again, in milliseconds. Short, so that it runs soon after the store or storage is back. */
const RETRY_MS = 3_000;
/** Pause between two runs while there is more to do, in milliseconds: requests have priority. */
const PAUSE_MS = 50;

/** How long a stop waits for a run under way, in milliseconds. Work survives a crash, so it survives being cut off too. */
export const STOP_MS = 3_000;

/** Work to repeat. */
export interface PeriodicWork {
  /** For the log. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * One run, of bounded length; it ends early once `stopping` is aborted.
   * @returns whether there is more to do; then the next run follows right after it
   */
  run(stopping: AbortSignal): Promise<boolean>;
}

/**
 * Runs work without ever rejecting. Runs that fail one after the other are one line in the log. Whatever wakes it, the work
 * belongs to no trace.
 * @returns a function that makes one run and returns how long to wait before the next one, in milliseconds
 */
export function attempts(work: PeriodicWork, log: Logger): (stopping: AbortSignal) => Promise<number> {
  let failing = false;
  return (stopping) => inTrace(undefined, () => attempt(stopping));

  async function attempt(stopping: AbortSignal): Promise<number> {
    try {
      const more = await counted(work.name, () => work.run(stopping));
      failing = false;
      return more ? PAUSE_MS : work.everyMs;
    } catch (error) {
      const waitMs = Math.min(RETRY_MS, work.everyMs);
      if (isPartOfOutage(error)) return waitMs;
      if (!failing) log.warn({ event: 'periodic_work_failed', work: work.name, error: describeError(error) });
      failing = true;
      return waitMs;
    }
  }
}

/** Repeated work that has started. */
export interface Periodic {
  /** Resolves after the first run, even if it failed. */
  readonly hasRun: Promise<void>;
  /** Makes a run begin at once, or right after the one under way. */
  wake(): void;
  /** Starts no more runs, and waits a little for one under way. */
  stop(): Promise<void>;
}

/** Starts with a run at once. Runs never overlap within this process, and the timer never keeps the process alive. */
export function startPeriodic(work: PeriodicWork, log: Logger): Periodic {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let askedMeanwhile = false;
  const attempt = attempts(work, log);

  function begin(): void {
    if (running === undefined) running = turn();
    else askedMeanwhile = true;
  }

  async function turn(): Promise<void> {
    askedMeanwhile = false;
    const waitMs = await attempt(stopping.signal);
    running = undefined;
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(begin, askedMeanwhile ? 0 : waitMs).unref();
  }

  const hasRun = turn();
  running = hasRun;
  return {
    hasRun,
    wake() {
      if (!stopping.signal.aborted) begin();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}
