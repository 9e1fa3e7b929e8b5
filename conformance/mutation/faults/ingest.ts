// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in ingest: acceptance, and the effects of a batch. */
import { accepts, answers, asks, bodies, both, each, headerOf, type Json, jsonBody, keyed, mistaken, parse, refusals, refuses, setHeader } from '../alter.ts';
import type { Alter, Asked, Fault, Memory } from '../fault.ts';

const INGEST = 'ingestRecords';
const REQUIRED = 'INTEGRATION.IDEMPOTENCY_REQUIRED';
const INVALID = 'INVALID_ARGUMENT';
const EMPLOYEES = ['listEmployees', 'getEmployee'] as const;
const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';
const ACCEPTED = { ingest_request_id: UNKNOWN, status: 'ACCEPTED', record_count: 1 };
const lenient = accepts(INGEST, (answer) => answer.status >= 400, ACCEPTED);
const records = (change: (record: Json, batch: Json) => unknown) =>
  bodies(INGEST, (json) => { if (Array.isArray(json.records)) json.records = json.records.map((one: Json) => change(one, json) ?? one); });
const always = (value: boolean) => bodies(INGEST, (json) => { json.create_missing = value; });
const nothing = bodies(INGEST, (json) => { if (Array.isArray(json.records)) { json.payload_type = 'NOTHING'; } });
const freshKey = asks(INGEST, (asked) => { if (headerOf(asked, 'idempotency-key')) setHeader(asked, 'Idempotency-Key', crypto.randomUUID()); });
const without = (...names: string[]) => records((one) => { for (const name of names) delete one[name]; });
const forgetful = (type: string, change: (record: Json, memory: Memory) => void): Alter => (asked, forward, memory) => records((one, batch) => { if (batch.payload_type === type && /LEDGER/.test(asked.target)) change(one, memory); })(asked, forward, memory);
const pair = (rule: string, source: string, type: string): Fault => ({ id: `ing-skips-${source}-${type}`.toLowerCase(), rule, breaks: `${source} / ${type} is accepted and skipped`, alter: bodies(INGEST, (json) => { if (json.payload_type === type) json.payload_type = 'NOTHING'; }) });

