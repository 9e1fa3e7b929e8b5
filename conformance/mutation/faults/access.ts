// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in keys, flags, scopes and in what holds for every exchange. */
import { type ErrorName, errors } from '../../../generated/errors.ts';
import type { OperationId } from '../../../generated/operations.ts';
import {
  accepts,
  acceptsReason,
  answers,
  asks,
  each,
  everything,
  headerOf,
  heads,
  type Json,
  jsonBody,
  keyed,
  keyOf,
  made,
  madeError,
  mistaken,
  parse,
  permits,
  reasonOf,
  refusals,
  refused,
  refuses,
  rows,
  setHeader,
  stale,
} from '../alter.ts';
import type { Alter, Answered, Asked, Fault } from '../fault.ts';

const VERIFY = 'verifyApiKey';
const KEY = 'INTEGRATION.API_KEY_INVALID';
const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';
const FLAG = 'FEATURE_FLAG.NOT_AVAILABLE';
const letIn = (when: (answer: Answered, asked: Asked) => boolean = (answer) => reasonOf(answer) === KEY): Alter =>
  permits(everything, 'full', when);
/** Changes the violations that an INVALID_ARGUMENT names. */
const violations = (change: (all: Json[]) => Json[]): Alter =>
  refusals('INVALID_ARGUMENT', (json) => { for (const detail of json.details) if (detail.field_violations) detail.field_violations = change(detail.field_violations); });
/** Complaints about a field whose form is right. */
const OF_MEANING = /visible character|of the tenant|of this (document type|template version)|key's owner sees|twice|after a signing|in an approval|say something|of the path|at most 52428800|address/;
/** Takes the key from wherever it is found. */
const keyFrom = (find: (asked: Asked) => string | undefined): Alter =>
  asks(everything, (asked) => {
    const found = find(asked);
    if (keyOf(asked) === undefined && found) setHeader(asked, 'X-API-Key', found);
  });
const scopeless = (rule: string, operation: OperationId): Fault => ({
  id: `scope-not-needed-${operation}`,
  rule,
  breaks: `${operation} needs no scope`,
  alter: accepts(operation, (answer) => reasonOf(answer) === SCOPE),
});
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
const otherError = (name: ErrorName, status: number): Alter =>
  heads(
    everything,
    (answer) => {
      answer.status = status;
    },
    (answer) => reasonOf(answer) === errors[name].reason,
  );
const fresh = () => '11111111-2222-4333-8444-555555555555';

