import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import {
  employee,
  ext,
  FULL,
  KEDO,
  LEDGER,
  Load,
  ledgerEmployee,
  mark,
  newKey,
  parted,
  person,
} from './shared/ingest-calls.ts';
import { need } from './shared/needs.ts';

/** An empty reference as 1C:Enterprise writes it. */
const ZERO = '00000000-0000-0000-0000-000000000000';
const FILLER = '000000000000';

function asks(t: TestContext): Load {
  if (t.values.ingest_habits !== 'understood') t.skip('the target declares nothing about the habits of senders');
  return new Load(t);
}

rule({
  id: 'ING-77',
  level: 'MUST',
  text: 'A zero GUID is an empty reference, 0001-01-01 an empty date, and a midnight after a date is ignored, in both sources.',
  place: 'ingestRecords: Habits of senders',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const [before, after, phone] = [mark(t, 'before'), mark(t, 'after'), mark(t, 'phone')];
    const placed = { external_department_id: ext(t, 'habits'), external_job_title_id: ext(t, 'habits') };
    await load.make('DEPARTMENTS', [{ external_id: ext(t, 'habits'), title: 'Бөлім', external_parent_id: ZERO }]);
    await load.make('JOB_TITLES', [{ external_id: ext(t, 'habits'), title: 'Қызмет' }]);
    await load.make('PERSONS', [person(t, 'habits', { phone })]);
    await load.make('EMPLOYEES', [employee(t, 'habits', 'habits', before, placed)]);
    const card = await load.card(before);
    t.check(
      card.department_id !== '' && card.job_title_id !== '',
      'a department whose parent is the zero GUID is missing',
    );
    const none = { external_department_id: ZERO, external_job_title_id: ZERO, external_organization_id: ZERO };
    const dates = { admission_date: '2021-03-01T00:00:00', left_date: '0001-01-01T00:00:00' };
    await load.make('PERSONS', [person(t, 'habits', { phone, birth_date: '0001-01-01' })]);
    await load.update('EMPLOYEES', [employee(t, 'habits', 'habits', after, { ...none, ...dates })]);
    await load.card(after);
    await load.settled();
    const { id, department_id, job_title_id, start_date, end_date, status, person: human } = await load.now(card.id);
    t.equal(
      [id, department_id, job_title_id, start_date, end_date, status, human?.birth_date],
      [card.id, '', '', '2021-03-01', '', 'EMPLOYEE_STATUS_ACTIVE', ''],
      'references, dates and status of KEDO',
    );
    await ofLedger(t, load);
  },
});

async function ofLedger(t: TestContext, load: Load): Promise<void> {
  // New in each run: whatever refers to it must not be known from an earlier one.
  const [root, title] = [`${ext(t, 'habits-root')}-${t.run.run_id}`, mark(t, 'root')];
  const links = { 'Организация.Ссылка': ZERO, 'Должность.Ссылка': ZERO };
  const staff = (phone: string, department: string) =>
    ledgerEmployee(
      t,
      'habits',
      phone,
      { ДатаРождения: '0001-01-01T00:00:00' },
      {
        ...links,
        'Подразделение.Ссылка': department,
        ДатаПриема: '2021-03-01T00:00:00',
      },
    );
  const [placed, moved] = [mark(t, 'placed'), mark(t, 'moved')];
  await load.make('DEPARTMENTS', [{ Ссылка: root, Наименование: title, 'Родитель.Ссылка': ZERO }], LEDGER);
  await load.make(FULL, [staff(placed, root)], LEDGER);
  const { id, start_date, department, person: human } = await load.whole(placed);
  t.equal(
    [start_date, department?.title, human?.birth_date],
    ['2021-03-01', title, ''],
    'first day, department and birth date of LEDGER',
  );
  await load.update(FULL, [staff(moved, ZERO)], LEDGER);
  const after = await load.whole(moved);
  t.equal([after.id, after.department_id], [id, ''], 'the employee, and the department after a zero GUID');
  if (t.values.ingest_ledger_employee_id !== 'organization_and_number') return;
  const { external_id: _, ...byNumber } = staff(mark(t, 'number'), ZERO);
  const [zero, empty] = [mark(t, 'zero'), mark(t, 'empty')];
  const withPhone = (phone: string, organization: string) => ({
    ...byNumber,
    ТабельныйНомер: ext(t, 'habits-number'),
    'Организация.Ссылка': organization,
    ФизЛицо: { Имя: 'Проба', Телефон: phone },
  });
  await load.make(FULL, [withPhone(zero, ZERO)], LEDGER);
  const first = await load.whole(zero);
  await load.make(FULL, [withPhone(empty, '')], LEDGER);
  t.equal((await load.whole(empty)).id, first.id, 'the employee of the same number without an organisation');
}

rule({
  id: 'ING-78',
  level: 'MUST',
  text: 'A number of twelve equal digits is none: it leads to no other person, and leaves the number that is there.',
  place: 'ingestRecords: Habits of senders',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const names = ['filler-1', 'filler-2'];
    const phones = names.map((name) => mark(t, name));
    const humans = phones.map((Имя) => ({ Имя, ИИН: FILLER }));
    await parted(load, ...names);
    await load.make(
      FULL,
      names.map((name, n) => ledgerEmployee(t, name, phones[n] ?? '', humans[n])),
      LEDGER,
    );
    for (const phone of phones) {
      const { person: human } = await load.whole(phone);
      t.equal([human?.first_name, human?.iin], [phone, ''], 'the person of an employee with a filler');
    }
    const [iin, kept] = ['999999999907', mark(t, 'kept')];
    await load.make('PERSONS', [person(t, 'filler', { iin })]);
    await load.make('EMPLOYEES', [employee(t, 'filler', 'filler', kept)]);
    await load.card(kept);
    const phone = mark(t, 'phone');
    await load.update('PERSONS', [person(t, 'filler', { iin: '111111111111', phone })]);
    t.equal((await load.whole(phone)).person?.iin, iin, 'the number after a filler');
  },
});

rule({
  id: 'ING-79',
  level: 'MUST',
  text: 'A batch may begin with a byte order mark.',
  place: 'requestBody',
  decisions: ['D-6a', 'D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const number = mark(t, 'number');
    await load.people('habits');
    const batch = {
      payload_type: 'EMPLOYEES',
      records: [employee(t, 'habits', 'habits', number)],
      create_missing: true,
    };
    await t.mayWrite();
    const answer = await t.as('full').send({
      method: 'POST',
      path: `/ingest/${KEDO}`,
      raw: Buffer.from(`\ufeff${JSON.stringify(batch)}`),
      headers: { 'Idempotency-Key': newKey(t) },
    });
    answer.ok('ingestRecords', 'a batch behind a byte order mark');
    await load.settled();
    t.check(
      (await load.rows()).some((row) => row.employee_number === number),
      'the batch was not applied',
    );
  },
});
