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
  text: 'A change of a person’s shown field moves update_time of each employment, also of one that has ended.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    let before: readonly (typeof cards)[number][] = cards;
    const changed = async (field: string, value: string) => {
      await load.update('PERSONS', [{ external_id: human.external_id, [field]: value }]);
      const shown = field === 'email' ? 'personal_email' : (field as 'phone');
      before = await load.until(`${field} on both cards`, (rows) => {
        const now = before.map(({ id, update_time }) =>
          rows.find((row) => row.id === id && row.person?.[shown] === value && row.update_time > update_time),
        );
        return now.every((row) => row !== undefined) && now;
      });
    };
    for (const field of ['phone', 'email', 'first_name', 'last_name', 'middle_name'])
      await changed(field, mark(t, field));
    await changed('birth_date', '1991-04-16');
    // The second number replaces the first.
    for (const iin of ['999999999915', '999999999923']) await changed('iin', iin);
    await load.update('EMPLOYEES', [{ external_id: records[1].external_id, left_date: '2021-01-01' }]);
    await load.settled();
    before = await Promise.all(before.map(({ id }) => load.now(id)));
    t.equal(before[1]?.status, 'EMPLOYEE_STATUS_TERMINATED', 'the status of the employment that has ended');
    await changed('phone', mark(t, 'phone-later'));
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

rule({
  id: 'ING-76',
  level: 'MUST',
  text: 'Who was terminated without a last day stays so when a batch changes the first day alone.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { admin: ['apply_employee_changes'] }),
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [before, after] = [mark(t, 'before'), mark(t, 'after')];
    const record = employee(t, 'ended-by-hand', 'ended-by-hand', before);
    await load.people('ended-by-hand');
    await load.make('EMPLOYEES', [record]);
    const { id } = await load.card(before);
    const set = (status: string) => applyChanges(t, status, [{ op: 'update', id, employee: { status } }]);
    try {
      await set(TERMINATED);
      await load.update('EMPLOYEES', [{ ...record, number: after, admission_date: '2021-02-03' }]);
      const { status, start_date, end_date } = await load.card(after);
      t.equal([status, start_date, end_date], [TERMINATED, '2021-02-03', ''], 'status, first and last day');
    } finally {
      await set(ACTIVE);
    }
  },
});
