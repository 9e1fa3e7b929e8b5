import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { employee, ext, FULL, KEDO, LEDGER, Load, ledgerEmployee, mark, person, shows } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

/** Loads the pool's first employee with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const number = mark(t, 'begin');
  await load.people('first');
  await load.make('EMPLOYEES', [employee(t, 'first', 'first', number)]);
  return { load, number, card: await load.card(number) };
}

/** Sends batches that are accepted and that must not affect the first employee, his person or anybody else. */
async function nothing(t: TestContext, source: string, ...payloads: readonly string[]): Promise<void> {
  const { load, card } = await begun(t);
  const wrong = mark(t, 'wrong');
  const human = person(t, 'first', { first_name: wrong });
  const records = [
    { ...employee(t, 'first', 'first', wrong), ...human, ТабельныйНомер: ext(t, 'first'), ФизЛицо: { Имя: wrong } },
    { ...employee(t, wrong, 'first', wrong), ТабельныйНомер: wrong, ФизЛицо: { Имя: wrong } },
  ];
  await load.unmoved('the employee after the batches', [card.id], async () => {
    // Persons first: if a target takes this pair for another one, its employees must find their persons.
    for (const payload of payloads) {
      const { record_count } = await load.make(payload, records, source);
      t.equal(record_count, 2, `record_count of ${source} / ${payload}`);
    }
    await load.settled();
  });
  t.check(!shows(await load.rows(), wrong), 'the batches made somebody');
}

rule({
  id: 'ING-9',
  level: 'MUST',
  text: 'A batch of an unknown source is accepted and changes nothing.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    await nothing(t, 'PAYROLL', 'PERSONS', 'EMPLOYEES', FULL);
    await nothing(t, 'kedo', 'PERSONS', 'EMPLOYEES');
  },
});
rule({
  id: 'ING-10',
  level: 'MUST',
  text: 'A batch of an unknown payload type is accepted and changes nothing.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    await nothing(t, KEDO, 'persons', 'employees', 'VACATIONS');
    await nothing(t, LEDGER, 'employees_full', 'PERSONS_FULL');
  },
});
rule({
  id: 'ING-11',
  level: 'MUST',
  text: 'A payload type of the other source is accepted and changes nothing.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    await nothing(t, LEDGER, 'PERSONS', 'EMPLOYEES', 'JOB_TITLES');
    await nothing(t, KEDO, FULL);
  },
});

rule({
  id: 'ING-23',
  level: 'MUST',
  text: 'External ids are unique within a source: the same one in two sources is two objects.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const id = ext(t, 'shared');
    const [ours, theirs, phone] = [mark(t, 'kedo'), mark(t, 'ledger'), mark(t, 'phone')];
    const number = mark(t, 'number');
    await load.make('DEPARTMENTS', [{ external_id: id, title: ours }]);
    await load.make('DEPARTMENTS', [{ external_id: id, Ссылка: id, Наименование: theirs }], LEDGER);
    await load.people('first');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', number, { external_department_id: id })]);
    await load.make(FULL, [ledgerEmployee(t, 'apart', phone, {}, { 'Подразделение.Ссылка': id })], LEDGER);
    const [one, other] = [await load.card(number), await load.byPhone(phone)];
    t.equal([one.department?.title, other.department?.title], [ours, theirs], 'the titles of two departments');
    t.check(one.department_id !== other.department_id, 'one external id in two sources is one department');
  },
});

