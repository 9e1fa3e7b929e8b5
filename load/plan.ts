/**
 * Makes a plan from a scenario and the profile: what k6 runs, with which keys, and which thresholds decide. It is pure,
 * so that what a run would do is known, and can be refused, before anything is sent.
 */
import { PACE } from '../conformance/engine/pacer.ts';
import type { ErrorFacts } from './checks.ts';
import {
  type JourneyName,
  journeys,
  rotation,
  type Scenario,
  type ScenarioName,
  type Shape,
  scenarios,
} from './scenarios.ts';

/** The options of the command line; absent ones take the scenario's values. */
interface PlanOptions {
  readonly durationS?: number | undefined;
  /** Requests a second, over all keys. */
  readonly rate?: number | undefined;
  /** Limit of the 95th percentile of each operation's time, in milliseconds. */
  readonly p95Ms?: number | undefined;
}

/** The target's spelling of the values that load sends and looks for. */
interface SpellingFacts {
  readonly approval: string;
  readonly signing: string;
  readonly completed: string;
}

/** What the profile says that matters for load. It contains no key. */
export interface Facts {
  readonly baseUrl: string;
  readonly tag: string;
  /** How many equivalent keys there are. */
  readonly fullKeys: number;
  readonly hasLoadKey: boolean;
  readonly hasNoScopeKey: boolean;
  readonly consentToWrites: boolean;
  readonly maxWrites: number;
  /** Host that may be put under load although it is not this machine. */
  readonly loadConsent?: string | undefined;
  readonly fixtures: Readonly<Partial<Record<string, string>>>;
  /** The least number of employees of the tenant, if the profile states it. */
  readonly employeesAtLeast: number;
  /** The approximate number of employees by the target; 0 if it was not asked. */
  readonly employees?: number;
  readonly capabilities: readonly string[];
  readonly errors: ErrorFacts;
  readonly spelling: SpellingFacts;
}

/** The plan that k6 reads. */
export interface Plan {
  readonly scenario: ScenarioName;
  readonly runId: string;
  readonly baseUrl: string;
  readonly tag: string;
  readonly rate: number;
  readonly durationS: number;
  /** How many keys share the requests. */
  readonly keys: number;
  readonly journeys: readonly JourneyName[];
  readonly k6: { readonly scenarios: Readonly<Record<string, object>>; readonly thresholds: Thresholds };
  readonly requests: number;
  readonly writes: number;
  readonly pageLimit: number;
  readonly employeesAtLeast: number;
  readonly fixtures: Facts['fixtures'];
  readonly errors: ErrorFacts;
  readonly spelling: SpellingFacts;
  readonly hasNoScopeKey: boolean;
}

/** The run is not possible, for a reason that the profile's author or the caller can remove. */
export class PlanRefused extends Error {}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host);

/** Checks that load may be sent to the target. @throws PlanRefused */
function mustConsent(baseUrl: string, loadConsent: string | undefined): void {
  const { hostname, host } = new URL(baseUrl);
  if (isLoopback(hostname) || loadConsent === host) return;
  throw new PlanRefused(
    `${host} is not this machine, and the profile does not consent to load on it. If you may send load to it, write tenant.load_consent: ${host} into the profile.`,
  );
}

function mustHaveKeys(name: ScenarioName, rate: number, facts: Facts): number {
  if (name === 'burst') {
    if (facts.hasLoadKey) return 1;
    throw new PlanRefused('burst needs keys.load, a key that nobody else uses; add it to the profile.');
  }
  const needed = Math.ceil(rate / PACE);
  if (needed <= facts.fullKeys) return needed;
  throw new PlanRefused(
    `${name} at ${rate} requests a second needs ${needed} keys under keys.full (${PACE} a second for each, 80 % of the limit), and the profile has ${facts.fullKeys}. Add keys, or take --rate ${facts.fullKeys * PACE}.`,
  );
}

