/** Work by id: one run at a time for each id in this process, and a limited number for all ids together, in turns. */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/thread-time.ts';
import { describeError, type Logger } from './log.ts';

/**
 * How long a stop waits for runs under way, in milliseconds. Work survives a crash, so it survives being cut off too.
 */
const STOP_MS = 8_000;

/** The work for an id. */
export interface WorkById {
  /** For the log. */
  readonly name: string;
  /** How many ids at a time. */
  readonly atOnce: number;
  /**
   * A run calls `rest` now and then, so that other ids wait only for a part of it; it ends early if `stopping` is
   * aborted.
   */
  run(id: string, stopping: AbortSignal, rest: Rest): Promise<void>;
}

/** Work that can be requested. */
export interface OneAtATime {
  /** Requests a run that begins after this call: at once, after the run under way, or when it is the id's turn. */
  begin(id: string): void;
  stop(): Promise<void>;
}

/** Starts with nothing to do. A failed run is logged but not repeated; the caller has to request it again. */
export function oneAtATime({ name, atOnce, run }: WorkById, log: Logger): OneAtATime {
  /** Ids in the order of their turns, each with the function that begins or continues its run. */
  const waiting = new Map<string, () => void>();
  const running = new Map<string, Promise<void>>();
  /** Ids that were requested during their run. */
  const again = new Set<string>();
  const stopping = new AbortController();
  let active = 0;

  function fill(): void {
    for (const [id, go] of waiting) {
      if (active >= atOnce) return;
      waiting.delete(id);
      active += 1;
      go();
    }
  }

  function start(id: string): void {
    const work = run(id, stopping.signal, () => rest(id))
      .catch((error) => log.warn({ event: 'work_failed', work: name, error: describeError(error) }))
      .finally(() => {
        running.delete(id);
        active -= 1;
        if (again.delete(id)) begin(id);
        fill();
      });
    running.set(id, work);
  }

  async function rest(id: string): Promise<void> {
    await setImmediate();
    if (waiting.size === 0 || stopping.signal.aborted) return;
    const turn = Promise.withResolvers<void>();
    waiting.set(id, turn.resolve);
    active -= 1;
    fill();
    await turn.promise;
  }

  function begin(id: string): void {
    if (stopping.signal.aborted) return;
    if (running.has(id)) again.add(id);
    else if (!waiting.has(id)) waiting.set(id, () => start(id));
  }

  return {
    begin(id) {
      begin(id);
      fill();
    },
    async stop() {
      stopping.abort();
      // Resting runs continue, so that they notice the abort; others do not begin.
      for (const [id, go] of waiting) if (running.has(id)) go();
      waiting.clear();
      await settled(running.values());
    },
  };
}

/** Waits for runs under way, but not longer than a stop may wait. */
async function settled(runs: Iterable<Promise<void>>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
  await Promise.race([Promise.allSettled(runs), late]);
}
