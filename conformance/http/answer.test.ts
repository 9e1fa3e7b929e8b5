/** What becomes of a check whose target breaks the contract in something that the check is not about. */
import { expect, test } from '@jest/globals';
import { GIVEN_BEFORE } from '../judge/given-answers.ts';
import type { Cause } from '../judge/outcome.ts';
import { type Check, declaredRules, rule } from '../rules/rule.ts';
import { checkedIn, inJson, type Reply, runWith, served } from '../testing/small-target.ts';

let reply: Reply = [200, {}];
/** Every answer has the X-Request-Id of the first, as behind a cache. */
const target = served((request, response) => {
  response.setHeader('X-Request-Id', 'kept');
  return inJson(() => reply)(request, response);
});

const employee = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  status: 'EMPLOYEE_STATUS_HIRED',
  organization_id: '',
  department_id: '',
  job_title_id: '',
  manager_id: '',
  location_id: '',
  employee_number: '1',
  start_date: '',
  end_date: null,
  work_email: '',
  create_time: '2026-03-02T03:50:00.000Z',
  update_time: '2026-03-02T03:50:00.000Z',
};
const BROKEN = 'listEmployees: the answer breaks the contract:';

/** How a rule ends whose check does this. */
async function outcomeOf(check: Check) {
  const id = `X-${declaredRules.length + 900}`;
  rule({ id, text: 'It is so.', place: 'x', check });
  const run = runWith({ base_url: target.baseUrl, keys: { full: ['A'] } }, { A: 'dev_key_a' });
  const own = declaredRules.filter((one) => one.id === id);
  return (await checkedIn(run, own, { repeatAfterMs: 0 }))[0];
}

const incomplete: Reply = [200, { employees: [employee], next_page_token: '' }];

test.each<[string, Reply, Check, object]>([
  [
    'goes on with what is there, and fails at its end',
    incomplete,
    async (t, full) => {
      const { rows } = await full.employees();
      t.equal(rows[0]?.employee_number, '1', 'the number');
    },
    { status: 'FAIL', reason: expect.stringMatching(/^listEmployees: .*redacted_fields is missing.*end_date must be/) },
  ],
  [
    'says what it finds in the rest',
    incomplete,
    async (t, full) => t.equal((await full.employees()).rows[0]?.employee_number, '2', 'the number'),
    {
      status: 'FAIL',
      reason: 'the number: expected "2", got "1"',
      note: expect.stringContaining(`besides: ${BROKEN} employees[].redacted_fields is missing`),
    },
  ],
  [
    'ends where it reads what is missing',
    incomplete,
    async (t, full) => t.equal((await full.employees()).rows[0]?.redacted_fields, [], 'what is hidden'),
    { status: 'FAIL', reason: `${BROKEN} employees[].redacted_fields is missing` },
  ],
  [
    'ends where it reads what is wrong',
    incomplete,
    async (t, full) => t.equal((await full.employees()).rows[0]?.end_date, '', 'the end'),
    { status: 'FAIL', reason: expect.stringContaining(`${BROKEN} employees[].end_date must be`) },
  ],
  [
    'blames the target, and not itself, for what it stumbles over then',
    [200, { next_page_token: '' }],
    async (_t, full) => void (await full.employees()).rows.length,
    { status: 'FAIL', reason: `${BROKEN} employees is missing` },
  ],
  [
    'goes on after another success',
    [201, { employees: [], next_page_token: '' }],
    async (t, full) => t.equal((await full.employees()).rows.length, 1, 'rows'),
    {
      status: 'FAIL',
      reason: 'rows: expected 1, got 0',
      note: expect.stringContaining('besides: listEmployees: expected 200, got 201'),
    },
  ],
  [
    'goes on after a refusal that only lacks its code',
    [404, { detail: 'gone' }],
    async (t, full) => {
      (await full.get('/employees/x')).fails('EMPLOYEE_NOT_FOUND');
      t.fail('the next case');
    },
    {
      status: 'FAIL',
      reason: 'the next case',
      note: expect.stringContaining('besides: expected 404 EMPLOYEE_NOT_FOUND, got 404 without a code'),
    },
  ],
  [
    'says that a cache may be the cause',
    [200, {}],
    async (t, full) => {
      for (const _ of [1, 2]) await full.verify();
      t.fail('it is old');
    },
    { status: 'FAIL', reason: `it is old; ${GIVEN_BEFORE}`, cause: { what: GIVEN_BEFORE } },
  ],
  [
    'is not untested after a broken answer',
    incomplete,
    async (t, full) => {
      await full.employees();
      t.untested('no_such_data', 'nobody has a manager');
    },
    { status: 'FAIL', reason: expect.stringContaining(BROKEN) },
  ],
])('a check %s', async (_what, said, check, ending) => {
  reply = said;
  expect(await outcomeOf(check)).toMatchObject(ending);
});

const NO_KEY = '401 INTEGRATION.API_KEY_INVALID';
const listed: Check = async (_t, full) => void (await full.employees());
const noKey: Check = async (_t, full) => void (await full.get('/employees')).fails('API_KEY_INVALID');
const badLimit: Check = async (_t, full) => void (await full.get('/employees', { limit: 'x' })).blames('limit', 'x');
const invalid = (...fields: string[]): Reply => {
  const violations = { field_violations: fields.map((field) => ({ field, description: 'is wrong' })) };
  return [400, { details: [{ reason: 'INVALID_ARGUMENT' }, violations] }];
};

test.each<[Reply, Check, Cause]>([
  [[500, {}], listed, { what: 'listEmployees is answered 500 without a code' }],
  [[404, {}], listed, { what: 'listEmployees: expected 200, got 404 without a code' }],
  [
    [200, { employees: [] }],
    listed,
    { what: 'the answer of listEmployees breaks the contract', came: ['next_page_token is missing'] },
  ],
  [[401, {}], noKey, { what: 'errors have no code' }],
  [[500, {}], noKey, { what: 'listEmployees is answered 500 without a code' }],
  [[404, {}], noKey, { what: `expected ${NO_KEY}, got something else`, came: ['404 without a code'] }],
  [[200, {}], noKey, { what: `expected ${NO_KEY}, got something else`, came: ['200'] }],
  [[200, {}], badLimit, { what: 'expected 400 INVALID_ARGUMENT, got a success', came: ['200'] }],
  [[422, {}], badLimit, { what: 'expected 400 INVALID_ARGUMENT, got 422 without a code' }],
  [invalid(), badLimit, { what: 'the violations name nothing' }],
  [invalid('page_token'), badLimit, { what: 'the violations name another field than the one that is wrong' }],
  [
    [200, {}],
    (t) => t.equal(3, 4, 'on day 2: the total of 7'),
    { what: 'the total of …: not what was expected', came: ['expected 4, got 3'] },
  ],
])('%j to %s has a cause', async (said, check, cause) => {
  reply = said;
  expect((await outcomeOf(check))?.cause).toEqual(cause);
});
