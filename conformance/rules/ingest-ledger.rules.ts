/** By what ids the objects of LEDGER are known, and where it looks for what its records refer to. */
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { ext, FULL, LEDGER, Load, ledgerEmployee, mark, shows } from './shared/ingest-calls.ts';

const rule = rulesWith({ place: 'ingestRecords: LEDGER', decisions: ['D-29'], runs: 'changing' });

type Fields = Readonly<Record<string, unknown>>;

let made = 0;
/** A first day by which a record shows in one of several employments of a person. */
const newDay = () => new Date(Date.UTC(2001, 0, ++made)).toISOString().slice(0, 10);

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
