/**
 * Work that a process repeats, for itself or for each of many ids: when somebody asks for it, at an interval, and again soon
 * after a failure. Processes do not take turns, so several must be able to do the work at once. For work that one process does
 * for all of them, see `recurring.ts`.
 */

import { isPartOfOutage } from '../data/outages.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { counted } from '../runtime/run-metrics.ts';
import { inTrace } from '../runtime/tracing.ts';

/** How soon failed work is tried again, in milliseconds. Short, so that it runs soon after the store or storage is back. */
const RETRY_MS = 3_000;
/** Pause between two runs while there is more to do, in milliseconds: requests have priority. */
const PAUSE_MS = 50;
/** How long a stop waits for runs under way, in milliseconds. Work survives a crash, so it survives being cut off too. */
export const STOP_MS = 3_000;

/** Work to repeat. */
export interface Work {
  /** For the log. */
  readonly name: string;
  /** How long after a run the next one follows, in milliseconds; without it, one follows only when somebody asks for it. */
  readonly everyMs?: number;
  /** How long a stop waits for runs under way, in milliseconds; {@link STOP_MS} by default. */
  readonly stopMs?: number;
  /**
   * One run, of bounded length; it ends early once `stopping` is aborted.
   * @param id for which the run was asked
   * @returns whether there is more to do; then the next run follows right after it
   */
  run(stopping: AbortSignal, id: string): Promise<boolean>;
}

/** Makes a run for an id. It never rejects. @returns how long to wait before the next run, in milliseconds */
export type WorkAttempt = (stopping: AbortSignal, id: string) => Promise<number>;

/**
 * Runs work without ever rejecting. Runs for an id that fail one after the other are one line in the log. Whatever wakes it,
 * the work belongs to no trace.
 */
export function attempts({ name, everyMs = Number.POSITIVE_INFINITY, run }: Work, log: Logger): WorkAttempt {
  const failing = new Set<string>();
  return (stopping, id) => inTrace(undefined, () => attempt(stopping, id));

  async function attempt(stopping: AbortSignal, id: string): Promise<number> {
    try {
      const more = await counted(name, () => run(stopping, id));
      failing.delete(id);
      return more ? PAUSE_MS : everyMs;
    } catch (error) {
      const waitMs = Math.min(RETRY_MS, everyMs);
      if (isPartOfOutage(error)) return waitMs;
      if (!failing.has(id)) log.warn({ event: 'work_failed', work: name, error: describeError(error) });
      failing.add(id);
      return waitMs;
    }
  }
}

/** Work that can be asked for. */
export interface RepeatedWork {
  /**
   * Asks for a run that begins after this call: at once, or right after the one under way.
   * @param id the process itself by default
   * @returns a promise that resolves after the run that is under way or begins now, even if it fails
   */
  begin(id?: string): Promise<void>;
  /** Starts no more runs, and waits a little for those under way. */
  stop(): Promise<void>;
}

/** Starts with nothing to do. Runs for an id never overlap within this process, and no timer keeps the process alive. */
export function repeatWork(work: Work, log: Logger): RepeatedWork {
  const stopping = new AbortController();
  const attempt = attempts(work, log);
  const runs = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Ids that were asked for during their run. */
  const again = new Set<string>();

  async function runFor(id: string): Promise<void> {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const waitMs = await attempt(stopping.signal, id);
    runs.delete(id);
    if (stopping.signal.aborted) return;
    if (again.delete(id)) void begin(id);
    else if (Number.isFinite(waitMs)) timers.set(id, setTimeout(begin, waitMs, id).unref());
  }

  async function begin(id = ''): Promise<void> {
    if (stopping.signal.aborted) return;
    const running = runs.get(id);
    if (running !== undefined) again.add(id);
    else runs.set(id, runFor(id));
    await runs.get(id);
  }

  return {
    begin,
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      const late = new Promise((resolve) => setTimeout(resolve, work.stopMs ?? STOP_MS).unref());
      await Promise.race([Promise.all(runs.values()), late]);
    },
  };
}
