import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule } from './rule.ts';
import {
  EXPAND,
  employee,
  ext,
  FULL,
  KEDO,
  LEDGER,
  Load,
  ledgerDepartment,
  ledgerEmployee,
  mark,
  person,
  shows,
} from './shared/ingest-calls.ts';
import { need } from './shared/needs.ts';

/** Everything that a worker loaded once from a source, and what the interface shows of it. */
interface Staff {
  load: Load;
  card: EmployeeRow;
  sent: Record<string, string>;
}

const worlds = new Map<string, Promise<Staff>>();

/** What the first rule that asked has loaded; each rule continues reading for itself. */
async function once(t: TestContext, source: string, make: () => Promise<Staff>): Promise<Staff> {
  const making = worlds.get(source) ?? make();
  worlds.set(source, making);
  // If the loading failed, the next rule tries again and meets the fault itself.
  making.catch(() => worlds.delete(source));
  const { load, ...rest } = await making;
  return { ...rest, load: load.of(t) };
}

const IIN = '999999999907';
const LEDGER_IIN = '999999999956';

const kedo = (t: TestContext) =>
  once(t, KEDO, async () => {
    const load = new Load(t);
    const sent = {
      number: mark(t, 'number'),
      // A new one in each run, since the interface shows only the id of an organisation.
      organization: ext(t, `staff-organization-${t.run.run_id}`),
      // Characters that JSON escapes, and some of several bytes: they come back as they were sent.
      department: `${mark(t, 'department')} "Юг" \\ 5 % 😀`,
      job_title: `${mark(t, 'job-title')} \\"`,
      phone: mark(t, 'phone'),
    };
    const addresses = { legal_address: mark(t, 'legal'), actual_address: mark(t, 'actual') };
    const bank = { bank_bik: mark(t, 'bik'), bank_account: mark(t, 'account'), bank_name: mark(t, 'bank') };
    const organization = { title: 'ТОО «Проба»', bin: '000000000000', ...addresses, ...bank };
    await load.make('ORGANIZATIONS', [{ external_id: sent.organization, ...organization }]);
    await load.make('DEPARTMENTS', [
      { external_id: ext(t, 'staff-above'), title: 'Выше' },
      {
        external_id: ext(t, 'staff-department'),
        title: sent.department,
        external_organization_id: sent.organization,
        external_parent_id: ext(t, 'staff-above'),
      },
    ]);
    await load.make('JOB_TITLES', [{ external_id: ext(t, 'staff-title'), title: sent.job_title }]);
    const human = { first_name: 'Әсел', last_name: 'Пробная', middle_name: 'Бауыржанқызы', birth_date: '1984-02-29' };
    const contacts = { iin: IIN, phone: sent.phone, email: 'проба: не проверяется' };
    await load.make('PERSONS', [person(t, 'staff', { ...human, ...contacts })]);
    // References left by the last run must not be taken for those of this one.
    await load.make('EMPLOYEES', [employee(t, 'staff', 'staff', mark(t, 'emptied'))]);
    await load.make('EMPLOYEES', [
      employee(t, 'staff', 'staff', sent.number, {
        admission_date: '2019-08-31',
        left_date: '2021-02-28',
        external_organization_id: sent.organization,
        external_department_id: ext(t, 'staff-department'),
        external_job_title_id: ext(t, 'staff-title'),
      }),
    ]);
    return { load, sent, card: await load.card(sent.number) };
  });

rule({
  id: 'ING-12',
  level: 'MUST',
  text: 'KEDO / PERSONS loads persons.',
  place: 'KedoPersonRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await kedo(t);
    const { full_name, ...rest } = t.present(card.person, 'expand=person gave no person');
    t.equal(
      rest,
      {
        first_name: 'Әсел',
        last_name: 'Пробная',
        middle_name: 'Бауыржанқызы',
        birth_date: '1984-02-29',
        iin: IIN,
        phone: sent.phone,
        personal_email: 'проба: не проверяется',
      },
      'the person',
    );
    t.check(full_name?.includes('Әсел') === true && full_name.includes('Пробная'), 'full_name holds not the names');
  },
});

