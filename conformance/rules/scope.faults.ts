/** Faults that the rules of scope.rules.ts must catch. */
import type { OperationId } from '../../generated/operations.ts';
import {
  accepts,
  headerOf,
  keyed,
  keyOf,
  madeError,
  mistaken,
  parse,
  permits,
  reasonOf,
  refusals,
  refuses,
  stale,
} from '../mutation/alter.ts';
import { sticky, unknownId } from '../mutation/alter-requests.ts';
import type { Alter, Fault, ProxiedRequest } from '../mutation/fault.ts';

const SCOPED: readonly [number, OperationId][] = [
  [1, 'listEmployees'],
  [2, 'getEmployee'],
  [3, 'listDocuments'],
  [4, 'getDocument'],
  [5, 'listDocumentTypes'],
  [6, 'listDocumentTemplates'],
  [7, 'listDocumentCategories'],
  [8, 'downloadDocument'],
  [9, 'createDocument'],
  [10, 'rejectDocument'],
  [11, 'sendDocument'],
  [12, 'approveDocument'],
  [13, 'signDocument'],
  [14, 'setDocumentRoute'],
  [15, 'reserveFile'],
  [16, 'confirmFile'],
  [17, 'createWebhookEndpoint'],
  [18, 'testWebhookEndpoint'],
  [19, 'deleteWebhookEndpoint'],
  [20, 'ingestRecords'],
];

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

const scopeless = (rule: string, operation: OperationId): Fault => ({
  id: `scope-not-needed-${operation}`,
  rule,
  breaks: `${operation} needs no scope`,
  alter: accepts(operation, (answer) => reasonOf(answer) === SCOPE),
});

const CREATE = 'createDocument';

const scopeFirst =
  (when: (asked: ProxiedRequest) => boolean, instead: Parameters<typeof madeError>[0]): Alter =>
  async (asked, forward) => {
    const answer = await forward(asked);
    return reasonOf(answer) === SCOPE && when(asked) ? madeError(instead) : answer;
  };

export const faults: readonly Fault[] = [
  ...SCOPED.map(([number, operation]) => scopeless(`SCOPE-${number}`, operation)),
  {
    id: 'scope-needs-two',
    rule: 'SCOPE-1',
    breaks: 'employees:read alone is not enough',
    alter: async (asked, forward, memory) =>
      keyOf(asked) === memory.key('employees_read') ? madeError('SCOPE_INSUFFICIENT') : forward(asked),
  },
  {
    id: 'scope-read-in-write',
    rule: 'SCOPE-21',
    breaks: 'documents:write implies documents:read',
    alter: permits(['listDocuments', 'getDocument'], 'documents_read', (answer) => reasonOf(answer) === SCOPE),
  },
  {
    id: 'scope-read-writes',
    rule: 'SCOPE-21',
    breaks: 'documents:read implies documents:write',
    alter: permits(
      [CREATE, 'reserveFile', 'sendDocument', 'rejectDocument'],
      'full',
      (answer, asked) => reasonOf(answer) === SCOPE && asked.method === 'POST',
    ),
  },
  {
    id: 'scope-for-logins',
    rule: 'SCOPE-22',
    breaks: 'listLoginMethods needs a scope',
    alter: refuses('listLoginMethods', 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'scope-after-validation',
    rule: 'SCOPE-23',
    breaks: 'a bad body is reported before the scope',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === SCOPE && asked.method === 'POST' ? madeError('INVALID_ARGUMENT') : answer;
    },
  },
  {
    id: 'scope-after-key',
    rule: 'SCOPE-23',
    breaks: 'a missing Idempotency-Key is reported before the scope',
    alter: scopeFirst(
      (asked) => asked.operation === 'ingestRecords' && headerOf(asked, 'idempotency-key') === undefined,
      'INGEST_ALREADY_ACCEPTED',
    ),
  },
  {
    id: 'scope-after-id',
    rule: 'SCOPE-23',
    breaks: 'an unknown employee is reported before the scope',
    alter: scopeFirst((asked) => asked.operation === 'getEmployee', 'EMPLOYEE_NOT_FOUND'),
  },
  {
    id: 'scope-narrowing-late',
    rule: 'SCOPE-24',
    breaks: 'narrowed permissions do not show',
    alter: stale(['listEmployees', 'getEmployee']),
  },
  {
    id: 'scope-widening-late',
    rule: 'SCOPE-24',
    breaks: 'permissions that widen again do not show',
    alter: sticky(
      (answer) =>
        parse(answer.body)?.employee?.redacted_fields?.length > 0 || (parse(answer.body)?.employees?.length ?? 2) < 2,
    ),
  },
  {
    id: 'scope-hidden-is-403',
    rule: 'SCOPE-25',
    breaks: 'what is hidden is 403',
    alter: mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'scope-hidden-listed',
    rule: 'SCOPE-25',
    breaks: 'what is hidden is listed',
    alter: keyed('listEmployees', 'restricted_owner', 'full'),
  },
  {
    id: 'scope-any-admin',
    rule: 'SCOPE-26',
    breaks: 'ingest:write counts whoever made the key',
    alter: accepts('ingestRecords', (answer) => reasonOf(answer) === SCOPE, {
      ingest_request_id: unknownId(),
      status: 'ACCEPTED',
      record_count: 1,
    }),
  },
  {
    id: 'scope-former-admin',
    rule: 'SCOPE-34',
    breaks: 'an owner who lost the role goes on loading',
    alter: accepts('ingestRecords', (answer) => reasonOf(answer) === SCOPE),
  },
  {
    id: 'scope-admin-again-late',
    rule: 'SCOPE-34',
    breaks: 'an owner who got the role back may not load',
    alter: sticky((answer) => reasonOf(answer) === SCOPE),
  },
  {
    id: 'scope-former-admin-loses-all',
    rule: 'SCOPE-34',
    breaks: 'with the role the owner loses other scopes too',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation === 'ingestRecords') memory.notes.set('lost', reasonOf(answer) === SCOPE);
      return memory.notes.get('lost') === true ? madeError('SCOPE_INSUFFICIENT') : answer;
    },
  },
  {
    id: 'scope-names-another',
    rule: 'SCOPE-28',
    breaks: 'the refusal names another scope',
    alter: refusals(SCOPE, (json) => {
      json.details[0].metadata = { required_scope: 'employees:write' };
    }),
  },
];
