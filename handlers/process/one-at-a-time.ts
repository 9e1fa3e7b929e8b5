/** Work by id: for each id one run at a time in this process, and for all of them only so many, in turns. */
import { setImmediate } from 'node:timers/promises';
import type { Rest } from '../fairness/thread-time.ts';
import { describeError, type Logger } from './log.ts';

/** Longest that an end waits for runs under way, in milliseconds: work bears a crash, so it bears this too. */
const STOP_MS = 8_000;

/** What is done for an id. */
export interface WorkById {
  /** For the log. */
  readonly name: string;
  /** How many ids at a time. */
  readonly atOnce: number;
  /** It rests now and then, so that other ids wait for a part of it only, and ends early once `stopping` is aborted. */
  run(id: string, stopping: AbortSignal, rest: Rest): Promise<void>;
}

/** Work that can be asked for. */
export interface OneAtATime {
  /** Has a run begin after this call: at once, or after the one that is under way, or when it is its turn. */
  begin(id: string): void;
  stop(): Promise<void>;
}

/** Begins with nothing to do. A run that fails is logged; asking again is the business of whoever watches. */
export function oneAtATime({ name, atOnce, run }: WorkById, log: Logger): OneAtATime {
  /** In the order of their turns: ids with what they do then, which is to begin or to go on. */
  const waiting = new Map<string, () => void>();
  const running = new Map<string, Promise<void>>();
  /** Those that were asked for during a run. */
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
      // Those that rest go on, and see that they are to end; others do not begin.
      for (const [id, go] of waiting) if (running.has(id)) go();
      waiting.clear();
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.allSettled(running.values()), late]);
    },
  };
}
