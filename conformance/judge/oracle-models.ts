/** Limiters, right and wrong, on a clock that the caller controls. The oracle must distinguish them. */
export interface Model {
  /** @returns whether the request is admitted, and how many milliseconds it is held back */
  take(nowMs: number): { admitted: boolean; delayMs: number };
}

/** One that holds nothing back. */
export const plain = (decide: (nowMs: number) => boolean): Model => ({
  take: (nowMs) => ({ admitted: decide(nowMs), delayMs: 0 }),
});

export function tokenBucket(
  perSecond: number,
  burst: number,
  options: { floor?: boolean; chargeRefused?: boolean } = {},
): Model {
  let tokens = burst;
  let at = 0;
  return plain((now) => {
    const gained = ((now - at) * perSecond) / 1000;
    tokens = Math.min(burst, tokens + (options.floor ? Math.floor(gained) : gained));
    at = now;
    if (tokens < 1) {
      if (options.chargeRefused) tokens -= 1;
      return false;
    }
    tokens -= 1;
    return true;
  });
}

export function gcra(intervalMs: number, burst: number): Model {
  let tat = 0;
  return plain((now) => {
    const next = Math.max(tat, now);
    if (next - now > intervalMs * (burst - 1)) return false;
    tat = next + intervalMs;
    return true;
  });
}

/** Gets its whole refill at once, every second. */
export function steppedBucket(perSecond: number, burst: number): Model {
  let tokens = burst;
  let second = 0;
  return plain((now) => {
    const current = Math.floor(now / 1000);
    tokens = Math.min(burst, tokens + perSecond * (current - second));
    second = current;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  });
}

export function fixedWindow(count: number, windowMs: number): Model {
  let window = -1;
  let used = 0;
  return plain((now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) used = 0;
    window = current;
    if (used >= count) return false;
    used++;
    return true;
  });
}

/** Holds requests back instead of refusing them. */
export function leakyQueue(perSecond: number, depth: number): Model {
  let free = 0;
  return {
    take(now) {
      const start = Math.max(free, now);
      if ((start - now) * perSecond > depth * 1000) return { admitted: false, delayMs: 0 };
      free = start + 1000 / perSecond;
      return { admitted: true, delayMs: start - now };
    },
  };
}

/** Two processes that do not know of each other and take requests in turn. */
export function unshared(make: () => Model): Model {
  const both = [make(), make()];
  let turn = 0;
  return { take: (now) => (both[turn++ % 2] as Model).take(now) };
}

export const unlimited = plain(() => true);
