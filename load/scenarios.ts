/** The scenarios: what each sends by default, and what it proves; and their journeys, in numbers; `perform.ts` performs these. */
import type { OperationId } from '../generated/contract.ts';

export type JourneyName = 'reads' | 'pages' | 'errors' | 'walk' | 'document' | 'upload' | 'ingest' | 'webhook';

export interface Journey {
  /** Requests to the API, without those to storage. */
  readonly requests: number;
  readonly writes: number;
  readonly operations: readonly OperationId[];
  /** Fixtures that the journey needs. */
  readonly fixtures: readonly string[];
  /** Release of the contract that introduced what it uses. */
  readonly capability?: string;
}

export const journeys: Readonly<Record<JourneyName, Journey>> = {
  reads: {
    requests: 6,
    writes: 0,
    operations: [
      'verifyApiKey',
      'listEmployees',
      'getEmployee',
      'listDocumentTypes',
      'listDocumentTemplates',
      'listDocuments',
    ],
    fixtures: ['employee_id'],
  },
  pages: { requests: 4, writes: 0, operations: ['listEmployees'], fixtures: [] },
  errors: { requests: 5, writes: 0, operations: ['getEmployee', 'listEmployees', 'verifyApiKey'], fixtures: [] },
  walk: { requests: 1, writes: 0, operations: ['listEmployees', 'listDocuments'], fixtures: [] },
  document: {
    requests: 8,
    writes: 6,
    operations: [
      'createDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
      'getDocument',
      'downloadDocument',
    ],
    fixtures: ['document_type_id', 'document_template_id', 'owner_employee_id'],
    capability: '1.5',
  },
  upload: {
    requests: 3,
    writes: 3,
    operations: ['reserveFile', 'confirmFile', 'createDocument'],
    fixtures: ['document_type_id'],
    capability: '1.6',
  },
  ingest: { requests: 2, writes: 2, operations: ['ingestRecords'], fixtures: [], capability: '1.4' },
  webhook: { requests: 1, writes: 1, operations: ['testWebhookEndpoint'], fixtures: ['webhook_endpoint_id'] },
};

interface KnownIds {
  readonly fixtures: Readonly<Partial<Record<string, string>>>;
  readonly capabilities: readonly string[];
}

/** What the profile lacks for a journey; empty if nothing. */
export function missingFor(name: JourneyName, { fixtures, capabilities }: KnownIds): string[] {
  const { fixtures: needed, capability } = journeys[name];
  return [
    ...needed.filter((fixture) => fixtures[fixture] === undefined).map((fixture) => `fixture ${fixture}`),
    ...(capability !== undefined && !capabilities.includes(capability) ? [`capability ${capability}`] : []),
  ];
}

/**
 * The order of journeys, repeated throughout. Each occurs as often as its weight says, spread evenly, so that
 * neighbours differ. A journey for which the profile lacks something is left out.
 */
export function rotation(mix: Readonly<Partial<Record<JourneyName, number>>>, known: KnownIds): JourneyName[] {
  const entries = (Object.entries(mix) as [JourneyName, number][]).filter(
    ([name]) => missingFor(name, known).length === 0,
  );
  return entries
    .flatMap(([name, weight]) => Array.from({ length: weight }, (_, n) => ({ name, at: (n + 0.5) / weight })))
    .toSorted((a, b) => a.at - b.at || a.name.localeCompare(b.name))
    .map(({ name }) => name);
}

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
