/**
 * Judges a token bucket from outside. The target decided about each request at some time between its sending and its
 * answer. So each decision has bounds on what the bucket can have held. A complaint is proof, whatever the network did;
 * a pass is more precise the shorter the round trip is. Runs both in k6 and in Node.
 */

/** One request: when it was sent and answered, in milliseconds of a single clock. */
export interface Observation {
  readonly sent: number;
  readonly answered: number;
  readonly admitted: boolean;
}

export interface Limit {
  /** Tokens refilled in a second. */
  readonly perSecond: number;
  /** Tokens that the full bucket holds. */
  readonly burst: number;
}

/** Tokens of rounding, in clocks of milliseconds, that are tolerated. */
const FORGIVEN = 0.05;

/**
 * How many admissions exceed the maximum of some window of time. What was sent and answered within a window was decided
 * in it, and there a bucket admits at most its size plus its refill. Each window with too many accuses the one answered
 * last in it.
 */
function beyond(admitted: readonly Observation[], { perSecond, burst }: Limit): number {
  const accused = new Set<Observation>();
  const window: Observation[] = [];
  for (const first of admitted.toSorted((a, b) => b.sent - a.sent)) {
    window.push(first);
    window.sort((a, b) => a.answered - b.answered);
    for (const [n, one] of window.entries()) {
      if (n + 1 > burst + (perSecond * (one.answered - first.sent)) / 1000 + FORGIVEN) accused.add(one);
    }
  }
  return accused.size;
}

/**
 * Whether the bucket must have held a token when the request was refused, even if everything that can have been taken
 * before was taken. Rounding is tolerated only after some refill.
 */
function mustHold(one: Observation, admitted: readonly Observation[], { perSecond, burst }: Limit): boolean {
  const before = admitted.filter((other) => other.sent <= one.answered);
  const latestFirst = before.toSorted((a, b) => b.answered - a.answered);
  return latestFirst.every((other, n) => {
    const back = (perSecond * Math.max(0, one.sent - other.answered)) / 1000;
    return burst + back - (n + 1) >= 1 + (back > 0 ? FORGIVEN : 0);
  });
}

/** How many requests of a key that was idle before were certainly decided wrongly, whatever the network did. */
export function misjudged(
  observations: readonly Observation[],
  limit: Limit,
): { readonly tooLax: number; readonly tooStrict: number } {
  const admitted = observations.filter((one) => one.admitted);
  const refused = observations.filter((one) => !one.admitted);
  return {
    tooLax: beyond(admitted, limit),
    tooStrict: refused.filter((one) => mustHold(one, admitted, limit)).length,
  };
}

/**
 * How many requests a full bucket admitted while it was being emptied, and the allowed range: `burst`, and the refill
 * meanwhile. Any request sent before the last answer of the opening may have taken tokens from it, so all of these
 * count for the lower end. Only the opening itself counts for the upper end.
 * @param opening the observations of the requests sent at once
 */
export function openingBand(
  observations: readonly Observation[],
  opening: readonly Observation[],
  { perSecond, burst }: Limit,
): { readonly admitted: number; readonly tooFew: number; readonly tooMany: number; readonly highest: number } {
  const first = Math.min(...opening.map(({ sent }) => sent));
  const last = Math.max(...opening.map(({ answered }) => answered));
  const admitted = opening.filter((one) => one.admitted).length;
  const taken = observations.filter((one) => one.admitted && one.sent <= last).length;
  const highest = burst + Math.ceil((perSecond * (last - first)) / 1000);
  return {
    admitted,
    highest,
    tooFew: Math.max(0, Math.min(burst, opening.length) - taken),
    tooMany: Math.max(0, admitted - highest),
  };
}

/** How many requests of the probe are sent at once. */
export const OPENING = 30;

const evenly = (from: number, perSecond: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + (n * 1000) / perSecond);

/**
 * When the requests of the probe are sent, in milliseconds from its start: a burst, then three seconds at twice the
 * rate, then a burst after a pause. The first burst shows the size of the bucket, the rest how it refills between
 * refusals.
 */
export const probe: readonly number[] = [
  ...Array.from({ length: OPENING }, () => 0),
  ...evenly(50, 20, 60),
  ...Array.from({ length: 15 }, () => 4050),
];