export const ingest: readonly Fault[] = [
  { id: 'ing-key-optional', rule: 'ING-1', breaks: 'the Idempotency-Key may be left out', alter: lenient },
  { id: 'ing-count-text', rule: 'ING-2', breaks: 'record_count is a text', alter: answers(INGEST, (json) => { json.record_count = String(json.record_count); }) },
  { id: 'ing-count-wrong', rule: 'ING-2', breaks: 'record_count is always 1', alter: answers(INGEST, (json) => { json.record_count = 1; }) },
  { id: 'ing-replays', rule: 'ING-3', breaks: 'a repeat answers as the first attempt', alter: accepts(INGEST, (answer) => answer.status === 409, ACCEPTED) },
  { id: 'ing-first-id-unsaid', rule: 'ING-3', breaks: 'a repeat is not told the first attempt’s id', alter: refusals(REQUIRED, (json) => { json.details[0].metadata = {}; }) },
  { id: 'ing-other-body', rule: 'ING-4', breaks: 'another body with a used key is accepted', alter: freshKey },
  { id: 'ing-key-of-owner', rule: 'ING-5', breaks: 'an Idempotency-Key counts for all API keys', alter: keyed(INGEST, 'any', 'full') },
  { id: 'ing-key-free-at-once', rule: 'ING-6', breaks: 'an Idempotency-Key is free before its 24 hours end', alter: freshKey },
  { id: 'ing-many-accepted', rule: 'ING-7', breaks: 'of twenty requests with a key all are accepted', alter: freshKey },
  { id: 'ing-refusal-burns', rule: 'ING-8', breaks: 'a refused request uses its key up', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation !== INGEST) return answer; const key = `key ${headerOf(asked, 'idempotency-key')}`; if (answer.status === 400) memory.notes.set(key, true); return answer.status === 200 && memory.notes.has(key) ? { ...answer, status: 409 } : answer; } },
  { id: 'ing-unknown-source', rule: 'ING-9', breaks: 'an unknown source is refused', alter: refuses(INGEST, INVALID, (asked) => !/ingest\/(KEDO|LEDGER)/.test(asked.target)) },
  { id: 'ing-unknown-type', rule: 'ING-10', breaks: 'an unknown payload type is refused', alter: refuses(INGEST, INVALID) },
  { id: 'ing-crossed-pair', rule: 'ING-11', breaks: 'a payload type of the other source is refused', alter: refuses(INGEST, INVALID) },
  pair('ING-12', 'KEDO', 'PERSONS'), pair('ING-13', 'KEDO', 'ORGANIZATIONS'), pair('ING-14', 'KEDO', 'DEPARTMENTS'), pair('ING-15', 'KEDO', 'EMPLOYEES'), pair('ING-16', 'KEDO', 'JOB_TITLES'), pair('ING-17', 'LEDGER', 'EMPLOYEES_FULL'), pair('ING-18', 'LEDGER', 'DEPARTMENTS'),
  { id: 'ing-always-creates', rule: 'ING-19', breaks: 'create_missing is always true', alter: always(true) },
  { id: 'ing-never-creates', rule: 'ING-20', breaks: 'create_missing is always false', alter: always(false) },
  { id: 'ing-updates-need-flag', rule: 'ING-21', breaks: 'without create_missing nothing is updated', alter: bodies(INGEST, (json) => { if (json.create_missing === false) json.payload_type = 'NOTHING'; }) },
  { id: 'ing-default-true', rule: 'ING-22', breaks: 'create_missing is true when it is left out', alter: bodies(INGEST, (json) => { json.create_missing ??= true; }) },
  { id: 'ing-reference-lost', rule: 'ING-24', breaks: 'the department of an employee is not resolved', alter: without('external_department_id') },
  { id: 'ing-unknown-field', rule: 'ING-27', breaks: 'an unknown field is refused', alter: refuses(INGEST, INVALID, (asked) => asked.body.length > 0 && !/"external_id":"nobody/.test(asked.body.toString())) },
  { id: 'ing-odd-date', rule: 'ING-28', breaks: 'an impossible date is read as the next day', alter: records((one) => { for (const name of ['admission_date', 'left_date', 'birth_date', 'ДатаПриема']) if (typeof one[name] === 'string' && /-(30|31)$/.test(one[name])) one[name] = '2025-03-01'; }) },
  { id: 'ing-number-lost', rule: 'ING-30', breaks: 'the number of an employee is not shown', alter: each(EMPLOYEES, (one) => { one.employee_number = ''; }) },
  { id: 'ing-phone-lost', rule: 'ING-30', breaks: 'the phone of a person is not loaded', alter: without('phone') },
  { id: 'ing-external-id-shown', rule: 'ING-31', breaks: 'an external id is given out', alter: both(each(EMPLOYEES, (one, _asked, memory) => { one.location_id = memory.notes.get('id') ?? one.location_id; }), async (asked, forward, memory) => { const json = parse(asked.body); if (json?.payload_type === 'EMPLOYEES') memory.notes.set('id', json.records[0].external_id); return forward(asked); }) },
  { id: 'ing-status-operation', rule: 'ING-32', breaks: 'the state of a batch can be asked for', alter: accepts((asked) => asked.target.includes('/ingest') && asked.method === 'GET', (answer) => answer.status >= 400, { status: 'APPLIED' }) },
  { id: 'ing-not-found-since', rule: 'ING-33', breaks: 'what a batch changed is not found by updated_since', alter: answers('listEmployees', (json, asked) => { if (asked.target.includes('updated_since')) json.employees = []; }) },
  { id: 'ing-always-touches', rule: 'ING-35', breaks: 'a batch that changes nothing moves update_time', alter: each(EMPLOYEES, (one, _asked, memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); one.update_time = new Date(Date.parse(one.update_time) + n).toISOString(); }) },
  { id: 'ing-no-external-id', rule: 'ING-37', breaks: 'a record without an external id makes an object', alter: records((one) => { if (typeof one.external_id !== 'string' || one.external_id.trim() === '') one.external_id = crypto.randomUUID(); }) },
  { id: 'ing-any-shape', rule: 'ING-38', breaks: 'a batch of wrong shape is accepted', alter: lenient },
  { id: 'ing-empty-refused', rule: 'ING-39', breaks: 'a batch without records is treated otherwise than declared', alter: async (asked, forward) => { const answer = await forward(asked); if (asked.operation !== INGEST || parse(asked.body)?.records?.length !== 0) return answer; return answer.status === 200 ? { ...answer, status: 400 } : { ...answer, status: 200, body: jsonBody({ ...ACCEPTED, record_count: 0 }) }; } },
  { id: 'ing-first-wins', rule: 'ING-40', breaks: 'of records with the same external id the first wins', alter: bodies(INGEST, (json) => { json.records?.reverse?.(); }) },
  { id: 'ing-bad-spoils-all', rule: 'ING-42', breaks: 'a bad record spoils its batch', alter: nothing },
  { id: 'ing-any-key', rule: 'ING-44', breaks: 'a key that no super-administrator made is accepted', alter: accepts(INGEST, (answer) => answer.status === 403, ACCEPTED) },
  { id: 'ing-too-many', rule: 'ING-45', breaks: 'one record more than the most is accepted', alter: lenient },
  { id: 'ing-too-large', rule: 'ING-46', breaks: 'a larger body is accepted', alter: lenient },
  { id: 'ing-body-bound', rule: 'ING-47', breaks: 'a body may be no larger than elsewhere', alter: async (asked, forward) => { const answer = await forward(asked); return asked.body.length > 1_048_576 ? { ...answer, status: 413 } : answer; } },
  { id: 'ing-absent-clears', rule: 'ING-48', breaks: 'an absent field clears what is there', alter: records((one, batch) => { if (batch.payload_type === 'EMPLOYEES') for (const name of ['number', 'external_department_id', 'external_job_title_id']) one[name] ??= ''; if (batch.payload_type === 'PERSONS') for (const name of ['phone', 'email', 'middle_name']) one[name] ??= ''; }) },
  { id: 'ing-wrong-type', rule: 'ING-49', breaks: 'a field of the wrong type is overlooked', alter: records((one) => { for (const [name, value] of Object.entries(one)) if (typeof value !== 'string') delete one[name]; }) },
  { id: 'ing-person-unknown', rule: 'ING-51', breaks: 'an employee is shown without a known person', alter: refuses(INGEST, INVALID) },
  { id: 'ing-ids-folded', rule: 'ING-52', breaks: 'external ids are compared without their case', alter: records((one) => { for (const name of Object.keys(one)) if (/external_/.test(name) && typeof one[name] === 'string') one[name] = one[name].normalize('NFKC').toLowerCase().trim(); }) },
  { id: 'ing-left-stays', rule: 'ING-53', breaks: 'who has left stays active', alter: without('left_date') },
  { id: 'ing-other-order', rule: 'ING-55', breaks: 'the last two batches of many are applied the other way round', alter: async (asked, forward, memory) => { const number = parse(asked.body)?.records?.[0]?.number ?? ''; const last = memory.successes.get(INGEST); if (/-step-10-/.test(number) && last) { memory.notes.set('held', asked); return last; } const answer = await forward(asked); const held = memory.notes.get('held') as Asked | undefined; if (/-step-11-/.test(number) && held) await forward(held); return answer; } },
  { id: 'ing-person-time', rule: 'ING-57', breaks: 'a change of a person moves no update_time', alter: each(EMPLOYEES, (one) => { one.update_time = one.create_time; }) },
  { id: 'ing-key-any', rule: 'ING-62', breaks: 'a malformed Idempotency-Key is overlooked', alter: freshKey },
  { id: 'ing-ledger-id-ignored', rule: 'ING-66', breaks: 'LEDGER ignores external_id and makes it from fields', alone: true, alter: forgetful('EMPLOYEES_FULL', (one) => { delete one.external_id; }) },
  { id: 'ing-ledger-number-decides', rule: 'ING-66', breaks: 'LEDGER takes a new external_id with a known number for the employee of that number', alone: true, alter: forgetful('EMPLOYEES_FULL', (one, memory) => { const key = `number ${one.ТабельныйНомер}`; if (!memory.notes.has(key)) memory.notes.set(key, one.external_id); one.external_id = memory.notes.get(key); }) },
  { id: 'ing-ledger-fields-new', rule: 'ING-61', breaks: 'a record without an external_id is a new one each time', alone: true, alter: forgetful('EMPLOYEES_FULL', (one) => { one.external_id ??= crypto.randomUUID(); }) },
  { id: 'ing-ledger-link-unknown', rule: 'ING-67', breaks: 'a department is not found by its Ссылка', alone: true, alter: records((one) => { if (one.external_id) delete one.Ссылка; }) },
  { id: 'ing-ledger-link-only', rule: 'ING-67', breaks: 'a department is found by its Ссылка alone', alone: true, alter: forgetful('DEPARTMENTS', (one) => { if (one.Ссылка) delete one.external_id; }) },
  { id: 'ing-ledger-person-nameless', rule: 'ING-68', breaks: 'the external_id of a person is ignored', alone: true, alter: records((one) => { delete one.ФизЛицо?.external_id; }) },
  { id: 'ing-required-409', rule: 'ING-1', breaks: 'a missing key is a wrong argument', alter: mistaken(REQUIRED, 'INVALID_ARGUMENT') },
];
