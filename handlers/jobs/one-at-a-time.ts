/** Work by id: one run at a time for each id in this process. */

import { logFailure } from '../data/outages.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import type { Logger } from '../runtime/log.ts';
import { counted } from '../runtime/run-metrics.ts';
import { inTrace } from '../runtime/tracing.ts';

/** How long a stop waits for runs under way, in milliseconds. Work survives a crash, so it survives being cut off too. */
const STOP_MS = 8_000;

/** The work for an id. */
export interface WorkById {
  /** For the log. */
  readonly name: string;
  /** Lets the id work when it is its turn. The work calls its argument now and then, so that others have their turn. */
  inTurn(id: string, work: (rest: Rest) => Promise<void>): Promise<void>;
  /** Ends early if `stopping` is aborted; then `rest` does not wait any more. */
  run(id: string, stopping: AbortSignal, rest: Rest): Promise<void>;
}

/** Takes requests for work. */
export interface OneAtATime {
  /** Requests a run that begins after this call: at once, after the run under way, or when it is the id's turn. */
  begin(id: string): void;
  stop(): Promise<void>;
}

/** Starts with nothing to do. A failed run is logged but not repeated; the caller has to request it again. */
export function oneAtATime({ name, inTurn, run }: WorkById, log: Logger): OneAtATime {
  /** Runs under way, and those whose turn has not come. */
  const runs = new Map<string, Promise<void>>();
  /** Ids that were requested during their run. */
  const again = new Set<string>();
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

  function begin(id: string): void {
    if (stopping.signal.aborted) return;
    if (runs.has(id)) return void again.add(id);
    const work = async (rest: Rest) => {
      again.delete(id);
      if (stopping.signal.aborted) return;
      await counted(name, () => run(id, stopping.signal, () => Promise.race([rest(), stopped])));
    };
    // The work is for an id, and not for the request that begins it.
    const running = inTrace(undefined, () => inTurn(id, work))
      .catch((error) => logFailure(log, 'warn', { event: 'work_failed', work: name }, error))
      .finally(() => {
        runs.delete(id);
        if (again.delete(id)) begin(id);
      });
    runs.set(id, running);
  }

  return {
    begin,
    async stop() {
      stopping.abort();
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.allSettled(runs.values()), late]);
    },
  };
}
