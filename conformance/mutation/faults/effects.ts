// biome-ignore-all format: a table reads best with a fault in a line
/**
 * Faults in what a target does between requests: during changes, in races, over a restart, while a batch is applied.
 * This is visible only in later answers, so the answers are altered to those of a target that does it wrong.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, bodies, both, each, headerOf, type Json, jsonBody, keyOf, madeError, parse, pretends, queries, reasonOf, rows, rowsOf, setHeader } from '../alter.ts';
import { sign } from '../callbacks.ts';
import type { Alter, AlterDelivery, Asked, Delivered, Fault, Memory } from '../fault.ts';

const LIST = 'listEmployees';
const BOTH = [LIST, 'getEmployee'] as const;
const INGEST = 'ingestRecords';
const CREATE = 'createDocument';

/** The same request with a new Idempotency-Key. */
function anew(asked: Asked): Asked {
  const next = { ...asked, headers: [...asked.headers] };
  setHeader(next, 'Idempotency-Key', crypto.randomUUID());
  return next;
}
/** Forwards the first request of its kind, and alters repeats. */
const repeated = (name: (asked: Asked) => string | undefined, again: Alter): Alter => async (asked, forward, memory) => {
  const key = name(asked);
  if (key === undefined) return forward(asked);
  if (memory.notes.has(key)) return again(asked, forward, memory);
  memory.notes.set(key, true);
  return forward(asked);
};

type Cut = (all: Json[], at: string, limit: number) => { page: Json[]; next: string };
/** Cuts each page of a walk from the present list, by another kind of cursor. */
const walked = (which: 'listEmployees' | 'listDocuments', cut: Cut): Alter => async (asked, forward, memory) => {
  const [path = '', text = ''] = asked.target.split('?', 2);
  const query = new URLSearchParams(text);
  if (asked.operation !== which || !query.has('limit')) return forward(asked);
  const [at, limit] = [query.get('page_token') ?? '', Number(query.get('limit'))];
  query.delete('page_token');
  query.set('limit', '1000');
  // These reads use the keys in turn, so that none reaches its limit.
  const turn = Number(memory.notes.get('turn') ?? 0);
  memory.notes.set('turn', (turn + 1) % 8);
  const next = { ...asked, headers: [...asked.headers] };
  setHeader(next, 'X-API-Key', memory.key('full', turn) || keyOf(asked));
  const all: Json[] = [];
  for (;;) {
    const answer = await forward({ ...next, target: `${path}?${query}`, headers: [...next.headers] });
    if (answer.status !== 200) return answer;
    const json = parse(answer.body);
    const { name, rows: list } = rowsOf(json);
    all.push(...list);
    if (json.next_page_token !== '') query.set('page_token', json.next_page_token);
    else {
      const { page, next: token } = cut(all, at, limit);
      return { ...answer, body: jsonBody({ ...json, [name]: page, next_page_token: token }) };
    }
  }
};
const byOffset: Cut = (all, at, limit) => { const end = Number(at) + limit; return { page: all.slice(Number(at), end), next: end < all.length ? String(end) : '' }; };
const byTime: Cut = (all, at, limit) => {
  const place = (one: Json) => `${one.update_time} ${one.id}`;
  const left = all.toSorted((a, b) => (place(a) < place(b) ? 1 : -1)).filter((one) => at === '' || place(one) < at);
  return { page: left.slice(0, limit), next: left.length > limit ? place(left[limit - 1]) : '' };
};
const byRow: Cut = (all, at, limit) => { const start = at === '' ? 0 : all.findIndex(({ id }) => id === at) + 1; const page = all.slice(start, start + limit); return { page, next: start + limit < all.length ? page.at(-1)?.id : '' }; };
/** Replaces, by `become`, the first row of a page that has changed since it was last shown, even if it changed back. */
const moved = (which: RegExp, become: (one: Json) => Json[]): Alter => rows((asked) => asked.operation === LIST && which.test(asked.target), (list, _json, _asked, memory) => {
  const nth = list.findIndex((one) => (memory.notes.get(one.id) ?? one.update_time) !== one.update_time);
  for (const one of list) memory.notes.set(one.id, one.update_time);
  // The page becomes no longer, since other rules notice a page that is too long.
  return list.flatMap((one, n) => (n === nth ? become(one) : [one])).slice(0, list.length);
});
const lost = () => [];
const shownTwice = (one: Json) => [one, one];
const BY_STATUS = /[?&]status=/;
const BY_DEPARTMENT = /department_id=[^&]+&department_id=/;
const SINCE = /updated_since=/;
const UNFILTERED = /^(?!.*(status|department_id|updated_since)=)/;