rule({
  id: 'ING-13',
  level: 'MUST',
  text: 'KEDO / ORGANIZATIONS loads organisations that employees can be of.',
  place: 'KedoOrganizationRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card } = await kedo(t);
    t.check(card.organization_id !== '', 'the employee has no organisation');
  },
});

rule({
  id: 'ING-14',
  level: 'MUST',
  text: 'KEDO / DEPARTMENTS loads departments.',
  place: 'KedoDepartmentRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await kedo(t);
    t.equal(card.department?.title, sent.department, 'the title of the department');
  },
});

rule({
  id: 'ING-15',
  level: 'MUST',
  text: 'KEDO / EMPLOYEES loads employees.',
  place: 'KedoEmployeeRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await kedo(t);
    t.equal(card.employee_number, sent.number, 'employee_number');
  },
});

rule({
  id: 'ING-16',
  level: 'MUST',
  text: 'KEDO / JOB_TITLES loads job titles.',
  place: 'KedoJobTitleRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await kedo(t);
    t.equal(card.job_title?.title, sent.job_title, 'the title of the job title');
  },
});

rule({
  id: 'ING-24',
  level: 'MUST',
  text: 'References by external id become references of the employee.',
  place: 'ingestRecords: References',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card, sent } = await kedo(t);
    const { organization_id, department_id, job_title_id } = card;
    t.check(
      [organization_id, department_id, job_title_id].every((id) => id !== ''),
      'a reference was not resolved',
    );
    t.equal(card.person?.phone, sent.phone, 'the phone of the person that is referred to');
    const other = mark(t, 'without');
    await load.make('EMPLOYEES', [employee(t, 'staff', 'staff', other)]);
    const bare = await load.card(other);
    const now = [bare.id, bare.organization_id, bare.department_id, bare.job_title_id];
    if (t.values.ingest_empty_value === 'clear')
      t.equal(now, [card.id, '', '', ''], 'after the references were emptied');
    const again = mark(t, 'again');
    const references = {
      external_organization_id: sent.organization,
      external_department_id: ext(t, 'staff-department'),
      external_job_title_id: ext(t, 'staff-title'),
    };
    await load.update('EMPLOYEES', [employee(t, 'staff', 'staff', again, references)]);
    const back = await load.card(again);
    t.equal(
      [back.id, back.organization_id, back.department_id, back.job_title_id],
      [card.id, organization_id, department_id, job_title_id],
      'the same references once more',
    );
  },
});

rule({
  id: 'ING-30',
  level: 'MUST',
  text: 'What a batch loads is shown: number, dates and every shown field of the person.',
  place: 'Employee, Person',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await kedo(t);
    t.equal(
      [card.employee_number, card.start_date, card.status, card.end_date],
      [sent.number, '2019-08-31', 'EMPLOYEE_STATUS_TERMINATED', '2021-02-28'],
      'number, admission_date, status and left_date',
    );
    t.equal(
      [card.person?.last_name, card.person?.birth_date, card.person?.iin, card.person?.phone],
      ['Пробная', '1984-02-29', IIN, sent.phone],
      'the person',
    );
    t.equal([card.manager_id, card.location_id, card.work_email ?? ''], ['', '', ''], 'what is not loaded here');
  },
});

rule({
  id: 'ING-31',
  level: 'MUST',
  text: 'External ids are never given out.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card, sent } = await kedo(t);
    const one = await load.reader.get(`/employees/${card.id}`, { expand: [...EXPAND, 'manager'] });
    one.ok('getEmployee');
    for (const id of [ext(t, 'staff'), ext(t, 'staff-department'), ext(t, 'staff-title'), `${sent.organization}`]) {
      t.check(!one.text.includes(id), `an answer holds the external id ${id}`, one);
    }
    t.check(one.text.includes(card.id), 'the answer is not about the employee', one);
  },
});

