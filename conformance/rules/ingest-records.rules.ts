/** By what ids the objects of LEDGER are known, and where it looks for what its records refer to. */
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { deleteEmployees, series } from './shared/calls.ts';
import { componentSchema } from './shared/contract-inputs.ts';
import {
  employee,
  ext,
  FULL,
  LEDGER,
  Load,
  ledgerEmployee,
  mark,
  newDay,
  person,
  shows,
} from './shared/ingest-calls.ts';

const rule = rulesWith({ place: 'ingestRecords: Bad records', decisions: ['D-29'], runs: 'changing' });

/** Loads the pool's second person with a phone of this rule, and its employee with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const number = mark(t, 'number');
  await load.make('PERSONS', [person(t, 'second', { phone: mark(t, 'phone') })]);
  await load.make('EMPLOYEES', [employee(t, 'second', 'second', number)]);
  return { load, card: await load.card(number) };
}

/** The most characters of an external id. */
const LONGEST_ID =
  componentSchema('KedoPersonRecord').fields.find(({ name }) => name === 'external_id')?.schema.maxLength ?? 0;

/** An external id that names nobody yet. A run creates only few such records, since they stay. */
const fresh = (t: TestContext, name: string) => ext(t, `${name}-${t.run_id}-${process.pid}`);

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
  text: 'With create_missing false, or without it where the target declares so, a record with a new external id makes nothing, nor does one with a new person in it.',
  place: 'ingestRecords: Create or update',
  check: async (t) => {
    await makesNothing(t, false);
    if (!t.values.ingest_create_missing_default) await makesNothing(t, undefined);
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
  id: 'ING-27',
  text: 'Unknown fields are ignored, whatever they are called and hold.',
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
      many: series(2000, (n) => n),
      huge: 1e308,
      deep,
    };
    const text = JSON.stringify({ ...odd, ...employee(t, 'second', 'second', number) });
    const hostile = JSON.parse(`{"__proto__":{"status":"x"},${text.slice(1)}`) as unknown;
    await load.update('EMPLOYEES', [hostile]);
    const after = await load.card(number);
    const rest = (one: object) => ({ ...one, employee_number: '', update_time: '' });
    t.equal(rest(after), rest(card), 'all but the number after a record with unknown fields');
  },
});

