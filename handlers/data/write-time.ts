/**
 * How long a request waits for its writes. The driver bounds each operation, but a write may meet one wait after another
 * while a replica set changes its primary: for the old one's answer, for a new one, for a majority that follows it; and a
 * request makes several writes in turn. A caller is told that the database is away before that adds up (D-34).
 */
import { type MongoClient, MongoNetworkTimeoutError, MongoOperationTimeoutError } from 'mongodb';

/** The longest that a request waits, in milliseconds: its refusal comes within four seconds. */
const PATIENCE_MS = 3_500;

/** How often a write that is under way is looked at, in milliseconds. */
const LOOK_MS = 200;

/** What a write may take without having waited for anything, in milliseconds: it may be a part of a large batch. */
const USUAL_MS = 250;

/** What is known of the server that takes the writes. */
export interface Primary {
  /** When one was last known to be silent, as `performance.now()`; -Infinity if none ever was. */
  readonly silentMs: number;
}

/** Follows which server takes the writes of a client, which may still be connecting. */
export function watchPrimary(client: MongoClient): Primary {
  const primary = { silentMs: -Infinity };
  let last: string | undefined;
  let isSilent = false;
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    if (last !== undefined) isSilent ||= servers.get(last)?.error instanceof MongoNetworkTimeoutError;
    if (isSilent) primary.silentMs = performance.now();
    const writable = [...servers.values()].find(({ isWritable }) => isWritable);
    if (writable === undefined) return;
    isSilent = false;
    last = writable.address;
  });
  return primary;
}

/**
 * Begins a write and waits for it. @throws MongoOperationTimeoutError when there is no time for it, or no time left: then
 * it may still take place, as after every answer that is lost
 */
export type Writing = <T>(write: () => Promise<T>) => Promise<T>;

/** For whoever is not a request: each write takes as long as the driver lets it. */
export const unhurried: Writing = (write) => write();

/** For the writes of one request. @param startedMs when it began, as `performance.now()` */
export function hurried(primary: Primary, startedMs: number): Writing {
  let waitedMs = 0;
  return async (write) => {
    const fromMs = performance.now();
    const isOver = () => {
      const nowMs = performance.now();
      // Whoever meets a silent primary may have waited for it in reads too, so all the time of the request counts.
      const spentMs = startedMs < primary.silentMs ? nowMs - startedMs : waitedMs + nowMs - fromMs;
      return spentMs >= PATIENCE_MS;
    };
    if (isOver()) throw tooLate();
    try {
      return await until(isOver, write());
    } finally {
      const tookMs = performance.now() - fromMs;
      if (tookMs > USUAL_MS) waitedMs += tookMs;
    }
  };
}

/** Waits for what is written, but no longer than that. */
async function until<T>(isOver: () => boolean, written: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setInterval(() => isOver() && reject(tooLate()), LOOK_MS);
  });
  try {
    return await Promise.race([written, over]);
  } finally {
    clearInterval(timer);
  }
}

function tooLate(): MongoOperationTimeoutError {
  return new MongoOperationTimeoutError(`No majority has acknowledged the write within ${PATIENCE_MS} ms.`);
}
