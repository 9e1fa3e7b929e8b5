import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { deleteEmployees } from './shared/calls.ts';
import { employee, ext, FULL, LEDGER, Load, ledgerEmployee, mark, person, shows } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

/** Loads the pool's second person with a phone of this rule, and its employee with a number of this rule. */
async function begun(t: TestContext, human: object = {}, more: object = {}) {
  const load = new Load(t);
  const [number, phone] = [mark(t, 'number'), mark(t, 'phone')];
  await load.make('PERSONS', [person(t, 'second', { phone, ...human })]);
  await load.make('EMPLOYEES', [employee(t, 'second', 'second', number, { ...more })]);
  return { load, number, phone, card: await load.card(number) };
}

/** An external id that names nobody yet. A run creates only few such records, since they stay. */
const fresh = (t: TestContext, name: string) => ext(t, `${name}-${t.run.run_id}-${process.pid}`);

/** Checks that a record with this create_missing creates nothing. */
async function makesNothing(t: TestContext, createMissing: boolean | undefined): Promise<void> {
  const load = new Load(t);
  const number = mark(t);
  await load.people('second');
  const record = { ...employee(t, 'second', 'second', number), external_id: fresh(t, 'nobody') };
  await load.batch('KEDO', 'EMPLOYEES', [record], createMissing);
  await load.settled();
  t.check(!shows(await load.rows(), number), 'an employee was made');
}

rule({
  id: 'ING-19',
  level: 'MUST',
  text: 'With create_missing false a record with a new external id makes nothing, nor does one with a new person in it.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    await makesNothing(t, false);
    const load = new Load(t);
    const phone = mark(t, 'known');
    const human = { external_id: ext(t, 'ledger-known-person') };
    await load.make(FULL, [ledgerEmployee(t, 'ledger-known', phone, human)], LEDGER);
    const { id } = await load.whole(phone);
    const lost = mark(t, 'embedded');
    await load.unmoved('the employee of a person in a record that makes nothing', [id], async () => {
      const newcomer = fresh(t, 'embedded');
      const records = [
        // A new employee with a known person, and with one that is new too.
        { ...ledgerEmployee(t, 'x', lost, human), external_id: newcomer, ТабельныйНомер: lost },
        { ...ledgerEmployee(t, 'x', lost), external_id: `${newcomer}-2`, ТабельныйНомер: lost },
        // A known employee with a new person.
        ...(t.values.ingest_unknown_reference !== 'ignore_reference'
          ? [ledgerEmployee(t, 'ledger-known', lost, { external_id: newcomer })]
          : []),
      ];
      await load.update(FULL, records, LEDGER);
      await load.settled();
    });
    t.check(!shows(await load.rows(), lost), 'an employee or a person was made');
  },
});

rule({
  id: 'ING-20',
  level: 'MUST',
  text: 'With create_missing true a record with a new external id makes its object.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [number, last_name] = [mark(t), mark(t, 'name')];
    const [external_person_id, external_id] = [fresh(t, 'newcomer'), fresh(t, 'newcomer')];
    await load.make('PERSONS', [{ ...person(t, 'second', { last_name }), external_id: external_person_id }]);
    const record = { ...employee(t, 'second', 'second', number), external_id, external_person_id };
    await load.make('EMPLOYEES', [record]);
    const made = await load.card(number);
    t.equal(
      [made.status, made.person?.last_name],
      ['EMPLOYEE_STATUS_ACTIVE', last_name],
      'status and last name',
      undefined,
    );
    // He cannot be deleted, so his employment is ended.
    await load.update('EMPLOYEES', [{ ...record, left_date: '2020-02-01' }]);
    await load.until('the end of the employment', (rows) =>
      rows.find(({ id, end_date }) => id === made.id && end_date !== ''),
    );
  },
});

rule({
  id: 'ING-21',
  level: 'MUST',
  text: 'A known external id updates its object, also with create_missing false.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await begun(t);
    const number = mark(t, 'again');
    await load.update('EMPLOYEES', [employee(t, 'second', 'second', number)]);
    t.equal((await load.card(number)).id, card.id, 'the employee of the same external id');
  },
});

rule({
  id: 'ING-22',
  level: 'MUST',
  text: 'A batch without create_missing is treated as the target declares.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    if (t.values.ingest_create_missing_default) {
      t.untested('not_exercised', 'a batch without create_missing would make an employee in every run');
    }
    await makesNothing(t, undefined);
  },
});