rule({
  id: 'ING-42',
  text: 'Bad records never harm the others of their batch.',
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
  id: 'ING-71',
  text: 'A record with the external id of a deleted employee does not bring him back; with create_missing it does as the target declares.',
  place: 'ingestRecords: Create or update',
  check: async (t, full) => {
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
    (await full.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the deleted employee');
  },
});

/** A text as long as a record's field may be, counted in code points of which many are two units of UTF-16. */
function longest(t: TestContext, what: string): string {
  const begun = mark(t, what);
  return begun + '😀'.repeat(t.values.ingest_string_length - [...begun].length);
}

rule({
  id: 'ING-87',
  text: 'The longest texts and external ids that the target declares are taken to the last character, in KEDO and in LEDGER.',
  check: async (t) => {
    const load = new Load(t);
    const external_id = ext(t, 'longest').padEnd(LONGEST_ID, '~');
    const texts = Object.fromEntries(
      ['first_name', 'last_name', 'middle_name', 'phone', 'number'].map((name) => [name, longest(t, name)]),
    );
    const { number = '', ...human } = texts;
    await load.make('PERSONS', [{ ...person(t, '', human), external_id }]);
    await load.make('EMPLOYEES', [{ ...employee(t, '', '', number), external_id, external_person_id: external_id }]);
    const card = await load.card(number);
    t.equal({ ...card.person, ...human }, card.person, 'the person of KEDO');
    const of = { Имя: texts.first_name, Фамилия: texts.last_name, Отчество: texts.middle_name };
    const phone = longest(t, 'ledger');
    const record = ledgerEmployee(
      t,
      '',
      phone,
      { ...of, external_id },
      { external_id, ТабельныйНомер: longest(t, 'n') },
    );
    await load.make(FULL, [record], LEDGER);
    const { person: other, employee_number } = await load.whole(phone);
    t.equal(
      [employee_number, other?.first_name, other?.last_name, other?.middle_name],
      [record.ТабельныйНомер, texts.first_name, texts.last_name, texts.middle_name],
      'number and names of LEDGER',
    );
  },
});

type Fields = Readonly<Record<string, unknown>>;

/** Sends the record of an employee. @returns whom it shows, which must be one */
async function sent(load: Load, name: string, human: Fields = {}, more: Fields = {}): Promise<EmployeeRow> {
  const { t } = load;
  const [phone, day] = [mark(t, name), newDay()];
  await load.make(FULL, [ledgerEmployee(t, name, phone, human, { ДатаПриема: day, ...more })], LEDGER);
  await load.settled();
  const row = (await load.rows()).find((one) => one.person?.phone === phone && one.start_date === day);
  return t.present(row, `nobody shows the record of ${name}`);
}

/** An organisation and a job title of KEDO, and a department of LEDGER. */
async function referencesOf(load: Load, title: string): Promise<Fields> {
  const { t } = load;
  const [department, job] = [ext(t, 'ledger-department'), ext(t, 'ledger-title')];
  const organization = ext(t, 'ledger-organization');
  await load.make('ORGANIZATIONS', [{ external_id: organization, title: 'ТОО «Проба»' }]);
  await load.make('JOB_TITLES', [{ external_id: job, title }]);
  await load.make('DEPARTMENTS', [{ external_id: department, Ссылка: department, Наименование: title }], LEDGER);
  return { 'Организация.Ссылка': organization, 'Подразделение.Ссылка': department, 'Должность.Ссылка': job };
}

rule({
  id: 'ING-60',
  text: 'An unknown job title or department of LEDGER leaves the field as it was; a new record with an unknown department is skipped, and of a known employee all else is applied, as the target declares.',
  place: 'ingestRecords: LEDGER',
  check: async (t) => {
    const load = new Load(t);
    const references = await referencesOf(load, mark(t, 'title'));
    const card = await sent(load, 'ledger', {}, references);
    t.check(card.job_title_id !== '' && card.department_id !== '', 'a job title of KEDO or a department was not found');
    const never = ext(t, 'never-loaded');
    const after = await sent(load, 'ledger', {}, { ...references, 'Должность.Ссылка': never });
    t.equal([after.id, after.job_title_id], [card.id, card.job_title_id], 'the job title after an unknown one');
    const declared = t.values.ingest_unknown_reference;
    if (declared === 'ignore_reference') return;
    const nowhere = { ...references, 'Подразделение.Ссылка': never };
    const [lost, number] = [mark(t, 'lost'), mark(t, 'newcomer')];
    const newcomer = ledgerEmployee(t, number, number, {}, { ...nowhere, ТабельныйНомер: number });
    await load.make(FULL, [newcomer, ledgerEmployee(t, 'ledger', lost, {}, nowhere)], LEDGER);
    await load.settled();
    t.check(!shows(await load.rows(), number), 'a new record with an unknown department was applied');
    const { person: human, department_id } = await load.now(card.id);
    t.equal(department_id, card.department_id, 'the department after an unknown one');
    const isApplied = declared === 'skip_new_record';
    t.equal(human?.phone === lost, isApplied, 'whether the rest of a record with an unknown department was applied');
  },
});

rule({
  id: 'ING-36',
  text: 'LEDGER names with a dot are literal keys, and names are normalised before matching.',
  place: 'ingestRecords: LEDGER',
  check: async (t) => {
    const load = new Load(t);
    const references = await referencesOf(load, mark(t, 'title'));
    const card = await sent(load, 'ledger', {}, references);
    const [phone, number] = [mark(t, 'nfd'), mark(t, 'number')];
    const named = { ...references, ТабельныйНомер: number };
    const record = ledgerEmployee(t, 'ledger', phone, { Имя: 'Йо', Отчество: 'Ёқызы' }, named);
    const decomposed = JSON.parse(JSON.stringify(record).replace(/"[^"]+":/g, (name) => name.normalize('NFD')));
    t.check(JSON.stringify(decomposed) !== JSON.stringify(record), 'no name of the record can be decomposed');
    await load.update(FULL, [decomposed], LEDGER);
    const { id, employee_number, person: human } = await load.whole(phone);
    const read = [id, employee_number, human?.first_name, human?.middle_name];
    const wanted = [card.id, number, 'Йо', 'Ёқызы'];
    t.equal(read, wanted, 'employee, number, first and middle name after names in NFD');
    const nested = { Подразделение: { Ссылка: ext(t, 'never-loaded') }, Должность: { Ссылка: '' } };
    const same = await sent(load, 'ledger', {}, nested);
    const referred = ({ id, department_id, job_title_id }: EmployeeRow) => [id, department_id, job_title_id];
    t.equal(referred(same), referred(card), 'the references where objects stand for names with a dot');
  },
});

rule({
  id: 'ING-82',
  text: 'A department of LEDGER that has an external_id and a Ссылка is one, whichever of them a record has or refers to, and whichever came first.',
  place: 'ingestRecords: LEDGER',
  check: async (t) => {
    if (t.values.ingest_ledger_identity !== 'as_documented')
      t.skip('the target declares nothing about what an object of LEDGER is found by');
    const load = new Load(t);
    const found = async (reference: string) => {
      const { department, department_id } = await sent(load, 'one-unit', {}, { 'Подразделение.Ссылка': reference });
      return { title: department?.title, department_id };
    };
    /** Loads one after the other: each must change the same department, and each reference must find it. */
    const same = async (what: string, references: readonly string[], ...steps: readonly object[]) => {
      let id = '';
      for (const step of steps) {
        const title = mark(t, 'title');
        await load.make('DEPARTMENTS', [{ Наименование: title, ...step }], LEDGER);
        const known = references.filter((each) => id !== '' || Object.values(step).includes(each));
        for (const reference of known) {
          const now = await found(reference);
          if (Object.values(step).includes(reference)) t.equal(now.title, title, `the title of the department ${what}`);
          if (id !== '') t.equal(now.department_id, id, `the department ${what}, found by ${reference}`);
          id = now.department_id;
        }
      }
    };
    if (t.values.ingest_ledger_department_reference === 'external_id')
      return same('of an external_id', [ext(t, 'one-unit')], { external_id: ext(t, 'one-unit') });
    const [both, bothLink] = [ext(t, 'one-unit'), mark(t, 'link')];
    await same('of an external_id', [both, bothLink], { external_id: both, Ссылка: bothLink }, { Ссылка: bothLink });
    // New in each run, as it is to take over what is known by its link alone.
    const [late, link] = [`${ext(t, 'one-unit-late')}-${t.run_id}`, ext(t, 'one-unit-early')];
    await same('of a Ссылка', [link], { Ссылка: link });
    await same('of both', [link, late], { external_id: late, Ссылка: link }, { external_id: late }, { Ссылка: link });
  },
});
