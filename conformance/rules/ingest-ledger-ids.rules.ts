import { randomInt } from 'node:crypto';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule } from './rule.ts';
import {
  ext,
  FULL,
  LEDGER,
  Load,
  ledgerDepartment,
  ledgerEmployee,
  mark,
  parted,
  shows,
} from './shared/ingest-calls.ts';
import { need } from './shared/needs.ts';

/** An employee without an external id, identified only by his fields. */
function byFields(...given: Parameters<typeof ledgerEmployee>) {
  const { external_id: _, ...fields } = ledgerEmployee(...given);
  return fields;
}

const organization = (t: TestContext) => ({ 'Организация.Ссылка': ext(t, 'ledger-organization') });

rule({
  id: 'ING-61',
  level: 'MUST',
  text: 'LEDGER distinguishes persons without an external_id by their number, and such employees as the target declares.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const human = { ИИН: '999999999964' };
    const [first, phone] = [mark(t, 'first'), mark(t, 'phone')];
    await load.make('ORGANIZATIONS', [{ external_id: ext(t, 'ledger-organization'), title: 'ТОО «Проба»' }]);
    await load.make(FULL, [byFields(t, 'twin', first, human, organization(t))], LEDGER);
    if (t.values.ingest_ledger_employee_id === 'external_id') {
      await load.settled();
      t.check(!shows(await load.rows(), first), 'a record without an external_id was applied');
      return;
    }
    const count = t.values.ingest_ledger_employee_id === 'organization_and_number' ? 2 : 1;
    // An earlier run has left the other employment of the person too, which shows the same phone.
    const isFirst = (row: EmployeeRow) => row.person?.phone === first && (count === 1 || row.organization_id !== '');
    const { id } = await load.until(first, (rows) => rows.find(isFirst));
    // The same number without an organisation, and the same person by his own number.
    await load.make(FULL, [byFields(t, 'twin', phone, human)], LEDGER);
    const sharing = await load.until('every employment of the person', (rows) => {
      const found = rows.filter((row) => row.person?.phone === phone);
      return found.length >= count && found;
    });
    await load.settled();
    const all = (await load.rows()).filter((row) => row.person?.phone === phone);
    t.equal(all.length, sharing.length, 'employments of the person');
    t.equal(all.length, count, 'employments of the person');
    t.check(
      (await load.rows()).every((row) => row.person?.phone !== first),
      'an employment of the person has the phone of before',
    );
    const again = mark(t, 'again');
    const moved = { ...organization(t), ДатаПриема: '2020-01-02' };
    await load.update(FULL, [byFields(t, 'twin', again, human, moved)], LEDGER);
    await load.whole(again);
    t.equal((await load.now(id)).start_date, moved.ДатаПриема, 'the first employment after a record with its fields');
  },
});

rule({
  id: 'ING-75',
  level: 'MUST',
  text: 'A number that LEDGER states for an employee whose person had none becomes the number of that person; nothing else changes.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const phone = mark(t, 'phone');
    const numbered = (ИИН: string) => ledgerEmployee(t, 'ledger-numbered', phone, { ИИН });
    // The number of an earlier run leads to the person already. This one is nobody's: it begins with no day of birth.
    const number = `999999${String(randomInt(1_000_000)).padStart(6, '0')}`;
    await load.make(FULL, [numbered('')], LEDGER);
    const before = await load.until('no number', (rows) =>
      rows.find(({ person }) => person?.phone === phone && person.iin === ''),
    );
    // What the record does not name shows whether it is the same person.
    await load.make(FULL, [{ ...numbered(''), ФизЛицо: { ИИН: number } }], LEDGER);
    await load.settled();
    const { update_time: _, person, ...card } = await load.now(before.id);
    const { update_time: _before, person: personBefore, ...cardBefore } = before;
    t.equal(person, { ...personBefore, iin: number }, 'the person after the number came');
    t.equal(card, cardBefore, 'the employee after the number came');
  },
});

rule({
  id: 'ING-66',
  level: 'MUST',
  text: 'A known external_id of LEDGER is the same employee, whatever number and organisation the record says; an unknown one is another.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [before, after] = [mark(t, 'before'), mark(t, 'after')];
    const mover = (ТабельныйНомер: string, more: object) =>
      ledgerEmployee(t, 'ledger-mover', mark(t, 'mover'), {}, { ТабельныйНомер, ...more });
    await load.make(FULL, [mover(before, organization(t))], LEDGER);
    const { id } = await load.card(before);
    await load.make(FULL, [mover(after, { 'Организация.Ссылка': '' })], LEDGER);
    t.equal((await load.card(after)).id, id, 'the employee of the same external_id with another number');
    t.check(!shows(await load.rows(), before), 'somebody still has the number of before');
    // The old number is free now, so another record that has it is another employee.
    const heir = { ТабельныйНомер: before, ...organization(t) };
    await load.make(FULL, [ledgerEmployee(t, 'ledger-heir', mark(t, 'heir'), {}, heir)], LEDGER);
    t.check((await load.card(before)).id !== id, 'another external_id with the number of before is the same employee');
    t.equal((await load.now(id)).employee_number, after, 'the number of the first after another took its old one');
  },
});

