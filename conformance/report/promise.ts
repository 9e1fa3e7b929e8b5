/** Where the docs of the interface say what a rule guarantees: anchors on the page that instances serve as `/docs`. */
import { type ErrorName, errors, type OperationId, operations } from '../../generated/contract.ts';
import type { Rule } from '../rules/rule.ts';

/** Of an operation; events are among those of webhook endpoints. */
export function operationAnchor(id: string): string {
  const tag = Object.hasOwn(operations, id) ? operations[id as OperationId].tag : 'webhook_endpoints';
  return `#/${tag}/${id.toLowerCase()}`;
}

/** Of a decision. */
export const decisionAnchor = (id: string): string => `#/${id.toLowerCase()}`;

/** By its anchor, what a place begins with that is no operation, error or event. A schema is where an operation has it. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  '#/': ['the whole contract'],
  '#/keys-scopes-and-permissions': ['security'],
  '#/requests': ['parameters', 'paths', 'query', 'requestBody'],
  '#/answers': ['responses', 'X-Request-Id'],
  '#/lists': ['limit of every list'],
  '#/rate-limit': ['rate limit', 'RateLimit'],
  '#/events': ['Service-Signature', 'Traceparent', 'webhooks'],
  '#/errors': ['BadRequest', 'BadRequest.field_violations', 'Status'],
  '#/error-catalogue': ['the catalogue of errors'],
  '#/versions-and-compatibility': ['info.version'],
  [operationAnchor('getEmployee')]: ['Employee', 'Person'],
  [operationAnchor('getDocument')]: ['Document', 'Participant'],
  [operationAnchor('createDocument')]: ['CreateDocumentRequest'],
  [operationAnchor('reserveFile')]: ['ReserveFileRequest'],
  [operationAnchor('confirmFile')]: ['ConfirmFileRequest'],
};

/** Anchors by what a place may begin with besides operations, errors and events; a test holds that each is used. */
export const anchorsByPlace = new Map(
  Object.entries(PLACES).flatMap(([anchor, all]) => all.map((place) => [place, anchor])),
);

/**
 * The anchor of a rule's promise.
 * @returns '' if the docs have none: a test holds that this is no rule's
 */
export function promiseOf({ place }: Pick<Rule, 'place'>): string {
  const first = place.split(',')[0] ?? '';
  const [name = ''] = first.split(':');
  if (Object.hasOwn(operations, name)) return operationAnchor(name);
  if (Object.hasOwn(errors, name)) return `#/${errors[name as ErrorName].page}`;
  const other = anchorsByPlace.get(first) ?? anchorsByPlace.get(name) ?? '';
  if (other !== '' || !/^\w+\.\w+$/.test(name)) return other;
  return operationAnchor(`on${name.replaceAll(/[._]/g, '')}`);
}