rule({
  id: 'ING-25',
  level: 'MUST',
  text: 'A reference of a record to an unknown external id is treated as the target declares.',
  place: 'ingestRecords: References',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const { load, card } = await begun(t);
    const unknown = ext(t, 'never-loaded');
    const declared = t.values.ingest_unknown_reference;
    const skips = declared === 'skip_record';
    const titles = { department: mark(t, 'department'), job_title: mark(t, 'job_title') };
    const known = { external_department_id: ext(t, 'staying'), external_job_title_id: ext(t, 'staying') };
    await load.make('DEPARTMENTS', [{ external_id: ext(t, 'staying'), title: titles.department }]);
    await load.make('JOB_TITLES', [{ external_id: ext(t, 'staying'), title: titles.job_title }]);
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', mark(t, 'placed'), known)]);
    await load.settled();
    const fields = ['person', 'organization', 'department', 'job_title'];
    const referTo = async () => {
      for (const field of fields) {
        const number = mark(t, field);
        const record = employee(t, 'first', 'first', number, { ...known, [`external_${field}_id`]: unknown });
        await load.update('EMPLOYEES', [record]);
        if (declared !== 'skip_new_record') continue;
        const { id, person: human, department, job_title } = await load.card(number);
        const shown = [id, human, department?.title, job_title?.title];
        t.equal(
          shown,
          [card.id, card.person, titles.department, titles.job_title],
          `the employee after an unknown ${field}`,
        );
      }
      await load.settled();
    };
    if (skips) await load.unmoved('the employee after records with unknown references', [card.id], referTo);
    else await referTo();
    if (declared !== 'ignore_reference') {
      const newcomers = fields.map((field) => ({
        ...employee(t, mark(t, field), 'first', mark(t, 'newcomer'), { [`external_${field}_id`]: unknown }),
      }));
      await load.make('EMPLOYEES', newcomers);
      await load.settled();
      const rows = await load.rows();
      for (const { number } of newcomers as { number?: string }[])
        t.check(!shows(rows, number ?? ''), `${number}: a new record with an unknown reference was applied`);
    }
    const titled = mark(t, 'titled');
    const department = { external_id: ext(t, 'referring'), title: titled, external_parent_id: '' };
    await load.make('DEPARTMENTS', [department]);
    const lost = mark(t, 'lost');
    for (const field of ['parent', 'organization']) {
      await load.update('DEPARTMENTS', [{ ...department, title: lost, [`external_${field}_id`]: unknown }]);
    }
    const number = mark(t, 'referring');
    const reference = { external_department_id: department.external_id };
    await load.update('EMPLOYEES', [employee(t, 'first', 'first', number, reference)]);
    const { department: shown } = await load.card(number);
    t.equal(shown?.title, skips ? titled : lost, 'the department after records with unknown references');
  },
});

rule({
  id: 'ING-26',
  level: 'MUST',
  text: 'References resolve within the batch in any order, and across batches that came before.',
  place: 'ingestRecords: References',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    // New ids in each run, so that none is known before. The lowest department comes first.
    const id = (name: string) => `${ext(t, name)}-${t.run.run_id}`;
    const chain = ['below', 'middle', 'above'];
    const titles = chain.map((name) => mark(t, name));
    await load.make(
      'DEPARTMENTS',
      chain.map((name, n) => {
        const parent = chain[n + 1];
        return { external_id: id(name), title: titles[n], ...(parent ? { external_parent_id: id(parent) } : {}) };
      }),
    );
    const [before, after] = [mark(t, 'before'), mark(t, 'after')];
    await load.people('first');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', before, { external_department_id: id('below') })]);
    const card = await load.card(before);
    t.equal(card.department?.title, titles[0], 'the department whose parents follow it in the batch');
    const early = { external_department_id: id('later') };
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', mark(t, 'early'), early)]);
    await load.make('DEPARTMENTS', [{ external_id: id('later'), title: mark(t, 'later') }]);
    await load.settled();
    if (t.values.ingest_unknown_reference !== 'ignore_reference')
      t.equal(
        (await load.now(card.id)).department?.title,
        titles[0],
        'the department after one that came with a later batch',
      );
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', after, early)]);
    t.check((await load.card(after)).department_id !== '', 'a department of an earlier batch was not found');
  },
});