const walks: readonly Fault[] = [
  { id: 'page-counts-rows', rule: 'PAGE-19', breaks: 'a token says how many rows were read: who comes or goes meanwhile shifts the rest', alter: walked(LIST, byOffset) },
  { id: 'page-order-of-changes', rule: 'PAGE-19', breaks: 'the list is in the order of changes: who is changed meanwhile is missed', alter: walked(LIST, byTime) },
  { id: 'page-counts-rows-filtered', rule: 'PAGE-20', breaks: 'a token says how many rows were read, in a list with a filter', alter: walked(LIST, byOffset) },
  { id: 'page-order-of-changes-filtered', rule: 'PAGE-20', breaks: 'a list with a filter is in the order of changes', alter: walked(LIST, byTime) },
  { id: 'page-cursor-of-row', rule: 'PAGE-20', breaks: 'a walk begins anew when the row that it hangs on is deleted', alter: walked(LIST, byRow) },
  { id: 'page-loses-moved-in-large', rule: 'PAGE-19', breaks: 'a page of a large list misses a row that moved between two statuses of the filter', alter: moved(BY_STATUS, lost) },
  { id: 'page-repeats-moved-in-large', rule: 'PAGE-19', breaks: 'a page of a large list repeats a row that moved between two statuses of the filter', alter: moved(BY_STATUS, shownTwice) },
  { id: 'page-loses-moved-by-status', rule: 'PAGE-20', breaks: 'a list misses a row that moved between two statuses of the filter', alter: moved(BY_STATUS, lost) },
  { id: 'page-loses-moved-by-department', rule: 'PAGE-20', breaks: 'a list misses a row that moved between two departments of the filter', alter: moved(BY_DEPARTMENT, lost) },
  { id: 'page-loses-moved-in-sight', rule: 'PAGE-20', breaks: 'a restricted owner misses a row that moved between two departments that he sees', alter: moved(UNFILTERED, lost) },
  { id: 'page-repeats-changed-since', rule: 'PAGE-20', breaks: 'by updated_since a row that changed again is shown twice', alter: moved(SINCE, shownTwice) },
  { id: 'page-counts-documents', rule: 'PAGE-29', breaks: 'a token says how many documents were read', alter: walked('listDocuments', byOffset) },
  { id: 'page-documents-by-change', rule: 'PAGE-29', breaks: 'documents are in the order of changes', alter: walked('listDocuments', byTime) },
  { id: 'page-token-of-start', rule: 'PAGE-22', breaks: 'a token of before a restart is refused', alter: repeated(({ target }) => /page_token=.+/.exec(target)?.[0], async () => madeError('INVALID_ARGUMENT', 'page_token')) },
  { id: 'emp-total-of-all', rule: 'EMP-38', breaks: 'a large total overlooks the filter', alter: queries(LIST, (query) => { if (query.has('include_total')) query.delete('status'); }) },
  { id: 'emp-total-far-off', rule: 'EMP-38', breaks: 'an estimate is a fifth too high', alter: answers(LIST, (json) => { if (json.total_count) json.total_count = String(Math.round(Number(json.total_count) * 1.2)); }) },
  { id: 'emp-change-is-another', rule: 'EMP-52', breaks: 'a change of status makes another employee of somebody', alter: each('getEmployee', (one) => { if (one.status === 'EMPLOYEE_STATUS_LEAVE') one.id = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6'; }) },
];

/** The bytes of the part of a form that holds the file. */
function fileOf(form: Buffer): Buffer {
  const at = form.indexOf('name="file"');
  const end = form.lastIndexOf('\r\n--');
  return form.subarray(form.indexOf('\r\n\r\n', at) + 4, end);
}
const isOdd = (asked: Asked) => asked.operation === CREATE && /[\u{1F000}-\u{1FFFF}]/u.test(asked.body.toString());
const documents: readonly Fault[] = [
  { id: 'doc-odd-letters', rule: 'DOC-36', breaks: 'a value with a pictogram is answered 500', alter: async (asked, forward) => { const answer = await forward(asked); return isOdd(asked) ? { ...answer, status: 500 } : answer; } },
  { id: 'doc-half-rendered', rule: 'DOC-36', breaks: 'a file that was rendered ends before its end', storage: async (asked, forward) => { const answer = await forward(asked); return asked.method === 'GET' ? { ...answer, body: answer.body.subarray(0, answer.body.length - 64) } : answer; } },
  { id: 'file-form-overwrites', rule: 'FILE-24', breaks: 'the form overwrites what was confirmed', storage: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.method === 'POST') { memory.notes.set('bytes', fileOf(asked.body)); return { status: 204, headers: [], body: Buffer.alloc(0) }; } return { ...answer, body: (memory.notes.get('bytes') as Buffer | undefined) ?? answer.body }; } },
  { id: 'file-grows-after', rule: 'FILE-24', breaks: 'a repeated confirmation takes the size of what came since', alter: repeated(({ operation, target }) => (operation === 'confirmFile' ? target : undefined), answers('confirmFile', (json) => { json.file.size_bytes = '900'; })) },
  { id: 'flow-route-lost-in-race', rule: 'FLOW-37', breaks: 'a route that comes with the send is answered as set and lost', alter: async (asked, forward) => { if (asked.operation !== 'setDocumentRoute' || !asked.body.includes('APPROVAL')) return forward(asked); await sleep(300); const answer = await forward(asked); return reasonOf(answer) === 'DOCUMENT.INVALID_STATUS_TRANSITION' ? forward({ ...asked, method: 'GET', target: asked.target.replace(/\/_\w+$/, ''), body: Buffer.alloc(0), headers: asked.headers.filter(([name]) => !/^content-/i.test(name)) }) : answer; } },
  { id: 'flow-send-lost-in-race', rule: 'FLOW-37', breaks: 'a send at the moment at which the route is set is refused', alter: repeated(({ operation }) => (operation === 'sendDocument' ? 'sent' : undefined), async () => madeError('DOCUMENT_INVALID_STATUS_TRANSITION')) },
  { id: 'idem-forgotten-at-start', rule: 'IDEM-20', breaks: 'a key of before a restart is forgotten', alter: repeated((asked) => headerOf(asked, 'idempotency-key'), async (asked, forward) => forward(anew(asked))) },
];

const never = /never-loaded/;
const records = (change: (record: Json, batch: Json) => unknown) =>
  bodies(INGEST, (json) => { if (Array.isArray(json.records)) json.records = json.records.map((one: Json) => change(one, json) ?? one); });
/** Alters all records of batches of this type. */
const batches = (type: string, change: (records: Json[], json: Json) => Json[]): Alter =>
  bodies(INGEST, (json) => { if (json.payload_type === type && Array.isArray(json.records)) json.records = change(json.records, json); });
const forgetting = (when: (name: string, value: unknown) => boolean): Alter =>
  records((one) => { for (const [name, value] of Object.entries(one)) if (when(name, value)) delete one[name]; });
/** Keeps fields of an employee at their first value. */
const frozen = (...names: string[]): Alter =>
  each(BOTH, (one, _asked, memory) => { for (const name of names) { const key = `${name} ${one.id}`; if (!memory.notes.has(key)) memory.notes.set(key, one[name]); one[name] = memory.notes.get(key); } });
const parentOf = (one: Json) => one.external_parent_id;
const isRing = (list: Json[]) => list.some((one) => parentOf(one) !== '' && parentOf(one) === one.external_id);
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
/** Moves the update_time of employees by a millisecond after the nth batch of a type. */
const touched = (type: string, from: number): Alter => both(
  each(BOTH, (one, _asked, memory) => { if (Number(memory.notes.get(type) ?? 0) >= from) one.update_time = shifted(one.update_time, 1); }),
  async (asked, forward, memory) => { if (parse(asked.body)?.payload_type === type) memory.notes.set(type, Number(memory.notes.get(type) ?? 0) + 1); return forward(asked); },
);

/** Sends one more event, with its own id, before the present one; once. */
const alsoTells = (when: (json: Json, memory: Memory) => boolean, more: (json: Json, memory: Memory) => Json): AlterDelivery => async (delivered, forward, memory) => {
  const json = parse(delivered.body);
  if (json && !memory.notes.has('told') && when(json, memory)) {
    memory.notes.set('told', true);
    const extra: Delivered = { ...delivered, headers: [...delivered.headers], body: jsonBody({ ...json, id: crypto.randomUUID(), ...more(json, memory) }) };
    sign(extra);
    await forward(extra);
  }
  return forward(delivered);
};
const noteEmployee = (part: string): Alter => async (asked, forward, memory) => {
  const answer = await forward(asked);
  if (asked.operation === LIST) for (const one of rowsOf(parse(answer.body)).rows) if (one.employee_number.includes(part)) memory.notes.set('employee', one.id);
  return answer;
};
const tellsEmployee = alsoTells((json, memory) => json.type === 'person.changed' && memory.notes.has('employee') && json.data.employee_id !== memory.notes.get('employee'), (_json, memory) => ({ type: 'employee.changed', data: { employee_id: memory.notes.get('employee') } }));
const noteDocument: Alter = async (asked, forward, memory) => {
  const answer = await forward(asked);
  if (asked.operation === CREATE && answer.status === 200 && !memory.notes.has('document')) memory.notes.set('document', parse(answer.body).document.id);
  return answer;
};

const events: readonly Fault[] = [
  { id: 'flag-told-later', rule: 'FLAG-7', breaks: 'what happened while the flag was off is told when it is on again', delivery: alsoTells((json) => json.type === 'employee.deleted', () => ({ type: 'employee.changed' })) },
  { id: 'doc-creation-told', rule: 'DOC-22', breaks: 'a creation is told as an event', alter: noteDocument, delivery: alsoTells((json, memory) => json.data?.document_id !== undefined && json.data.document_id !== memory.notes.get('document'), (_json, memory) => ({ data: { document_id: memory.notes.get('document') } })) },
  { id: 'ing-nothing-told', rule: 'ING-65', breaks: 'a batch that changes nothing is told as a change', alter: noteEmployee('fifth'), delivery: tellsEmployee },
  { id: 'ing-nothing-touches', rule: 'ING-65', breaks: 'a batch that changes nothing moves update_time', alter: touched('EMPLOYEES', 3) },
  { id: 'ing-hidden-told', rule: 'ING-58', breaks: 'a change of what is never shown is told', alter: noteEmployee('fifth'), delivery: tellsEmployee },
  { id: 'ing-hidden-touches', rule: 'ING-58', breaks: 'a change of what is never shown moves update_time', alter: touched('EMPLOYEES', 3) },
];

const ingest: readonly Fault[] = [
  { id: 'ing-sources-mixed', rule: 'ING-23', breaks: 'one external id is one department, whatever its source', alter: both(async (asked, forward, memory) => { const title = parse(asked.body)?.records?.[0]?.Наименование; if (title) memory.notes.set('title', title); return forward(asked); }, each(BOTH, (one, _asked, memory) => { if (/-kedo-/.test(one.department?.title ?? '')) one.department.title = memory.notes.get('title') ?? one.department.title; })) },
  { id: 'ing-unknown-left-out', rule: 'ING-25', breaks: 'a record with an unknown reference is applied without it', alter: forgetting((_name, value) => never.test(String(value))) },
  { id: 'ing-unknown-clears', rule: 'ING-25', breaks: 'a record with an unknown reference is applied, and the field emptied', alter: records((one) => { for (const [name, value] of Object.entries(one)) if (never.test(String(value))) one[name] = ''; }) },
  { id: 'ing-parent-must-come-first', rule: 'ING-26', breaks: 'a parent that follows in the batch is unknown', alter: batches('DEPARTMENTS', (list) => list.filter((one, at) => !list.slice(at + 1).some(({ external_id }) => external_id === parentOf(one)))) },
  { id: 'ing-waits-for-reference', rule: 'ING-26', breaks: 'a record with an unknown reference is applied when a later batch brings it', alter: async (asked, forward, memory) => { const answer = await forward(asked); const type = parse(asked.body)?.payload_type; if (type === 'EMPLOYEES') memory.notes.set('waiting', asked); const waiting = memory.notes.get('waiting') as Asked | undefined; if (type === 'DEPARTMENTS' && waiting) await forward(anew(waiting)); return answer; } },
  { id: 'ing-optional-filled', rule: 'ING-29', breaks: 'a birth date that was left out is the first of 1970', alter: each(BOTH, (one) => { if (one.person?.birth_date === '') one.person.birth_date = '1970-01-01'; }) },
  { id: 'ing-names-as-they-are', rule: 'ING-36', breaks: 'names are compared byte by byte', alone: true, alter: forgetting((name) => name !== name.normalize('NFC')) },
  { id: 'ing-dots-as-paths', rule: 'ING-36', breaks: 'a name with a dot is a path into objects', alone: true, alter: records((one) => { for (const name of ['Подразделение', 'Должность']) if (one[name]?.Ссылка !== undefined) { one[`${name}.Ссылка`] = one[name].Ссылка; delete one[name]; } }) },
  { id: 'ing-ring-accepted', rule: 'ING-50', breaks: 'a cycle of parents is cut and its departments applied', alter: batches('DEPARTMENTS', (list) => (isRing(list) ? list.map((one) => ({ ...one, external_parent_id: '' })) : list)) },
  { id: 'ing-ring-spoils-batch', rule: 'ING-50', breaks: 'a cycle of parents spoils the batch', alter: bodies(INGEST, (json) => { if (json.payload_type === 'DEPARTMENTS' && isRing(json.records)) json.payload_type = 'NOTHING'; }) },
  { id: 'ing-status-stands', rule: 'ING-54', breaks: 'the status is that of the day of the batch', alter: frozen('status') },
  { id: 'ing-status-untold', rule: 'ING-54', breaks: 'a status that moves by its day moves no update_time', alter: frozen('update_time') },
  { id: 'ing-end-untold', rule: 'ING-54', breaks: 'who has left in time has no end_date', alter: each(BOTH, (one) => { one.end_date = ''; }) },
  { id: 'ing-title-kept', rule: 'ING-59', breaks: 'employees keep the title that their department had when they were loaded', alone: true, alter: each(BOTH, (one, _asked, memory) => { if (!one.department) return; const key = `title ${one.id}`; if (!memory.notes.has(key)) memory.notes.set(key, one.department.title); one.department.title = memory.notes.get(key); }) },
  { id: 'ing-rename-touches', rule: 'ING-59', breaks: 'a rename of a job title moves update_time', alone: true, alter: touched('JOB_TITLES', 2) },
  { id: 'ing-ledger-title-clears', rule: 'ING-60', breaks: 'an unknown job title empties the field', alone: true, alter: records((one) => { if (never.test(String(one['Должность.Ссылка']))) one['Должность.Ссылка'] = ''; }) },
  { id: 'ing-ledger-nowhere', rule: 'ING-60', breaks: 'a record with an unknown department is applied without it', alone: true, alter: records((one) => { if (never.test(String(one['Подразделение.Ссылка']))) delete one['Подразделение.Ссылка']; }) },
  { id: 'ing-ledger-own-titles', rule: 'ING-60', breaks: 'job titles of KEDO are unknown to LEDGER', alone: true, alter: records((one) => { if (one['Должность.Ссылка']) delete one['Должность.Ссылка']; }) },
  { id: 'ing-person-of-each', rule: 'ING-61', breaks: 'each employment has a person of its own', alter: each(BOTH, (one, _asked, memory) => { const key = `person ${one.id}`; if (/-first-/.test(one.person?.phone ?? '')) memory.notes.set(key, one.person); one.person = memory.notes.get(key) ?? one.person; }) },
  { id: 'ing-employment-otherwise', rule: 'ING-61', breaks: 'employments are told apart otherwise than declared', alter: rows(LIST, (list) => { const twins = list.filter((one) => /-phone-/.test(one.person?.phone ?? '')); return list.filter((one) => !twins.slice(1).includes(one)); }) },
  { id: 'ing-of-all-tenants', rule: 'ING-64', breaks: 'external ids of all tenants are one', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation === INGEST && keyOf(asked) === memory.key('other_tenant')) { const next = anew(asked); setHeader(next, 'X-API-Key', memory.key('full')); await forward(next); } return answer; } },
  { id: 'ing-lost-at-restart', rule: 'ING-63', breaks: 'what is accepted and not yet applied is lost with a restart', alter: async (asked, forward, memory) => { const list = parse(asked.body)?.records; return asked.operation === INGEST && list?.length === 1 && /-last-/.test(list[0].number ?? '') ? pretends(INGEST)(asked, forward, memory) : forward(asked); } },
  { id: 'ing-applied-before-answer', rule: 'ING-41', breaks: 'a batch is answered when it is applied', alter: async (asked, forward) => { const answer = await forward(asked); return asked.operation === INGEST && asked.body.length > 50_000 ? { ...answer, heldMs: 2500 } : answer; } },
];