rule({
  id: 'ING-59',
  level: 'MUST',
  text: 'A rename of a department or job title, or a move of a department below another, is shown and moves no update_time.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await kedo(t);
    const before = await load.now(card.id);
    const number = mark(t);
    const references = {
      external_department_id: ext(t, 'staff-department'),
      external_job_title_id: ext(t, 'staff-title'),
    };
    await load.make('EMPLOYEES', [employee(t, 'staff', 'staff', number, references)]);
    const loaded = await load.card(number);
    t.check(loaded.update_time > before.update_time, 'update_time did not move with the number');
    const beside = ext(t, 'staff-beside');
    await load.make('DEPARTMENTS', [{ external_id: beside, title: 'Рядом' }]);
    const rename = async () => {
      const [department, title] = [mark(t, 'department'), mark(t, 'job-title')];
      await load.update('DEPARTMENTS', [
        { external_id: ext(t, 'staff-department'), title: department, external_parent_id: beside },
      ]);
      await load.update('JOB_TITLES', [{ external_id: ext(t, 'staff-title'), title }]);
      await load.settled();
      const after = await load.now(card.id);
      t.equal([after.department?.title, after.job_title?.title], [department, title], 'the titles after the rename');
    };
    await load.unmoved('the card after the rename and the move', [card.id], rename, ['department', 'job_title']);
  },
});

/** An employee of LEDGER, with organisation and job title from KEDO and a department from LEDGER. */
const ledgerWorld = (t: TestContext) =>
  once(t, LEDGER, async () => {
    const load = new Load(t);
    const sent = { department: mark(t, 'department'), job_title: mark(t, 'job-title'), phone: mark(t, 'phone') };
    await load.make('ORGANIZATIONS', [{ external_id: ext(t, 'ledger-organization'), title: 'ТОО «Проба»' }]);
    await load.make('JOB_TITLES', [{ external_id: ext(t, 'ledger-title'), title: sent.job_title }]);
    const above = { ...ledgerDepartment(t, 'ledger-above'), Наименование: 'Выше' };
    const below = {
      ...ledgerDepartment(t, 'ledger-department'),
      Наименование: sent.department,
      'Родитель.Ссылка': above.Ссылка,
    };
    await load.make('DEPARTMENTS', [below, above], LEDGER);
    const human = { ИИН: LEDGER_IIN };
    const empty = { ...ledgerReferences(t), 'Подразделение.Ссылка': '', 'Должность.Ссылка': '' };
    await load.make(FULL, [ledgerEmployee(t, 'ledger', mark(t, 'emptied'), human, empty)], LEDGER);
    await load.make(FULL, [ledgerEmployee(t, 'ledger', sent.phone, human, ledgerReferences(t))], LEDGER);
    return { load, sent, card: await load.whole(sent.phone) };
  });

const ledgerReferences = (t: TestContext) => ({
  'Организация.Ссылка': ext(t, 'ledger-organization'),
  'Подразделение.Ссылка': ext(t, 'ledger-department'),
  'Должность.Ссылка': ext(t, 'ledger-title'),
});

rule({
  id: 'ING-17',
  level: 'MUST',
  text: 'LEDGER / EMPLOYEES_FULL loads employees with their persons.',
  place: 'LedgerEmployeeRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await ledgerWorld(t);
    t.equal(
      [card.employee_number, card.start_date, card.status],
      [ext(t, 'ledger'), '2020-01-01', 'EMPLOYEE_STATUS_ACTIVE'],
      'number, start and status',
    );
    const { first_name, last_name, middle_name, birth_date, iin, phone } = t.present(card.person, 'no person');
    t.equal(
      [first_name, last_name, middle_name, birth_date, iin, phone],
      ['Проба', 'Выгрузки', '', '1990-03-15', LEDGER_IIN, sent.phone],
      'the person',
    );
  },
});