rule({
  id: 'ING-67',
  level: 'MUST',
  text: 'LEDGER finds a department, also as a parent, by what the target declares.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [above, below] = [ledgerDepartment(t, 'either-above'), ledgerDepartment(t, 'either-below')];
    // New in every run: a link that an earlier run has made known would be found also where this run's is lost.
    const links = { above: mark(t, 'above-link'), below: mark(t, 'below-link') };
    const parents = t.values.ingest_ledger_department_reference === 'either' ? [links.above] : [];
    for (const parent of [...parents, above.external_id]) {
      const title = mark(t, 'title');
      await load.make(
        'DEPARTMENTS',
        [
          { ...below, Ссылка: links.below, Наименование: title, 'Родитель.Ссылка': parent },
          { ...above, Ссылка: links.above, Наименование: 'Выше' },
        ],
        LEDGER,
      );
      for (const reference of [below.external_id, ...(parents.length > 0 ? [links.below] : [])]) {
        const phone = mark(t, 'phone');
        // Empties the reference first, so that a value of the last record cannot be taken for one that this record finds.
        const empty = { 'Подразделение.Ссылка': '' };
        await load.make(FULL, [ledgerEmployee(t, 'either', mark(t, 'emptied'), {}, empty)], LEDGER);
        await load.update(
          FULL,
          [ledgerEmployee(t, 'either', phone, {}, { 'Подразделение.Ссылка': reference })],
          LEDGER,
        );
        const { department } = await load.whole(phone);
        t.equal(department?.title, title, `the department found by ${reference}, placed below ${parent}`);
      }
    }
  },
});

rule({
  id: 'ING-68',
  level: 'MUST',
  text: 'The person in a record of LEDGER is known by what the target declares.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    if (t.values.ingest_ledger_person_id === 'number')
      t.skip('the target declares that it knows persons by their number');
    const load = new Load(t);
    const person = (name: string, Имя: string) => ({ external_id: ext(t, name), Имя });
    const [first, own, phone] = [mark(t, 'first'), mark(t, 'own'), mark(t, 'phone')];
    // Apart first: where an earlier run has left both with one person, they would share it whatever its id.
    await load.make(FULL, [ledgerEmployee(t, 'sharing-1', first, person('ledger-shared-person', 'Один'))], LEDGER);
    await load.make(FULL, [ledgerEmployee(t, 'sharing-2', own, person('ledger-own-person', 'Второй'))], LEDGER);
    await load.byPhone(own);
    const apart = (await load.byPhone(first)).person?.first_name;
    t.equal(apart, 'Один', 'the name of a person after a record of another one');
    await load.make(FULL, [ledgerEmployee(t, 'sharing-2', phone, person('ledger-shared-person', 'Другой'))], LEDGER);
    const both = await load.until('both employments of the person', (rows) => {
      const found = rows.filter((row) => row.person?.phone === phone);
      return found.length > 1 && found;
    });
    t.equal(
      both.map(({ person: human }) => human?.first_name),
      ['Другой', 'Другой'],
      'the name in both employments',
    );
  },
});

/** A number that no person had before this run. */
const newIin = ({ run }: TestContext) => `99${String(Number.parseInt(run.run_id, 16) % 10 ** 10).padStart(10, '0')}`;

rule({
  id: 'ING-70',
  level: 'MUST',
  text: 'A record of LEDGER with a number of another person leaves the person of before as he was; his own new number is a change where he is known by external_id.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const shared = { ИИН: '999999999972' };
    const other = { ИИН: newIin(t), Имя: 'Другая' };
    const [before, own] = [mark(t, 'before'), mark(t, 'own')];
    const record = (name: string, phone: string, human: Record<string, unknown>) =>
      ledgerEmployee(t, name, phone, human);
    const employment = async (name: string) => {
      const found = (await load.rows()).find(({ employee_number }) => employee_number === ext(t, name));
      return t.present(found, `there is no employment ${name}`);
    };
    await parted(load, 'stays', 'moves', 'moves-to');
    // Two employments of one person, who is known by his number.
    await load.make(
      FULL,
      ['stays', 'moves'].map((name) => record(name, before, shared)),
      LEDGER,
    );
    await load.whole(before);
    const { id, person } = await employment('moves');
    t.equal((await employment('stays')).person, person, 'the person of two employments with one number');
    // The other one is known by another employment.
    await load.make(FULL, [record('moves-to', mark(t, 'other'), other)], LEDGER);
    await load.make(FULL, [record('moves', own, other)], LEDGER);
    await load.whole(own);
    const moved = await employment('moves');
    t.equal((await employment('stays')).person, person, 'the person of before, in his other employment');
    const { first_name, iin } = t.present(moved.person, 'no person');
    t.equal([moved.id, first_name, iin], [id, other.Имя, other.ИИН], 'the employee of the record, with its person');
    if (t.values.ingest_ledger_person_id === 'number') return;
    // A person with an external_id of his own stays the same person whatever his number.
    const known = { external_id: ext(t, 'ledger-numbered-person') };
    for (const ИИН of ['999999999980', '999999999998']) {
      const phone = mark(t, 'numbered');
      await load.make(
        FULL,
        [record('numbered-1', phone, { ...known, ИИН }), record('numbered-2', phone, known)],
        LEDGER,
      );
      await load.whole(phone);
      const numbers = [await employment('numbered-1'), await employment('numbered-2')].map((one) => one.person?.iin);
      t.equal(numbers, [ИИН, ИИН], 'the number in both employments of a person with a new one');
    }
  },
});
