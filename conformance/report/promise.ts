/** Where the docs of the interface say what a rule guarantees: anchors on the page that instances serve as `/docs`. */
import { type ErrorName, errors } from '../../generated/errors.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Rule } from '../rules/rule.ts';

/** Of an operation. */
const operationAnchor = (id: OperationId): string => `#/${operations[id].tag}/${id.toLowerCase()}`;

/** Of a decision. */
export const decisionAnchor = (id: string): string => `#/${id.toLowerCase()}`;

/** The beginning of the page, which says what the interface is. */
const WHOLE = '#/';
const CREDENTIALS = '#/keys-scopes-and-permissions';
const REQUESTS = '#/requests';
const ANSWERS = '#/answers';
const LISTS = '#/lists';
const RATE_LIMIT = '#/rate-limit';
const EVENTS = '#/events';
const ERRORS = '#/errors';
const VERSIONS = '#/versions-and-compatibility';
const INGEST = operationAnchor('ingestRecords');
const EMPLOYEE = operationAnchor('getEmployee');
const DOCUMENT = operationAnchor('getDocument');

/** What a place begins with, if it is no operation, error or event. A schema is where an operation has it. */
const ANCHORS: Readonly<Record<string, string>> = {
  'all operations': CREDENTIALS,
  'format: date': ANSWERS,
  'format: date-time': ANSWERS,
  'info.version': VERSIONS,
  'page_token of every list': LISTS,
  'rate limit': RATE_LIMIT,
  'responses 200': ANSWERS,
  'the catalogue of errors': '#/error-catalogue',
  'the whole contract': WHOLE,
  BadRequest: ERRORS,
  'BadRequest.field_violations': ERRORS,
  'Cache-Control': ANSWERS,
  ConfirmFileRequest: operationAnchor('confirmFile'),
  CreateDocumentRequest: operationAnchor('createDocument'),
  DepartmentRef: EMPLOYEE,
  Document: DOCUMENT,
  DocumentEventData: EVENTS,
  DownloadFile: operationAnchor('downloadDocument'),
  Employee: EMPLOYEE,
  EmployeeEventData: EVENTS,
  KedoDepartmentRecord: INGEST,
  KedoEmployeeRecord: INGEST,
  KedoJobTitleRecord: INGEST,
  KedoOrganizationRecord: INGEST,
  KedoPersonRecord: INGEST,
  LedgerDepartmentRecord: INGEST,
  LedgerEmployeeRecord: INGEST,
  ManagerRef: EMPLOYEE,
  Participant: DOCUMENT,
  Person: EMPLOYEE,
  RateLimit: RATE_LIMIT,
  ReserveFileRequest: operationAnchor('reserveFile'),
  'Service-Signature': EVENTS,
  Status: ERRORS,
  UploadedFile: operationAnchor('confirmFile'),
  WebhookEventType: EVENTS,
  'X-Request-Id': ANSWERS,
  description: WHOLE,
  next_page_token: LISTS,
  parameters: REQUESTS,
  paths: REQUESTS,
  query: REQUESTS,
  requestBody: REQUESTS,
  responses: ANSWERS,
  security: CREDENTIALS,
  servers: VERSIONS,
  total_count: ANSWERS,
  webhooks: EVENTS,
  'x-since': VERSIONS,
};

/** All that a place may begin with besides operations, errors and events; a test holds that each is used. */
export const otherPlaces: readonly string[] = Object.keys(ANCHORS);

/**
 * The anchor of a rule's promise.
 * @returns '' if the docs have none: a test holds that this is no rule's
 */
export function promiseOf({ place }: Pick<Rule, 'place'>): string {
  const first = place.split(',')[0] ?? '';
  const [name = ''] = first.split(':');
  if (Object.hasOwn(operations, name)) return operationAnchor(name as OperationId);
  if (Object.hasOwn(errors, name)) return `#/${errors[name as ErrorName].page}`;
  const other = ANCHORS[first] ?? ANCHORS[name] ?? '';
  if (other !== '' || !/^\w+\.\w+$/.test(name)) return other;
  return `#/webhook_endpoints/on${name.replaceAll(/[._]/g, '')}`;
}
