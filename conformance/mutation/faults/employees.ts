// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in employees: filters, cards, and hidden fields. */
import {
  accepts,
  acceptsReason,
  answers,
  each,
  type Json,
  keyed,
  made,
  madeError,
  mistaken,
  permits,
  queries,
  reasonOf,
  refuses,
  rows,
  stale,
  without,
} from '../alter.ts';
import type { Answered, Asked, Fault } from '../fault.ts';

const LIST = 'listEmployees';
const ONE = 'getEmployee';
const BOTH = [LIST, ONE] as const;
const LENIENT = { employees: [], next_page_token: '' };
const lenient = (pattern: RegExp) =>
  accepts(LIST, (answer, asked) => reasonOf(answer) === 'INVALID_ARGUMENT' && pattern.test(asked.target), LENIENT);
const onlyFirst = (name: string) =>
  queries(BOTH, (query) => {
    const [first] = query.getAll(name);
    if (first !== undefined) query.set(name, first);
  });
const total = (change: (count: number, asked: Asked) => unknown) =>
  answers(LIST, (json, asked) => {
    if (json.total_count !== undefined) json.total_count = change(Number(json.total_count), asked);
  });
const SOMEBODY = { id: '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6' };
const asFull = (answer: Answered) => answer.status === 404;

export const employees: readonly Fault[] = [
  { id: 'emp-other-tenant-listed', rule: 'EMP-1', breaks: 'the list is of another tenant', alter: keyed(LIST, 'any', 'other_tenant') },
  { id: 'emp-oldest-first', rule: 'EMP-2', breaks: 'the list is oldest first', alter: rows(LIST, (list) => list.toReversed()) },
  { id: 'emp-two-swapped', rule: 'EMP-2', breaks: 'the first two rows are in the wrong order', alter: rows(LIST, (list) => [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)]) },
  { id: 'emp-default-99', rule: 'EMP-3', breaks: 'without limit a page has 99 rows', alter: queries(LIST, (query) => { if (!query.has('limit')) query.set('limit', '99'); }) },
  { id: 'emp-limit-capped-at-500', rule: 'EMP-4', breaks: 'a limit of 1000 is served as 500', alter: queries(LIST, (query) => { if (Number(query.get('limit')) > 500) query.set('limit', '500'); }) },
  { id: 'emp-limit-1001', rule: 'EMP-5', breaks: 'a limit above 1000 means the default', alter: queries(LIST, (query) => { if (Number(query.get('limit')) > 1000) query.delete('limit'); }) },
  { id: 'emp-odd-limit', rule: 'EMP-6', breaks: 'a limit that is no number means the default', alter: lenient(/limit=/) },
  { id: 'emp-page-too-large', rule: 'EMP-7', breaks: 'a page has one row more than its limit', alter: rows(LIST, (list, _json, asked) => { const limit = new URLSearchParams(asked.target.split('?')[1]).get('limit'); return limit !== null && list.length === Number(limit) ? [...list, list[0]] : list; }) },
  { id: 'emp-status-ignored', rule: 'EMP-8', breaks: 'the status filter does nothing', alter: without(LIST, 'status') },
  { id: 'emp-status-first-only', rule: 'EMP-9', breaks: 'of several statuses the first counts', alter: onlyFirst('status') },
  { id: 'emp-unknown-status', rule: 'EMP-10', breaks: 'an unknown status matches nothing', alter: lenient(/status=/) },
  { id: 'emp-draft-status', rule: 'EMP-11', breaks: 'the draft state is a filter', alter: lenient(/status=/) },
  { id: 'emp-comma-status', rule: 'EMP-12', breaks: 'a comma separates values', alter: lenient(/,|%2C/i) },
  { id: 'emp-department-ignored', rule: 'EMP-13', breaks: 'the department filter does nothing', alter: without(LIST, 'department_id') },
  { id: 'emp-department-loses-one', rule: 'EMP-13', breaks: 'the department filter loses one who belongs to it', alter: rows(LIST, (list, _json, asked) => (asked.target.includes('department_id=') ? list.slice(1) : list)) },
  { id: 'emp-department-first-only', rule: 'EMP-14', breaks: 'of several departments the first counts', alter: onlyFirst('department_id') },
  { id: 'emp-unknown-department-refused', rule: 'EMP-15', breaks: 'an unknown department matches everybody', alter: queries(LIST, (query) => query.delete('department_id')) },
  { id: 'emp-filters-are-a-union', rule: 'EMP-16', breaks: 'beside a department the status does nothing', alter: queries(LIST, (query) => { if (query.has('department_id')) query.delete('status'); }) },
  { id: 'emp-since-exclusive', rule: 'EMP-17', breaks: 'updated_since excludes its own millisecond', alter: queries(LIST, (query) => { const since = query.get('updated_since'); if (since !== null && Number.isFinite(Date.parse(since))) query.set('updated_since', new Date(Date.parse(since) + 1).toISOString()); }) },
  { id: 'emp-since-by-seconds', rule: 'EMP-17', breaks: 'updated_since looks at whole seconds', alter: queries(LIST, (query) => { const since = query.get('updated_since'); if (since !== null) query.set('updated_since', since.replace(/\.\d+/, '')); }) },
  { id: 'emp-since-zone-ignored', rule: 'EMP-18', breaks: 'the zone of updated_since is overlooked', alter: queries(LIST, (query) => { const since = query.get('updated_since'); if (since !== null) query.set('updated_since', since.replace(/[+-]\d\d:\d\d$/, 'Z')); }) },
  { id: 'emp-since-raw-plus', rule: 'EMP-19', breaks: 'a blank in the zone is read as a plus', alter: queries(LIST, (query) => { const since = query.get('updated_since'); if (since !== null) query.set('updated_since', since.replace(' ', '+')); }) },
  { id: 'emp-since-malformed', rule: 'EMP-20', breaks: 'a malformed updated_since does nothing', alter: lenient(/updated_since/) },
  { id: 'emp-since-future', rule: 'EMP-21', breaks: 'an updated_since in the future is refused', alter: refuses(LIST, 'INVALID_ARGUMENT', (asked) => /updated_since=(9|2[1-9]|20[3-9])/.test(asked.target)) },
  { id: 'emp-person-always', rule: 'EMP-24', breaks: 'person is there without being asked for', alter: each(BOTH, (one) => { one.person ??= { id: SOMEBODY.id }; }) },
  { id: 'emp-no-department', rule: 'EMP-25', breaks: 'the expanded department is left out', alter: each(BOTH, (one) => { delete one.department; }) },
  { id: 'emp-no-job-title', rule: 'EMP-26', breaks: 'the expanded job title is left out', alter: each(BOTH, (one) => { delete one.job_title; }) },
  { id: 'emp-no-manager', rule: 'EMP-27', breaks: 'the expanded manager is left out', alter: each(BOTH, (one) => { delete one.manager; }) },
  { id: 'emp-expand-first-only', rule: 'EMP-28', breaks: 'of several expansions the first counts', alter: onlyFirst('expand') },
  { id: 'emp-unknown-expand', rule: 'EMP-29', breaks: 'an unknown expansion is overlooked', alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT) },
  { id: 'emp-nested-expand', rule: 'EMP-30', breaks: 'a nested expansion is overlooked', alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT) },
  { id: 'emp-unknown-parameter', rule: 'EMP-31', breaks: 'an unknown parameter is overlooked', alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT) },
  { id: 'emp-external-id-filter', rule: 'EMP-32', breaks: 'external_id is a filter', alter: accepts(BOTH, (a) => reasonOf(a) === 'INVALID_ARGUMENT', LENIENT) },
  { id: 'emp-total-always', rule: 'EMP-33', breaks: 'total_count is there without being asked for', alter: answers(LIST, (json) => { json.total_count ??= '5'; }) },
  { id: 'emp-total-number', rule: 'EMP-34', breaks: 'total_count is a JSON number', alter: total((count) => count) },
  { id: 'emp-total-off-by-one', rule: 'EMP-35', breaks: 'total_count is one too many', alter: total((count) => String(count + 1)) },
  { id: 'emp-total-of-page', rule: 'EMP-36', breaks: 'total_count counts the rows of the page', alter: answers(LIST, (json) => { if (json.total_count !== undefined) json.total_count = String(json.employees.length); }) },
  { id: 'emp-odd-boolean', rule: 'EMP-37', breaks: 'include_total=1 is taken for true', alter: lenient(/include_total=/) },
  { id: 'emp-draft-readable', rule: 'EMP-39', breaks: 'a draft is read by its id', alter: answers(ONE, (_json, _asked) => ({ employee: SOMEBODY }), (answer) => answer.status === 404) },
  { id: 'emp-unknown-state', rule: 'EMP-41', breaks: 'a status is none of the eight', alter: each(BOTH, (one) => { one.status = 'EMPLOYEE_STATUS_CREATED'; }) },
  { id: 'emp-placeholder-otherwise', rule: 'EMP-42', breaks: 'the placeholder as a filter is answered otherwise than declared', alter: async (asked, forward) => { const answer = await forward(asked); if (!asked.target.includes('UNSPECIFIED')) return answer; return answer.status === 200 ? madeError('INVALID_ARGUMENT', 'status') : made(200, LENIENT); } },
  { id: 'emp-external-id-shown', rule: 'EMP-43', breaks: 'external_id is shown', alter: each(BOTH, (one) => { one.external_id = ''; }) },
  { id: 'emp-null-for-empty', rule: 'EMP-44', breaks: 'what is empty is null', alter: each(BOTH, (one) => { for (const [name, value] of Object.entries(one)) if (value === '') one[name] = null; }) },
  { id: 'emp-empty-left-out', rule: 'EMP-44', breaks: 'what is empty is left out', alter: each(BOTH, (one) => { for (const [name, value] of Object.entries(one)) if (value === '') delete one[name]; }) },
  { id: 'emp-end-date-while-active', rule: 'EMP-45', breaks: 'who is active has an end_date', alter: each(BOTH, (one) => { if (one.status === 'EMPLOYEE_STATUS_ACTIVE') one.end_date = '2030-01-01'; }) },
  { id: 'emp-wrong-department', rule: 'EMP-46', breaks: 'the expanded department is another one', alter: each(BOTH, (one) => { if (one.department) one.department.id = SOMEBODY.id; }) },
  { id: 'emp-manager-left-out', rule: 'EMP-47', breaks: 'without a manager the expansion is otherwise than declared', alter: each(BOTH, (one) => { if (one.manager_id === '') one.manager = one.manager === null ? undefined : null; if (one.manager === undefined) delete one.manager; }) },
  { id: 'emp-read-differs', rule: 'EMP-48', breaks: 'the single read has another number than the list', alter: each(ONE, (one) => { one.employee_number += '0'; }) },
  { id: 'emp-deleted-readable', rule: 'EMP-49', breaks: 'a deleted employee is read by its id', alter: answers(ONE, () => ({ employee: SOMEBODY }), asFull) },
  { id: 'emp-deleted-is-document', rule: 'EMP-49', breaks: 'a deleted employee is answered with another code', alter: mistaken('EMPLOYEE_NOT_FOUND', 'DOCUMENT_NOT_FOUND') },
  { id: 'emp-other-tenant-readable', rule: 'EMP-50', breaks: 'an employee of another tenant can be read', alter: permits(ONE, 'other_tenant', asFull) },
  { id: 'emp-unknown-is-403', rule: 'EMP-51', breaks: 'an unknown id is refused for lack of a scope', alter: mistaken('EMPLOYEE_NOT_FOUND', 'SCOPE_INSUFFICIENT') },
  { id: 'emp-update-before-create', rule: 'EMP-53', breaks: 'records were changed before they were created', alter: each(BOTH, (one) => { one.update_time = '2001-01-01T00:00:00.000Z'; }) },
  { id: 'emp-hidden-tells', rule: 'EMP-54', breaks: 'who is hidden is answered otherwise than who is unknown', alter: answers(ONE, (json, _asked, memory) => { memory.notes.set('n', Number(memory.notes.get('n') ?? 0) + 1); json.message = `No access ${memory.notes.get('n')}.`; }, asFull) },
  { id: 'emp-hidden-readable', rule: 'EMP-54', breaks: 'who is hidden can be read', alter: permits(ONE, 'full', asFull) },
  { id: 'emp-many-values', rule: 'EMP-56', breaks: 'any number of values is taken', alter: acceptsReason('INVALID_ARGUMENT', LIST) },
  { id: 'red-iin-shown', rule: 'RED-1', breaks: 'the IIN is shown to who may not see it', alter: each(BOTH, (one) => { if (one.person) { one.person.iin ??= '000000000000'; } }) },
  { id: 'red-not-listed', rule: 'RED-1', breaks: 'what is hidden is not listed', alter: each(BOTH, (one) => { one.redacted_fields = []; }) },
  { id: 'red-hidden-from-all', rule: 'RED-2', breaks: 'the IIN is hidden from who may see it', alter: each(BOTH, (one) => { if (one.person) { delete one.person.iin; one.redacted_fields = ['persons.iin']; } }) },
  { id: 'red-camel', rule: 'RED-3', breaks: 'entries of redacted_fields have another form', alter: each(BOTH, (one) => { one.redacted_fields = one.redacted_fields?.map((name: string) => name.replace('persons.', 'Persons/')); if (one.person) one.redacted_fields = ['Persons/iin']; }) },
  { id: 'red-masked', rule: 'RED-4', breaks: 'what is hidden is masked', alter: each(BOTH, (one) => { if (one.redacted_fields?.includes('persons.iin') && one.person) one.person.iin = '********'; else if (one.person) one.redacted_fields = ['persons.iin']; }) },
  { id: 'red-empty-left-out', rule: 'RED-5', breaks: 'a person without a middle name has no field for it', alter: each(BOTH, (one) => { if (one.person) delete one.person.middle_name; }) },
  { id: 'red-list-shows', rule: 'RED-6', breaks: 'the list shows what the single read hides', alter: each(LIST, (one) => { if (one.person) { one.person.iin ??= '000000000000'; one.redacted_fields = []; } }) },
  { id: 'red-null', rule: 'RED-8', breaks: 'redacted_fields is null where nothing is hidden', alter: each(BOTH, (one) => { if (one.redacted_fields?.length === 0) one.redacted_fields = null; }) },
  { id: 'red-by-row', rule: 'RED-9', breaks: 'what is listed depends on the row', alter: rows(LIST, (list) => list.map((one: Json, at: number) => (at % 2 === 0 ? { ...one, redacted_fields: [] } : one))) },
  { id: 'red-others-differ', rule: 'RED-10', breaks: 'who sees less also sees another number', alter: each(BOTH, (one, asked, memory) => { if (asked.headers.some(([, v]) => v === memory.key('restricted_owner'))) one.employee_number += '1'; }) },
  { id: 'red-lists-unasked', rule: 'RED-11', breaks: 'fields of objects that were not asked for are listed', alter: each(BOTH, (one) => { one.redacted_fields = ['persons.iin']; }) },
  { id: 'red-total-tells', rule: 'RED-12', breaks: 'total_count counts rows that the owner may not see', alter: total((count) => String(count + 7)) },
  { id: 'priv-manager-number', rule: 'PRIV-3', breaks: 'an expanded manager has a position', alter: each(BOTH, (one) => { if (one.manager) one.manager.job_title_id = SOMEBODY.id; }) },
  { id: 'priv-department-parent', rule: 'PRIV-4', breaks: 'an expanded department has a parent', alter: each(BOTH, (one) => { if (one.department) one.department.parent_id = SOMEBODY.id; }) },
  { id: 'emp-since-stale', rule: 'EMP-22', breaks: 'changes of a card do not show', alter: stale(ONE) },
];
