/**
 * Judges a rate limiter from outside. The target decided about each request somewhere between its sending `s` and its
 * answer `q`, so for each decision there are bounds on what a bucket of `burst` tokens refilled at `perSecond` could have
 * held. An alarm is proof, whatever the network did; a pass is as sharp as the round trip is short.
 */
export interface Observation {
  /** Sent, in milliseconds of one monotonic clock. */
  s: number;
  /** Answered. */
  q: number;
  admitted: boolean;
}

export interface Verdict {
  /** Admitted although the bucket cannot have held a token. */
  lax: Observation[];
  /** Refused although the bucket must have held one. */
  strict: Observation[];
  admitted: number;
  /** 95th percentile of the time that admitted requests took. */
  p95Ms: number;
}

export interface Limit {
  perSecond: number;
  burst: number;
}

/** Tokens of rounding inside the target, when it counts what has come back, that are forgiven. */
const EPSILON = 0.05;

/**
 * Admissions beyond what any window of time allows: what was sent and answered within a window was decided in it, and a
 * bucket admits no more in it than it holds and gets back. Each such window accuses the last that was answered in it.
 */
function tooMany(admitted: readonly Observation[], { perSecond, burst }: Limit): Set<Observation> {
  const accused = new Set<Observation>();
  /** What was sent since the beginning of the window, by its answer. */
  const window: Observation[] = [];
  for (const first of admitted.toSorted((a, b) => b.s - a.s)) {
    const at = window.findLastIndex(({ q }) => q <= first.q);
    window.splice(at + 1, 0, first);
    for (const [n, one] of window.entries()) {
      if (n + 1 > burst + (perSecond * (one.q - first.s)) / 1000 + EPSILON) accused.add(one);
    }
  }
  return accused;
}

/**
 * Whether the bucket must have held a token when request `i` was refused, though everything that may have been taken
 * before was. Rounding is forgiven only where something has come back: a full bucket holds `burst` exactly.
 * @param latestFirst the admitted requests, by their answer
 */
function mustHold(i: Observation, latestFirst: readonly Observation[], { perSecond, burst }: Limit): boolean {
  let taken = 0;
  for (const k of latestFirst) {
    if (k.s > i.q) continue;
    taken++;
    const back = (perSecond * Math.max(0, i.s - k.q)) / 1000;
    if (burst + back - taken < 1 + (back > 0 ? EPSILON : 0)) return false;
  }
  return true;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Judges observations of one key that was silent before, and that nobody else used. */
export function judgeLimiter(observations: readonly Observation[], limit: Limit): Verdict {
  const admitted = observations.filter((one) => one.admitted);
  const accused = tooMany(admitted, limit);
  const latestFirst = admitted.toSorted((a, b) => b.q - a.q);
  return {
    lax: admitted.filter((one) => accused.has(one)),
    strict: observations.filter((one) => !one.admitted && mustHold(one, latestFirst, limit)),
    admitted: admitted.length,
    p95Ms: percentile(
      admitted.map(({ s, q }) => q - s),
      0.95,
    ),
  };
}

/** How finely observations tell limiters apart. */
export interface Sharpness {
  medianMs: number;
  p95Ms: number;
  /**
   * A bucket that is larger or smaller by so many tokens raises an alarm; one that is off by fewer may pass. What comes
   * back within a round trip cannot be told from what was there.
   */
  tokens: number;
}

/** The resolution that follows from the measured round trips. */
export function sharpnessOf(observations: readonly Observation[], { perSecond }: Limit): Sharpness {
  const took = observations.map(({ s, q }) => q - s);
  const p95Ms = percentile(took, 0.95);
  const tokens = Math.floor((perSecond * p95Ms) / 1000 + EPSILON) + 1;
  return { medianMs: percentile(took, 0.5), p95Ms, tokens };
}

/** When the requests of a probe are sent, in milliseconds from its start. */
export type Schedule = readonly number[];
/** A probe by its parts, in the order of time. */
export type Probe = Readonly<Record<string, Schedule>>;

export const burstAt = (at: number, count: number): number[] => Array.from({ length: count }, () => at);
export const evenly = (from: number, perSecond: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + (n * 1000) / perSecond);

/** 105 requests in 4 seconds: a burst, a drained key at twice the rate, a second of refill. */
export const lightProbe = {
  burst: burstAt(0, 30),
  drained: evenly(50, 20, 60),
  pause: burstAt(4050, 15),
} as const satisfies Probe;

/** 447 requests in 22 seconds; each part with what it separates. */
export const fullProbe = {
  burst: burstAt(0, 40),
  drained: evenly(100, 20, 120),
  refill: [...burstAt(6600, 24), ...burstAt(7600, 28), ...burstAt(9100, 35)],
  idle: burstAt(15_100, 40),
  hammer: evenly(15_200, 40, 120),
  twice: [...burstAt(21_000, 20), ...burstAt(22_000, 20)],
} as const satisfies Probe;

/** A drained bucket after half a second, and after one and a half: what the light probe does not see of the refill. */
export const refillProbe = {
  drain: burstAt(0, 25),
  refill: [...burstAt(500, 10), ...burstAt(2000, 20)],
} as const satisfies Probe;

/** Two bursts 700 ms apart: a window of time, wherever it begins, admits nothing of the second or too much. */
export const phaseProbe = { first: burstAt(0, 25), second: burstAt(700, 20) } as const satisfies Probe;

export const scheduleOf = (probe: Probe): Schedule => Object.values(probe).flat();

/** The observations of one part of a probe. @param all those of the whole, in the order of its schedule */
export function partOf<Name extends string>(
  probe: Readonly<Record<Name, Schedule>>,
  name: Name,
  all: readonly Observation[],
): Observation[] {
  const names = Object.keys(probe) as Name[];
  const from = names.slice(0, names.indexOf(name)).reduce((sum, other) => sum + probe[other].length, 0);
  return all.slice(from, from + probe[name].length);
}