rule({
  id: 'ING-27',
  level: 'MUST',
  text: 'Unknown fields are ignored, whatever they are called and hold.',
  place: 'ingestRecords: Bad records',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await begun(t);
    const number = mark(t, 'odd');
    let deep: unknown = 'x';
    for (let depth = 0; depth < 40; depth++) deep = { $gt: deep, 'a.b': [deep].slice(1) };
    const odd = {
      _id: 'x',
      id: card.id.replace(/^./, '0'),
      tenant_id: 'x',
      status: 'EMPLOYEE_STATUS_LEAVE',
      work_email: 'somebody@example.com',
      manager_id: card.id,
      external_manager_id: ext(t, 'second'),
      create_time: '2001-01-01T00:00:00Z',
      constructor: { prototype: { admin: true } },
      $set: { employee_number: 'x' },
      'number.x': 'x',
      '': null,
      long: 'я'.repeat(100_000),
      many: Array.from({ length: 2000 }, (_, n) => n),
      huge: 1e308,
      deep,
    };
    const text = JSON.stringify({ ...odd, ...employee(t, 'second', 'second', number) });
    const hostile = JSON.parse(`{"__proto__":{"status":"x"},${text.slice(1)}`) as unknown;
    await load.update('EMPLOYEES', [hostile]);
    const after = await load.card(number);
    t.equal(
      { ...after, employee_number: '', update_time: '' },
      { ...card, employee_number: '', update_time: '' },
      'all but the number after a record with unknown fields',
    );
  },
});

/** Sends bad records of the second employee and person with a good one; only the good one may have an effect. */
async function skipped(t: TestContext, employees: readonly object[], persons: readonly object[] = []): Promise<void> {
  const { load, card } = await begun(t);
  const lost = mark(t, 'lost');
  const sendBad = async () => {
    for (const more of persons) await load.update('PERSONS', [person(t, 'second', { phone: lost, ...more })]);
    for (const more of employees)
      await load.update('EMPLOYEES', [{ ...employee(t, 'second', 'second', lost), ...more }]);
    await load.followed();
  };
  if (t.values.ingest_bad_value !== 'skip_record') {
    await sendBad();
    t.skip('the target declares nothing about records with a bad value');
  }
  await load.unmoved('the employee after bad records', [card.id], sendBad);
  t.check(!shows(await load.rows(), lost), 'a bad record was applied');
}

const NO_DATES = [
  '2026-02-30',
  '2026-2-3',
  '01.02.2026',
  '2026-02-01T00:00:00Z',
  '2026-13-01',
  ' 2026-02-01',
  20260201,
];

rule({
  id: 'ING-28',
  level: 'MUST',
  text: 'A record with an impossible date is skipped, and its object stays as it was.',
  place: 'ingestRecords: Bad records',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const dates = NO_DATES.map((admission_date) => ({ admission_date }));
    const persons = ['1990-02-30', '15.03.1990', 0].map((birth_date) => ({ birth_date }));
    await skipped(t, [...dates, { left_date: '2026-06-31' }], [...persons, { issued_date: '2019-00-01' }]);
  },
});

rule({
  id: 'ING-49',
  level: 'MUST',
  text: 'A record with a wrong type, a text beyond the limit or a malformed number is skipped as a whole.',
  place: 'ingestRecords: Bad records',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const long = 'я'.repeat(t.values.ingest_string_length);
    const load = new Load(t);
    const number = mark(t, 'long');
    await load.make('PERSONS', [person(t, 'second', { last_name: long, iin: '999999999923', phone: number })]);
    await load.make('EMPLOYEES', [employee(t, 'second', 'second', number)]);
    const { person: human } = await load.card(number);
    t.equal(
      [human?.last_name, human?.iin],
      [long, '999999999923'],
      'the longest name, and a number with a wrong checksum',
    );
    await skipped(
      t,
      [{ number: 1 }, { number: ['x'] }, { number: `${long}я` }, { available_vacation_day_count: 24 }],
      [
        { first_name: {} },
        { email: true },
        { birth_place: `${long}я` },
        ...odd(['12', 'x', '99999999990O', 999_999_999_907]),
      ],
    );
  },
});

const odd = (values: readonly unknown[]) => values.map((iin) => ({ iin }));

rule({
  id: 'ING-37',
  level: 'MUST',
  text: 'A record without a usable external id is skipped.',
  place: 'ingestRecords: Bad records',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const number = mark(t);
    await load.people('second');
    const { external_id: _, ...without } = employee(t, 'second', 'second', number);
    const ids = ['', null, 1, {}, [ext(t, 'second')], 'x'.repeat(256)];
    const answer = await load.make('EMPLOYEES', [without, ...ids.map((external_id) => ({ ...without, external_id }))]);
    t.equal(answer.record_count, ids.length + 1, 'record_count');
    await load.settled();
    t.check(!shows(await load.rows(), number), 'a record without a usable external id was applied');
  },
});

