/** Time as the client sees it. Tests give their own, so that nothing waits. */
export interface Clock {
  /** Milliseconds of a clock that only moves forwards. */
  now(): number;
  /** Resolves after this time. Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => {
    let stop = () => {};
    const over = new Promise<void>((resolve) => {
      stop = alarm(ms, resolve);
    });
    return unlessAborted(over, signal).finally(stop);
  },
};

/** A timer of JavaScript that is longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back after a time of any length, which may be infinite. @returns what stops it */
export function alarm(ms: number, ring: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const set = (leftMs: number) => {
    const partMs = Math.min(leftMs, LONGEST_TIMER_MS);
    timer = setTimeout(() => (leftMs > partMs ? set(leftMs - partMs) : ring()), partMs);
  };
  set(ms);
  return () => clearTimeout(timer);
}

/** The same promise, but it rejects with the signal's reason as soon as the signal is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
