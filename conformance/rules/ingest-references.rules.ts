import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { employee, ext, FULL, KEDO, LEDGER, Load, ledgerEmployee, mark, person, shows } from './shared/ingest-calls.ts';

const rule = rulesWith({ place: 'ingestRecords: References', decisions: ['D-29'], runs: 'changing' });

/** Loads the pool's first employee with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const number = mark(t, 'begin');
  await load.people('first');
  await load.make('EMPLOYEES', [employee(t, 'first', 'first', number)]);
  return { load, number, card: await load.card(number) };
}

/** Pairs that do not exist: an unknown source, an unknown payload type, a payload type of the other source. */
const NO_PAIRS: readonly [source: string, ...payloads: string[]][] = [
  // Persons first: if a target takes such a pair for another one, its employees must find their persons.
  ['PAYROLL', 'PERSONS', 'EMPLOYEES', FULL],
  ['kedo', 'PERSONS', 'EMPLOYEES'],
  [KEDO, 'persons', 'employees', 'VACATIONS', FULL],
  [LEDGER, 'employees_full', 'PERSONS_FULL', 'PERSONS', 'EMPLOYEES', 'JOB_TITLES'],
];

rule({
  id: 'ING-9',
  text: 'A batch of an unknown source, of an unknown payload type, or of one of the other source is accepted and changes nothing.',
  place: 'ingestRecords',
  check: async (t) => {
    const { load, card } = await begun(t);
    const wrong = mark(t, 'wrong');
    const human = person(t, 'first', { first_name: wrong });
    const records = [
      { ...employee(t, 'first', 'first', wrong), ...human, ТабельныйНомер: ext(t, 'first'), ФизЛицо: { Имя: wrong } },
      { ...employee(t, wrong, 'first', wrong), ТабельныйНомер: wrong, ФизЛицо: { Имя: wrong } },
    ];
    await load.unmoved('the employee after the batches', [card.id], async () => {
      for (const [source, ...payloads] of NO_PAIRS)
        for (const payload of payloads) {
          const { record_count } = await load.make(payload, records, source);
          t.equal(record_count, 2, `record_count of ${source} / ${payload}`);
        }
      await load.settled();
    });
    t.check(!shows(await load.rows(), wrong), 'the batches made somebody');
  },
});

/** Departments of KEDO, each shown by an employee of its own, in their order. */
async function shownUnits(load: Load, units: readonly { external_id: string }[]): Promise<(EmployeeRow | undefined)[]> {
  const { t } = load;
  const numbers = units.map(({ external_id }) => mark(t, external_id));
  const staff = units.map(({ external_id: external_department_id }, n) =>
    employee(t, `unit-${n}`, 'first', numbers[n] ?? '', { external_department_id }),
  );
  await load.people('first');
  await load.make('EMPLOYEES', staff);
  await load.settled();
  const rows = await load.rows();
  return numbers.map((number) => rows.find((row) => row.employee_number === number));
}

const titlesIn = (cards: readonly (EmployeeRow | undefined)[]) => cards.map((card) => card?.department?.title);

rule({
  id: 'ING-23',
  text: 'External ids are unique within a source and compared code point by code point: the same one in two sources is two objects, and so are two that look alike.',
  place: 'ingestRecords: Create or update',
  check: async (t) => {
    const load = new Load(t);
    const base = ext(t, 'alike');
    const ids = [`${base}-é`, `${base}-e\u0301`, `${base}-É`, `${base}-é `, `${base}-е`];
    const units = ids.map((external_id) => ({ external_id, title: mark(t, 'kedo') }));
    const [theirs, phone, Ссылка] = [mark(t, 'ledger'), mark(t, 'phone'), ids[0]];
    await load.make('DEPARTMENTS', units);
    await load.make('DEPARTMENTS', [{ external_id: Ссылка, Ссылка, Наименование: theirs }], LEDGER);
    await load.make(FULL, [ledgerEmployee(t, 'apart', phone, {}, { 'Подразделение.Ссылка': Ссылка })], LEDGER);
    const cards = [...(await shownUnits(load, units)), await load.byPhone(phone)];
    t.equal(titlesIn(cards), [...units.map(({ title }) => title), theirs], 'the titles of departments');
    const found = new Set(cards.map((card) => card?.department_id));
    t.equal(found.size, ids.length + 1, 'departments of ids that differ in a code point or in their source');
  },
});

