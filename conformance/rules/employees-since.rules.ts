import type { TestContext } from '../engine/test-context.ts';
import type { Api, Query } from '../http/api.ts';
import { rule } from './rule.ts';
import { idsOf, statuses } from './shared/calls.ts';

/** The employees of the fixture department, and the middle one of their change times. */
async function known(
  t: TestContext,
): Promise<{ full: Api; department_id: string; instant: string; since: (text: string) => Promise<string[]> }> {
  const full = t.as('full');
  const department_id = t.fixture('department_id');
  const rows = await full.walk('listEmployees', { department_id, limit: 1000 });
  const times = rows.map(({ update_time }) => update_time).sort();
  const instant = t.present(times[Math.floor(times.length / 2)], 'nobody is in the department');
  const since = async (updated_since: string) => {
    const found = await full.walk('listEmployees', { department_id, updated_since, limit: 1000 });
    return idsOf(found).sort();
  };
  return { full, department_id, instant, since };
}

const plusMs = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();

rule({
  id: 'EMP-17',
  level: 'MUST',
  text: 'updated_since includes employees that changed in the same millisecond, and excludes those that changed one millisecond before it.',
  place: 'listEmployees: updated_since',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const { full, department_id, instant, since } = await known(t);
    const rows = await full.walk('listEmployees', { department_id, limit: 1000 });
    const after = (at: string) => idsOf(rows.filter((row) => Date.parse(row.update_time) >= Date.parse(at))).sort();
    for (const ms of [-1, 0, 1]) {
      const at = plusMs(instant, ms);
      t.equal(await since(at), after(at), `employees since ${at} (a change was at ${instant})`);
    }
    t.check(after(instant).length > after(plusMs(instant, 1)).length, 'the boundary separates nothing');
  },
});

/** The same instant written in another zone. */
function inZone(instant: string, minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const hours = `${Math.floor(Math.abs(minutes) / 60)}`.padStart(2, '0');
  const rest = `${Math.abs(minutes) % 60}`.padStart(2, '0');
  return plusMs(instant, minutes * 60_000).replace('Z', `${sign}${hours}:${rest}`);
}

rule({
  id: 'EMP-18',
  level: 'MUST',
  text: 'One instant in updated_since is the same filter in any time zone and spelling.',
  place: 'listEmployees: updated_since',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const { instant, since } = await known(t);
    const wanted = await since(plusMs(instant, 0));
    for (const zone of [300, 360, -210, 345, 0, 840, -720]) {
      t.equal(await since(inZone(instant, zone)), wanted, `the same instant with the offset of ${zone} minutes`);
    }
    t.equal(await since(plusMs(instant, 0).toLowerCase()), wanted, 'the same instant in lower case');
  },
});

rule({
  id: 'EMP-19',
  level: 'MUST',
  text: 'A raw + in the offset of updated_since is INVALID_ARGUMENT, never a wrong result.',
  place: 'listEmployees: updated_since',
  check: async (t) => {
    const full = t.as('full');
    (await full.get('/employees', 'updated_since=2024-01-01T00:00:00+05:00')).blames('updated_since', 'a raw +');
    (await full.get('/employees', 'updated_since=2024-01-01T00:00:00%2005:00')).blames(
      'updated_since',
      'an encoded blank',
    );
    (await full.get('/employees', 'updated_since=2024-01-01T00:00:00%2B05:00&limit=1')).ok(
      'listEmployees',
      'an encoded +',
    );
  },
});

rule({
  id: 'EMP-20',
  level: 'MUST',
  text: 'An updated_since that is no RFC 3339 instant with a zone is INVALID_ARGUMENT.',
  place: 'listEmployees: updated_since',
  decisions: ['D-12'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const odd = [
      '2024-01-01',
      '2024-01-01T00:00:00',
      '2024-01-01T00:00Z',
      '2024-01-01 00:00:00Z',
      '2024-02-30T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2024-13-01T00:00:00Z',
      '2024-00-10T00:00:00Z',
      '0000-00-00T00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T23:60:00Z',
      '2024-01-01T23:59:60Z',
      '2024-01-01T00:00:00.Z',
      '2024-01-01T00:00:00.1234567890Z',
      '2024-01-01T00:00:00+24:00',
      '2024-01-01T00:00:00+05',
      '2024-01-01T00:00:00+0500',
      '2024-01-01T00:00:00 Z',
      ' 2024-01-01T00:00:00Z',
      '24-1-1T00:00:00Z',
      '+002024-01-01T00:00:00Z',
      '1704067200',
      'now',
      'null',
      'NaN',
      '２０２４-01-01T00:00:00Z',
      '{"$gt":""}',
    ];
    for (const updated_since of odd)
      (await full.get('/employees', { updated_since })).blames('updated_since', updated_since);
  },
});

rule({
  id: 'EMP-21',
  level: 'MUST',
  text: 'An updated_since in the future gives an empty list.',
  place: 'listEmployees: updated_since',
  check: async (t) => {
    const answer = await t.as('full').get('/employees', { updated_since: '9998-12-31T23:59:59Z', include_total: true });
    const { employees, next_page_token, total_count } = answer.ok('listEmployees');
    t.equal(
      { employees, next_page_token, total_count },
      { employees: [], next_page_token: '', total_count: '0' },
      'the list',
      answer,
    );
  },
});

/** How many pages are read in search of one employee; a tenant with more is not read to its end. */
const MOST_PAGES = 10;

/** Whether a list holds the employee; undefined if it is too long to tell. */
async function holds(full: Api, id: string, query: Query): Promise<boolean | undefined> {
  let page_token: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { rows, token } = await full.employees({ ...query, limit: 1000, page_token });
    if (idsOf(rows).includes(id)) return true;
    if (token === '') return false;
    page_token = token;
  }
  return undefined;
}

rule({
  id: 'EMP-61',
  level: 'MUST',
  text: 'updated_since gives employees in every status.',
  place: 'listEmployees: updated_since',
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    let told = 0;
    for (const status of statuses) {
      const [row] = (await full.employees({ status, limit: 1 })).rows;
      if (row === undefined) continue;
      const found = await holds(full, row.id, { updated_since: row.update_time });
      t.check(found !== false, `${row.id} has the status ${status}, and is not among those changed since its change`);
      if (found) told += 1;
    }
    if (told === 0) t.untested('no_such_data', 'the tenant has no employees, or too many to read');
  },
});

rule({
  id: 'EMP-55',
  level: 'MUST',
  text: 'Digits of updated_since below the millisecond count as the target declares.',
  place: 'listEmployees: updated_since',
  decisions: ['D-12'],
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const { instant, since } = await known(t);
    const [at, next] = [await since(plusMs(instant, 0)), await since(plusMs(instant, 1))];
    const withDigits = (digits: string) => plusMs(instant, 0).replace('Z', `${digits}Z`);
    t.equal(await since(withDigits('000000')), at, 'nine digits, the last six zero');
    const finer = t.values.updated_since_rounding === 'up' ? next : at;
    for (const digits of ['1', '001', '000001', '999999']) {
      t.equal(await since(withDigits(digits)), finer, `the digits ${digits} below the millisecond`);
    }
    const whole = instant.replace(/\.\d+/, '');
    t.equal(await since(whole), await since(whole.replace('Z', '.000Z')), 'no fraction and a zero fraction');
  },
});
