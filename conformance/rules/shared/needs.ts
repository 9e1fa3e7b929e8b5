/** What many rules need. */
import type { Needs } from '../rule.ts';

/** The fixtures from which a document of the profile's template is made. */
const template = { fixtures: ['document_type_id', 'document_template_id'] } as const satisfies Needs;

const operationsOnEndpoints = ['createWebhookEndpoint', 'deleteWebhookEndpoint'] as const;

export const need = {
  template,
  /** The owners who take part in a document's route, with their employees, and the fixtures of its draft. */
  threeOwners: {
    keys: ['second_owner', 'restricted_owner'],
    fixtures: [...template.fixtures, 'owner_employee_id', 'second_owner_employee_id', 'restricted_owner_employee_id'],
  },
  uploads: { operations: ['reserveFile', 'confirmFile'] },
  ingest: { operations: ['ingestRecords'] },
  endpoints: { operations: operationsOnEndpoints },
  /** A delivery that `testWebhookEndpoint` causes. */
  testDelivery: { operations: [...operationsOnEndpoints, 'testWebhookEndpoint'], callbacks: true },
  /** Documents whose changes cause events, and an endpoint that they go to. */
  documentEvents: {
    operations: [
      ...operationsOnEndpoints,
      ...(['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'] as const),
    ],
    fixtures: [...template.fixtures, 'owner_employee_id'],
  },
  /** Employees whose changes cause events, and an endpoint that they go to. */
  employeeEvents: {
    operations: operationsOnEndpoints,
    fixtures: ['department_id'],
    admin: ['apply_employee_changes'],
    callbacks: true,
  },
} as const satisfies Readonly<Record<string, Needs>>;

/** Everything that one of these needs, each name once. */
export function together(...parts: readonly Needs[]): Needs {
  const lists = ['keys', 'fixtures', 'admin', 'operations'] as const;
  const joined = lists.map((name) => [name, [...new Set(parts.flatMap((part) => [...(part[name] ?? [])]))]]);
  return Object.assign({}, ...parts, Object.fromEntries(joined));
}