function mustAllowWrites(name: ScenarioName, writes: number, facts: Facts): void {
  if (writes === 0) return;
  if (!facts.consentToWrites) {
    throw new PlanRefused(`${name} writes to the tenant, and tenant.consent_to_writes of the profile is false.`);
  }
  if (writes > facts.maxWrites) {
    throw new PlanRefused(
      `${name} would write about ${writes} times, and tenant.max_writes of the profile is ${facts.maxWrites}. Raise it, or take a lower --rate or a shorter --duration.`,
    );
  }
}

/** The average of a number over a scenario's journeys. */
function average(names: readonly JourneyName[], count: (name: JourneyName) => number): number {
  return names.reduce((sum, name) => sum + count(name), 0) / Math.max(1, names.length);
}

/** Pages a second of each walking user. There are few enough users that each completes its list. */
const PAGES_PER_WALKER = 2;
/** If journeys last longer than this, later ones find no free user; they are dropped, and the report says so. */
const LONGEST_JOURNEY_S = 10;

function stages(
  shape: Shape,
  rate: number,
  durationS: number,
): readonly { name: string; rate: number; atS: number; forS: number }[] {
  if (shape === 'steady') return [{ name: 'steady', rate, atS: 0, forS: durationS }];
  if (shape === 'spike') {
    const calm = Math.max(1, Math.round(rate / 6));
    const forS = durationS / 4;
    return [
      { name: 'calm', rate: calm, atS: 0, forS },
      { name: 'spike', rate, atS: forS, forS },
      { name: 'recovered', rate: calm, atS: 2 * forS, forS: 2 * forS },
    ];
  }
  const steps = Math.max(1, Math.ceil(rate / PACE));
  return Array.from({ length: steps }, (_, n) => {
    const stepRate = Math.min(rate, (n + 1) * PACE);
    const forS = durationS / steps;
    return { name: `at_${String(stepRate).padStart(4, '0')}`, rate: stepRate, atS: n * forS, forS };
  });
}

function executor(rate: number, cost: number, forS: number, atS: number, walkers: boolean): object {
  const users = walkers
    ? Math.max(2, Math.ceil(rate / PAGES_PER_WALKER))
    : Math.max(10, Math.ceil((rate / cost) * LONGEST_JOURNEY_S));
  return {
    executor: 'constant-arrival-rate',
    exec: 'journey',
    rate,
    // The rate counts requests, and a journey makes several, so one unit of time covers the requests of a journey.
    timeUnit: `${Math.round(cost * 1000)}ms`,
    duration: `${Math.round(forS * 1000)}ms`,
    startTime: `${Math.round(atS * 1000)}ms`,
    gracefulStop: '30s',
    preAllocatedVUs: users,
    maxVUs: users,
  };
}

/** A page size with which a walk over all employees takes about ten seconds. */
function pageLimit(employees: number): number {
  return Math.min(1000, Math.max(5, Math.ceil(employees / (10 * PAGES_PER_WALKER))));
}

/**
 * Plans a run.
 * @throws PlanRefused with a sentence that says what is missing
 */
export function planFor(name: ScenarioName, facts: Facts, options: PlanOptions, runId: string): Plan {
  const scenario = scenarios[name];
  mustConsent(facts.baseUrl, facts.loadConsent);
  const rate = options.rate ?? scenario.rate;
  const durationS = options.durationS ?? scenario.durationS;
  if (name === 'burst' && (options.rate ?? options.durationS) !== undefined) {
    throw new PlanRefused('burst is one fixed probe of 105 requests; it takes neither --rate nor --duration.');
  }
  const keys = mustHaveKeys(name, rate, facts);
  const names = rotation(scenario.mix, facts);
  const cost = Math.max(
    1,
    average(names, (journey) => journeys[journey].requests),
  );
  const parts = stages(scenario.shape, rate, durationS);
  const requests = parts.reduce((sum, part) => sum + part.rate * part.forS, 0);
  const writes = Math.ceil((requests / cost) * average(names, (journey) => journeys[journey].writes));
  mustAllowWrites(name, writes, facts);
  if (name !== 'burst' && names.length === 0) {
    throw new PlanRefused(`The profile has nothing of what ${name} needs; see --list.`);
  }
  const probe = { executor: 'per-vu-iterations', exec: 'burst', vus: 1, iterations: 1, maxDuration: '60s' };
  return {
    scenario: name,
    runId,
    baseUrl: facts.baseUrl,
    tag: facts.tag,
    rate,
    durationS,
    keys,
    journeys: names,
    k6: {
      scenarios:
        name === 'burst'
          ? { burst: probe }
          : Object.fromEntries(
              parts.map((part) => [part.name, executor(part.rate, cost, part.forS, part.atS, name === 'walk')]),
            ),
      thresholds: thresholdsOf(scenario, names, parts, options.p95Ms),
    },
    requests: name === 'burst' ? scenario.rate : Math.round(requests),
    writes,
    pageLimit: pageLimit(facts.employees ?? 0),
    employeesAtLeast: facts.employeesAtLeast,
    fixtures: facts.fixtures,
    errors: facts.errors,
    spelling: facts.spelling,
    hasNoScopeKey: facts.hasNoScopeKey,
  };
}