rule({
  id: 'ING-25',
  text: 'A reference of a record to an unknown external id is treated as the target declares.',
  check: async (t) => {
    const load = new Load(t);
    const [unknown, staying, declared] = [ext(t, 'never-loaded'), ext(t, 'staying'), t.values.ingest_unknown_reference];
    const known = { external_department_id: staying, external_job_title_id: staying };
    const unit = { external_id: staying, title: mark(t, 'staying') };
    await load.make('DEPARTMENTS', [unit]);
    await load.make('JOB_TITLES', [unit]);
    await load.people('first');
    const fields = ['person', 'organization', 'department', 'job_title'];
    const old = fields.map((field) => ({ ...employee(t, `unknown-${field}`, 'first', mark(t, field), known) }));
    await load.make('EMPLOYEES', old);
    await load.followed();
    const before = await load.rows();
    const [changed, made] = [fields.map((field) => mark(t, field)), fields.map((field) => mark(t, `new-${field}`))];
    const referring = (field: string, number = '') => ({ number, [`external_${field}_id`]: unknown });
    await load.make('EMPLOYEES', [
      ...fields.map((field, n) => ({ ...old[n], ...referring(field, changed[n]) })),
      ...fields.map((field, n) => ({ ...employee(t, made[n] ?? '', 'first', ''), ...referring(field, made[n]) })),
    ]);
    await load.settled();
    const after = await load.rows();
    if (declared === 'ignore_reference') return;
    for (const [n, field] of fields.entries()) {
      const card = before.find(({ employee_number }) => employee_number === old[n]?.number);
      const now = after.find(({ id }) => id === card?.id);
      const applied = { ...card, employee_number: changed[n], update_time: now?.update_time };
      t.equal(now, declared === 'skip_record' ? card : applied, `the employee after an unknown ${field}`);
      t.check(!shows(after, made[n] ?? ''), `a new record with an unknown ${field} was applied`);
    }
    const [titled, lost] = [mark(t, 'titled'), mark(t, 'lost')];
    const department = { external_id: ext(t, 'referring'), title: titled, external_parent_id: '' };
    await load.make('DEPARTMENTS', [department]);
    for (const field of ['parent', 'organization'])
      await load.update('DEPARTMENTS', [{ ...department, title: lost, [`external_${field}_id`]: unknown }]);
    const shown = titlesIn(await shownUnits(load, [department]));
    t.equal(shown, [declared === 'skip_record' ? titled : lost], 'the department after unknown references');
    const nowhereTitle = mark(t, 'nowhere');
    const nowhere = ['parent', 'organization'].map((field) => ({
      external_id: `${ext(t, `without-${field}`)}-${t.run_id}`,
      title: nowhereTitle,
      [`external_${field}_id`]: unknown,
    }));
    await load.make('DEPARTMENTS', nowhere);
    for (const card of await shownUnits(load, nowhere))
      t.check(card?.department?.title !== nowhereTitle, 'a new department without its parent was made');
  },
});

rule({
  id: 'ING-26',
  text: 'References resolve within the batch in any order, and across batches that came before.',
  check: async (t) => {
    const load = new Load(t);
    // New ids in each run, so that none is known before. The lowest department comes first.
    const id = (name: string) => `${ext(t, name)}-${t.run_id}`;
    const chain = ['below', 'middle', 'above'].map((name) => ({ external_id: id(name), title: mark(t, name) }));
    const later = { external_id: id('later'), title: mark(t, 'later') };
    await load.make(
      'DEPARTMENTS',
      chain.map((one, n) => ({ ...one, external_parent_id: chain[n + 1]?.external_id ?? '' })),
    );
    const titles = chain.map(({ title }) => title);
    t.equal(titlesIn(await shownUnits(load, chain)), titles, 'the departments whose parents follow them in the batch');
    const [card] = await shownUnits(load, [later]);
    await load.make('DEPARTMENTS', [later]);
    await load.settled();
    if (card && t.values.ingest_unknown_reference !== 'ignore_reference')
      t.equal((await load.now(card.id)).department?.title, titles[0], 'after a department that a later batch brought');
    t.equal(titlesIn(await shownUnits(load, [later])), [later.title], 'the department of an earlier batch');
  },
});

rule({
  id: 'ING-50',
  text: 'Departments in a cycle of parents are skipped; others of the batch are not.',
  check: async (t) => {
    const load = new Load(t);
    const parents = { 'ring-1': 'ring-2', 'ring-2': 'ring-3', 'ring-3': 'ring-1', 'ring-self': 'ring-self', out: '' };
    const plain = Object.keys(parents).map((name) => ({ external_id: ext(t, name), title: mark(t, name) }));
    await load.make(
      'DEPARTMENTS',
      plain.map((one) => ({ ...one, external_parent_id: '' })),
    );
    const title = mark(t, 'spoilt');
    await load.update(
      'DEPARTMENTS',
      Object.entries(parents).map(([name, parent]) => ({
        external_id: ext(t, name),
        title,
        external_parent_id: parent === '' ? '' : ext(t, parent),
      })),
    );
    const shown = titlesIn(await shownUnits(load, plain));
    const wanted = [...plain.slice(0, -1).map((one) => one.title), title];
    t.equal(shown, wanted, 'the titles after a batch with a cycle and a department outside it');
  },
});

rule({
  id: 'ING-64',
  text: 'A batch touches its own tenant only, whatever its external ids.',
  place: 'ingestRecords',
  check: async (t) => {
    const { load, card, number } = await begun(t);
    const foreign = new Load(t, 'other_tenant');
    await load.unmoved(`the employee ${number} of the first tenant`, [card.id], async () => {
      const theirs = mark(t, 'theirs');
      await foreign.make('PERSONS', [person(t, 'first', { first_name: theirs })]);
      await foreign.make('EMPLOYEES', [employee(t, 'first', 'first', theirs)]);
      const other = await foreign.card(theirs);
      t.check(other.id !== card.id, 'two tenants share an employee');
    });
  },
});