rule({
  id: 'ING-42',
  level: 'MUST',
  text: 'Bad records never harm the others of their batch.',
  place: 'ingestRecords: Bad records',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await begun(t);
    const [first, last, phone] = [mark(t, 'first'), mark(t, 'last'), mark(t, 'among')];
    await load.people('third');
    const poison = [
      null,
      1,
      'x',
      true,
      [],
      [[]],
      {},
      { external_id: {} },
      { external_id: ext(t, 'second'), number: [] },
    ];
    const good = (name: string, number: string) => employee(t, name, name, number);
    const count = (
      await load.make('EMPLOYEES', [good('second', first), ...poison, good('third', last), { external_id: null }])
    ).record_count;
    t.equal(count, poison.length + 3, 'record_count');
    t.equal((await load.card(first)).id, card.id, 'the good record before the bad ones');
    await load.card(last);
    const human = person(t, 'second', { phone });
    await load.make('PERSONS', [...poison, human, { external_id: ext(t, 'third'), iin: 'x' }, ...poison]);
    t.equal((await load.byPhone(phone)).id, card.id, 'the good person among bad ones');
  },
});

rule({
  id: 'ING-29',
  level: 'MUST',
  text: 'Optional fields of a record may be left out.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [number, phone] = [mark(t), mark(t, 'phone')];
    await load.make('PERSONS', [{ external_id: ext(t, 'bare'), phone }]);
    await load.make('EMPLOYEES', [
      { external_id: ext(t, 'bare'), number, admission_date: '2020-01-01', external_person_id: ext(t, 'bare') },
    ]);
    const { start_date, end_date, status, person: human } = await load.card(number);
    t.equal([start_date, end_date, status], ['2020-01-01', '', 'EMPLOYEE_STATUS_ACTIVE'], 'dates and status');
    t.equal([human?.phone, human?.iin, human?.birth_date], [phone, '', ''], 'phone, number and birth of the person');
  },
});

rule({
  id: 'ING-40',
  level: 'MUST',
  text: 'Of records with the same external id in a batch the last wins.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await begun(t);
    const [lost, won] = [mark(t, 'lost'), mark(t, 'won')];
    const other = mark(t, 'other');
    await load.people('third');
    await load.make('EMPLOYEES', [
      employee(t, 'second', 'second', lost, { admission_date: '2001-01-01' }),
      employee(t, 'third', 'third', other),
      employee(t, 'second', 'second', won),
    ]);
    await load.card(other);
    if (t.values.ingest_duplicates === 'any') t.skip('the target declares nothing about records with one external id');
    const after = await load.card(won);
    t.equal([after.id, after.start_date], [card.id, card.start_date], 'the employee after two records');
  },
});

rule({
  id: 'ING-48',
  level: 'MUST',
  text: 'In an update an absent field leaves what is there; an empty one is treated as the target declares.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const human = { iin: '999999999931', email: 'проба', middle_name: 'Пробовна' };
    const { load, card } = await begun(t, human);
    const phone = mark(t, 'only');
    await load.update('PERSONS', [{ external_id: ext(t, 'second'), phone }]);
    const kept = await load.byPhone(phone);
    t.equal(kept.person, { ...card.person, phone }, 'the person after a record with a phone only');
    const number = mark(t, 'only');
    await load.update('EMPLOYEES', [{ external_id: ext(t, 'second'), number }]);
    const after = await load.card(number);
    t.equal(
      after,
      { ...kept, employee_number: number, update_time: after.update_time },
      'after a record with a number only',
    );
    const again = mark(t, 'cleared');
    await load.update('PERSONS', [
      { external_id: ext(t, 'second'), iin: null, email: '', middle_name: null, birth_date: '', phone: again },
    ]);
    const cleared = t.present((await load.byPhone(again)).person, 'no person');
    const values = [cleared.iin, cleared.personal_email, cleared.middle_name, cleared.birth_date];
    const expected =
      t.values.ingest_empty_value === 'clear'
        ? ['', '', '', '']
        : [human.iin, human.email, human.middle_name, '1990-03-15'];
    t.equal(values, expected, 'iin, email, middle name and birth date after empty values');
  },
});

rule({
  id: 'ING-71',
  level: 'MUST',
  text: 'A record with the external id of a deleted employee does not bring him back; with create_missing it does as the target declares.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: together(need.ingest, { admin: ['apply_employee_changes'] }),
  runs: 'alone',
  check: async (t) => {
    const load = new Load(t);
    const remove = (id: string) => deleteEmployees(t, [id]);
    const again = async (createMissing: boolean) => {
      const number = mark(t);
      await load.batch('KEDO', 'EMPLOYEES', [employee(t, 'doomed', 'second', number)], createMissing);
      await load.settled();
      return (await load.rows()).find(({ employee_number }) => employee_number === number);
    };
    await load.people('second');
    const { id } = t.present(await again(true), 'the employee was not made');
    await remove(id);
    t.equal(await again(false), undefined, 'whom a record without create_missing has made or brought back');
    const heir = await again(true);
    if (heir) await remove(heir.id);
    const isNew = t.values.ingest_deleted_employee === 'new_employee';
    t.equal(heir !== undefined, isNew, 'whether somebody was made again');
    t.check(heir?.id !== id, 'the new employee has the id of the deleted one');
    (await t.as('full').get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the deleted employee');
  },
});
