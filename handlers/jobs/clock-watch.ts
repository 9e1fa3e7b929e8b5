/** Follows the database's clock all the time, and tells how far the machine's clock is from it. */
import { unavailableError } from '../answers/errors.ts';
import type { Store } from '../data/store.ts';
import { followStoreClock } from '../data/store-clock.ts';
import type { Logger } from '../runtime/log.ts';
import { gauge } from '../runtime/metrics.ts';
import { repeatWork } from './repeated-work.ts';

const clockDifference = gauge('clock_difference_seconds', "How far the database's clock is ahead of this machine's.");

/** How often the clock is read, in milliseconds: for so long, a process may not know that it was set. */
const LOOK_MS = 1_000;
/** A difference beyond this is logged, and one beyond it from what was logged. */
const LOGGED_MS = 1_000;
/** Within this the clocks agree again: less than what is logged, so that a difference around it is not logged for ever. */
const AGREES_MS = 500;
/** A machine whose clock is this far off is not fit to serve: certificates and its own log go by that clock. */
const NOT_READY_MS = 60_000;

/** Follows the database's clock, and keeps an eye on the difference from the machine's. */
export interface ClockWatch {
  /** Reads the database's clock now and regularly from then on. @throws the store's error if it cannot be read now */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** @throws ApiError UNAVAILABLE, in words, when the machine's clock is so far off that it is not fit to serve */
  check(): void;
}

/** A watch that has not started. It logs a difference once for each change. */
export function clockWatch(store: Store, log: Logger): ClockWatch {
  let differenceMs = 0;
  let loggedMs = 0;

  function logChange(): void {
    const difference_ms = differenceMs;
    if (Math.abs(differenceMs) > LOGGED_MS && Math.abs(differenceMs - loggedMs) > LOGGED_MS) {
      log.warn({ event: 'clock_differs', difference_ms }, `${inWords(differenceMs)} The database's time is used.`);
      loggedMs = differenceMs;
    } else if (loggedMs !== 0 && Math.abs(differenceMs) <= AGREES_MS) {
      log.info({ event: 'clock_agrees', difference_ms });
      loggedMs = 0;
    }
  }

  async function look(): Promise<void> {
    differenceMs = await followStoreClock(store);
    clockDifference.set(differenceMs / 1_000);
    logChange();
  }

  const looking = repeatWork({ name: 'clock', everyMs: LOOK_MS, run: () => look().then(() => false) }, log);
  return {
    async start() {
      await look();
      void looking.begin();
    },
    stop: looking.stop,
    check() {
      if (Math.abs(differenceMs) <= NOT_READY_MS) return;
      throw unavailableError('not_ready', { message: inWords(differenceMs), retryAfterMs: 1_000 });
    },
  };
}

function inWords(differenceMs: number): string {
  const seconds = (Math.abs(differenceMs) / 1_000).toFixed(1);
  return `The clock of this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the database's.`;
}
