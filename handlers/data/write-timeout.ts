/**
 * Limits how long a request waits for its writes. The driver bounds each operation, but while a replica set changes its
 * primary, a write may wait several times, and a request makes several writes in turn. Before these waits add up, the
 * caller learns that the database is away (D-34).
 */
import { type MongoClient, MongoNetworkTimeoutError, MongoOperationTimeoutError } from 'mongodb';
import { gauge } from '../runtime/metrics.ts';

const primaryKnown = gauge('database_primary_known', '1 while this process knows a server that takes writes.');

/** How often a write under way is checked, in milliseconds. */
const LOOK_MS = 200;

/** A write this short, in milliseconds, does not count as waiting: it may be a part of a large batch. */
const USUAL_MS = 250;

/** What is known of the primary, the server that takes the writes. */
export interface Primary {
  /** When a primary was last known to be silent, as `performance.now()`; -Infinity if none ever was. */
  readonly silentMs: number;
  /** The longest wait of a request for its writes, in milliseconds. */
  readonly patienceMs: number;
}

/** Watches the primary of a client, which may still be connecting. */
export function watchPrimary(client: MongoClient, patienceMs: number): Primary {
  const primary = { silentMs: -Infinity, patienceMs };
  let last: string | undefined;
  let isSilent = false;
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    if (last !== undefined) isSilent ||= servers.get(last)?.error instanceof MongoNetworkTimeoutError;
    if (isSilent) primary.silentMs = performance.now();
    const writable = [...servers.values()].find(({ isWritable }) => isWritable);
    primaryKnown.set(writable === undefined ? 0 : 1);
    if (writable === undefined) return;
    isSilent = false;
    last = writable.address;
  });
  return primary;
}

/**
 * Begins a write and waits for it.
 * @throws MongoOperationTimeoutError when no time is left before or during the write; in the second case the write may
 * still take place, as after every lost answer
 */
export type Writing = <T>(write: () => Promise<T>) => Promise<T>;

/** For writes outside requests: each may take as long as the driver allows. */
export const unhurried: Writing = (write) => write();

/** For the writes of one request. @param startedMs when it began, as `performance.now()` */
export function hurried(primary: Primary, startedMs: number): Writing {
  let waitedMs = 0;
  return async (write) => {
    const fromMs = performance.now();
    const isOver = () => {
      const nowMs = performance.now();
      // With a silent primary, reads may have waited too, so the whole time of the request counts.
      const spentMs = startedMs < primary.silentMs ? nowMs - startedMs : waitedMs + nowMs - fromMs;
      return spentMs >= primary.patienceMs;
    };
    if (isOver()) throw tooLate(primary);
    try {
      return await until(isOver, write(), primary);
    } finally {
      const tookMs = performance.now() - fromMs;
      if (tookMs > USUAL_MS) waitedMs += tookMs;
    }
  };
}

/** Waits for the write, but only until the time is over. */
async function until<T>(isOver: () => boolean, written: Promise<T>, primary: Primary): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    // The event loop reads sockets between its timers and its immediates: after this process has stood still, the answer
    // may have arrived already.
    timer = setInterval(() => isOver() && setImmediate(() => reject(tooLate(primary))), LOOK_MS);
  });
  try {
    return await Promise.race([written, over]);
  } finally {
    clearInterval(timer);
  }
}

function tooLate({ patienceMs }: Primary): MongoOperationTimeoutError {
  return new MongoOperationTimeoutError(`No majority has acknowledged the write within ${patienceMs} ms.`);
}
