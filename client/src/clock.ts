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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return unlessAborted(over, signal).finally(() => clearTimeout(timer));
  },
};

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
