// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in the further clauses of rules that state more than one thing. Each is as narrow as a real one would be. */
import { accepts, answers, anyway, asks, bodies, each, everything, headerOf, heads, type Json, keyed, keyOf, madeError, parse, permits, queries, reasonOf, refused, refuses, rows, setHeader } from '../alter.ts';
import type { Alter, Answered, Asked, Fault } from '../fault.ts';

const LIST = 'listEmployees';
const BOTH = [LIST, 'getEmployee'] as const;
const CREATE = 'createDocument';
const ONE = 'getDocument';
const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;
const SHOWN = [CREATE, 'listDocuments', ONE, ...ACTIONS] as const;
const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';
const KEY = 'INTEGRATION.API_KEY_INVALID';
const DAY = /^(\d{4}-\d\d-\d\d)$/;

/** Reads a value of the query more tolerantly than allowed. */
const reads = (name: string, change: (value: string) => string): Alter =>
  queries(everything, (query) => { const value = query.get(name); if (value !== null) query.set(name, change(value)); });
const fields = (change: (json: Json) => void): Alter => bodies(CREATE, (json) => change(json));
const scopeFirst = (when: (asked: Asked) => boolean, instead: Parameters<typeof madeError>[0]): Alter => async (asked, forward) => {
  const answer = await forward(asked);
  return reasonOf(answer) === SCOPE && when(asked) ? madeError(instead) : answer;
};
/** Once `of` held for an answer, repeats that answer for the key and target. */
const sticky = (of: (answer: Answered) => boolean): Alter => async (asked, forward, memory) => {
  const answer = await forward(asked);
  const name = `stuck ${keyOf(asked)} ${asked.target}`;
  if (of(answer)) memory.notes.set(name, answer);
  return (memory.notes.get(name) as Answered | undefined) ?? answer;
};
/** Accepts a damaged page token if it resembles an issued one. */
const forgiving = (alike: (given: string, token: string) => boolean): Alter => async (asked, forward, memory) => {
  const given = new URLSearchParams(asked.target.split('?')[1]).get('page_token') ?? '';
  const known = (memory.notes.get('tokens') ?? []) as string[];
  const token = given === '' || known.includes(given) ? undefined : known.find((one) => alike(given, one));
  const answer = await forward(token === undefined ? asked : { ...asked, target: asked.target.replace(encodeURIComponent(given), token).replace(given, token) });
  const next = parse(answer.body)?.next_page_token;
  if (next) memory.notes.set('tokens', [...known, next]);
  return answer;
};

const access: readonly Fault[] = [
  { id: 'auth-tenants-mixed-in-lists', rule: 'AUTH-25', breaks: 'documents of another tenant are listed', alter: keyed('listDocuments', 'other_tenant', 'full') },
  { id: 'auth-key-in-body', rule: 'AUTH-12', breaks: 'a key in the body is taken', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (reasonOf(answer) !== KEY || !asked.body.includes(memory.key('full'))) return answer; return accepts(everything)(asked, forward, memory); } },
  { id: 'auth-key-any-case', rule: 'AUTH-17', breaks: 'letters of a key count in any case', alter: async (asked, forward, memory) => { const [given, right] = [keyOf(asked) ?? '', memory.key('full')]; const next = { ...asked, headers: [...asked.headers] }; if (given.toLowerCase() === right.toLowerCase()) setHeader(next, 'X-API-Key', right); return forward(next); } },
  { id: 'auth-key-cut', rule: 'AUTH-17', breaks: 'what follows a key is overlooked', alter: async (asked, forward, memory) => { const [given, right] = [keyOf(asked) ?? '', memory.key('full')]; const next = { ...asked, headers: [...asked.headers] }; if (given.startsWith(right)) setHeader(next, 'X-API-Key', right); return forward(next); } },
  { id: 'flag-stays-off', rule: 'FLAG-6', breaks: 'once off, the interface stays off for a key', alter: sticky((answer) => reasonOf(answer) === 'FEATURE_FLAG.NOT_AVAILABLE') },
  { id: 'scope-read-writes', rule: 'SCOPE-21', breaks: 'documents:read implies documents:write', alter: permits([CREATE, 'reserveFile', 'sendDocument', 'rejectDocument'], 'full', (answer, asked) => reasonOf(answer) === SCOPE && asked.method === 'POST') },
  { id: 'scope-after-key', rule: 'SCOPE-23', breaks: 'a missing Idempotency-Key is told before the scope', alter: scopeFirst((asked) => asked.operation === 'ingestRecords' && headerOf(asked, 'idempotency-key') === undefined, 'INGEST_ALREADY_ACCEPTED') },
  { id: 'scope-after-id', rule: 'SCOPE-23', breaks: 'an unknown employee is told before the scope', alter: scopeFirst((asked) => asked.operation === 'getEmployee', 'EMPLOYEE_NOT_FOUND') },
  { id: 'scope-needs-two', rule: 'SCOPE-1', breaks: 'employees:read alone is not enough', alter: async (asked, forward, memory) => (keyOf(asked) === memory.key('employees_read') ? madeError('SCOPE_INSUFFICIENT') : forward(asked)) },
  { id: 'scope-widening-late', rule: 'SCOPE-24', breaks: 'permissions that widen again do not show', alter: sticky((answer) => parse(answer.body)?.employee?.redacted_fields?.length > 0 || (parse(answer.body)?.employees?.length ?? 2) < 2) },
];