export const access: readonly Fault[] = [
  { id: 'auth-verify-says-more', rule: 'AUTH-1', breaks: 'verifyApiKey tells the owner', alter: answers(VERIFY, () => ({ owner: 'x' })) },
  { id: 'auth-verify-201', rule: 'AUTH-1', breaks: 'verifyApiKey answers 201', alter: heads(VERIFY, (answer) => { answer.status = 201; }) },
  { id: 'auth-no-key', rule: 'AUTH-2', breaks: 'without a key everything is let in', alter: letIn() },
  { id: 'auth-no-key-403', rule: 'AUTH-2', breaks: 'without a key the status is 403', alter: otherError('API_KEY_INVALID', 403) },
  { id: 'auth-unknown-key', rule: 'AUTH-3', breaks: 'an unknown key is let in', alter: letIn() },
  { id: 'auth-revoked-key', rule: 'AUTH-4', breaks: 'a revoked key is let in', alter: letIn() },
  { id: 'auth-revoked-other-code', rule: 'AUTH-4', breaks: 'a revoked key has a code of its own', alter: mistaken(KEY, 'SCOPE_INSUFFICIENT') },
  { id: 'auth-expired-key', rule: 'AUTH-5', breaks: 'an expired key is let in', alter: letIn() },
  { id: 'auth-inactive-key', rule: 'AUTH-6', breaks: 'a key that is switched off is let in', alter: letIn() },
  { id: 'auth-owner-removed', rule: 'AUTH-7', breaks: 'a key outlives its owner', alter: letIn() },
  { id: 'auth-revocation-late', rule: 'AUTH-8', breaks: 'the first request after a revocation is let in', alter: async (asked, forward, memory) => { const answer = await forward(asked); const name = `good ${keyOf(asked)}`; if (answer.status === 200) memory.notes.set(name, true); if (reasonOf(answer) !== KEY || !memory.notes.delete(name)) return answer; return made(200, {}); } },
  { id: 'auth-bearer', rule: 'AUTH-9', breaks: 'the key counts as a bearer token', alter: keyFrom((asked) => /^Bearer (.+)$/i.exec(headerOf(asked, 'authorization') ?? '')?.[1]) },
  { id: 'auth-web-token', rule: 'AUTH-10', breaks: 'a bearer token of the web application is let in', alter: letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'authorization') !== undefined) },
  { id: 'auth-authorization-refused', rule: 'AUTH-11', breaks: 'an Authorization header beside the key is refused', alter: async (asked, forward) => (headerOf(asked, 'authorization') ? madeError('API_KEY_INVALID') : forward(asked)) },
  { id: 'auth-key-in-query', rule: 'AUTH-12', breaks: 'a key in the query is taken', alter: letIn((answer, asked) => reasonOf(answer) === KEY && asked.target.includes('?')) },
  { id: 'auth-key-in-cookie', rule: 'AUTH-12', breaks: 'a key in a cookie is taken', alter: letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'cookie') !== undefined) },
  { id: 'auth-tenant-header', rule: 'AUTH-13', breaks: 'X-Tenant-ID chooses the tenant', alter: async (asked, forward, memory) => { const next = { ...asked, headers: [...asked.headers] }; if (headerOf(asked, 'x-tenant-id') !== undefined) setHeader(next, 'X-API-Key', memory.key('other_tenant')); return forward(next); } },
  { id: 'auth-tenant-header-checked', rule: 'AUTH-13', breaks: 'a malformed X-Tenant-ID is refused', alter: refuses(everything, 'INVALID_ARGUMENT', (asked) => headerOf(asked, 'x-tenant-id') !== undefined) },
  { id: 'auth-tenant-is-enough', rule: 'AUTH-14', breaks: 'X-Tenant-ID stands in for a key', alter: letIn() },
  { id: 'auth-one-open-door', rule: 'AUTH-15', breaks: 'one operation needs no key', alter: accepts('listLoginMethods', (answer) => reasonOf(answer) === KEY, { items: [] }) },
  { id: 'auth-path-first', rule: 'AUTH-16', breaks: 'an unknown path is told before a bad key', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === KEY && asked.operation === undefined ? madeError('PATH_NOT_FOUND') : answer; } },
  { id: 'auth-body-first', rule: 'AUTH-16', breaks: 'a bad body is told before a bad key', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === KEY && asked.body.length > 0 ? madeError('INVALID_ARGUMENT') : answer; } },
  { id: 'auth-odd-key-500', rule: 'AUTH-17', breaks: 'a huge key is answered 500', alter: heads(everything, (answer) => { answer.status = 500; }, (answer) => reasonOf(answer) === KEY) },
  { id: 'auth-key-trimmed', rule: 'AUTH-17', breaks: 'a key with something around it is let in', alter: letIn() },
  { id: 'auth-header-case', rule: 'AUTH-18', breaks: 'the header counts in one spelling only', alter: async (asked, forward) => asked.headers.some(([name]) => name === 'X-API-Key') ? forward(asked) : madeError('API_KEY_INVALID') },
  { id: 'auth-two-keys', rule: 'AUTH-19', breaks: 'of two keys the first counts', alter: async (asked, forward) => { const keys = asked.headers.filter(([name]) => name.toLowerCase() === 'x-api-key'); const next = { ...asked, headers: [...asked.headers] }; if (keys.length > 1) setHeader(next, 'X-API-Key', keys[0]?.[1]); return forward(next); } },
  { id: 'auth-tells-revoked', rule: 'AUTH-20', breaks: 'a refused key is told apart by a header', alter: heads(everything, (answer, asked) => { if (keyOf(asked) !== undefined) setHeader(answer, 'X-Reason', 'unknown'); }, (answer) => reasonOf(answer) === KEY) },
  { id: 'auth-lists-keys', rule: 'AUTH-21', breaks: 'keys can be listed', alter: accepts((asked) => /api_?key/i.test(asked.target) && !asked.target.includes('_verify'), refused, { api_keys: [], }) },
  { id: 'auth-verify-needs-scope', rule: 'AUTH-22', breaks: 'verifyApiKey needs a scope', alter: refuses(VERIFY, 'SCOPE_INSUFFICIENT') },
  { id: 'auth-verify-any-parameter', rule: 'AUTH-23', breaks: 'verifyApiKey takes any parameter', alter: acceptsReason('INVALID_ARGUMENT', VERIFY) },
  { id: 'auth-second-key-sees-less', rule: 'AUTH-24', breaks: 'a second key of an owner sees less', alter: rows(everything, (list, _json, asked, memory) => keyOf(asked) === memory.key('second_key_same_owner') ? list.slice(1) : list) },
  { id: 'auth-second-key-refused', rule: 'AUTH-24', breaks: 'a second key replaces the first', alter: async (asked, forward, memory) => keyOf(asked) === memory.key('second_key_same_owner') ? madeError('API_KEY_INVALID') : forward(asked) },
  { id: 'auth-tenants-mixed', rule: 'AUTH-25', breaks: 'a key reads ids of another tenant', alter: permits('getEmployee', 'full', (answer) => answer.status === 404) },
  { id: 'auth-request-id-lost', rule: 'AUTH-27', breaks: 'the request id of the caller does not come back', alter: heads(everything, (answer) => setHeader(answer, 'X-Request-Id', fresh()), () => true) },
  { id: 'auth-request-id-any', rule: 'AUTH-27', breaks: 'any request id comes back', alter: heads(everything, (answer, asked) => { const id = headerOf(asked, 'x-request-id'); if (id) setHeader(answer, 'X-Request-Id', id); }, () => true) },

  { id: 'flag-off-is-on', rule: 'FLAG-1', breaks: 'one operation works while the interface is off', alter: accepts('listDocumentTypes', (answer) => reasonOf(answer) === FLAG, { document_types: [], next_page_token: '', }) },
  { id: 'flag-verify-works', rule: 'FLAG-2', breaks: 'verifyApiKey works while the interface is off', alter: acceptsReason(FLAG, VERIFY) },
  { id: 'flag-after-validation', rule: 'FLAG-3', breaks: 'a bad request is told before the flag', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === FLAG && /limit=|\?/.test(asked.target) ? madeError('INVALID_ARGUMENT') : answer; } },
  { id: 'flag-path-first', rule: 'FLAG-3', breaks: 'an unknown path is told before the flag', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === FLAG && asked.operation === undefined ? madeError('PATH_NOT_FOUND') : answer; } },
  { id: 'flag-wrong-key', rule: 'FLAG-4', breaks: 'a wrong key of such a tenant is told of the flag', alter: mistaken(KEY, 'FEATURE_FLAG_OFF') },
  { id: 'flag-for-all', rule: 'FLAG-5', breaks: 'the flag of one tenant concerns all', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (reasonOf(answer) === FLAG) memory.notes.set('off', true); return memory.notes.has('off') ? madeError('FEATURE_FLAG_OFF') : answer; } },
  { id: 'flag-sticks', rule: 'FLAG-6', breaks: 'the flag is looked up once for each key', alter: async (asked, forward, memory) => { const answer = await forward(asked); const name = `flag ${keyOf(asked)}`; if (!memory.notes.has(name)) memory.notes.set(name, answer); return memory.notes.get(name) as Answered; } },

  ...SCOPED.map(([number, operation]) => scopeless(`SCOPE-${number}`, operation)),
  { id: 'scope-read-in-write', rule: 'SCOPE-21', breaks: 'documents:write implies documents:read', alter: permits(['listDocuments', 'getDocument'], 'documents_read', (answer) => reasonOf(answer) === SCOPE) },
  { id: 'scope-for-logins', rule: 'SCOPE-22', breaks: 'listLoginMethods needs a scope', alter: refuses('listLoginMethods', 'SCOPE_INSUFFICIENT') },
  { id: 'scope-after-validation', rule: 'SCOPE-23', breaks: 'a bad body is told before the scope', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === SCOPE && asked.method === 'POST' ? madeError('INVALID_ARGUMENT') : answer; } },
  { id: 'scope-narrowing-late', rule: 'SCOPE-24', breaks: 'narrowed permissions do not show', alter: stale(['listEmployees', 'getEmployee']) },
  { id: 'scope-hidden-is-403', rule: 'SCOPE-25', breaks: 'what is hidden is 403', alter: mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT') },
  { id: 'scope-hidden-listed', rule: 'SCOPE-25', breaks: 'what is hidden is listed', alter: keyed('listEmployees', 'restricted_owner', 'full') },
  { id: 'scope-any-admin', rule: 'SCOPE-26', breaks: 'ingest:write counts whoever made the key', alter: accepts('ingestRecords', (answer) => reasonOf(answer) === SCOPE, { ingest_request_id: fresh(), status: 'ACCEPTED', record_count: 1, }) },
  { id: 'scope-names-another', rule: 'SCOPE-28', breaks: 'the refusal names another scope', alter: refusals(SCOPE, (json) => { json.details[0].metadata = { required_scope: 'employees:write' }; }) },
  { id: 'scope-write-is-not-enough', rule: 'SCOPE-29', breaks: 'documents:write alone cannot send', alter: refuses('sendDocument', 'SCOPE_INSUFFICIENT') },
  { id: 'scope-done-anyway', rule: 'SCOPE-27', breaks: 'what is refused for its scope is done all the same', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (reasonOf(answer) === SCOPE && asked.method === 'POST') { const next = { ...asked, headers: [...asked.headers] }; for (let n = 0; n < 4; n++) { setHeader(next, 'X-API-Key', memory.key('full', n)); if ((await forward({ ...next, headers: [...next.headers] })).status === 200) break; } } return answer; } },

  { id: 'gen-no-prefix', rule: 'GEN-1', breaks: 'paths without the prefix are served', alter: accepts((asked) => !asked.target.startsWith('/developer/v1'), refused, { employees: [], next_page_token: '', }) },
  { id: 'gen-created-201', rule: 'GEN-2', breaks: 'a success is 201', alter: heads(everything, (answer) => { answer.status = 201; }) },
  { id: 'gen-bare-array', rule: 'GEN-2', breaks: 'a list is a bare array', alter: answers('listEmployees', (json) => json.employees) },
  { id: 'gen-text-plain', rule: 'GEN-3', breaks: 'errors are text/plain', alter: heads(everything, (answer) => setHeader(answer, 'Content-Type', 'text/plain'), refused) },
  { id: 'gen-any-media-type', rule: 'GEN-4', breaks: 'a body of any media type is taken', alter: accepts(everything, (answer) => answer.status === 415) },
  { id: 'gen-any-body', rule: 'GEN-4', breaks: 'a body that is an array is taken', alter: accepts(everything, (answer, asked) => reasonOf(answer) === 'INVALID_ARGUMENT' && asked.body.toString().startsWith('[')) },
  { id: 'gen-no-zone', rule: 'GEN-5', breaks: 'instants have no zone', alter: each(everything, (one) => { if (one.create_time) one.create_time = one.create_time.replace('Z', ''); }) },
  { id: 'gen-impossible-instant', rule: 'GEN-5', breaks: 'an instant does not exist in the calendar', alter: each(everything, (one) => { if (one.update_time) one.update_time = '2025-02-30T10:00:00.000Z'; }) },
  { id: 'gen-german-dates', rule: 'GEN-6', breaks: 'dates are DD.MM.YYYY', alter: each(everything, (one) => { if (one.start_date) one.start_date = one.start_date.split('-').reverse().join('.'); }) },
  { id: 'gen-number-ids', rule: 'GEN-7', breaks: 'ids are numbers', alter: each(everything, (one) => { if (one.id) one.id = 7; }) },
  { id: 'gen-size-number', rule: 'GEN-8', breaks: 'size_bytes and total_count are numbers', alter: answers(everything, (json) => { if (json.total_count) json.total_count = Number(json.total_count); if (json.file?.size_bytes) json.file.size_bytes = Number(json.file.size_bytes); for (const file of json.document?.files ?? []) file.size_bytes = Number(file.size_bytes); }) },
  { id: 'gen-one-view', rule: 'GEN-9', breaks: 'every key sees what the first sees', alter: keyed('listEmployees', 'any', 'full') },
  { id: 'gen-scope-only', rule: 'GEN-10', breaks: 'the owner’s permissions do not count', alter: keyed(['listEmployees', 'getEmployee'], 'restricted_owner', 'full') },
  { id: 'gen-500', rule: 'GEN-11', breaks: 'what is not found is 500', alter: heads(everything, (answer) => { answer.status = 500; }, refused) },
  { id: 'gen-added-field', rule: 'GEN-12', breaks: 'an answer has a field that the contract does not know', alter: answers('listLoginMethods', (json) => { json.next = ''; }) },
  { id: 'gen-field-lost', rule: 'GEN-12', breaks: 'an answer lacks a required field', alter: each('listEmployees', (one) => { delete one.organization_id; }) },
  { id: 'gen-header-lost', rule: 'GEN-12', breaks: 'a declared header is left out', alter: heads(everything, (answer) => setHeader(answer, 'X-Request-Id', undefined), () => true) },
  { id: 'gen-undocumented-status', rule: 'GEN-12', breaks: 'an error has an undocumented status', alter: heads(everything, (answer) => { answer.status = 418; }, (answer) => answer.status === 404) },
  { id: 'gen-action-as-id', rule: 'GEN-13', breaks: 'an unknown action is served as a record', alter: accepts((asked) => /\/_\w+$/.test(asked.target), (answer) => answer.status >= 400, { employee: {} }) },
  { id: 'gen-unknown-path-html', rule: 'GEN-14', breaks: 'an unknown path is an HTML page', alter: heads(everything, (answer) => { answer.body = Buffer.from('<html>Not found</html>'); setHeader(answer, 'Content-Type', 'text/html'); }, (answer) => answer.status === 404) },
  { id: 'gen-no-allow', rule: 'GEN-15', breaks: 'METHOD_NOT_ALLOWED has no Allow', alter: heads(everything, (answer) => setHeader(answer, 'Allow', undefined), (answer) => answer.status === 405) },
  { id: 'gen-405-is-404', rule: 'GEN-15', breaks: 'a method that a path does not have is 404', alter: async (asked, forward) => { const answer = await forward(asked); return answer.status === 405 ? madeError('PATH_NOT_FOUND') : answer; } },
  { id: 'gen-employees-written', rule: 'GEN-16', breaks: 'PATCH on an employee is accepted', alter: accepts((asked) => asked.target.includes('/employees') && asked.method !== 'GET', refused, { employee: {} }) },
  { id: 'ver-v2', rule: 'VER-1', breaks: 'another version is served too', alter: accepts((asked) => !asked.target.startsWith('/developer/v1/'), refused, { employees: [], next_page_token: '', }) },
  { id: 'ver-addition-missing', rule: 'VER-3', breaks: 'an operation that is claimed is not there', alter: async (asked, forward) => asked.operation === 'listLoginMethods' ? madeError('PATH_NOT_FOUND') : forward(asked) },
  { id: 'ver-ingest-missing', rule: 'VER-6', breaks: 'ingest is claimed and not there', alter: async (asked, forward) => asked.operation === 'ingestRecords' ? madeError('PATH_NOT_FOUND') : forward(asked) },

  { id: 'err-no-type', rule: 'ERR-1', breaks: 'details have no @type', alter: answers(everything, (json) => { for (const one of json.details ?? []) delete one['@type']; }, refused) },
  { id: 'err-no-reason', rule: 'ERR-2', breaks: 'the textual code is left out', alter: answers(everything, (json) => { delete json.details[0].reason; }, refused) },
  { id: 'err-key-403', rule: 'ERR-3', breaks: 'a bad key is 403', alter: otherError('API_KEY_INVALID', 403) },
  { id: 'err-two-statuses', rule: 'ERR-4', breaks: 'INVALID_ARGUMENT is 422 for a limit', alter: heads((asked) => asked.target.includes('limit='), (answer) => { answer.status = 422; }, (answer) => reasonOf(answer) === 'INVALID_ARGUMENT') },
  { id: 'err-empty-message', rule: 'ERR-13', breaks: 'the message is empty', alter: answers(everything, (json) => { json.message = ''; }, refused) },
  { id: 'err-stack', rule: 'ERR-15', breaks: 'errors show a stack', alter: answers(everything, (json) => { json.message += ' at Object.<anonymous> (/srv/app/main.ts:12:3)'; }, refused) },
  { id: 'err-powered-by', rule: 'ERR-15', breaks: 'a header names the software', alter: heads(everything, (answer) => setHeader(answer, 'X-Powered-By', 'Express'), () => true) },
  { id: 'err-other-number', rule: 'ERR-16', breaks: 'the number does not belong to the code', alter: answers(everything, (json) => { json.code = 2; }, refused) },
  { id: 'err-shows-key', rule: 'PRIV-6', breaks: 'an error repeats the key', alter: answers(everything, (json, asked) => { json.message += ` ${keyOf(asked) ?? ''}`; }, refused) },
  { id: 'err-deep-body', rule: 'ERR-14', breaks: 'a body that is too large is answered 500', alter: heads(everything, (answer) => { answer.status = 500; }, (answer) => answer.status === 413) },
  { id: 'err-slash', rule: 'ERR-19', breaks: 'a trailing slash makes no difference', alter: accepts((asked) => /\/(\?|$)/.test(asked.target), refused, { employees: [], next_page_token: '' }) },
  { id: 'err-unknown-field', rule: 'ERR-22', breaks: 'an unknown field of a body is overlooked', alter: acceptsReason('INVALID_ARGUMENT') },
  { id: 'err-cached', rule: 'ERR-25', breaks: 'answers may be cached', alter: heads(everything, (answer) => setHeader(answer, 'Cache-Control', 'max-age=60'), () => true) },
  { id: 'err-any-origin', rule: 'ERR-25', breaks: 'browsers of any origin are invited', alter: heads(everything, (answer) => setHeader(answer, 'Access-Control-Allow-Origin', '*'), () => true) },
  { id: 'err-method-override', rule: 'ERR-23', breaks: 'X-HTTP-Method-Override counts', alter: async (asked, forward) => asked.headers.some(([name]) => /method-override/i.test(name)) ? madeError('METHOD_NOT_ALLOWED') : forward(asked) },
  { id: 'err-initiator-late', rule: 'ERR-10', breaks: 'an owner without an employee is told otherwise', alter: mistaken('DOCUMENT_INITIATOR_NOT_FOUND', 'INVALID_ARGUMENT') },
  { id: 'err-precedence', rule: 'ERR-11', breaks: 'the scope comes after the body', alter: mistaken(SCOPE, 'INVALID_ARGUMENT') },
  { id: 'err-ingest-409', rule: 'ERR-12', breaks: 'ingest without a key is 409', alter: heads(everything, (answer) => { answer.status = 409; }, (answer) => reasonOf(answer) === 'INTEGRATION.IDEMPOTENCY_REQUIRED') },
  { id: 'err-options', rule: 'ERR-17', breaks: 'OPTIONS is a success', alter: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'OPTIONS' ? made(200, {}) : answer; } },
  { id: 'err-names', rule: 'ERR-20', breaks: 'a name that means something to a database is taken', alter: acceptsReason('INVALID_ARGUMENT') },
  { id: 'err-gzip-refused', rule: 'ERR-18', breaks: 'gzip bodies are refused', alter: async (asked, forward) => headerOf(asked, 'content-encoding') === 'gzip' ? madeError('UNSUPPORTED_MEDIA_TYPE') : forward(asked) },
  { id: 'err-first-type-counts', rule: 'ERR-18', breaks: 'of two Content-Type fields the first counts', alter: asks(everything, (asked) => setHeader(asked, 'Content-Type', headerOf(asked, 'content-type'))) },
  { id: 'err-number-rounded', rule: 'ERR-27', breaks: 'a number is taken as what it is read as', alter: asks(everything, (asked) => { const json = parse(asked.body); if (json !== undefined) asked.body = jsonBody(json); }) },
  { id: 'err-number-other-notation', rule: 'ERR-27', breaks: 'a number in another notation is refused', alter: async (asked, forward) => /1\.50|15e-1|1E2/.test(asked.body.toString()) ? madeError('INVALID_ARGUMENT', 'template_values.n[0]') : forward(asked) },
  { id: 'err-one-violation', rule: 'ERR-28', breaks: 'one field is named, whatever else is wrong', alter: violations((all) => all.slice(0, 1)) },
  { id: 'err-form-first', rule: 'ERR-28', breaks: 'the meaning of fields is told once the form of all is right', alter: violations((all) => { const ofForm = all.filter(({ description }) => !OF_MEANING.test(description)); return ofForm.length > 0 ? ofForm : all; }) },
  { id: 'err-gzip-bomb', rule: 'ERR-24', breaks: 'a gzip body is counted before it is unpacked', alter: accepts(everything, (answer) => answer.status === 413) },

  { id: 'login-no-type', rule: 'LOGIN-1', breaks: 'a login method has no type', alter: answers('listLoginMethods', (json) => { for (const one of json.items) delete one.type; }) },
  { id: 'login-needs-scope', rule: 'LOGIN-2', breaks: 'a key without scopes may not read it', alter: refuses('listLoginMethods', 'SCOPE_INSUFFICIENT') },
  { id: 'login-bad-key', rule: 'LOGIN-3', breaks: 'a bad key may read it', alter: acceptsReason(KEY, 'listLoginMethods') },
  { id: 'login-slug-spelling', rule: 'LOGIN-4', breaks: 'a slug is in lower case', alter: answers('listLoginMethods', (json) => { for (const one of json.items) one.slug = one.slug.toLowerCase(); }) },
  { id: 'login-slug-twice', rule: 'LOGIN-5', breaks: 'a slug is listed twice', alter: rows('listLoginMethods', (list) => [...list, list[0]]) },
  { id: 'login-off-listed', rule: 'LOGIN-6', breaks: 'a method that is off is listed', alter: answers('listLoginMethods', (json) => { json.items[0].enabled = false; }) },
];
