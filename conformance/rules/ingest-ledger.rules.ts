/** By what the objects of LEDGER are known, and where it looks for what its records refer to. */
import { arrived, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { deleteEmployees } from './shared/calls.ts';
import { ext, FULL, LEDGER, Load, ledgerEmployee, mark, parted, shows } from './shared/ingest-calls.ts';
import { FILLER, ZERO } from './shared/payload-fields.ts';

const rule = rulesWith({ place: 'ingestRecords: LEDGER', decisions: ['D-29'], runs: 'changing' });

type Fields = Readonly<Record<string, unknown>>;

let made = 0;
/** A number that nobody had before. It begins with no day of birth. */
const newIin = ({ run }: TestContext) =>
  `98${String((Number.parseInt(run.run_id, 16) * 100 + ++made) % 10 ** 10).padStart(10, '0')}`;

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

/** Checks that records change nothing of these employees, and show nowhere. */
async function skips(load: Load, what: string, ids: readonly string[], ...records: [string, Fields][]): Promise<void> {
  const { t } = load;
  const lost = mark(t, 'lost');
  await load.unmoved(what, ids, async () => {
    for (const [name, human] of records) await load.make(FULL, [ledgerEmployee(t, name, lost, human)], LEDGER);
    await load.settled();
  });
  t.check(!shows(await load.rows(), lost), `a record was applied: ${what}`);
}

const organization = (t: TestContext) => ({ 'Организация.Ссылка': ext(t, 'ledger-organization') });
const BORN = '1990-03-15';

function asks(t: TestContext): Load {
  if (t.values.ingest_ledger_identity !== 'as_documented')
    t.skip('the target declares nothing about what an object of LEDGER is found by');
  return new Load(t);
}

/** An organisation and a job title of KEDO, and a department of LEDGER. */
async function referencesOf(load: Load, title: string): Promise<Fields> {
  const { t } = load;
  const [department, job] = [ext(t, 'ledger-department'), ext(t, 'ledger-title')];
  await load.make('ORGANIZATIONS', [{ external_id: ext(t, 'ledger-organization'), title: 'ТОО «Проба»' }]);
  await load.make('JOB_TITLES', [{ external_id: job, title }]);
  await load.make('DEPARTMENTS', [{ external_id: department, Ссылка: department, Наименование: title }], LEDGER);
  return { ...organization(t), 'Подразделение.Ссылка': department, 'Должность.Ссылка': job };
}

rule({
  id: 'ING-60',
  text: 'LEDGER finds organisations and job titles among those of KEDO; unknown ones leave the field as it was.',
  check: async (t) => {
    const load = new Load(t);
    const title = mark(t, 'title');
    const references = await referencesOf(load, title);
    const empty = Object.fromEntries(Object.keys(references).map((name) => [name, '']));
    await sent(load, 'ledger', {}, empty);
    const card = await sent(load, 'ledger', {}, references);
    t.check(card.organization_id !== '', 'an organisation of KEDO was not found');
    t.equal([card.job_title?.title, card.department?.title], [title, title], 'job title of KEDO, department of LEDGER');
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
  id: 'ING-61',
  replaces: ['ING-66', 'ING-83'],
  text: 'An employee of LEDGER is known by its external_id, whatever number and organisation a record says, and without one as the target declares; a new external_id beside a known number takes the employee over.',
  check: async (t) => {
    const load = new Load(t);
    await load.make('ORGANIZATIONS', [{ external_id: ext(t, 'ledger-organization'), title: 'ТОО «Проба»' }]);
    const [before, after] = [mark(t, 'before'), mark(t, 'after')];
    const { id } = await sent(load, 'ledger-mover', {}, { ТабельныйНомер: before, ...organization(t) });
    const moved = await sent(load, 'ledger-mover', {}, { ТабельныйНомер: after, 'Организация.Ссылка': '' });
    t.equal([moved.id, moved.employee_number], [id, after], 'the employee of an external_id with another number');
    t.check(!shows(await load.rows(), before), 'somebody still has the number of before');
    // The old number is free now, so another record that has it is another employee.
    const heir = await sent(load, 'ledger-heir', {}, { ТабельныйНомер: before, ...organization(t) });
    t.check(heir.id !== id, 'another external_id with the number of before is the same employee');
    t.equal((await load.now(id)).employee_number, after, 'the number of the first after another took its old one');
    const declared = t.values.ingest_ledger_employee_id;
    const nobody = { external_id: undefined };
    if (declared === 'external_id') {
      const lost = mark(t, 'lost');
      await load.make(FULL, [ledgerEmployee(t, 'twin', lost, {}, nobody)], LEDGER);
      await load.settled();
      return t.check(!shows(await load.rows(), lost), 'a record without an external_id was applied');
    }
    const human = { ИИН: '999999999964' };
    const one = await sent(load, 'twin', human, { ...nobody, ...organization(t) });
    const bare = await sent(load, 'twin', human, nobody);
    const isApart = declared === 'organization_and_number';
    t.equal(bare.id !== one.id, isApart, 'whether an organisation tells employees apart');
    const again = await sent(load, 'twin', human, { ...nobody, ...organization(t) });
    t.equal(again.id, one.id, 'the employee of the same organisation and number');
    t.equal((await load.now(bare.id)).person, again.person, 'the person of both employments, by its number');
    if (t.values.ingest_habits === 'understood') {
      const zero = await sent(load, 'twin', human, { ...nobody, 'Организация.Ссылка': ZERO });
      t.equal(zero.id, bare.id, 'the employee of the number whose organisation is the zero GUID');
    }
    if (t.values.ingest_ledger_identity !== 'as_documented') return;
    const mover = await sent(load, 'ledger-mover', {}, { ...nobody, ТабельныйНомер: after });
    t.equal(mover.id, id, 'the employee of a number whose organisation was cleared');
    const [number, other] = [ext(t, 'taken'), `${ext(t, 'taken')}-2`];
    const external_id = `${number}-${t.run_id}`;
    const taken = await sent(load, 'taken', {}, { ...nobody, ТабельныйНомер: number });
    for (const given of [
      { external_id, ТабельныйНомер: number },
      { ...nobody, ТабельныйНомер: number },
      { external_id, ТабельныйНомер: other },
      { ...nobody, ТабельныйНомер: other },
      { external_id, ТабельныйНомер: number },
    ])
      t.equal((await sent(load, 'taken', {}, given)).id, taken.id, `the employee of ${JSON.stringify(given)}`);
  },
});

rule({
  id: 'ING-82',
  replaces: ['ING-67'],
  text: 'A department of LEDGER that has an external_id and a Ссылка is one, whichever of them a record has or refers to, and whichever came first.',
  check: async (t) => {
    const load = asks(t);
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

rule({
  id: 'ING-68',
  text: 'A person of LEDGER with an external_id is the same in each employment, also with a new number.',
  check: async (t) => {
    if (t.values.ingest_ledger_person_id === 'number')
      t.skip('the target declares that it knows persons by their number');
    const load = new Load(t);
    const shared = { external_id: ext(t, 'ledger-shared-person') };
    // Apart first: where an earlier run has left both with one person, they would share it whatever its id.
    const first = await sent(load, 'sharing-1', { ...shared, Имя: 'Один' });
    const second = await sent(load, 'sharing-2', { external_id: ext(t, 'ledger-own-person'), Имя: 'Второй' });
    const { person: alone } = await load.now(first.id);
    t.equal(alone?.first_name, 'Один', 'the name of a person after a record of another one');
    for (const ИИН of ['999999999980', '999999999998']) {
      await sent(load, 'sharing-2', { ...shared, Имя: 'Другой', ИИН });
      for (const { id } of [first, second]) {
        const { first_name, iin } = t.present((await load.now(id)).person, 'no person');
        t.equal([first_name, iin], ['Другой', ИИН], 'name and number in both employments of a person');
      }
    }
  },
});

rule({
  id: 'ING-80',
  replaces: ['ING-75'],
  text: 'A first or a new number of a known employee of LEDGER is that of the same person, who is free of the old one; where the person has another employment, which nobody has deleted, the record is skipped.',
  decisions: ['D-26', 'D-29'],
  check: async (t) => {
    const load = asks(t);
    const [wrong, right, shared] = [newIin(t), newIin(t), newIin(t)];
    await parted(load, 'corrected', 'corrected-heir');
    let before = await sent(load, 'corrected', { ИИН: '', Имя: 'Прежний' });
    await load.followed();
    before = await load.now(before.id);
    await withHooks(t, [{ types: ['person.changed'] }], async (hook) => {
      for (const [nth, ИИН] of [wrong, right].entries()) {
        // What the record does not name shows whether it is the same person.
        const phone = mark(t, 'corrected');
        await load.update(FULL, [{ ...ledgerEmployee(t, 'corrected', ''), ФизЛицо: { ИИН, Телефон: phone } }], LEDGER);
        const now = await load.whole(phone);
        t.equal([now.id, now.person], [before.id, { ...before.person, iin: ИИН, phone }], 'the same person');
        before = now;
        await arrived(t, hook, { containing: now.id, type: 'person.changed', count: nth + 1 });
      }
      const heir = await sent(load, 'corrected-heir', { ИИН: wrong, Имя: 'Другой' });
      t.equal([heir.person?.first_name, heir.person?.iin], ['Другой', wrong], 'who has the old number now');
      t.equal((await load.now(before.id)).person, before.person, 'the person who had the old number');
    });
    const both = { external_id: ext(t, 'corrected-both'), ИИН: shared };
    const pair = [await sent(load, 'corrected-1', both), await sent(load, 'corrected-2', both)];
    const ids = pair.map(({ id }) => id);
    await skips(load, 'two employments of a person, a new number in one of them', ids, [
      'corrected-2',
      { ИИН: newIin(t) },
    ]);
    await deleteEmployees(t, ids.slice(0, 1));
    const alone = newIin(t);
    const now = await sent(load, 'corrected-2', { ИИН: alone });
    t.equal([now.id, now.person?.iin], [ids[1], alone], 'the number once the other employment was deleted');
  },
});

rule({
  id: 'ING-81',
  replaces: ['ING-70', 'ING-78'],
  text: 'A number that LEDGER knows leads to its person and leaves the person of before as it was, unless both dates of birth are given and differ: then the record is skipped. Beside his own number a date of birth is corrected. Twelve equal digits lead to nobody.',
  check: async (t) => {
    const load = asks(t);
    const [ours, theirs] = ['979999999901', '979999999902'];
    await parted(load, 'joins-1', 'joins-2', 'joins-3', 'filler-1', 'filler-2');
    await sent(load, 'joins-1', { ИИН: ours, Имя: 'Один', ДатаРождения: '1991-04-16' });
    const one = await sent(load, 'joins-1', { ИИН: ours, Имя: 'Один', ДатаРождения: BORN });
    t.equal(one.person?.birth_date, BORN, 'a corrected date of birth beside the number of the employee himself');
    const two = await sent(load, 'joins-2', { ИИН: theirs, Имя: 'Другой', ДатаРождения: BORN });
    const three = await sent(load, 'joins-3', { ИИН: theirs, Имя: 'Другой', ДатаРождения: BORN });
    t.equal([(await load.now(one.id)).person, three.person?.iin], [one.person, theirs], 'two persons by their numbers');
    const strange = { ИИН: ours, ДатаРождения: '1980-01-01' };
    await skips(
      load,
      'records with a number of somebody of another birth date',
      [one.id, two.id],
      ['joins-2', strange],
      [`joins-${t.run_id}`, strange],
    );
    for (const ДатаРождения of ['', BORN]) {
      const joined = await sent(load, 'joins-2', { ИИН: ours, Имя: 'Один', ДатаРождения });
      t.equal(joined.id, two.id, 'the employee who moves to the person of a known number');
      t.equal((await load.now(one.id)).person, joined.person, `the person of both, birth date ${ДатаРождения}`);
      t.equal((await load.now(three.id)).person, three.person, 'the person of before, in his other employment');
      const back = { ИИН: theirs, Имя: 'Другой', ДатаРождения: BORN };
      await load.make(FULL, [ledgerEmployee(t, 'joins-2', three.person?.phone ?? '', back)], LEDGER);
    }
    if (t.values.ingest_habits !== 'understood') return;
    for (const name of ['filler-1', 'filler-2']) await sent(load, name, { ИИН: FILLER, Имя: name });
    const rows = (await load.rows()).filter(({ person: human }) => /^filler-/.test(human?.first_name ?? ''));
    const shown = rows.map(({ person: human }) => `${human?.first_name} ${human?.iin}`).toSorted();
    t.equal(shown, ['filler-1 ', 'filler-2 '], 'names and numbers of two persons with a filler');
  },
});
