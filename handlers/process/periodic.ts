/**
 * Work that every process repeats: at once, then at an interval, sooner after a failure, and whenever the service's
 * clock is moved. Processes do not agree on whose turn it is, so the work has to bear being done by several at once.
 * What one process does for all of them recurs instead, see `recurring.ts`.
 */
import { onClockChange } from './clock.ts';
import { describeError, type Logger } from './log.ts';

/** How soon failed work is tried again, in milliseconds: soon after the store or the storage has come back. */
const RETRY_MS = 3_000;
/** Pause between two runs when there is more to do, in milliseconds: requests come first. */
const PAUSE_MS = 50;

/** Longest that an end waits for a run that is under way, in milliseconds: work bears a crash, so it bears this too. */
const STOP_MS = 3_000;

/** What is repeated. */
export interface PeriodicWork {
  /** For the log. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * One run, of bounded length; it ends early once `stopping` is aborted.
   * @returns whether there is more to do, so that the next run comes right after it
   */
  run(stopping: AbortSignal): Promise<boolean>;
}

/**
 * Runs of the work, of which none rejects. An outage is one line in the log, however long it lasts.
 * @returns a function that makes one run and says how long to wait before the next one, in milliseconds
 */
export function attempts(work: PeriodicWork, log: Logger): (stopping: AbortSignal) => Promise<number> {
  let failing = false;
  return async (stopping) => {
    try {
      const more = await work.run(stopping);
      failing = false;
      return more ? PAUSE_MS : work.everyMs;
    } catch (error) {
      if (!failing) log.warn({ event: 'periodic_work_failed', work: work.name, error: describeError(error) });
      failing = true;
      return Math.min(RETRY_MS, work.everyMs);
    }
  };
}

/** Repeated work that has begun. */
export interface Periodic {
  /** Has a run begin at once, or right after the one that is under way. */
  wake(): void;
  /** Ends it: waits a little for a run that is under way, and begins no other. */
  stop(): Promise<void>;
}

/** Begins with a first run at once. A run never overlaps another one here, and never keeps the process alive. */
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

  const unlisten = onClockChange(begin);
  begin();
  return {
    wake() {
      if (!stopping.signal.aborted) begin();
    },
    async stop() {
      stopping.abort();
      unlisten();
      clearTimeout(timer);
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}
