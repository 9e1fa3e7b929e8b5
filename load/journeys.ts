/** What a user of the API does in one journey, in numbers; `perform.ts` performs it. */
import type { OperationId } from '../generated/operations.ts';

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
      ...(['verifyApiKey', 'listEmployees', 'getEmployee'] as const),
      ...(['listDocumentTypes', 'listDocumentTemplates', 'listDocuments'] as const),
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
      ...(['createDocument', 'setDocumentRoute', 'sendDocument', 'approveDocument'] as const),
      ...(['signDocument', 'getDocument', 'downloadDocument'] as const),
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
