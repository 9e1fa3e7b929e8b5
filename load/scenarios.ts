/** The scenarios: what each sends by default, and what it proves. */
import type { JourneyName } from './journeys.ts';

export type ScenarioName = 'smoke' | 'walk' | 'day' | 'burst' | 'spike' | 'soak' | 'breakpoint';

/** How the rate changes over time. */
export type Shape = 'steady' | 'spike' | 'steps';

export interface Scenario {
  readonly about: string;
  readonly proves: string;
  readonly shape: Shape;
  /** The highest rate in requests a second, unless an option sets another. */
  readonly rate: number;
  readonly durationS: number;
  /** Weight of each journey. */
  readonly mix: Readonly<Partial<Record<JourneyName, number>>>;
  /** The share of requests, and of checks, that may fail. */
  readonly failures: number;
}

const READING = { reads: 4, pages: 1 } as const;
const DAY = { reads: 8, pages: 2, document: 2, upload: 1, ingest: 1, webhook: 1, errors: 1 } as const;

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  smoke: {
    about: 'a few requests of every kind that reads',
    proves: 'keys, fixtures and thresholds fit the target; answers, error codes and page tokens are right',
    shape: 'steady',
    rate: 8,
    durationS: 8,
    mix: { reads: 1, pages: 1, errors: 1 },
    failures: 0,
  },
  walk: {
    about: 'walks of whole lists, page by page',
    proves: 'under load no row comes twice in a walk, no page is too long, and walks come to their end',
    shape: 'steady',
    rate: 16,
    durationS: 30,
    mix: { walk: 1 },
    failures: 0,
  },
  day: {
    about: 'a mixed day: reading, documents, uploads, ingest, webhooks',
    proves: 'all operations work at the same time, repeats create nothing, deliveries are signed and arrive',
    shape: 'steady',
    rate: 16,
    durationS: 60,
    mix: DAY,
    failures: 0,
  },
  burst: {
    about: 'one key beyond its limit: 105 requests in 4 s, after a silence',
    proves: 'the limit is the bucket of the contract, neither laxer nor stricter, and refuses instead of delaying',
    shape: 'steady',
    rate: 105,
    durationS: 5,
    mix: {},
    failures: 0,
  },
  spike: {
    about: 'reading at a sixth of the rate, then suddenly at the full rate, then at a sixth again',
    proves: 'a sudden rush does no harm, and times are as before after it',
    shape: 'spike',
    rate: 48,
    durationS: 40,
    mix: READING,
    failures: 0.001,
  },
  soak: {
    about: 'the mixed day for a long time; --duration says how long',
    proves: 'nothing gets slower or fails with time',
    shape: 'steady',
    rate: 16,
    durationS: 600,
    mix: DAY,
    failures: 0.001,
  },
  breakpoint: {
    about: 'reading in steps of 8 requests a second, up to --rate, until a threshold breaks',
    proves: 'how many requests a second the target answers in time; red means that it broke before --rate',
    shape: 'steps',
    rate: 64,
    durationS: 80,
    mix: READING,
    failures: 0.01,
  },
};
