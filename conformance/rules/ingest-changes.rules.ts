import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { applyChanges } from './shared/calls.ts';
import { employee, ext, Load, mark, person } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

/** Loads one person of the pool with two employments, each with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const [one, two] = [mark(t, 'one'), mark(t, 'two')];
  const human = person(t, 'fourth', { phone: mark(t, 'phone'), gender: '', birth_place: '' });
  const records = [employee(t, 'fourth', 'fourth', one), employee(t, 'fourth-2', 'fourth', two)] as const;
  await load.make('PERSONS', [human]);
  await load.make('EMPLOYEES', records);
  await load.card(one);
  // A change of the person reaches the employments' cards later than their own changes.
  await load.followed();
  return { load, human, records, cards: [await load.card(one), await load.card(two)] as const };
}

rule({
  id: 'ING-33',
  level: 'MUST',
  text: 'What a batch changed is found by updated_since within the time that the profile states.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    const number = mark(t, 'again');
    await load.update('EMPLOYEES', [{ ...records[0], number }]);
    const after = await load.card(number);
    t.check(after.update_time > cards[0].update_time, 'update_time did not move');
    const page = await load.reader.employees({ updated_since: after.update_time, limit: 1000 });
    t.check(
      page.rows.some(({ id }) => id === after.id),
      'the employee is not found by his own update_time',
      page.answer,
    );
  },
});

rule({
  id: 'ING-35',
  level: 'MUST',
  text: 'A batch that changes nothing moves no update_time.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    const ids = cards.map(({ id }) => id);
    await load.unmoved('the cards after the same batches again', ids, async () => {
      for (let times = 0; times < 2; times++) {
        await load.make('PERSONS', [human]);
        await load.make('EMPLOYEES', records);
        await load.update('EMPLOYEES', [{ external_id: ext(t, 'fourth') }]);
      }
      await load.followed();
    });
  },
});

rule({
  id: 'ING-57',
  level: 'MUST',
  text: 'A change of a person’s shown field moves update_time of each employment.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, human, cards } = await begun(t);
    let before: readonly (typeof cards)[number][] = cards;
    const changes: [field: string, value: string][] = [
      ...['phone', 'email', 'first_name', 'last_name', 'middle_name'].map((field): [string, string] => [
        field,
        mark(t, field),
      ]),
      ['birth_date', '1991-04-16'],
      // The second number replaces the first.
      ['iin', '999999999915'],
      ['iin', '999999999923'],
    ];
    for (const [field, value] of changes) {
      await load.update('PERSONS', [{ external_id: human.external_id, [field]: value }]);
      const shown = field === 'email' ? 'personal_email' : (field as 'phone');
      before = await load.until(`${field} on both cards`, (rows) => {
        const now = before.map(({ id, update_time }) =>
          rows.find((row) => row.id === id && row.person?.[shown] === value && row.update_time > update_time),
        );
        return now.every((row) => row !== undefined) && now;
      });
    }
  },
});

rule({
  id: 'ING-55',
  level: 'MUST',
  text: 'Batches of a tenant are applied in the order of their acceptance.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    const numbers = Array.from({ length: 12 }, (_, n) => mark(t, `step-${n}`));
    for (const number of numbers) await load.update('EMPLOYEES', [{ ...records[0], number }]);
    await load.settled();
    t.equal((await load.now(cards[0].id)).employee_number, numbers.at(-1), 'the number after twelve batches');
  },
});

rule({
  id: 'ING-74',
  level: 'MUST',
  text: 'The last record of a batch is applied after all others, no matter how many there are.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    // A service may cut a batch into portions of 100 or 200 records. Then the last record is alone in its portion.
    for (const length of [101, 201, 401, 1001]) {
      const numbers = Array.from({ length }, (_, n) => mark(t, `record-${length}-${n}`));
      await load.update(
        'EMPLOYEES',
        numbers.map((number) => ({ ...records[0], number })),
      );
      await load.settled();
      t.equal((await load.now(cards[0].id)).employee_number, numbers.at(-1), `the number after ${length} records`);
    }
  },
});

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const TERMINATED = 'EMPLOYEE_STATUS_TERMINATED';
const DAY_MS = 86_400_000;
/** A date far enough from today that time zones do not matter. */
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

