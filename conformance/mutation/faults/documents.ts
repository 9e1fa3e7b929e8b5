// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in documents: creation, reading, files, idempotency, routes and rejections. */
import type { OperationId } from '../../../generated/operations.ts';
import {
  accepts,
  acceptsReason,
  answers,
  asks,
  bodies,
  each,
  everything,
  headerOf,
  heads,
  type Json,
  jsonBody,
  keyed,
  made,
  mistaken,
  parse,
  permits,
  queries,
  reasonOf,
  refusals,
  refuses,
  rows,
  setHeader,
  stale,
  without,
} from '../alter.ts';
import type { Alter, Answered, Asked, Fault, Memory } from '../fault.ts';

const CREATE = 'createDocument';
const LIST = 'listDocuments';
const ONE = 'getDocument';
const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;
const SHOWN = [CREATE, LIST, ONE, ...ACTIONS] as const;
const INVALID = 'INVALID_ARGUMENT';
const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';
const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';
const TYPES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;
const SCHEMAS = ['listDocumentTemplates', 'getDocumentTemplate'] as const;

/** Answers a refused request with a document that the operation has returned before. */
const lenient = (which: OperationId | readonly OperationId[], reason = INVALID): Alter =>
  accepts(which, (answer) => reasonOf(answer) === reason, { document: { id: UNKNOWN } });
const shown = (change: (document: Json, asked: Asked, memory: Memory) => void): Alter => each(SHOWN, change);
const idempotencyKey = (asked: Asked) => headerOf(asked, 'idempotency-key');
const withoutKey: Alter = asks(CREATE, (asked) => setHeader(asked, 'Idempotency-Key', undefined));
/** Answers a refused action with the document as it is. */
const nothingHappened =
  (which: OperationId | readonly OperationId[], reason?: string): Alter =>
  async (asked, forward) => {
    const answer = await forward(asked);
    if (asked.operation === undefined || ![which].flat().includes(asked.operation) || answer.status < 400 || (reason !== undefined && reasonOf(answer) !== reason)) return answer;
    return forward({ ...asked, method: 'GET', target: asked.target.replace(/\/_\w+$/, ''), body: Buffer.alloc(0), headers: asked.headers.filter(([name]) => !/^content-/i.test(name)) });
  };
const visible = permits([ONE, 'downloadDocument', ...ACTIONS], 'full', (answer) => answer.status === 404);
const participants = (document: Json): Json[] => (document.route?.steps ?? []).flatMap((step: Json) => step.participants);

const catalogues: readonly Fault[] = [
  { id: 'dt-field-lost', rule: 'DT-1', breaks: 'a type has no subject_type', alter: rows('listDocumentTypes', (list) => list.map(({ subject_type, ...one }: Json) => one)) },
  { id: 'dt-text-boolean', rule: 'DT-1', breaks: 'allow_api is a text', alter: rows('listDocumentTypes', (list) => list.map((one: Json) => ({ ...one, allow_api: String(one.allow_api) }))) },
  { id: 'dt-limit-refused', rule: 'DT-3', breaks: 'a limit above the maximum is refused', alter: refuses(TYPES, INVALID, (asked) => /limit=\d{4,}/.test(asked.target) && !asked.target.includes('limit=1000')) },
  { id: 'dt-malformed-token', rule: 'DT-4', breaks: 'a malformed token means the first page', alter: acceptsReason(INVALID, TYPES) },
  { id: 'dt-category-ignored', rule: 'DT-5', breaks: 'the category filter does nothing', alter: without(TYPES, 'category_id') },
  { id: 'dt-hidden-listed', rule: 'DT-6', breaks: 'types that the owner may not see are listed', alter: keyed(TYPES, 'restricted_owner', 'full') },
  { id: 'dt-type-twice', rule: 'DT-7', breaks: 'a type is listed twice', alter: rows('listDocumentTypes', (list) => [...list, ...list.slice(0, 1)]) },
  { id: 'dt-token-unbound', rule: 'DT-8', breaks: 'a token is taken with another category', alter: acceptsReason(INVALID, TYPES) },
  { id: 'dt-odd-limit', rule: 'DT-9', breaks: 'an odd limit means the default', alter: acceptsReason(INVALID, TYPES) },
  { id: 'dt-other-tenant', rule: 'DT-10', breaks: 'catalogues of another tenant are shown', alter: keyed([...TYPES, 'getDocumentTemplate'], 'any', 'other_tenant') },
  { id: 'dt-template-differs', rule: 'DT-11', breaks: 'a template read alone has another title', alter: answers('getDocumentTemplate', (json) => { json.document_template.title += '.'; }) },
  { id: 'dt-unknown-template', rule: 'DT-12', breaks: 'an unknown version shows the newest', alter: accepts('getDocumentTemplate', (answer) => answer.status === 404, { document_template: { id: UNKNOWN } }) },
  { id: 'dt-odd-version', rule: 'DT-13', breaks: 'a version that is no number is overlooked', alter: acceptsReason(INVALID, 'getDocumentTemplate') },
  { id: 'dt-type-filter-ignored', rule: 'DT-14', breaks: 'templates are not filtered by type', alter: without('listDocumentTemplates', 'type_id') },
  { id: 'dt-unknown-parameter', rule: 'DT-15', breaks: 'an unknown parameter is overlooked', alter: acceptsReason(INVALID) },
  { id: 'dt-default-50', rule: 'DT-2', breaks: 'without limit a page has ten types', alter: queries('listDocumentTypes', (query) => { if (!query.has('limit')) query.set('limit', '10'); }) },
];

