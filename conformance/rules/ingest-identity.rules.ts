import { arrived, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule } from './rule.ts';
import { ext, FULL, LEDGER, Load, ledgerEmployee, mark, parted, shows } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

const BORN = '1990-03-15';

function asks(t: TestContext): Load {
  if (t.values.ingest_ledger_identity !== 'as_documented') {
    t.skip('the target declares nothing about what an object of LEDGER is found by');
  }
  return new Load(t);
}

let made = 0;
/** A number that nobody had before. It begins with no day of birth. */
const newIin = ({ run }: TestContext) =>
  `98${String((Number.parseInt(run.run_id, 16) * 100 + ++made) % 10 ** 10).padStart(10, '0')}`;

/** The employment of a member of the pool. */
async function employment(load: Load, name: string): Promise<EmployeeRow> {
  const found = (await load.rows()).find(({ employee_number }) => employee_number === ext(load.t, name));
  return load.t.present(found, `there is no employment ${name}`);
}

rule({
  id: 'ING-80',
  level: 'MUST',
  text: 'A new number of a known employee of LEDGER is that of the same person, who is free of the old one; where the person has another employment, the record is skipped.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-26', 'D-29'],
  needs: together(need.ingest, { callbacks: true }),
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const [wrong, right, shared] = [newIin(t), newIin(t), newIin(t)];
    const [before, after, heir] = [mark(t, 'before'), mark(t, 'after'), mark(t, 'heir')];
    const load1 = (name: string, phone: string, human: object) =>
      load.make(FULL, [ledgerEmployee(t, name, phone, { ...human })], LEDGER);
    await parted(load, 'corrected', 'corrected-heir');
    await load1('corrected', before, { ИИН: wrong, Имя: before });
    const { id, person } = await load.whole(before);
    await withHooks(t, [{ types: ['person.changed'] }], async (hook) => {
      // What the record does not name shows whether it is the same person.
      const only = { ...ledgerEmployee(t, 'corrected', ''), ФизЛицо: { ИИН: right, Телефон: after } };
      await load.update(FULL, [only], LEDGER);
      const corrected = await load.whole(after);
      t.equal([corrected.id, corrected.person], [id, { ...person, iin: right, phone: after }], 'the same person');
      await arrived(t, hook, { containing: id, type: 'person.changed' });
    });
    await load1('corrected-heir', heir, { ИИН: wrong, Имя: heir });
    const other = await load.whole(heir);
    t.equal([other.person?.first_name, other.person?.iin], [heir, wrong], 'who has the old number now');
    t.equal((await load.now(id)).person?.first_name, before, 'the name of who had the old number');
    const pair = ['corrected-1', 'corrected-2'].map((name) => [name, mark(t, name)] as const);
    for (const [name, phone] of pair) await load1(name, phone, { external_id: ext(t, 'corrected-both'), ИИН: shared });
    await load.settled();
    const both = await Promise.all(pair.map(([name]) => employment(load, name)));
    const lost = mark(t, 'lost');
    await load.unmoved(
      'two employments of a person after a new number in one of them',
      both.map((row) => row.id),
      async () => {
        await load1('corrected-2', lost, { ИИН: newIin(t) });
        await load.settled();
      },
    );
    t.check(!shows(await load.rows(), lost), 'the record was applied');
  },
});

rule({
  id: 'ING-81',
  level: 'MUST',
  text: 'A number that LEDGER knows leads to its person, unless both dates of birth are given and differ: then the record is skipped.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const [ours, theirs] = ['979999999901', '979999999902'];
    const staff = (name: string, phone: string, ИИН: string, ДатаРождения = BORN) =>
      ledgerEmployee(t, name, phone, { ИИН, ДатаРождения });
    await parted(load, 'joins-1', 'joins-2');
    const apart = [mark(t, 'one'), mark(t, 'two')] as const;
    await load.make(FULL, [staff('joins-1', apart[0], ours), staff('joins-2', apart[1], theirs)], LEDGER);
    await load.settled();
    const [one, two] = [await employment(load, 'joins-1'), await employment(load, 'joins-2')];
    t.equal([one.person?.phone, two.person?.phone], apart, 'the phones of two persons');
    const lost = mark(t, 'lost');
    await load.unmoved('the employees after records of strangers', [one.id, two.id], async () => {
      await load.make(FULL, [staff('joins-2', lost, ours, '1980-01-01')], LEDGER);
      await load.make(FULL, [staff(`joins-${t.run.run_id}`, lost, ours, '1980-01-01')], LEDGER);
      await load.settled();
    });
    t.check(!shows(await load.rows(), lost), 'a record with a number of somebody of another birth date was applied');
    for (const born of ['', BORN]) {
      const joined = mark(t, 'joined');
      await load.make(FULL, [staff('joins-2', joined, ours, born)], LEDGER);
      await load.whole(joined);
      await load.followed();
      const phones = [await load.now(one.id), await load.now(two.id)].map(({ person }) => person?.phone);
      t.equal(phones, [joined, joined], `the phones of both employments of the person, birth date ${born}`);
      await load.make(FULL, [staff('joins-2', mark(t, 'back'), theirs)], LEDGER);
    }
  },
});

