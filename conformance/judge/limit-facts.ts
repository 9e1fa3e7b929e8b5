/** How finely a run could distinguish rate limiters, as results.json and the reports state it. */

import { rateLimit } from '../../generated/contract.ts';
import type { Sharpness } from './oracle.ts';

/**
 * light: 105 requests in 4 seconds, and a few more; full: 447 in 22 seconds, longer runs, and each kind of request
 * alone.
 */
export type ProbeKind = 'light' | 'full';

/** What a rule about the limit leaves for the results. */
export interface MeasuredLimit {
  /** True for the probe that most rules read, false for the requests of a single rule. */
  is_probe: boolean;
  requests: number;
  sharpness: Sharpness;
}

/** How finely a run judged the limit. */
export interface LimitFacts {
  probe: ProbeKind;
  /** Requests that were judged. */
  requests: number;
  round_trip_ms: { median: number; p95: number };
  resolution_tokens: number;
  /** Which wrong limit may pass unnoticed; '' if none. */
  not_told_apart: string;
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;

/** For people: `round trip 2.1 ms, 95 % within 30.4 ms: ±1 token resolution`. */
export function sharpnessText({ medianMs, p95Ms, tokens }: Sharpness): string {
  return `round trip ${rounded(medianMs)} ms, 95 % within ${rounded(p95Ms)} ms: ±${tokens} token${tokens === 1 ? '' : 's'} resolution`;
}

/** Which buckets are off by fewer tokens than the resolution. */
export function indistinguishable(tokens: number): string {
  if (tokens <= 1) return '';
  const [least, most] = [Math.max(0, rateLimit.burst - tokens + 1), rateLimit.burst + tokens - 1];
  return `a bucket of ${least} to ${most} tokens cannot be distinguished from one of ${rateLimit.burst}`;
}

/** @returns undefined if no rule judged the limit */
export function limitFactsOf(probe: ProbeKind, measured: readonly MeasuredLimit[]): LimitFacts | undefined {
  const coarsest = measured.toSorted((a, b) => b.sharpness.tokens - a.sharpness.tokens)[0];
  const [of] = measured.filter((one) => one.is_probe);
  const sharpness = (of ?? coarsest)?.sharpness;
  if (sharpness === undefined) return undefined;
  return {
    probe,
    requests: measured.reduce((sum, { requests }) => sum + requests, 0),
    round_trip_ms: { median: rounded(sharpness.medianMs), p95: rounded(sharpness.p95Ms) },
    resolution_tokens: sharpness.tokens,
    not_told_apart: indistinguishable(sharpness.tokens),
  };
}

/** One line for the console and the reports. */
export function limitLine({ probe, requests, round_trip_ms, resolution_tokens, not_told_apart }: LimitFacts): string {
  const { median: medianMs, p95: p95Ms } = round_trip_ms;
  const apart = not_told_apart && `; ${not_told_apart}`;
  return `${probe} probe, ${requests} requests, ${sharpnessText({ medianMs, p95Ms, tokens: resolution_tokens })}${apart}`;
}