rule({
  id: 'ING-50',
  level: 'MUST',
  text: 'Departments in a cycle of parents are skipped; others of the batch are not.',
  place: 'ingestRecords: References',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const names = ['ring-1', 'ring-2', 'ring-3', 'ring-self', 'ring-out'];
    const titles = names.map((name) => mark(t, name));
    const plain = names.map((name, n) => ({ external_id: ext(t, name), title: titles[n], external_parent_id: '' }));
    await load.make('DEPARTMENTS', plain);
    const parents = ['ring-2', 'ring-3', 'ring-1', 'ring-self', ''];
    const spoilt = mark(t, 'spoilt');
    await load.update(
      'DEPARTMENTS',
      plain.map((record, n) => ({
        ...record,
        title: spoilt,
        external_parent_id: parents[n] ? ext(t, parents[n]) : '',
      })),
    );
    await load.people('first');
    for (const [n, name] of names.entries()) {
      const number = mark(t, name);
      await load.make('EMPLOYEES', [employee(t, 'first', 'first', number, { external_department_id: ext(t, name) })]);
      const { department } = await load.card(number);
      const expected = name === 'ring-out' ? spoilt : titles[n];
      t.equal(department?.title, expected, `the title of ${name} after a batch with a cycle`);
    }
  },
});

rule({
  id: 'ING-51',
  level: 'MUST',
  text: 'An employee is made only with a known person, and keeps it when a later record names none.',
  place: 'ingestRecords: References',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [without, empty, unknown] = [mark(t, 'without'), mark(t, 'empty'), mark(t, 'unknown')];
    const newcomer = (number: string, external_person_id: string | undefined) => ({
      ...employee(t, number, 'first', number),
      external_person_id,
    });
    await load.people('first');
    await load.make('EMPLOYEES', [
      newcomer(without, undefined),
      newcomer(empty, ''),
      newcomer(unknown, ext(t, 'never-loaded')),
    ]);
    await load.settled();
    const rows = await load.rows();
    for (const number of [without, empty, unknown])
      t.check(!shows(rows, number), `${number}: made without a person that is known`);
    const known = mark(t, 'known');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', known)]);
    const before = await load.card(known);
    for (const [number, none] of [
      [mark(t, 'named-empty'), ''],
      [mark(t, 'named-null'), null],
    ] as const) {
      await load.update('EMPLOYEES', [{ ...employee(t, 'first', 'first', number), external_person_id: none }]);
      const { id, person: human } = await load.card(number);
      const what = `a known employee after a record whose person is ${JSON.stringify(none)}`;
      t.equal([id, human], [before.id, before.person], what);
    }
  },
});

rule({
  id: 'ING-52',
  level: 'MUST',
  text: 'External ids are compared code point by code point.',
  place: 'ingestRecords: Create or update',
  decisions: ['D-29'],
  needs: need.ingest,
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const base = ext(t, 'alike');
    const ids = [`${base}-é`, `${base}-e\u0301`, `${base}-É`, `${base}-é `, `${base}-е`];
    const titles = ids.map((_, n) => mark(t, `${n}`));
    await load.make(
      'DEPARTMENTS',
      ids.map((external_id, n) => ({ external_id, title: titles[n] })),
    );
    const names = ids.map((_, n) => `alike-${n}`);
    const numbers = names.map((name) => mark(t, name));
    await load.people('first');
    await load.make(
      'EMPLOYEES',
      names.map((name, n) => employee(t, name, 'first', numbers[n] ?? '', { external_department_id: ids[n] })),
    );
    const found = new Set<string>();
    for (const [n, number] of numbers.entries()) {
      const { department, department_id } = await load.card(number);
      t.equal(department?.title, titles[n], `the department ${JSON.stringify(ids[n])}`);
      found.add(department_id);
    }
    t.equal(found.size, ids.length, 'departments of ids that differ in a code point');
  },
});

rule({
  id: 'ING-64',
  level: 'MUST',
  text: 'A batch touches its own tenant only, whatever its external ids.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: together(need.ingest, { keys: ['other_tenant'] }),
  runs: 'changing',
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