const creation: readonly Fault[] = [
  { id: 'doc-read-differs', rule: 'DOC-1', breaks: 'a new document is read back with another title', alter: answers(ONE, (json) => { json.document.title += ' '; }) },
  { id: 'doc-not-made', rule: 'DOC-1', breaks: 'a creation is answered and made never', alter: answers(CREATE, (json) => { json.document.id = UNKNOWN; }) },
  { id: 'doc-new-is-sent', rule: 'DOC-2', breaks: 'a new document is ON_APPROVAL', alter: answers(CREATE, (json) => { json.document.status = 'DOCUMENT_STATUS_ON_APPROVAL'; }) },
  { id: 'doc-new-completed', rule: 'DOC-2', breaks: 'a new document has completed_at', alter: answers(CREATE, (json) => { json.document.completed_at = json.document.create_time; }) },
  { id: 'doc-other-initiator', rule: 'DOC-3', breaks: 'the initiator is somebody else', alter: shown((one) => { one.initiator_employee_id = UNKNOWN; }) },
  { id: 'doc-no-initiator', rule: 'DOC-4', breaks: 'an owner without an employee is told that the body is wrong', alter: mistaken('DOCUMENT_INITIATOR_NOT_FOUND', INVALID) },
  { id: 'doc-no-source', rule: 'DOC-5', breaks: 'a document without template and file is made', alter: lenient(CREATE) },
  { id: 'doc-both-sources', rule: 'DOC-6', breaks: 'of template and file the template counts', alter: bodies(CREATE, (json) => { if (json.template_id) delete json.file_id; }) },
  { id: 'doc-null-source', rule: 'DOC-7', breaks: 'null for file_id is treated otherwise than declared', alter: lenient(CREATE) },
  { id: 'doc-unconfirmed', rule: 'DOC-8', breaks: 'an upload that was not confirmed is unknown', alter: mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_FOUND') },
  { id: 'doc-unknown-file', rule: 'DOC-9', breaks: 'an unknown file is a wrong field', alter: mistaken('FILE_NOT_FOUND', INVALID) },
  { id: 'doc-foreign-file-tells', rule: 'DOC-10', breaks: 'an upload of another owner is told to be taken', alter: async (asked, forward, memory) => { const answer = await forward(asked); const id = parse(asked.body)?.file_id; if (asked.operation === 'confirmFile' && answer.status === 200) memory.notes.set(parse(answer.body).file.id, true); return reasonOf(answer) === 'FILE_NOT_FOUND' && id && memory.notes.has(id) ? made(409, { ...parse(answer.body), code: 9, message: 'taken' }) : answer; } },
  { id: 'doc-file-twice', rule: 'DOC-11', breaks: 'an upload serves two documents', alter: lenient(CREATE, 'FILE.ALREADY_LINKED') },
  { id: 'doc-other-bytes', rule: 'DOC-12', breaks: 'the download has a byte more', alter: async (asked, forward) => forward(asked), storage: heads(everything, (answer, asked) => { if (asked.method === 'GET') answer.body = Buffer.concat([answer.body, Buffer.from('\n')]); }) },
  { id: 'doc-unknown-type', rule: 'DOC-13', breaks: 'an unknown type is taken', alter: lenient(CREATE) },
  { id: 'doc-impossible-date', rule: 'DOC-14', breaks: 'a day that does not exist is taken', alter: bodies(CREATE, (json) => { if (typeof json.date === 'string' && !/^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])$/.test(json.date)) json.date = '2026-01-15'; }) },
  { id: 'doc-number-as-text', rule: 'DOC-15', breaks: 'a number is taken for a text', alter: bodies(CREATE, (json) => { if (typeof json.number === 'number') json.number = String(json.number); }) },
  { id: 'doc-type-error-elsewhere', rule: 'DOC-15', breaks: 'the violation names the body and not the field', alter: refusals(INVALID, (json) => { for (const one of json.details) for (const violation of one.field_violations ?? []) violation.field = 'body'; }) },
  { id: 'doc-unknown-organization', rule: 'DOC-16', breaks: 'an unknown organisation is treated otherwise than declared', alter: lenient(CREATE) },
  { id: 'doc-subject-twice', rule: 'DOC-17', breaks: 'a subject may be named twice', alter: bodies(CREATE, (json) => { if (Array.isArray(json.subject_employee_ids)) json.subject_employee_ids = [...new Set(json.subject_employee_ids)]; }) },
  { id: 'doc-unknown-subject', rule: 'DOC-17', breaks: 'an unknown subject is left out', alter: bodies(CREATE, (json) => { if (Array.isArray(json.subject_employee_ids)) json.subject_employee_ids = json.subject_employee_ids.filter((id: unknown) => id !== UNKNOWN); }) },
  { id: 'doc-values-unchecked', rule: 'DOC-18', breaks: 'values that break the schema are taken', alter: lenient(CREATE) },
  { id: 'doc-value-unnamed', rule: 'DOC-18', breaks: 'the violation does not name the value', alter: refusals(INVALID, (json) => { for (const one of json.details) for (const violation of one.field_violations ?? []) violation.field = violation.field.replace(/^template_values.*/, 'template_values'); }) },
  { id: 'doc-unknown-version', rule: 'DOC-19', breaks: 'an unknown version means the newest', alter: bodies(CREATE, (json) => { delete json.template_version; }) },
  { id: 'doc-unknown-template', rule: 'DOC-20', breaks: 'an unknown template is 404', alter: mistaken(INVALID, 'DOCUMENT_TEMPLATE_NOT_FOUND', CREATE) },
  { id: 'doc-number-lost', rule: 'DOC-21', breaks: 'the number that was given is lost', alter: bodies(CREATE, (json) => { delete json.number; }) },
  { id: 'doc-subjects-sorted', rule: 'DOC-21', breaks: 'subjects come back in another order', alter: shown((one) => { one.subject_employee_ids?.reverse(); }) },
  { id: 'doc-hour-wrong', rule: 'DOC-23', breaks: 'create_time is an hour late', alter: answers(CREATE, (json) => { json.document.create_time = new Date(Date.parse(json.document.create_time) + 3_600_000).toISOString(); }) },
  { id: 'doc-placeholder-type', rule: 'DOC-24', breaks: 'a file has the placeholder for a type', alter: shown((one) => { for (const file of one.files ?? []) file.file_type = 'FILE_TYPE_UNSPECIFIED'; }) },
  { id: 'doc-burns-upload', rule: 'DOC-25', breaks: 'a refused creation uses the upload up', alter: async (asked, forward, memory) => { const id = parse(asked.body)?.file_id; if (asked.operation === CREATE && id && memory.notes.has(id)) return made(409, { code: 9, message: 'The upload is taken.', details: [] }); const answer = await forward(asked); if (asked.operation === CREATE && id && answer.status >= 400) memory.notes.set(id, true); return answer; } },
  { id: 'doc-two-winners', rule: 'DOC-26', breaks: 'two of simultaneous creations win', alter: lenient(CREATE, 'FILE.ALREADY_LINKED') },
  { id: 'doc-type-not-for-api', rule: 'DOC-27', breaks: 'a type that is not for the API is taken', alter: lenient(CREATE) },
  { id: 'doc-type-without-upload', rule: 'DOC-28', breaks: 'a type without uploads takes one', alter: lenient(CREATE) },
  { id: 'doc-no-title', rule: 'DOC-29', breaks: 'a missing title is filled in', alter: bodies(CREATE, (json) => { if (!json.title) json.title = 'Документ'; }) },
  { id: 'doc-no-date', rule: 'DOC-30', breaks: 'a date that was left out stays empty', alter: shown((one) => { one.date = ''; }) },
  { id: 'doc-status-given', rule: 'DOC-31', breaks: 'fields that only the service decides are overlooked', alter: bodies(CREATE, (json) => { for (const name of ['status', 'id', 'create_time', 'initiator_employee_id', 'route', 'files']) delete json[name]; }) },
  { id: 'doc-title-blank', rule: 'DOC-32', breaks: 'a title that shows nothing is taken', alter: bodies('createDocument', (json) => { if (typeof json.title === 'string' && /^[\s\p{Default_Ignorable_Code_Point}\p{Mn}]+$/u.test(json.title)) json.title = 'x'; }) },
  { id: 'doc-title-trimmed', rule: 'DOC-32', breaks: 'titles are trimmed and normalised', alter: shown((one) => { one.title = one.title?.trim().normalize('NFKC').replace(/\s+/g, ' '); }) },
  { id: 'doc-values-beside-file', rule: 'DOC-33', breaks: 'values beside a file are overlooked', alter: bodies(CREATE, (json) => { if (json.file_id) { delete json.template_values; delete json.template_version; } }) },
  { id: 'doc-size-wrong', rule: 'DOC-34', breaks: 'the rendered PDF has another size than told', alter: shown((one) => { for (const file of one.files ?? []) file.size_bytes = '1'; }) },
  { id: 'doc-odd-names', rule: 'DOC-35', breaks: 'a value with an odd name is overlooked', alter: lenient(CREATE) },
  { id: 'doc-old-version', rule: 'DOC-37', breaks: 'an earlier version is judged as the newest', alter: bodies(CREATE, (json) => { delete json.template_version; }) },
  { id: 'priv-participant-name', rule: 'PRIV-2', breaks: 'a participant has a name', alter: shown((one) => { for (const slot of participants(one)) slot.full_name = ''; }) },
  { id: 'priv-participant-key', rule: 'PRIV-2', breaks: 'a participant lacks key_type', alter: shown((one) => { for (const slot of participants(one)) delete slot.key_type; }) },
  { id: 'priv-type-says-name', rule: 'PRIV-7', breaks: 'a template names an employee', alter: async (asked, forward, memory) => { const answer = await forward(asked); const json = parse(answer.body); const person = json?.employees?.find((one: Json) => one.person?.iin)?.person ?? json?.employee?.person; if (person) memory.notes.set('person', `${person.last_name} ${person.first_name} ${person.iin}`); if (json?.document_templates?.[0] && memory.notes.has('person')) { json.document_templates[0].title = memory.notes.get('person'); answer.body = jsonBody(json); } return answer; } },
  { id: 'priv-document-says-name', rule: 'PRIV-1', breaks: 'a document holds the IIN of a participant', alter: async (asked, forward, memory) => { const answer = await forward(asked); const json = parse(answer.body); for (const one of [json?.employee, ...(json?.employees ?? [])]) if (one?.person?.iin) memory.notes.set(one.id, one.person.iin); for (const one of [json?.document, ...(json?.documents ?? [])]) for (const slot of one ? participants(one) : []) if (memory.notes.has(slot.employee_id)) { one.title += ` ${memory.notes.get(slot.employee_id)}`; answer.body = jsonBody(json); } return answer; } },
];

