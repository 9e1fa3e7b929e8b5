import { describe, expect, test } from '@jest/globals';
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { ruleWith } from '../testing/small-target.ts';
import { jsonBody, made, madeError, parse, reasonOf } from './alter.ts';
import { faultsByMachine, isByMachine, noteTraffic, type RuleTraffic, type Tries } from './by-machine.ts';
import type { ProxiedAnswer, ProxiedRequest } from './fault.ts';
import { planted } from './proxy.ts';

const ruleAbout = (place: string, text: string) => ruleWith('EMP-1', () => {}, { section: 'EMP', place, text });

const ask = (target: string, body?: unknown): ProxiedRequest => ({
  rule: 'EMP-1',
  operation: body === undefined ? 'listEmployees' : 'createDocument',
  method: body === undefined ? 'GET' : 'POST',
  target,
  headers: [],
  body: body === undefined ? Buffer.alloc(0) : jsonBody(body),
  replica: false,
});

const list = made(200, { employees: [{ id: 'a', status: 'ACTIVE', end_date: '' }], next_page_token: '' });
const filtered = ask('/developer/v1/employees?status=ACTIVE&limit=2');

/** What is tried on a rule that sends one request, by kind. */
function tried(rule: Rule, asked: ProxiedRequest, answer: ProxiedAnswer): Map<string, Tries> {
  const traffic: RuleTraffic = new Map();
  noteTraffic(traffic, asked, answer);
  return new Map(faultsByMachine(rule, traffic).map((tries) => [tries[0].id, tries]));
}

/** What the target sees, and what the rule is answered, with each of some faults. */
async function effects(tries: Tries | undefined, asked: ProxiedRequest, answer: ProxiedAnswer) {
  const seen: string[] = [];
  const given: ProxiedAnswer[] = [];
  for (const one of tries ?? []) {
    const { fault, memory } = planted(one, () => '');
    const forward = async ({ target, body }: ProxiedRequest) => {
      seen.push(`${target} ${body}`.trim());
      return { ...answer };
    };
    given.push((await fault.alter?.(asked, forward, memory)) as ProxiedAnswer);
  }
  return { seen, given, json: given.map(({ body }) => parse(body)) };
}

/** {@link effects} of what is tried of this kind. */
const effectsOf = (kind: string, rule: Rule, asked = filtered, answer = list) =>
  effects(tried(rule, asked, answer).get(`${kind}-EMP-1`), asked, answer);

describe('faults by machine', () => {
  const promising = ruleAbout('listEmployees: status', 'status finds exactly the rows; end_date is shown.');

  test('of a rule that is accepted: it is refused, fields that it names, what it names is not read, rows', () => {
    expect([...tried(promising, filtered, list).keys()]).toEqual([
      'refused-EMP-1',
      'field-EMP-1',
      'unread-EMP-1',
      'row-EMP-1',
    ]);
  });

  test('of a rule that is refused: it is accepted, or gets another error', async () => {
    const refusal = madeError('INVALID_ARGUMENT', 'status');
    const refused = ruleAbout('listEmployees', 'A strange value is refused.');
    expect([...tried(refused, filtered, refusal).keys()]).toEqual(['accepted-EMP-1', 'another-error-EMP-1']);
    const accepted = await effectsOf('accepted', refused, filtered, refusal);
    expect(accepted.given.map(({ status }) => status)).toEqual([200]);
    const { given } = await effectsOf('another-error', refused, filtered, refusal);
    expect(given.map(({ status }) => status)).toEqual([400]);
    expect(given.map(reasonOf)).not.toContain('INVALID_ARGUMENT');
  });

  test('alter a field that the rule names, or leave it out', async () => {
    const { json } = await effectsOf('field', promising);
    expect(json.map(({ employees }) => employees[0])).toEqual([
      { id: 'a', status: 'ACTIVEx', end_date: '' },
      { id: 'a', end_date: '' },
      { id: 'a', status: 'ACTIVE', end_date: 'x' },
      { id: 'a', status: 'ACTIVE' },
    ]);
  });

  test('alter the field that a refusal names, of a rule that speaks of it', async () => {
    const refusal = madeError('INVALID_ARGUMENT', 'status');
    const naming = ruleAbout('listEmployees: status', 'It is INVALID_ARGUMENT naming status.');
    const { json } = await effectsOf('field', naming, filtered, refusal);
    expect(json.map(({ details }) => details[1].field_violations[0].field)).toEqual(['statusx', undefined]);
  });

  test('alter any field but ids if the rule names none', async () => {
    const { json } = await effectsOf('field', ruleAbout('listEmployees', 'What is empty is there.'));
    expect(json.map(({ employees }) => employees)).toEqual([[]]);
  });

  test('leave out of a request what the rule names, as if it were not read', async () => {
    const { seen } = await effectsOf('unread', promising);
    expect(seen).toEqual(['/developer/v1/employees?limit=2']);
    const asked = ask('/developer/v1/documents', { title: 'x', type_id: 'y' });
    const kept = ruleAbout('createDocument: title', 'A title is kept.');
    const unread = await effectsOf('unread', kept, asked, made(200, {}));
    expect(unread.seen).toEqual(['/developer/v1/documents {"type_id":"y"}']);
  });

  test('show a row less, or one twice', async () => {
    const { json } = await effectsOf('row', promising);
    expect(json.map(({ employees }) => employees.length)).toEqual([0, 2]);
  });

  test('are not tried where only time, events, the limit or other rules show what is wrong', () => {
    const byHand = rules.filter((rule) => !isByMachine(rule)).map(({ id }) => id);
    for (const id of ['LIM-8', 'DLV-6', 'EVT-3', 'SIG-2', 'GEN-12', 'PAGE-22', 'VER-2']) expect(byHand).toContain(id);
    for (const id of ['AUTH-17', 'WHK-23', 'PAGE-14', 'ING-25']) expect(byHand).not.toContain(id);
  });
});