const employees: readonly Fault[] = [
  { id: 'emp-limit-prefix', rule: 'EMP-6', breaks: 'digits at the beginning of a limit count', alter: reads('limit', (value) => (/^\d+/.exec(value)?.[0] ?? value)) },
  { id: 'emp-limit-any-number', rule: 'EMP-6', breaks: 'a limit in any notation of numbers counts', alter: reads('limit', (value) => (value !== '' && Number.isInteger(Number(value)) && Number(value) > 0 && Number(value) <= 2 ** 31 - 1 ? String(Number(value)) : value)) },
  { id: 'emp-limit-twice', rule: 'EMP-6', breaks: 'of two limits the last counts', alter: queries(LIST, (query) => { const all = query.getAll('limit'); if (all.length > 1) query.set('limit', all.at(-1) ?? ''); }) },
  { id: 'emp-since-day', rule: 'EMP-20', breaks: 'a day alone is an instant', alter: reads('updated_since', (value) => value.replace(DAY, '$1T00:00:00Z')) },
  { id: 'emp-since-no-zone', rule: 'EMP-20', breaks: 'an instant without a zone is one of UTC', alter: reads('updated_since', (value) => (/T\d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value}Z` : value)) },
  { id: 'emp-since-epoch', rule: 'EMP-20', breaks: 'seconds since 1970 are an instant', alter: reads('updated_since', (value) => (/^\d{9,13}$/.test(value) ? new Date(Number(value)).toISOString() : value)) },
  { id: 'emp-since-30th-of-february', rule: 'EMP-20', breaks: 'a day that does not exist is the next one', alter: reads('updated_since', (value) => (/-02-(29|30|31)T/.test(value) ? value.replace(/-02-\d\dT/, '-03-01T') : value)) },
  { id: 'emp-total-any-case', rule: 'EMP-37', breaks: 'include_total counts in any case', alter: reads('include_total', (value) => value.toLowerCase()) },
  { id: 'emp-status-any-case', rule: 'EMP-10', breaks: 'a status counts in any case', alter: reads('status', (value) => value.toUpperCase()) },
  { id: 'emp-deleted-listed', rule: 'EMP-40', breaks: 'who was deleted stays in the list', alter: async (asked, forward, memory) => { const answer = await forward(asked); const json = parse(answer.body); if (asked.operation !== LIST || !json?.employees) return answer; const before = (memory.notes.get('rows') ?? []) as Json[]; const lost = before.filter((one) => /^C-/.test(one.employee_number) && !json.employees.some(({ id }: Json) => id === one.id)); memory.notes.set('rows', [...before, ...json.employees]); json.employees = [...lost.slice(0, 1), ...json.employees]; return lost.length > 0 ? { ...answer, body: Buffer.from(JSON.stringify(json)) } : answer; } },
  { id: 'emp-empty-value', rule: 'EMP-56', breaks: 'an empty value of a filter is overlooked', alter: queries(LIST, (query) => { for (const name of ['status', 'department_id', 'expand']) if (query.get(name) === '') query.delete(name); }) },
  { id: 'emp-read-rounds-time', rule: 'EMP-48', breaks: 'the single read rounds update_time to seconds', alter: each('getEmployee', (one) => { one.update_time = one.update_time.replace(/\.\d{3}/, '.000'); }) },
  { id: 'red-total-of-all', rule: 'RED-12', breaks: 'total_count counts whom the owner may not see', alter: async (asked, forward, memory) => { const answer = await forward(asked); const json = parse(answer.body); if (!json?.total_count || keyOf(asked) !== memory.key('restricted_owner')) return answer; const next = { ...asked, headers: [...asked.headers] }; setHeader(next, 'X-API-Key', memory.key('full')); json.total_count = parse((await forward(next)).body).total_count; return { ...answer, body: Buffer.from(JSON.stringify(json)) }; } },
  { id: 'red-empty-hidden', rule: 'RED-4', breaks: 'what is hidden is there and empty', alter: each(BOTH, (one) => { if (one.person && one.redacted_fields?.includes('persons.iin')) one.person.iin = ''; }) },
  { id: 'page-token-last-letter', rule: 'PAGE-14', breaks: 'the last letter of a token does not count', alter: forgiving((given, token) => given.length === token.length && given.slice(0, -1) === token.slice(0, -1)) },
  { id: 'page-token-padded', rule: 'PAGE-14', breaks: 'what follows a token is overlooked', alter: forgiving((given, token) => given.startsWith(token)) },
  { id: 'page-token-any-case', rule: 'PAGE-14', breaks: 'letters of a token count in any case', alter: forgiving((given, token) => given.toLowerCase() === token.toLowerCase()) },
  { id: 'page-walk-ends-early', rule: 'PAGE-1', breaks: 'a walk ends one page early', alter: answers(LIST, (json, asked) => { const limit = Number(new URLSearchParams(asked.target.split('?')[1]).get('limit') ?? 100); if (asked.target.includes('page_token=') && limit < 1000 && json.employees.length === limit) json.next_page_token = ''; }) },
];

const documents: readonly Fault[] = [
  { id: 'doc-date-with-time', rule: 'DOC-14', breaks: 'an instant is taken for a day', alter: fields((json) => { if (typeof json.date === 'string') json.date = json.date.slice(0, 10); }) },
  { id: 'doc-title-cut', rule: 'DOC-32', breaks: 'a title that is too long is cut', alter: fields((json) => { if (typeof json.title === 'string') json.title = [...json.title].slice(0, 200).join(''); }) },
  { id: 'doc-upload-burnt-by-type', rule: 'DOC-27', breaks: 'a creation that is refused for its type uses the upload up', alter: async (asked, forward, memory) => { const id = parse(asked.body)?.file_id; if (asked.operation !== CREATE || !id) return forward(asked); if (memory.notes.has(id)) return madeError('FILE_ALREADY_LINKED'); const answer = await forward(asked); if (answer.status !== 200) memory.notes.set(id, true); return answer; } },
  { id: 'doc-upload-burnt-by-no-upload', rule: 'DOC-28', breaks: 'a creation that is refused for its type uses the upload up', alter: async (asked, forward, memory) => { const id = parse(asked.body)?.file_id; if (asked.operation !== CREATE || !id) return forward(asked); if (memory.notes.has(id)) return madeError('FILE_ALREADY_LINKED'); const answer = await forward(asked); if (answer.status !== 200) memory.notes.set(id, true); return answer; } },
  { id: 'idem-conflict-creates', rule: 'IDEM-4', breaks: 'another body is refused, and its document made all the same', alter: async (asked, forward) => { const answer = await forward(asked); if (asked.operation === CREATE && answer.status === 409) { const next = { ...asked, headers: [...asked.headers] }; setHeader(next, 'Idempotency-Key', undefined); await forward(next); } return answer; } },
  { id: 'idem-mark-left-out', rule: 'IDEM-2', breaks: 'a replay is not marked as one', alter: heads(CREATE, (answer) => setHeader(answer, 'Idempotent-Replayed', undefined)) },
  { id: 'idem-deleted-is-made-again', rule: 'IDEM-13', breaks: 'a replay of a document that was deleted makes another', alter: async (asked, forward) => { const answer = await forward(asked); if (asked.operation !== CREATE || answer.status !== 404) return answer; const next = { ...asked, headers: [...asked.headers] }; setHeader(next, 'Idempotency-Key', undefined); return forward(next); } },
  { id: 'file-size-rounded-up', rule: 'FILE-5', breaks: 'a size with a fraction is rounded', alter: bodies('reserveFile', (json) => { if (typeof json.size_bytes === 'number') json.size_bytes = Math.round(json.size_bytes); }) },
  { id: 'file-size-any-text', rule: 'FILE-5', breaks: 'a size is read from any text that begins with digits', alter: bodies('reserveFile', (json) => { if (typeof json.size_bytes === 'string' && /^\s*\+?0*[1-9]/.test(json.size_bytes)) json.size_bytes = Number.parseInt(json.size_bytes, 10); }) },
  { id: 'file-type-with-parameter', rule: 'FILE-3', breaks: 'a content type with a parameter is taken', alter: bodies('reserveFile', (json) => { if (/^application\/pdf\s*;/i.test(json.content_type)) json.content_type = 'application/pdf'; }) },
  { id: 'read-search-any-letter', rule: 'DREAD-6', breaks: 'search is a regular expression', alter: rows('listDocuments', (list, _json, asked) => { const text = new URLSearchParams(asked.target.split('?')[1]).get('search'); return text === null ? list : list.filter((one) => { try { return new RegExp(text, 'i').test(`${one.title}\n${one.number}`); } catch { return false; } }); }) },
  { id: 'read-after-day', rule: 'DREAD-7', breaks: 'a day alone is an instant', alter: reads('created_after', (value) => value.replace(DAY, '$1T00:00:00Z')) },
  { id: 'read-subject-lists-late', rule: 'DREAD-13', breaks: 'a subject reads what was sent, and does not find it in the list', alter: rows('listDocuments', (list, _json, asked, memory) => ([0, 1, 2, 3, 4, 5, 6, 7].some((n) => keyOf(asked) === memory.key('full', n)) ? list : [])) },
  { id: 'flow-refused-touches', rule: 'FLOW-4', breaks: 'a repeated send is refused and moves update_time', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation === 'sendDocument' && refused(answer)) memory.notes.set('moved', true); const json = parse(answer.body); if (asked.operation !== ONE || !json?.document || !memory.notes.has('moved')) return answer; json.document.update_time = new Date(Date.parse(json.document.update_time) + 1).toISOString(); return { ...answer, body: Buffer.from(JSON.stringify(json)) }; } },
  { id: 'flow-action-moves-creation', rule: 'FLOW-29', breaks: 'an action moves create_time', alter: answers([...ACTIONS, ONE], (json) => { if (json.document?.status !== 'DOCUMENT_STATUS_DRAFT') json.document.create_time = json.document.update_time; }) },
  { id: 'flow-deleted-in-lists', rule: 'FLOW-12', breaks: 'a deleted document stays in lists', alter: async (asked, forward, memory) => { const answer = await forward(asked); const json = parse(answer.body); if (json?.document) memory.notes.set(json.document.id, json.document); const gone = memory.notes.get('gone'); if (asked.operation === ONE && answer.status === 404) memory.notes.set('gone', memory.notes.get(asked.target.split('/').at(-1) ?? '')); if (asked.operation !== 'listDocuments' || !json?.documents || !gone) return answer; return { ...answer, body: Buffer.from(JSON.stringify({ ...json, documents: [gone, ...json.documents] })) }; } },
  { id: 'rej-refused-and-done', rule: 'REJ-15', breaks: 'a document of another tenant is rejected and 404 all the same', alter: anyway('rejectDocument', 'second_owner', (answer) => answer.status === 404) },
  { id: 'rej-later-steps', rule: 'REJ-22', breaks: 'after a rejection later steps stay PENDING', alter: each(SHOWN, (one) => { if (one.status === 'DOCUMENT_STATUS_REJECTED') for (const step of one.route?.steps ?? []) if (step.status === 'STEP_STATUS_CANCELLED') step.status = 'STEP_STATUS_PENDING'; }) },
  { id: 'err-null-overlooked', rule: 'ERR-22', breaks: 'a null in a body is overlooked', alter: asks(everything, (asked) => { const json = parse(asked.body); if (typeof json !== 'object' || json === null || Array.isArray(json)) return; for (const [name, value] of Object.entries(json)) if (value === null) delete json[name]; asked.body = Buffer.from(JSON.stringify(json)); }) },
  { id: 'err-unknown-deep', rule: 'ERR-22', breaks: 'an unknown field deep in a body is overlooked', alter: bodies('setDocumentRoute', (json) => { if (Array.isArray(json.steps)) json.steps = json.steps.map(({ step_type, rule, participants, ...rest }: Json) => ({ step_type, rule, participants: participants?.map?.(({ employee_id, key_type }: Json) => ({ employee_id, key_type })) ?? participants, ...(Object.keys(rest).length > 5 ? rest : {}) })); }) },
  { id: 'err-double-slash', rule: 'ERR-19', breaks: 'doubled slashes are one', alter: asks(everything, (asked) => { const [path = '', query] = asked.target.split('?', 2); asked.target = [path.replace(/\/{2,}/g, '/'), ...(query === undefined ? [] : [query])].join('?'); }) },
  { id: 'err-path-any-case', rule: 'ERR-19', breaks: 'paths count in any case', alter: asks(everything, (asked) => { const [path = '', query] = asked.target.split('?', 2); asked.target = [path.toLowerCase(), ...(query === undefined ? [] : [query])].join('?'); }) },
  { id: 'err-any-coding', rule: 'ERR-18', breaks: 'other codings are taken as if they were none', alter: asks(everything, (asked) => { if (/^(br|deflate|zstd|compress)$/i.test(headerOf(asked, 'content-encoding') ?? '')) setHeader(asked, 'Content-Encoding', undefined); }) },
  { id: 'err-not-modified', rule: 'ERR-23', breaks: 'a conditional request is answered 304', alter: async (asked, forward) => { const answer = await forward(asked); return headerOf(asked, 'if-none-match') !== undefined ? { ...answer, status: 304, body: Buffer.alloc(0) } : answer; } },
  { id: 'err-options-open', rule: 'ERR-25', breaks: 'a preflight lets any origin in', alter: heads((asked) => asked.method === 'OPTIONS', (answer) => setHeader(answer, 'Access-Control-Allow-Origin', '*'), () => true) },
  { id: 'login-unstable', rule: 'LOGIN-5', breaks: 'a slug changes from call to call', alter: answers('listLoginMethods', (json, _asked, memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); json.items[0].slug += String(n); }) },
  { id: 'gen-employees-changed', rule: 'GEN-16', breaks: 'a write through the paths of employees is refused and done', alter: each('getEmployee', (one, _asked, memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); if (n > 1) one.employee_number += '1'; }) },
  { id: 'dt-category-first-only', rule: 'DT-5', breaks: 'of several categories the first counts', alter: queries('listDocumentTypes', (query) => { const [first] = query.getAll('category_id'); if (first) query.set('category_id', first); }) },
  { id: 'dt-templates-of-hidden-types', rule: 'DT-6', breaks: 'templates of types out of view are listed', alter: keyed('listDocumentTemplates', 'restricted_owner', 'full') },
  { id: 'dt-version-any-number', rule: 'DT-13', breaks: 'a version in any notation of numbers counts', alter: reads('version', (value) => (value.trim() !== '' && Number.isInteger(Number(value)) && Number(value) > 0 ? String(Number(value)) : value)) },
];

const ingest: readonly Fault[] = [
  { id: 'ing-five-thousand', rule: 'ING-45', breaks: 'more than half of the most is refused', alter: refuses('ingestRecords', 'INVALID_ARGUMENT', (asked) => { const list = parse(asked.body)?.records; return Array.isArray(list) && list.length > 5000; }) },
];

export const clauses: readonly Fault[] = [...access, ...employees, ...documents, ...ingest];