const idempotency: readonly Fault[] = [
  { id: 'idem-first-is-replay', rule: 'IDEM-1', breaks: 'the first answer is marked as a replay', alter: heads(CREATE, (answer, asked) => { if (idempotencyKey(asked)) for (const name of ['Idempotent-Replayed', 'Idempotency-Replayed']) setHeader(answer, name, 'true'); }) },
  { id: 'idem-not-kept', rule: 'IDEM-2', breaks: 'a repeat makes another document', alter: withoutKey },
  { id: 'idem-many', rule: 'IDEM-3', breaks: 'each repeat makes a document', alter: withoutKey },
  { id: 'idem-other-body', rule: 'IDEM-4', breaks: 'another body is answered with the first document', alter: lenient(CREATE, 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT') },
  { id: 'idem-parallel', rule: 'IDEM-5', breaks: 'simultaneous requests make a document each', alter: withoutKey },
  { id: 'idem-no-retry-after', rule: 'IDEM-6', breaks: 'IDEMPOTENCY_IN_PROGRESS has no Retry-After', alter: heads(everything, (answer) => setHeader(answer, 'Retry-After', undefined), (answer) => answer.status === 409) },
  { id: 'idem-shared-by-keys', rule: 'IDEM-7', breaks: 'a key counts for all API keys', alter: keyed(CREATE, 'any', 'full') },
  { id: 'idem-too-short', rule: 'IDEM-8', breaks: 'a key is forgotten before its 24 hours end', alter: withoutKey },
  { id: 'idem-too-long', rule: 'IDEM-9', breaks: 'a key is remembered after its 24 hours', alter: stale(CREATE) },
  { id: 'idem-without-header', rule: 'IDEM-10', breaks: 'equal bodies without a header are one document', alter: stale(CREATE) },
  { id: 'idem-old-answer', rule: 'IDEM-11', breaks: 'a replay shows the document as it was', alter: stale(CREATE) },
  { id: 'idem-replay-any-sight', rule: 'IDEM-12', breaks: 'a replay shows what the owner may not see', alter: lenient(CREATE, 'DOCUMENT_NOT_FOUND') },
  { id: 'idem-replay-deleted', rule: 'IDEM-13', breaks: 'a replay shows a document that was deleted', alter: lenient(CREATE, 'DOCUMENT_NOT_FOUND') },
  { id: 'idem-order-of-fields', rule: 'IDEM-14', breaks: 'another order of fields is treated otherwise than declared', alter: async (asked, forward) => { const answer = await forward(asked); if (asked.operation !== CREATE) return answer; return answer.status === 200 && headerOf(answer, 'idempotency-replayed') === undefined && headerOf(answer, 'idempotent-replayed') === undefined ? answer : made(409, { code: 6, message: 'Another body.', details: [] }); } },
  { id: 'idem-files-replayed', rule: 'IDEM-16', breaks: 'reservations with one key are one upload', alter: stale('reserveFile') },
  { id: 'idem-actions-replayed', rule: 'IDEM-17', breaks: 'actions with one key are replayed', alter: nothingHappened(ACTIONS, STATE) },
  { id: 'idem-malformed', rule: 'IDEM-18', breaks: 'a malformed key is overlooked', alter: asks(CREATE, (asked) => { const key = idempotencyKey(asked); if (key !== undefined && !/^[\w-]{1,64}$/.test(key)) setHeader(asked, 'Idempotency-Key', undefined); }) },
  { id: 'idem-upload-repeat', rule: 'IDEM-21', breaks: 'a repeat finds its upload taken', alter: withoutKey },
  { id: 'idem-refusal-frees', rule: 'IDEM-22', breaks: 'a refusal frees the key', alter: async (asked, forward, memory) => { const next = { ...asked, headers: [...asked.headers] }; if (memory.notes.has('freed')) setHeader(next, 'Idempotency-Key', undefined); const answer = await forward(next); if (asked.operation === CREATE && answer.status >= 400) memory.notes.set('freed', true); return answer; } },
  { id: 'idem-two-bodies', rule: 'IDEM-23', breaks: 'two bodies with one key make two documents', alter: withoutKey },
];

const reading: readonly Fault[] = [
  { id: 'read-list-differs', rule: 'DREAD-1', breaks: 'the list has another status than the read', alter: rows(LIST, (list) => list.map((one: Json) => ({ ...one, number: `${one.number}0` }))) },
  { id: 'read-other-tenant', rule: 'DREAD-2', breaks: 'a document of another tenant can be read', alter: permits(ONE, 'full', (answer) => answer.status === 404) },
  { id: 'read-hidden', rule: 'DREAD-3', breaks: 'a document out of view can be read', alter: visible },
  { id: 'read-hidden-403', rule: 'DREAD-3', breaks: 'acting on a document out of view is 403', alter: async (asked, forward) => { const answer = await forward(asked); return answer.status === 404 && asked.operation !== ONE && !asked.target.includes(UNKNOWN) ? { ...answer, status: 403 } : answer; } },
  { id: 'read-type-ignored', rule: 'DREAD-4', breaks: 'the type filter does nothing', alter: without(LIST, 'type_id') },
  { id: 'read-type-first-only', rule: 'DREAD-4', breaks: 'of several types the first counts', alter: queries(LIST, (query) => { const [first] = query.getAll('type_id'); if (first) query.set('type_id', first); }) },
  { id: 'read-created-after-ignored', rule: 'DREAD-5', breaks: 'created_after does nothing', alter: without(LIST, 'created_after') },
  { id: 'read-created-after-shifts', rule: 'DREAD-5', breaks: 'created_after is off by a millisecond', alter: queries(LIST, (query) => { const after = query.get('created_after'); if (after && Number.isFinite(Date.parse(after))) query.set('created_after', new Date(Date.parse(after) - 1).toISOString()); }) },
  { id: 'read-search-ignored', rule: 'DREAD-6', breaks: 'search does nothing', alter: without(LIST, 'search') },
  { id: 'read-search-pattern', rule: 'DREAD-6', breaks: 'a point in search matches any character', alter: queries(LIST, (query) => { const text = query.get('search'); if (text) query.set('search', text.slice(0, 1)); }) },
  { id: 'read-unknown-parameter', rule: 'DREAD-7', breaks: 'an unknown parameter is overlooked', alter: lenient(LIST) },
  { id: 'read-lists-hidden', rule: 'DREAD-8', breaks: 'the list holds what its reader may not read', alter: keyed(LIST, 'any', 'full') },
  { id: 'read-any-file', rule: 'DREAD-9', breaks: 'a file of another document is downloaded as the own one', alter: queries('downloadDocument', (query) => query.delete('file_id')) },
  { id: 'read-other-version', rule: 'DREAD-10', breaks: 'a template shows another version than it has', alter: each(SCHEMAS, (one) => { one.version += 1; }) },
  { id: 'read-catalogues-need-write', rule: 'DREAD-11', breaks: 'a key with documents:read cannot read templates', alter: refuses('listDocumentTemplates', 'SCOPE_INSUFFICIENT') },
  { id: 'read-oldest-first', rule: 'DREAD-12', breaks: 'documents are listed oldest first', alter: rows(LIST, (list) => list.toReversed()) },
  { id: 'read-subject-early', rule: 'DREAD-13', breaks: 'a subject reads the draft', alter: visible },
  { id: 'read-subject-never', rule: 'DREAD-13', breaks: 'a subject does not read what was sent', alter: async (asked, forward, memory) => { const full = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => memory.key('full', n)); const answer = await forward(asked); return asked.operation === ONE && !full.includes(headerOf(asked, 'x-api-key') ?? '') ? { ...answer, status: 404 } : answer; } },
  { id: 'read-participant-early', rule: 'DREAD-14', breaks: 'a participant reads before his step is active', alter: visible },
  { id: 'read-hidden-type', rule: 'DREAD-15', breaks: 'a subject reads a document of a type out of view', alter: visible },
  { id: 'read-inline', rule: 'DREAD-16', breaks: 'a download is shown instead of saved', storage: heads(everything, (answer) => setHeader(answer, 'Content-Disposition', 'inline')) },
  { id: 'read-altered-url', rule: 'DREAD-18', breaks: 'an altered URL is good', storage: async (asked, forward) => { const answer = await forward(asked); return answer.status >= 400 ? { ...answer, status: 200, body: Buffer.from('%PDF-') } : answer; } },
  { id: 'read-url-for-ever', rule: 'DREAD-17', breaks: 'a URL never ends', storage: async (asked, forward, memory) => { const answer = await forward(asked); if (answer.status === 200) memory.notes.set('file', answer); return (memory.notes.get('file') as Answered | undefined) ?? answer; } },
  { id: 'read-draft-visible', rule: 'DREAD-19', breaks: 'a draft is visible to everybody', alter: visible },
  { id: 'read-odd-id-500', rule: 'DREAD-20', breaks: 'an odd id is answered 500', alter: heads(everything, (answer) => { answer.status = 500; }, (answer) => answer.status === 404 || answer.status === 400) },
  { id: 'read-token-unbound', rule: 'DREAD-21', breaks: 'a token is taken with another filter', alter: lenient(LIST) },
  { id: 'read-sniffed', rule: 'DREAD-22', breaks: 'browsers may guess at the type of a download', storage: heads(everything, (answer) => setHeader(answer, 'X-Content-Type-Options', undefined)) },
];

const files: readonly Fault[] = [
  { id: 'file-born-uploaded', rule: 'FILE-1', breaks: 'a reservation is UPLOADED at once', alter: answers('reserveFile', (json) => { json.file.status = 'FILE_UPLOAD_STATUS_UPLOADED'; }) },
  { id: 'file-form-holds-key', rule: 'FILE-2', breaks: 'the form holds the API key', alter: answers('reserveFile', (json, asked) => { json.upload.fields['x-amz-meta-key'] = headerOf(asked, 'x-api-key'); }) },
  { id: 'file-any-type', rule: 'FILE-3', breaks: 'another content type is reserved', alter: lenient('reserveFile') },
  { id: 'file-too-large', rule: 'FILE-4', breaks: 'a byte more than the largest size is reserved', alter: lenient('reserveFile') },
  { id: 'file-size-zero', rule: 'FILE-5', breaks: 'a size of zero is reserved', alter: lenient('reserveFile') },
  { id: 'file-confirmed-without-bytes', rule: 'FILE-6', breaks: 'an upload without bytes is confirmed', alter: accepts('confirmFile', (answer) => reasonOf(answer) === 'FILE.NOT_UPLOADED', { file: { id: UNKNOWN, status: 'FILE_UPLOAD_STATUS_UPLOADED' } }) },
  { id: 'file-not-uploaded-is-404', rule: 'FILE-6', breaks: 'an upload without bytes is unknown', alter: mistaken('FILE.NOT_UPLOADED', 'FILE_NOT_FOUND') },
  { id: 'file-stays-reserved', rule: 'FILE-7', breaks: 'a confirmed upload is still RESERVED', alter: answers('confirmFile', (json) => { json.file.status = 'FILE_UPLOAD_STATUS_RESERVED'; }) },
  { id: 'file-second-confirmation', rule: 'FILE-8', breaks: 'a second confirmation is a state error', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation !== 'confirmFile' || answer.status !== 200) return answer; const again = memory.notes.has(asked.target); memory.notes.set(asked.target, true); return again ? made(409, { code: 9, message: 'Confirmed already.', details: [] }) : answer; } },
  { id: 'file-larger', rule: 'FILE-9', breaks: 'an object larger than reserved is confirmed', alter: accepts('confirmFile', (answer) => answer.status >= 400, { file: { id: UNKNOWN } }) },
  { id: 'file-smaller', rule: 'FILE-10', breaks: 'an object smaller than reserved is treated otherwise than declared', alter: answers('confirmFile', (json, _asked, memory) => { const reserved = memory.successes.get('reserveFile'); if (reserved) json.file.size_bytes = parse(reserved.body).file.size_bytes; }) },
  { id: 'file-unknown-400', rule: 'FILE-11', breaks: 'a malformed id is a wrong argument', alter: mistaken('FILE_NOT_FOUND', INVALID) },
  { id: 'file-of-another-owner', rule: 'FILE-12', breaks: 'an upload of another owner is confirmed', alter: permits('confirmFile', 'second_owner', (answer) => answer.status === 404) },
  { id: 'file-key-owns', rule: 'FILE-13', breaks: 'an upload belongs to the key, not the owner', alter: async (asked, forward, memory) => { const answer = await forward(asked); return asked.operation === 'confirmFile' && headerOf(asked, 'x-api-key') === memory.key('second_key_same_owner') ? { ...answer, status: 404 } : answer; } },
  { id: 'file-size-rounded', rule: 'FILE-14', breaks: 'size_bytes is rounded to kilobytes', alter: answers('confirmFile', (json) => { json.file.size_bytes = String(Math.ceil(json.file.size_bytes / 1024) * 1024); }) },
  { id: 'file-name-ascii', rule: 'FILE-15', breaks: 'a filename comes back in ASCII', alter: answers('reserveFile', (json) => { json.file.filename = json.file.filename.replace(/[^ -~]/gu, '_'); }) },
  { id: 'file-name-any', rule: 'FILE-15', breaks: 'a filename with separators is taken', alter: lenient('reserveFile') },
  { id: 'file-form-unchecked', rule: 'FILE-16', breaks: 'storage takes a form that was altered', storage: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'POST' && answer.status >= 400 ? { status: 204, headers: [], body: Buffer.alloc(0) } : answer; } },
  { id: 'file-form-for-ever', rule: 'FILE-17', breaks: 'a form never ends', storage: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'POST' && answer.status >= 400 ? { status: 204, headers: [], body: Buffer.alloc(0) } : answer; } },
  { id: 'file-taken-refused', rule: 'FILE-18', breaks: 'confirming what a document took is refused', alter: refuses('confirmFile', 'FILE_ALREADY_LINKED', (_asked, memory) => memory.successes.has(CREATE)) },
  { id: 'file-other-body-id', rule: 'FILE-19', breaks: 'another file_id in the body is treated otherwise than declared', alter: async (asked, forward) => { const next = { ...asked }; if (asked.operation === 'confirmFile') next.body = Buffer.from('{}'); const answer = await forward(next); return answer; } },
  { id: 'file-not-pdf', rule: 'FILE-21', breaks: 'bytes that are no PDF are treated otherwise than declared', alter: async (asked, forward) => { const answer = await forward(asked); if (asked.operation !== 'confirmFile') return answer; return answer.status === 200 ? made(400, { code: 3, message: 'No.', details: [] }) : made(200, { file: { id: UNKNOWN } }); } },
  { id: 'file-reserved-once', rule: 'FILE-22', breaks: 'equal reservations are one upload', alter: stale('reserveFile') },
  { id: 'file-storage-any-size', rule: 'FILE-23', breaks: 'storage takes more than the largest size', storage: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'POST' && answer.status >= 400 ? { status: 204, headers: [], body: Buffer.alloc(0) } : answer; } },
  { id: 'file-late-confirmed', rule: 'FILE-25', breaks: 'an upload is confirmed although its time is over', alter: accepts('confirmFile', (answer) => answer.status >= 400, { file: { id: UNKNOWN } }) },
  { id: 'file-field-left-out', rule: 'FILE-26', breaks: 'a reservation without a filename is taken', alter: bodies('reserveFile', (json) => { json.filename ??= 'file.pdf'; }) },
  { id: 'file-confirm-any-field', rule: 'FILE-27', breaks: 'an unknown field of a confirmation is overlooked', alter: bodies('confirmFile', (json) => (json.file_id === undefined ? {} : json)) },
  { id: 'file-storage-readable', rule: 'FILE-28', breaks: 'storage is open to readers', storage: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'GET' ? { ...answer, status: 200, body: Buffer.from('%PDF') } : asked.method === 'HEAD' ? { ...answer, status: 200 } : answer; } },
  { id: 'err-file-unknown', rule: 'ERR-5', breaks: 'a file of another document is a wrong argument', alter: mistaken('FILE_NOT_FOUND', INVALID) },
  { id: 'err-file-unconfirmed', rule: 'ERR-6', breaks: 'an upload that was not confirmed is told as not uploaded', alter: mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_UPLOADED') },
  { id: 'err-file-linked', rule: 'ERR-7', breaks: 'an upload that is taken is told as unknown', alter: mistaken('FILE.ALREADY_LINKED', 'FILE_NOT_FOUND') },
  { id: 'err-file-not-uploaded', rule: 'ERR-8', breaks: 'missing bytes are told as a wrong size', alter: mistaken('FILE.NOT_UPLOADED', 'FILE_SIZE_MISMATCH') },
  { id: 'err-file-size', rule: 'ERR-9', breaks: 'too many bytes are told as missing', alter: mistaken('FILE.SIZE_MISMATCH', 'FILE_NOT_UPLOADED') },
  { id: 'err-document-order', rule: 'ERR-26', breaks: 'the state is told before who may', alter: async (asked, forward) => { const answer = await forward(asked); return reasonOf(answer) === 'DOCUMENT.ACTION_NOT_ALLOWED' ? made(409, { ...parse(answer.body), code: 9 }) : answer; } },
];

