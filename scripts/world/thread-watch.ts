/** How long a thread is held in one piece, by its own processor time, which other work does not make longer. */

/** What the thread has done since it was asked last, in milliseconds of processor time. */
export interface HeldTimes {
  readonly longest_ms: number;
  readonly total_ms: number;
}

/** Looks once in each turn of the event loop, or once in a millisecond where turns are shorter. */
export function watchThread(): () => HeldTimes {
  let last = usedMs();
  let [longest, total] = [0, 0];
  const look = () => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    total += now - last;
    last = now;
  };
  setInterval(look, 1).unref();
  return () => {
    look();
    const held = { longest_ms: longest, total_ms: total };
    [longest, total] = [0, 0];
    return held;
  };
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
