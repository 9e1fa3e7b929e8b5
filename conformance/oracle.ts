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
  medianRttMs: number;
}

export interface Limit {
  perSecond: number;
  burst: number;
}

/** Tokens of rounding inside the target that are forgiven. */
const EPSILON = 0.05;

/** The most that the bucket can have held when request `i` was decided. */
function most(i: Observation, admitted: readonly Observation[], { perSecond, burst }: Limit): number {
  let least = burst;
  const before = admitted.filter((k) => k !== i && k.q <= i.s).sort((a, b) => b.s - a.s);
  for (const [n, k] of before.entries()) {
    least = Math.min(least, burst + (perSecond * (i.q - k.s)) / 1000 - (n + 1));
  }
  return least;
}

/** The least that it can have held. */
function least(i: Observation, admitted: readonly Observation[], { perSecond, burst }: Limit): number {
  let least = burst;
  const before = admitted.filter((k) => k.s <= i.q).sort((a, b) => b.q - a.q);
  for (const [n, k] of before.entries()) {
    least = Math.min(least, burst + (perSecond * Math.max(0, i.s - k.q)) / 1000 - (n + 1));
  }
  return least;
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Judges observations of one key that was silent before, and that nobody else used. */
export function judgeLimiter(observations: readonly Observation[], limit: Limit): Verdict {
  const admitted = observations.filter((one) => one.admitted);
  const refused = observations.filter((one) => !one.admitted);
  return {
    lax: admitted.filter((one) => most(one, admitted, limit) < 1 - EPSILON),
    strict: refused.filter((one) => least(one, admitted, limit) >= 1 + EPSILON),
    admitted: admitted.length,
    p95Ms: percentile(
      admitted.map(({ s, q }) => q - s),
      0.95,
    ),
    medianRttMs: percentile(
      observations.map(({ s, q }) => q - s),
      0.5,
    ),
  };
}

/** When the requests of a probe are sent, in milliseconds from its start. */
export type Schedule = readonly number[];

const burstAt = (at: number, count: number): number[] => Array.from({ length: count }, () => at);
const evenly = (from: number, perSecond: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + (n * 1000) / perSecond);

/** 105 requests in 5 seconds: a burst, a drained key at twice the rate, a second of refill. */
export const lightProbe: Schedule = [...burstAt(0, 30), ...evenly(50, 20, 60), ...burstAt(4050, 15)];

/** The parts of the full probe, each with what it separates. */
export const fullProbe = {
  burst: burstAt(0, 40),
  drained: evenly(100, 20, 120),
  refill: [...burstAt(6600, 20), ...burstAt(7600, 25), ...burstAt(9100, 30)],
  idle: burstAt(15_100, 40),
  hammer: evenly(15_200, 40, 120),
  twice: [...burstAt(21_000, 20), ...burstAt(22_000, 20)],
} as const satisfies Record<string, Schedule>;

export const fullSchedule: Schedule = Object.values(fullProbe).flat();
