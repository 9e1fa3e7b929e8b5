import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { applyChanges } from './shared/calls.ts';
import { employee, ext, Load, mark, person } from './shared/ingest-calls.ts';

const rule = rulesWith({ place: 'ingestRecords', decisions: ['D-29'], runs: 'changing' });

/** Loads one person of the pool with two employments, each with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const [one, two] = [mark(t, 'one'), mark(t, 'two')];
  const human = person(t, 'fourth', { phone: mark(t, 'phone') });
  const records = [employee(t, 'fourth', 'fourth', one), employee(t, 'fourth-2', 'fourth', two)] as const;
  await load.make('PERSONS', [human]);
  await load.make('EMPLOYEES', records);
  // A change of the person reaches the employments' cards later than their own changes.
  await load.followed();
  return { load, human, records, cards: [await load.card(one), await load.card(two)] as const };
}

rule({
  id: 'ING-57',
  text: 'A change of a person’s shown field moves update_time of each employment, also of one that has ended.',
  place: 'ingestRecords: Results',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    await load.update('EMPLOYEES', [{ external_id: records[1].external_id, left_date: '2021-01-01' }]);
    await load.settled();
    const before = await Promise.all(cards.map(({ id }) => load.now(id)));
    t.equal(before[1]?.status, 'EMPLOYEE_STATUS_TERMINATED', 'the status of the employment that has ended');
    const phone = mark(t, 'later');
    await load.update('PERSONS', [{ external_id: human.external_id, phone }]);
    await load.followed();
    for (const { id, update_time } of before) {
      const now = await load.now(id);
      t.equal([now.person?.phone, now.update_time > update_time], [phone, true], 'phone and move of update_time');
    }
  },
});

rule({
  id: 'ING-55',
  text: 'Batches of a tenant are applied in the order of their acceptance, and of records with one external id the last wins, no matter how many there are.',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    const last = async (what: string, numbers: readonly string[], batches: (records: object[]) => object[][]) => {
      const each = numbers.map((number) => ({ ...records[0], number }));
      for (const batch of batches(each)) await load.update('EMPLOYEES', batch);
      await load.settled();
      t.equal((await load.now(cards[0].id)).employee_number, numbers.at(-1), `the number after ${what}`);
    };
    const steps = Array.from({ length: 12 }, (_, n) => mark(t, `step-${n}`));
    await last('twelve batches', steps, (each) => each.map((one) => [one]));
    if (t.values.ingest_duplicates === 'any') return;
    // A service may cut a batch into portions of 100 or 200 records. Then the last record is alone in its portion.
    for (const length of [101, 201, 401, 1001]) {
      const numbers = Array.from({ length }, (_, n) => mark(t, `record-${length}-${n}`));
      await last(`${length} records`, numbers, ([first, ...each]) => [
        [{ ...first, admission_date: '2001-01-01' }, ...each],
      ]);
      t.equal((await load.now(cards[0].id)).start_date, records[0].admission_date, 'the first day of the last record');
    }
  },
});

rule({
  id: 'ING-84',
  text: 'Two batches at once about one external id make one object, which is as one of the two says; each batch has an id of its own.',
  check: async (t) => {
    const load = new Load(t);
    // New in each run, since nothing is made of what is known.
    const external_id = `${ext(t, 'twice')}-${t.run_id}`;
    const both = ['one', 'two'].map((name) => ({ number: mark(t, name), phone: mark(t, name) }));
    const accepted = await Promise.all(
      both.map(({ phone }) => load.make('PERSONS', [{ ...person(t, '', { phone }), external_id }])),
    );
    t.check(accepted[0]?.ingest_request_id !== accepted[1]?.ingest_request_id, 'two batches have one id');
    const record = { ...employee(t, '', '', ''), external_id, external_person_id: external_id };
    await Promise.all(both.map(({ number }) => load.make('EMPLOYEES', [{ ...record, number }])));
    await load.settled();
    const phones = both.map(({ phone }) => phone);
    const found = (await load.rows()).filter((row) => phones.includes(row.person?.phone ?? ''));
    await load.update('EMPLOYEES', [{ external_id, left_date: '2020-02-01' }]);
    t.equal(found.length, 1, 'employees that two batches at once have made of one external id');
    const numbers = both.map(({ number }) => number);
    t.check(numbers.includes(found[0]?.employee_number ?? ''), 'the number is that of none of the batches');
  },
});

rule({
  id: 'ING-85',
  text: 'A batch beside a change by hand: where each changes another field of an employee or its person, both changes stay.',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    const [{ id }] = cards;
    for (const nth of [1, 2]) {
      const [number, phone, last_name] = [mark(t, 'number'), mark(t, 'phone'), mark(t, 'name')];
      const work_email = `by-hand-${nth}@example.com`;
      const byHand = { op: 'update', id, employee: { work_email }, person: { last_name } };
      const inBatches = async () => {
        for (let times = 0; times < 5; times++) {
          await load.update('PERSONS', [{ external_id: human.external_id, phone }]);
          await load.update('EMPLOYEES', [{ external_id: records[0].external_id, number }]);
        }
      };
      await Promise.all([applyChanges(t, `by-hand-${nth}`, [byHand]), inBatches()]);
      await load.followed();
      const now = await load.now(id);
      const shown = [now.employee_number, now.work_email, now.person?.phone, now.person?.last_name];
      t.equal(shown, [number, work_email, phone, last_name], 'number, e-mail, phone and last name after both');
    }
  },
});