rule({
  id: 'ING-53',
  level: 'MUST',
  text: 'The dates of an employee move its status as the contract says.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    const external_id = ext(t, `starting-${t.run.run_id}-${process.pid}`);
    const [past, nextYear] = [daysAhead(-2), daysAhead(365)];
    const newcomer = { ...records[0], external_id };
    const steps: [what: string, record: object, dates: object, status: string, end: string][] = [
      ['a new one whose admission lies ahead', newcomer, { admission_date: nextYear }, 'EMPLOYEE_STATUS_ACCEPTED', ''],
      ['his admission has come', newcomer, { admission_date: '2020-01-01' }, ACTIVE, ''],
      ['his admission lies ahead again', newcomer, { admission_date: nextYear }, ACTIVE, ''],
      ['he has left', newcomer, { left_date: '2020-02-01' }, TERMINATED, '2020-02-01'],
      ['a leaving date ahead', records[1], { left_date: nextYear }, ACTIVE, ''],
      ['a leaving date before today', records[1], { left_date: past }, TERMINATED, past],
      ['a leaving date moved ahead', records[1], { left_date: nextYear }, ACTIVE, ''],
      ['left again', records[1], { left_date: past }, TERMINATED, past],
      ['a leaving date cleared', records[1], { left_date: '' }, ACTIVE, ''],
    ];
    let id: string | undefined;
    for (const [what, record, dates, status, end] of steps) {
      const number = mark(t);
      await load.make('EMPLOYEES', [{ ...record, number, ...dates }]);
      const card = await load.card(number);
      t.equal([card.status, card.end_date], [status, end], `status and end_date: ${what}`);
      if (record === newcomer) id ??= card.id;
      t.equal(card.id, record === newcomer ? id : cards[1].id, `the employee: ${what}`);
    }
  },
});

/** The statuses that people set and end. Dates do neither. */
const SET_BY_PEOPLE = ['HIRED', 'ONBOARDING', 'LEAVE', 'ON_HOLD'].map((word) => `EMPLOYEE_STATUS_${word}`);

rule({
  id: 'ING-73',
  level: 'MUST',
  text: 'Who is hired, being introduced, on leave or on hold stays so when a batch changes the first or the last day, unless the last day is over.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { admin: ['apply_employee_changes'] }),
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const numbers = SET_BY_PEOPLE.map((status) => mark(t, status));
    const records = numbers.map((number, n) => employee(t, `by-hand-${n}`, 'by-hand', number));
    await load.people('by-hand');
    await load.make('EMPLOYEES', records);
    const ids: string[] = [];
    for (const number of numbers) ids.push((await load.card(number)).id);
    const set = (name: string, statusOf: (n: number) => string | undefined) =>
      applyChanges(
        t,
        name,
        ids.map((id, n) => ({ op: 'update', id, employee: { status: statusOf(n) } })),
      );
    try {
      await set('by-hand', (n) => SET_BY_PEOPLE[n]);
      for (const dates of [
        { admission_date: '2021-02-03' },
        { admission_date: '2021-02-03', left_date: '2999-12-31' },
        { admission_date: '2999-01-01' },
      ]) {
        await load.update(
          'EMPLOYEES',
          records.map((record) => ({ ...record, ...dates })),
        );
        await load.settled();
        const cards = await Promise.all(ids.map((id) => load.now(id)));
        t.equal(
          cards.map(({ status, start_date }) => [status, start_date]),
          SET_BY_PEOPLE.map((status) => [status, dates.admission_date]),
          `statuses and first days after a batch with ${JSON.stringify(dates)}`,
        );
      }
    } finally {
      await set('as-before', () => 'EMPLOYEE_STATUS_ACTIVE');
    }
  },
});