const timing: readonly Fault[] = [
  { id: 'auth-compared-by-letters', rule: 'AUTH-26', breaks: 'a key is compared letter by letter, so what is right of it takes time', alter: async (asked, forward, memory) => { const [given, right] = [keyOf(asked) ?? '', memory.key('full')]; const answer = await forward(asked); const start = right.indexOf('_') + 2; return given.slice(0, start) === right.slice(0, start) ? { ...answer, heldMs: 4 } : answer; } },
];

/** Alters the head and the rest of a request as texts of single bytes. */
const lenient = (rule: string, id: string, breaks: string, change: (text: string) => string): Fault => ({ id, rule, breaks, alone: true, wire: (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1') });
const wire: readonly Fault[] = [
  lenient('ERR-21', 'err-first-length', 'of two lengths the first counts', (text) => text.replace(/(Content-Length: \d+\r\n)Content-Length: \d+\r\n/, '$1')),
  lenient('ERR-21', 'err-chunked-wins', 'of a length and chunks the chunks count, and the connection goes on', (text) => (text.includes('chunked\r\n') ? text.replace(/Content-Length: \d+\r\n/, '') : text)),
  lenient('ERR-21', 'err-length-wins', 'of a length and chunks the length counts', (text) => (text.includes('Content-Length') ? text.replace(/Transfer-Encoding: chunked\r\n/, '') : text)),
  lenient('ERR-21', 'err-letters-are-zero', 'a length that is no number is none', (text) => text.replace(/Content-Length: (-1|two)\r\n/, 'Content-Length: 0\r\n')),
  lenient('ERR-21', 'err-coding-overlooked', 'a coding before chunked is overlooked', (text) => text.replace('gzip, chunked', 'chunked')),
  lenient('ERR-21', 'err-folded-header', 'a folded header is joined', (text) => text.replace(/\r\n +(?=\S)/, ' ')),
  lenient('ERR-21', 'err-host-filled-in', 'a request without Host is served', (text) => (/^host:/im.test(text) ? text : text.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nHost: x\r\n'))),
  lenient('ERR-21', 'err-header-cut', 'a header that is too long is cut', (text) => text.replace(/X-A: a{1000,}/, 'X-A: a')),
];

export const effects: readonly Fault[] = [...walks, ...documents, ...events, ...ingest, ...timing, ...wire];
