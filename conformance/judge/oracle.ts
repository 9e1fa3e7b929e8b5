/**
 * Judges a rate limiter from outside. The target decided about each request at some time between its sending `s` and
 * its answer `q`. So each decision has bounds on what a bucket of `burst` tokens refilled at `perSecond` could have
 * held. A complaint is proof, no matter what the network did; a pass is more precise the shorter the round trip is.
 */
import { rateLimit } from '../../generated/contract.ts';

export interface Observation {
  /** Sent, in milliseconds of a single monotonic clock. */
  s: number;
  /** Answered, by the same clock. */
  q: number;
  admitted: boolean;
}

export interface Verdict {
  /** Admitted although the bucket cannot have held a token. */
  lax: Observation[];
  /** The most that were admitted within some time beyond what the bucket can have given in it. */
  excess: number;
  /** Refused although the bucket must have held one. */
  strict: Observation[];
  admitted: number;
  /** 95th percentile of the time from sending to answer, of admitted requests. */
  p95Ms: number;
}

interface Limit {
  perSecond: number;
  burst: number;
}

/** Tokens of rounding inside the target that are tolerated once some refill was counted. */
const EPSILON = 0.05;

/**
 * Admissions beyond the maximum of some window of time. What was sent and answered within a window was decided in it,
 * and there a bucket admits at most its size plus its refill. Each window with too many accuses the one answered last
 * in it.
 */
function tooMany(admitted: readonly Observation[], { perSecond, burst }: Limit) {
  const accused = new Set<Observation>();
  let excess = 0;
  /** The requests sent since the beginning of the window, ordered by their answers. */
  const window: Observation[] = [];
  for (const first of admitted.toSorted((a, b) => b.s - a.s)) {
    const at = window.findLastIndex(({ q }) => q <= first.q);
    window.splice(at + 1, 0, first);
    for (const [n, one] of window.entries()) {
      const allowed = burst + (perSecond * (one.q - first.s)) / 1000 + EPSILON;
      if (n + 1 <= allowed) continue;
      accused.add(one);
      excess = Math.max(excess, n + 1 - Math.floor(allowed));
    }
  }
  return { accused, excess };
}

/**
 * Whether the bucket must have held a token when request `i` was refused, even if everything that can have been taken
 * before was taken. Rounding is tolerated only after some refill: a full bucket holds exactly `burst`.
 * @param latestFirst the admitted requests, the last answered first
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

/** Judges observations of one key that was idle before and that nobody else used. */
export function judgeLimiter(observations: readonly Observation[], limit: Limit): Verdict {
  const admitted = observations.filter((one) => one.admitted);
  const { accused, excess } = tooMany(admitted, limit);
  const latestFirst = admitted.toSorted((a, b) => b.q - a.q);
  return {
    lax: admitted.filter((one) => accused.has(one)),
    excess,
    strict: observations.filter((one) => !one.admitted && mustHold(one, latestFirst, limit)),
    admitted: admitted.length,
    p95Ms: percentile(
      admitted.map(({ s, q }) => q - s),
      0.95,
    ),
  };
}

/** How finely observations distinguish limiters. */
export interface Sharpness {
  medianMs: number;
  p95Ms: number;
  /**
   * A bucket that is larger or smaller by this many tokens is caught; one that is off by fewer may pass. Tokens
   * refilled within a round trip cannot be distinguished from tokens that were there before.
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

const { perSecond: RATE, burst: BURST } = rateLimit;

/** After this time a bucket is full again, with a reserve for clocks and networks. */
export const SILENCE_MS = (1000 * BURST) / RATE + 600;

/** When the requests of a probe are sent, in milliseconds from its start. */
export type Schedule = readonly number[];
/** The parts of a probe, in order of time. */
type Probe = Readonly<Record<string, Schedule>>;

export const burstAt = (at: number, count: number): number[] => Array.from({ length: count }, () => at);
export const evenly = (from: number, perSecond: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + (n * 1000) / perSecond);

/** 105 requests in 4 seconds: a burst, then a drained bucket at twice the rate, then one second of refill. */
export const lightProbe = {
  burst: burstAt(0, 1.5 * BURST),
  drained: evenly(50, 2 * RATE, 6 * RATE),
  pause: burstAt(4050, 1.5 * RATE),
} as const satisfies Probe;

/** 447 requests in 22 seconds. The parts separate different kinds of limiters. */
export const fullProbe = {
  burst: burstAt(0, 2 * BURST),
  drained: evenly(100, 2 * RATE, 12 * RATE),
  refill: [...burstAt(6600, 2.4 * RATE), ...burstAt(7600, 2.8 * RATE), ...burstAt(9100, 3.5 * RATE)],
  idle: burstAt(15_100, 2 * BURST),
  hammer: evenly(15_200, 4 * RATE, 12 * RATE),
  twice: [...burstAt(21_000, BURST), ...burstAt(22_000, BURST)],
} as const satisfies Probe;

/**
 * A drained bucket after half a second, and again after one and a half: aspects of the refill that the light probe
 * misses.
 */
export const refillProbe = {
  drain: burstAt(0, 1.25 * BURST),
  refill: [...burstAt(500, RATE), ...burstAt(2000, 2 * RATE)],
} as const satisfies Probe;

/**
 * Two bursts 700 ms apart. A limiter by windows admits nothing of the second burst or too much, wherever its windows
 * begin.
 */
export const phaseProbe = { first: burstAt(0, 1.25 * BURST), second: burstAt(700, 2 * RATE) } as const satisfies Probe;

export const scheduleOf = (probe: Probe): Schedule => Object.values(probe).flat();

/** The observations of one part of a probe. @param all those of the whole probe, in the order of its schedule */
export function partOf<Name extends string>(
  probe: Readonly<Record<Name, Schedule>>,
  name: Name,
  all: readonly Observation[],
): Observation[] {
  const names = Object.keys(probe) as Name[];
  const from = names.slice(0, names.indexOf(name)).reduce((sum, other) => sum + probe[other].length, 0);
  return all.slice(from, from + probe[name].length);
}