rule({
  id: 'ING-18',
  level: 'MUST',
  text: 'LEDGER / DEPARTMENTS loads departments.',
  place: 'LedgerDepartmentRecord',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { card, sent } = await ledgerWorld(t);
    t.equal(card.department?.title, sent.department, 'the title of the department');
  },
});

rule({
  id: 'ING-60',
  level: 'MUST',
  text: 'LEDGER finds organisations and job titles among those of KEDO; unknown ones leave the field as it was.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card, sent } = await ledgerWorld(t);
    t.check(card.organization_id !== '', 'an organisation of KEDO was not found');
    t.equal(card.job_title?.title, sent.job_title, 'the title of a job title of KEDO');
    const phone = mark(t);
    const unknown = { ...ledgerReferences(t), 'Должность.Ссылка': ext(t, 'never-loaded') };
    await load.update(FULL, [ledgerEmployee(t, 'ledger', phone, { ИИН: LEDGER_IIN }, unknown)], LEDGER);
    const after = await load.whole(phone);
    t.equal([after.id, after.job_title_id], [card.id, card.job_title_id], 'the job title after an unknown one');
    const lost = mark(t, 'lost');
    const nowhere = { ...ledgerReferences(t), 'Подразделение.Ссылка': ext(t, 'never-loaded') };
    await load.update(FULL, [ledgerEmployee(t, 'ledger', lost, { ИИН: LEDGER_IIN }, nowhere)], LEDGER);
    await load.settled();
    if (t.values.ingest_unknown_reference === 'skip_record')
      t.check(!shows(await load.rows(), lost), 'a record with an unknown department was applied');
    if (t.values.ingest_unknown_reference === 'ignore_reference') return;
    const newcomer = mark(t, 'newcomer');
    const other = { ...nowhere, ТабельныйНомер: newcomer };
    await load.make(FULL, [ledgerEmployee(t, newcomer, newcomer, {}, other)], LEDGER);
    await load.settled();
    t.check(!shows(await load.rows(), newcomer), 'a new record with an unknown department was applied');
    if (t.values.ingest_unknown_reference === 'skip_new_record') {
      const { person: human, department_id } = await load.now(card.id);
      t.equal([human?.phone, department_id], [lost, card.department_id], 'phone and department after an unknown one');
    }
  },
});

rule({
  id: 'ING-36',
  level: 'MUST',
  text: 'LEDGER names with a dot are literal keys, and names are normalised before matching.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await ledgerWorld(t);
    const [phone, number] = [mark(t, 'nfd'), mark(t, 'number')];
    const named = { ...ledgerReferences(t), ТабельныйНомер: number };
    const record = ledgerEmployee(t, 'ledger', phone, { ИИН: LEDGER_IIN, Имя: 'Йо', Отчество: 'Ёқызы' }, named);
    const decomposed = JSON.parse(JSON.stringify(record).replace(/"[^"]+":/g, (name) => name.normalize('NFD')));
    t.check(JSON.stringify(decomposed) !== JSON.stringify(record), 'no name of the record can be decomposed');
    await load.update(FULL, [decomposed], LEDGER);
    const after = await load.whole(phone);
    t.equal(
      [after.id, after.employee_number, after.person?.first_name, after.person?.middle_name],
      [card.id, number, 'Йо', 'Ёқызы'],
      'employee, number, first and middle name after names in NFD',
    );
    const nested = { Подразделение: { Ссылка: ext(t, 'never-loaded') }, Должность: { Ссылка: '' } };
    const { 'Подразделение.Ссылка': _, 'Должность.Ссылка': __, ...bare } = record as Record<string, unknown>;
    const human = { ...(record.ФизЛицо as object), Телефон: mark(t, 'nested') };
    await load.update(FULL, [{ ...bare, ...nested, ФизЛицо: human }], LEDGER);
    const same = await load.whole(human.Телефон);
    t.equal(
      [same.id, same.department_id, same.job_title_id],
      [card.id, card.department_id, card.job_title_id],
      'the references where objects stand for names with a dot',
    );
  },
});
