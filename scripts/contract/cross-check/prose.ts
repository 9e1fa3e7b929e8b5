/**
 * Why a request that is valid by every schema is refused nevertheless: what the contract says in words because JSON
 * Schema and OpenAPI cannot express it, each with the decision that it rests on.
 */
import type { RecordedExchange } from './recorded.ts';

/** Fields of one operation that may be refused because of something that the service knows and a schema does not. */
const BY_OPERATION: readonly (readonly [operations: RegExp, field: RegExp, stated: string])[] = [
  [
    /^createDocument$/,
    /^(?:type_id|organization_id|subject_employee_ids\b.*)$/,
    'D-17: type, organisation and subjects exist for the owner, and the type allows it',
  ],
  [/^createDocument$/, /^(?:template_id|file_id)$/, 'D-17: exactly one source, of that type'],
  [/^createDocument$/, /^template_version$/, 'D-17: the version exists, and not beside file_id'],
  [/^createDocument$/, /^template_values\b/, 'D-17: values fit the variable_schema, and not beside file_id'],
  [/^reserveFile$/, /^size_bytes$/, 'D-23: 50 MB are the most, as text too'],
  [/^confirmFile$/, /^file_id$/, 'D-6a, D-23: the id of the path, and bytes that begin as a PDF'],
  [/^setDocumentRoute$/, /^steps\b/, 'D-18: what a route may be'],
  [/^(?:approve|sign|reject)Document$/, /^participant_id$/, 'D-19: the caller’s own active slot'],
  [/^(?:approve|sign|reject)Document$/, /^status$/, 'D-19: the document is in a workflow, at a step of that kind'],
  [/^signDocument$/, /^signature\b/, 'D-21: what a signature must be'],
  [/^createWebhookEndpoint$/, /^url$/, 'D-28: where a URL may lead, and that it is written plainly'],
  [/^rejectDocument$/, /^comment$/, 'D-19: a comment that can be seen'],
  [/^createDocument$/, /^(?:title|number)$/, 'D-17: a title that can be seen, and texts that can be printed'],
  [/^createDocument$/, /^date$/, 'D-2: a day is of the years 1 to 9999'],
];

/** Fields of any operation: one of them is enough. */
const BY_FIELD: readonly (readonly [field: RegExp, stated: string])[] = [
  [/^page_token$/, 'D-10: a page token is sealed, bound and expires'],
  [/^request$/, 'D-6: the head of a request is plain HTTP/1.1'],
  [/^body$/, 'D-6a: a body is strict JSON of limited depth'],
  [/^Idempotency-Key$/, 'D-17: the form of an Idempotency-Key'],
  [/\[/, 'D-12: a name with brackets is no documented name'],
  [/^(?:updated_since|created_after)$/, 'D-12: an instant is real, with a zone and at most nine digits'],
  [/^(?:employee|document)_id$/, 'D-14: an id is a bare UUID'],
];

/**
 * @param reason textual code of the refusal
 * @param fields the fields that its violations name
 * @returns the statement that explains the refusal, or undefined when there is none
 */
export function statedInProse(
  { target, operationId = '' }: RecordedExchange,
  reason: string | undefined,
  fields: readonly string[],
): string | undefined {
  if (reason === 'PATH_NOT_FOUND') return 'D-6a: paths are exact, in case and in slashes';
  const stated = fields.map(
    (name) => BY_OPERATION.find(([operations, field]) => operations.test(operationId) && field.test(name))?.[2],
  );
  if (stated.every((text) => text !== undefined) && stated[0] !== undefined) return stated[0];
  const byField = BY_FIELD.find(([field]) => fields.some((name) => field.test(name)));
  if (byField !== undefined) return byField[1];
  if (/%(?![0-9a-f]{2})|%[89a-f][0-9a-f]/i.test(target)) return 'D-12: a query is percent-encoded UTF-8';
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  for (const field of fields) {
    const given = query.getAll(field);
    if (given.some((value) => value === '')) return 'D-12: an empty value is refused';
    if (given.length > 1) return 'D-12: only documented parameters repeat';
    if (/^(?:limit|version)$/.test(field)) return 'D-9: numbers are plain decimal integers';
  }
  return undefined;
}