const walk = (change: (document: Json) => void): Alter => shown((one) => change(one));
const flow: readonly Fault[] = [
  { id: 'flow-approval-unsaid', rule: 'FLOW-1', breaks: 'a document that was sent still is a DRAFT', alter: answers('sendDocument', (json) => { json.document.status = 'DOCUMENT_STATUS_DRAFT'; }) },
  { id: 'flow-upload-never-completes', rule: 'FLOW-2', breaks: 'a document from an upload is never COMPLETED', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_COMPLETED') one.status = 'DOCUMENT_STATUS_ON_SIGN'; }) },
  { id: 'flow-send-without-route', rule: 'FLOW-3', breaks: 'a draft without a route is sent', alter: async (asked, forward) => { const answer = await forward(asked); return asked.operation === 'sendDocument' && answer.status >= 400 ? made(200, { document: { id: UNKNOWN } }) : answer; } },
  { id: 'flow-send-twice', rule: 'FLOW-4', breaks: 'a repeated send is answered as done', alter: nothingHappened('sendDocument', STATE) },
  { id: 'flow-approve-twice', rule: 'FLOW-5', breaks: 'a repeated approval is answered as done', alter: nothingHappened('approveDocument', STATE) },
  { id: 'flow-sign-twice', rule: 'FLOW-6', breaks: 'a repeated signature is answered as done', alter: nothingHappened('signDocument', STATE) },
  { id: 'flow-early-turn', rule: 'FLOW-7', breaks: 'a slot whose turn has not come is answered as done', alter: accepts(['approveDocument', 'signDocument'], (answer) => answer.status >= 400, { document: { id: UNKNOWN } }) },
  { id: 'flow-any-slot', rule: 'FLOW-8', breaks: 'the slot that is named is overlooked', alter: bodies(['approveDocument', 'signDocument', 'rejectDocument'], (json) => { delete json.participant_id; }) },
  { id: 'flow-completed-early', rule: 'FLOW-9', breaks: 'completed_at is set at the send', alter: walk((one) => { if (one.status?.endsWith('ON_SIGN')) one.completed_at = one.update_time; }) },
  { id: 'flow-no-signed-pdf', rule: 'FLOW-9', breaks: 'the signed PDF is not listed', alter: walk((one) => { one.files = one.files?.filter((file: Json) => file.file_type !== 'FILE_TYPE_SIGNED_PDF'); }) },
  { id: 'flow-changes-go-on', rule: 'FLOW-10', breaks: 'a document with a request for changes is sent as it is', alter: nothingHappened('sendDocument', STATE) },
  { id: 'flow-revoked-route', rule: 'FLOW-11', breaks: 'the route of a revoked document is not CANCELLED', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_REVOKED') for (const step of one.route?.steps ?? []) step.status = 'STEP_STATUS_PENDING'; }) },
  { id: 'flow-revoked-forgotten', rule: 'FLOW-11', breaks: 'a revoked document is shown as it was', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_REVOKED') one.status = 'DOCUMENT_STATUS_ON_SIGN'; }) },
  { id: 'flow-deleted-listed', rule: 'FLOW-12', breaks: 'a deleted document stays readable', alter: accepts(ONE, (answer) => answer.status === 404, { document: { id: UNKNOWN } }) },
  { id: 'flow-step-not-cancelled', rule: 'FLOW-13', breaks: 'a step that waits is ACTIVE as well', alter: walk((one) => { const steps = one.route?.steps ?? []; const last = steps.at(-1); if (last && steps.length > 1 && last.status === 'STEP_STATUS_PENDING') last.status = 'STEP_STATUS_ACTIVE'; }) },
  { id: 'flow-status-unlike-route', rule: 'FLOW-13', breaks: 'the status does not fit the route', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_ON_APPROVAL') one.status = 'DOCUMENT_STATUS_ON_SIGN'; }) },
  { id: 'flow-walk-forbidden', rule: 'FLOW-14', breaks: 'a forbidden move is answered as done', alter: nothingHappened(['approveDocument', 'signDocument', 'sendDocument'], STATE) },
  { id: 'flow-walk-lost', rule: 'FLOW-14', breaks: 'a permitted approval is refused', alter: refuses('approveDocument', 'DOCUMENT_INVALID_STATUS_TRANSITION') },
  { id: 'flow-route-after-send', rule: 'FLOW-15', breaks: 'a route is set after the send', alter: nothingHappened('setDocumentRoute', STATE) },
  { id: 'flow-two-approvals', rule: 'FLOW-16', breaks: 'two simultaneous approvals succeed', alter: nothingHappened('approveDocument', STATE) },
  { id: 'flow-route-added', rule: 'FLOW-17', breaks: 'a second route keeps steps of the first', alter: answers('setDocumentRoute', (json, _asked, memory) => { const before = memory.notes.get('steps') as Json[] | undefined; memory.notes.set('steps', structuredClone(json.document.route.steps)); if (before) json.document.route.steps = [...before, ...json.document.route.steps]; }) },
  { id: 'flow-any-is-all', rule: 'FLOW-18', breaks: 'ANY waits for everybody', alter: bodies('setDocumentRoute', (json) => { for (const step of json.steps ?? []) if (step.rule === 'STEP_RULE_ANY') step.rule = 'STEP_RULE_ALL'; }) },
  { id: 'flow-no-skip', rule: 'FLOW-18', breaks: 'the others of an ANY step are not SKIPPED', alter: walk((one) => { for (const slot of participants(one)) if (slot.status === 'PARTICIPANT_STATUS_SKIPPED') slot.status = 'PARTICIPANT_STATUS_PENDING'; }) },
  { id: 'flow-any-route', rule: 'FLOW-19', breaks: 'a route that breaks a rule is taken', alter: lenient('setDocumentRoute') },
  { id: 'flow-route-last-step', rule: 'FLOW-19', breaks: 'the place in the route is not named', alter: refusals(INVALID, (json) => { for (const one of json.details) for (const violation of one.field_violations ?? []) violation.field = 'steps'; }) },
  { id: 'flow-anybody-sends', rule: 'FLOW-20', breaks: 'who sees the document may send it', alter: permits(['sendDocument', 'setDocumentRoute'], 'full', (answer) => answer.status === 403) },
  { id: 'flow-sign-for-approve', rule: 'FLOW-21', breaks: 'signing in an approval step is taken', alter: accepts(['signDocument', 'approveDocument'], (answer) => reasonOf(answer) === INVALID, { document: { id: UNKNOWN } }) },
  { id: 'flow-rejected-moves', rule: 'FLOW-22', breaks: 'a rejected document is sent again', alter: nothingHappened(['sendDocument', 'approveDocument', 'signDocument'], STATE) },
  { id: 'flow-unknown-409', rule: 'FLOW-23', breaks: 'an action on an unknown document is a state error', alter: mistaken('DOCUMENT_NOT_FOUND', 'DOCUMENT_INVALID_STATUS_TRANSITION', ACTIONS) },
  { id: 'flow-anybody-participates', rule: 'FLOW-24', breaks: 'anybody may be a participant', alter: lenient('setDocumentRoute') },
  { id: 'flow-two-sends', rule: 'FLOW-25', breaks: 'two simultaneous sends succeed', alter: nothingHappened('sendDocument', STATE) },
  { id: 'flow-signature-lost', rule: 'FLOW-26', breaks: 'of simultaneous signatures one is lost', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_COMPLETED') { const [slot] = participants(one); if (slot) slot.status = 'PARTICIPANT_STATUS_PENDING'; } }) },
  { id: 'flow-index-from-one', rule: 'FLOW-27', breaks: 'steps are counted from 1', alter: walk((one) => { for (const step of one.route?.steps ?? []) step.index += 1; }) },
  { id: 'flow-rule-not-filled', rule: 'FLOW-27', breaks: 'a rule that was left out is ANY', alter: bodies('setDocumentRoute', (json) => { for (const step of json.steps ?? []) step.rule ??= 'STEP_RULE_ANY'; }) },
  { id: 'flow-subject-blind', rule: 'FLOW-28', breaks: 'a participant sees the document before his step', alter: visible },
  { id: 'flow-time-stands', rule: 'FLOW-29', breaks: 'update_time never moves', alter: walk((one) => { one.update_time = one.create_time; }) },
  { id: 'flow-cms-not-kept', rule: 'FLOW-30', breaks: 'the CMS is no file of the document', alter: walk((one) => { one.files = one.files?.filter((file: Json) => !/SIGNATURE|CMS|P7S/i.test(file.file_type)); }) },
  { id: 'flow-cms-any', rule: 'FLOW-31', breaks: 'a signature that is damaged is taken', alter: lenient('signDocument') },
  { id: 'flow-cms-again', rule: 'FLOW-31', breaks: 'a signature of one document signs another of the same bytes', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation !== 'signDocument') return answer; const key = `of ${parse(asked.body)?.signature?.value}`; if (answer.status === 200) memory.notes.set(key, answer); return (memory.notes.get(key) as Answered | undefined) ?? answer; } },
  { id: 'flow-cms-in-simple', rule: 'FLOW-32', breaks: 'a signature in a SIMPLE slot is overlooked', alter: bodies('signDocument', (json) => { delete json.signature; }) },
  { id: 'flow-any-body', rule: 'FLOW-33', breaks: 'an unknown field of an action is overlooked', alter: bodies(['sendDocument', 'approveDocument', 'signDocument'], () => ({})) },
  { id: 'flow-manager-revoked', rule: 'FLOW-35', breaks: 'a document that the manager revoked is shown as it was', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_REVOKED') one.status = 'DOCUMENT_STATUS_ON_APPROVAL'; }) },
  { id: 'flow-any-counts-two', rule: 'FLOW-36', breaks: 'two approvals of an ANY step count', alter: nothingHappened('approveDocument') },
  { id: 'flow-odd-500', rule: 'FLOW-38', breaks: 'odd values are answered 500', alter: heads(ACTIONS, (answer) => { answer.status = 500; }, (answer) => reasonOf(answer) === INVALID) },
];

const REJECT = 'rejectDocument';
const rejection: readonly Fault[] = [
  { id: 'rej-status-stays', rule: 'REJ-1', breaks: 'a rejected document is still ON_APPROVAL', alter: walk((one) => { if (one.status === 'DOCUMENT_STATUS_REJECTED') one.status = 'DOCUMENT_STATUS_ON_APPROVAL'; }) },
  { id: 'rej-signing-refused', rule: 'REJ-2', breaks: 'a signing step cannot be rejected', alter: refuses(REJECT, INVALID) },
  ...(['REJ-3', 'REJ-4', 'REJ-5', 'REJ-6'] as const).map((rule, at): Fault => ({ id: `rej-accepts-${['draft', 'completed', 'rejected', 'revoked'][at]}`, rule, breaks: `a rejection of a ${['draft', 'completed', 'rejected', 'revoked'][at]} document is answered as done`, alter: nothingHappened(REJECT, INVALID) })),
  { id: 'rej-draft-is-409', rule: 'REJ-3', breaks: 'a rejection of a draft is a state error', alter: mistaken(INVALID, 'DOCUMENT_INVALID_STATUS_TRANSITION', REJECT) },
  { id: 'rej-no-comment', rule: 'REJ-7', breaks: 'a missing comment is filled in', alter: asks(REJECT, (asked) => { const json = parse(asked.body) ?? {}; json.comment ??= 'Отклонено.'; asked.body = jsonBody(json); setHeader(asked, 'Content-Type', 'application/json'); }) },
  { id: 'rej-empty-comment', rule: 'REJ-8', breaks: 'an empty comment is taken', alter: bodies(REJECT, (json) => { if (json.comment === '') json.comment = 'x'; }) },
  { id: 'rej-blank-comment', rule: 'REJ-9', breaks: 'a comment of characters without width is taken', alter: bodies(REJECT, (json) => { if (typeof json.comment === 'string' && !json.comment.replace(/[\s\u200b-\u200d\u2060\u00ad\ufeff]/g, '')) json.comment = 'x'; }) },
  { id: 'rej-number-comment', rule: 'REJ-10', breaks: 'a comment that is a number is taken', alter: bodies(REJECT, (json) => { if (typeof json.comment !== 'string') json.comment = String(json.comment); }) },
  { id: 'rej-long-comment', rule: 'REJ-10', breaks: 'a long comment is cut', alter: bodies(REJECT, (json) => { if (typeof json.comment === 'string') json.comment = Array.from(json.comment).slice(0, 500).join(''); }) },
  { id: 'rej-any-slot', rule: 'REJ-11', breaks: 'the slot that is named is overlooked', alter: bodies(REJECT, (json) => { delete json.participant_id; }) },
  { id: 'rej-without-slot', rule: 'REJ-12', breaks: 'who has no slot is told that nothing is there', alter: mistaken(INVALID, 'DOCUMENT_NOT_FOUND', REJECT) },
  { id: 'rej-slot-needed', rule: 'REJ-13', breaks: 'participant_id must be given', alter: refuses(REJECT, INVALID) },
  { id: 'rej-unknown', rule: 'REJ-14', breaks: 'an unknown document is a wrong argument', alter: mistaken('DOCUMENT_NOT_FOUND', INVALID) },
  { id: 'rej-other-tenant', rule: 'REJ-15', breaks: 'a document of another tenant is a wrong argument', alter: mistaken('DOCUMENT_NOT_FOUND', INVALID) },
  { id: 'rej-hidden', rule: 'REJ-16', breaks: 'a document out of view is told apart', alter: async (asked, forward) => { const answer = await forward(asked); const json = parse(answer.body); if (answer.status === 404 && !asked.target.includes(UNKNOWN)) { json.message = 'No access.'; answer.body = jsonBody(json); } return answer; } },
  { id: 'rej-malformed', rule: 'REJ-17', breaks: 'a malformed id is answered otherwise than declared', alter: async (asked, forward) => { const answer = await forward(asked); return asked.operation === REJECT && answer.status >= 400 ? { ...answer, status: 422 } : answer; } },
  { id: 'rej-body-id', rule: 'REJ-18', breaks: 'a document_id that is not the path’s is overlooked', alter: bodies(REJECT, (json) => { delete json.document_id; }) },
  { id: 'rej-two-succeed', rule: 'REJ-20', breaks: 'two simultaneous rejections succeed', alter: nothingHappened(REJECT, INVALID) },
  { id: 'rej-moves-time', rule: 'REJ-21', breaks: 'a refused rejection moves update_time', alter: answers(ONE, (json, _asked, memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); json.document.update_time = new Date(Date.parse(json.document.update_time) + n).toISOString(); }) },
  { id: 'rej-others-pending', rule: 'REJ-22', breaks: 'after a rejection the others are not SKIPPED', alter: walk((one) => { for (const slot of participants(one)) if (slot.status === 'PARTICIPANT_STATUS_SKIPPED') slot.status = 'PARTICIPANT_STATUS_PENDING'; }) },
  { id: 'rej-both-succeed', rule: 'REJ-23', breaks: 'a rejection and an approval of one slot succeed both', alter: nothingHappened([REJECT, 'approveDocument'], STATE) },
];

export const documents: readonly Fault[] = [...catalogues, ...creation, ...idempotency, ...reading, ...files, ...flow, ...rejection];