export type Threshold = string | { threshold: string; abortOnFail: boolean; delayAbortEval: string };
export type Thresholds = Readonly<Record<string, readonly Threshold[]>>;

/** Operations must be answered within this time, at the 95th percentile, unless the caller sets another. */
const P95_MS = 1000;
/** The limit for operations that make PDFs, compare signatures or wait for a receiver. */
const SLOW_P95_MS = 3000;
const SLOW: readonly string[] = [
  'createDocument',
  'signDocument',
  'confirmFile',
  'ingestRecords',
  'testWebhookEndpoint',
];

/** The thresholds that decide the burst; `burst.ts` counts these metrics, and `target.ts` the checks. */
const BURST: Thresholds = {
  // A probe that stopped halfway has proved nothing.
  burst_observations: ['count==105'],
  limiter_too_lax: ['count==0'],
  limiter_too_strict: ['count==0'],
  limiter_delays: ['count==0'],
  checks: ['rate==1'],
};

const atMost = (share: number, of: 'failed' | 'passed') =>
  of === 'failed' ? (share === 0 ? 'rate==0' : `rate<=${share}`) : share === 0 ? 'rate==1' : `rate>=${1 - share}`;

/** Thresholds of a scenario that performs these journeys in these parts. */
function thresholdsOf(
  { shape, failures, mix }: Scenario,
  names: readonly JourneyName[],
  parts: readonly { readonly name: string }[],
  p95Ms: number | undefined,
): Thresholds {
  if (Object.keys(mix).length === 0) return BURST;
  const operations = [...new Set(names.flatMap((name) => journeys[name].operations))];
  const limitOf = (operation: string) => p95Ms ?? (SLOW.includes(operation) ? SLOW_P95_MS : P95_MS);
  const byOperation = operations.map((operation) => [
    `http_req_duration{name:${operation}}`,
    [`p(95)<${limitOf(operation)}`],
  ]);
  /** A search for the breaking point ends where one of these is crossed. */
  const ending = (threshold: string): Threshold =>
    shape === 'steps' ? { threshold, abortOnFail: true, delayAbortEval: '5s' } : threshold;
  const byPart =
    shape === 'steady'
      ? []
      : parts.flatMap(({ name }) => [
          [`http_req_duration{scenario:${name}}`, [ending(`p(95)<${p95Ms ?? P95_MS}`)]],
          [`http_reqs{scenario:${name}}`, ['count>=0']],
        ]);
  return {
    checks: [atMost(failures, 'passed')],
    http_req_failed: [ending(atMost(failures, 'failed'))],
    // Dropped iterations are journeys that never began: the load was lower than requested, so the verdict would not be
    // about it.
    dropped_iterations: ['count==0'],
    unexpected_429: ['count==0'],
    journeys_done: ['count>0'],
    ...(mix.walk !== undefined && { 'walks_finished{rows:employees}': ['count>0'] }),
    ...Object.fromEntries(byOperation),
    ...Object.fromEntries(byPart),
  };
}
