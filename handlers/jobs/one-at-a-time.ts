/** Work by id: for each id one run at a time in this process, and for all of them only so many. */
import { describeError, type Logger } from '../runtime/log.ts';

/** Longest that an end waits for runs under way, in milliseconds: work bears a crash, so it bears this too. */
const STOP_MS = 8_000;

/** What is done for an id. */
export interface WorkById {
  /** For the log. */
  readonly name: string;
  /** How many ids at a time. */
  readonly atOnce: number;
  /** It ends early once `stopping` is aborted. */
  run(id: string, stopping: AbortSignal): Promise<void>;
}

/** Work that can be asked for. */
export interface OneAtATime {
  /** Has a run begin after this call: at once, or after the one that is under way, or when it is its turn. */
  begin(id: string): void;
  stop(): Promise<void>;
}

/** Begins with nothing to do. A run that fails is logged; asking again is the business of whoever watches. */
export function oneAtATime({ name, atOnce, run }: WorkById, log: Logger): OneAtATime {
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  function fill(): void {
    for (const id of waiting) {
      if (stopping.signal.aborted || running.size >= atOnce) return;
      if (running.has(id)) continue;
      waiting.delete(id);
      const work = run(id, stopping.signal)
        .catch((error) => log.warn({ event: 'work_failed', work: name, error: describeError(error) }))
        .finally(() => {
          running.delete(id);
          fill();
        });
      running.set(id, work);
    }
  }

  return {
    begin(id) {
      waiting.add(id);
      fill();
    },
    async stop() {
      stopping.abort();
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.allSettled(running.values()), late]);
    },
  };
}