rule({
  id: 'ING-82',
  level: 'MUST',
  text: 'A department of LEDGER that has an external_id and a Ссылка is one, whichever of them a record has, and whichever came first.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    const found = async (reference: string) => {
      const phone = mark(t, 'phone');
      await load.make(FULL, [ledgerEmployee(t, 'one-unit', phone, {}, { 'Подразделение.Ссылка': reference })], LEDGER);
      const { department, department_id } = await load.whole(phone);
      return { title: department?.title, department_id };
    };
    const unit = (more: object) => {
      const Наименование = mark(t, 'title');
      return { record: { Наименование, ...more }, title: Наименование };
    };
    /** Loads one after the other: each must change the same department, and each reference must find it. */
    const same = async (what: string, references: readonly string[], ...steps: readonly object[]) => {
      let id = '';
      for (const step of steps) {
        const { record, title } = unit(step);
        await load.make('DEPARTMENTS', [record], LEDGER);
        const [reference = '', ...others] = references.filter((each) => Object.values(step).includes(each));
        const first = await found(reference);
        t.equal(first.title, title, `the title of the department ${what}`);
        if (id !== '') t.equal(first.department_id, id, `the department ${what}`);
        id = first.department_id;
        for (const other of others) t.equal(await found(other), first, `the department ${what}, found by ${other}`);
      }
      for (const each of references) t.equal((await found(each)).department_id, id, `the department ${what}: ${each}`);
    };
    const [both, bothLink] = [ext(t, 'one-unit'), ext(t, 'one-unit-link')];
    await same('of an external_id', [both, bothLink], { external_id: both, Ссылка: bothLink }, { Ссылка: bothLink });
    // New in each run, as it is to take over what is known by its link alone.
    const [late, link] = [`${ext(t, 'one-unit-late')}-${t.run.run_id}`, ext(t, 'one-unit-early')];
    const taking = { external_id: late, Ссылка: link };
    await same('of a Ссылка', [link, late], { Ссылка: link }, taking, { external_id: late }, { Ссылка: link });
  },
});

rule({
  id: 'ING-83',
  level: 'MUST',
  text: 'An employee of LEDGER that was loaded with an external_id and a number is found by either; a new external_id beside a known number takes the employee over.',
  place: 'ingestRecords: LEDGER',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = asks(t);
    if (t.values.ingest_ledger_employee_id === 'external_id') t.skip('records without an external_id are skipped');
    const [number, other] = [ext(t, 'taken'), `${ext(t, 'taken')}-2`];
    const external_id = `${ext(t, 'taken')}-${t.run.run_id}`;
    const record = (ТабельныйНомер: string, id: object) => {
      const { external_id: _, ...rest } = ledgerEmployee(t, 'taken', mark(t, 'phone'), {}, { ТабельныйНомер });
      return { ...rest, ...id } as { ФизЛицо: { Телефон: string } };
    };
    const load1 = async (...given: Parameters<typeof record>) => {
      const sent = record(...given);
      await load.make(FULL, [sent], LEDGER);
      return (await load.whole(sent.ФизЛицо.Телефон)).id;
    };
    const first = await load1(number, {});
    t.equal(await load1(number, { external_id }), first, 'the employee of a new external_id beside a known number');
    t.equal(await load1(number, {}), first, 'the employee of the number alone');
    t.equal(await load1(other, { external_id }), first, 'the employee of the external_id with another number');
    t.equal(await load1(other, {}), first, 'the employee of the other number alone');
    t.equal(await load1(number, { external_id }), first, 'the employee with the number of before again');
  },
});
