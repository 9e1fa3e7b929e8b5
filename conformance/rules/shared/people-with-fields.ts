/**
 * Follows every field of every record of a source through a few batches that many rules judge. For each field one object
 * gets another value in that field alone; others are emptied as a whole, sent again, or new. First everything is loaded
 * with its first values, then changed, then followed by records that must all be skipped. The rules read for themselves.
 */
import { type Hook, observer } from '../../callbacks/hooks.ts';
import { sharedScenario } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { EmployeeRow } from '../../http/api.ts';
import { deleteEmployees } from './calls.ts';
import { employee, ext, Load, ledgerEmployee, person } from './ingest-calls.ts';
import {
  badValues,
  fieldValue,
  type PayloadField,
  type PayloadKind,
  payloadKinds,
  payloadNamed,
  type Source,
  spelling,
  spellings,
  textOf,
} from './payload-fields.ts';

export interface FieldWorld {
  /** The check that made it, whose id stands in its texts. */
  by: TestContext;
  load: Load;
  /** Ids of the employees that show the subjects, by the payload's name, a slash and the subject. */
  ids: Map<string, string>;
  /** When everything had its first values, and when everything was changed: times of the target. */
  loaded: string;
  changed: string;
  /** Every event since before the changes; undefined if the target delivers nothing. */
  hook: Hook | undefined;
  /** Why no employee could be made anew; '' if they were. */
  unmade: string;
}

type SentField<Value = unknown> = readonly [field: PayloadField, value: Value];

/** Values of all fields at once: how a record empties them, or says nothing. */
const EMPTIES = { absent: undefined, null: null, empty: '' } as const;
/** Subjects that are changed as a whole, and subjects that are made anew. */
export const SPELLED = spellings('day', '').map((_, nth) => `spelled-${nth}`);
const CHANGED = ['null', 'empty', 'same', ...SPELLED];
const MADE = ['new-a', 'new-absent', 'new-null', 'new-empty', 'new-nothing'];
/** Employees of LEDGER whose number is empty; the others are found by it. */
const NUMBERLESS = ['new2-absent', 'new2-null', 'new2-empty'];

export const isOfEmployees = ({ name }: PayloadKind): boolean => /EMPLOYEES/.test(name);
const isLedgerEmployee = ({ name }: PayloadKind): boolean => name === 'LEDGER.EMPLOYEES_FULL';
const shows = ({ fields }: PayloadKind): boolean => fields.some(({ shown }) => shown !== '');

/** Whether a change of the field is one of the employee's card. */
export const isOfCard = ({ payload, shown }: PayloadField): boolean =>
  shown !== '' && (isOfEmployees(payload) || shown.startsWith('person.'));

/** The fields that have values, as opposed to ids and objects. */
export const valueFields = ({ fields }: PayloadKind): PayloadField[] =>
  fields.filter(({ kind }) => kind !== 'id' && kind !== 'object');

/** The name of the subject of a field. */
export const subjectOf = ({ id, payload }: PayloadField): string => id.slice(payload.name.length + 1);

export const madeSubjects = (payload: PayloadKind): string[] => {
  if (!shows(payload)) return ['new-a'];
  return isLedgerEmployee(payload) ? [...MADE, ...NUMBERLESS] : MADE;
};

const oldSubjects = (payload: PayloadKind): string[] => [
  ...payload.fields.map(subjectOf),
  ...(shows(payload) ? CHANGED : []),
];

/** The external id of a subject. Only new employees keep theirs, since they are deleted before they are made again. */
export function idOf(t: TestContext, payload: PayloadKind, subject: string): string {
  const id = ext(t, `${payload.name}-${subject}`);
  return subject.startsWith('new') && !isOfEmployees(payload) ? `${id}-${t.run_id}` : id;
}

/** A record about a subject that says this of its fields. @param id its external id */
function recordFrom(
  t: TestContext,
  payload: PayloadKind,
  id: string,
  sent: readonly SentField[],
): Record<string, unknown> {
  const record: Record<string, unknown> = { external_id: id };
  if (payload.fields.some(({ path, kind }) => kind === 'id' && path[0] === 'Ссылка')) record.Ссылка = `${id}-link`;
  const inner: Record<string, unknown> = { external_id: `${id}-person-${/-new/.test(id) ? t.run_id : ''}` };
  if (isLedgerEmployee(payload)) record.ФизЛицо = inner;
  for (const [{ path }, value] of sent) {
    const [first = '', second] = path;
    if (second === undefined) record[first] = value;
    else inner[second] = value;
  }
  return record;
}

/** The value of a field of a subject; an employee of KEDO refers to a person of its own at first. */
function ownValue(t: TestContext, field: PayloadField, subject: string, state: 'a' | 'b'): string {
  const isPerson = field.path[0] === 'external_person_id' && state === 'a';
  return isPerson ? idOf(t, field.payload, subject) : fieldValue(t, field, subject, state);
}

const whole = (t: TestContext, payload: PayloadKind, subject: string, state: 'a' | 'b' = 'a'): SentField<string>[] =>
  valueFields(payload).map((field) => [field, ownValue(t, field, subject, state)] as const);

const fieldOf = (payload: PayloadKind, ...names: string[]) =>
  payload.fields.filter(({ path }) => names.includes(path.at(-1) ?? ''));

/** What the record of a new subject says: all values, or none in one of the ways to say none. */
function newRecord(t: TestContext, payload: PayloadKind, subject: string): Record<string, unknown> {
  const [kind = '', state = ''] = subject.split('-');
  const kept = fieldOf(payload, 'external_person_id', kind === 'new2' ? 'Телефон' : 'ТабельныйНомер');
  const tested = kind === 'new2' ? fieldOf(payload, 'ТабельныйНомер') : valueFields(payload);
  const sent = tested.map((field): SentField => {
    if (state === 'a') return [field, ownValue(t, field, subject, 'a')];
    return [field, state === 'nothing' ? spelling(field.kind, '', 0)[0] : EMPTIES[state as keyof typeof EMPTIES]];
  });
  const own = kept.map((field): SentField => [field, ownValue(t, field, subject, 'a')]);
  return recordFrom(t, payload, idOf(t, payload, subject), [...sent, ...own]);
}

/** What the records of a payload change, once everything was loaded. */
function changesOf(t: TestContext, payload: PayloadKind): Record<string, unknown>[] {
  const fields = valueFields(payload);
  const about = (subject: string, sent: readonly SentField[]) =>
    recordFrom(t, payload, idOf(t, payload, subject), sent);
  const one = fields.map((field) => about(subjectOf(field), [[field, ownValue(t, field, subjectOf(field), 'b')]]));
  if (!shows(payload)) return one;
  return [
    ...one,
    ...(['null', 'empty'] as const).map((name) =>
      about(
        name,
        fields.map((field) => [field, EMPTIES[name]]),
      ),
    ),
    about('same', whole(t, payload, 'same')),
    ...SPELLED.map((subject, nth) =>
      about(
        subject,
        whole(t, payload, subject, 'b').map(([field, value]) => [field, spelling(field.kind, value, nth)[0]]),
      ),
    ),
  ];
}

/** The employee that shows a subject of another kind. @param id the subject's external id; undefined while there is none */
function holder(t: TestContext, payload: PayloadKind, subject: string, id?: string): Record<string, unknown> {
  const [name, number] = [`of-${payload.name}-${subject}`, textOf(t, `${payload.name}/${subject}`, 'of')];
  const references = { 'Подразделение.Ссылка': id, ТабельныйНомер: number };
  if (payload.source === 'LEDGER') return { ...ledgerEmployee(t, name, '', { external_id: ext(t, name) }, references) };
  const to = { PERSONS: 'person', ORGANIZATIONS: 'organization', DEPARTMENTS: 'department', JOB_TITLES: 'job_title' };
  const reference = id === undefined ? {} : { [`external_${to[payload.type as keyof typeof to]}_id`]: id };
  return employee(t, name, 'field-holder', number, reference);
}

/** The employees that show subjects of other kinds. */
const holdersOf = (t: TestContext, others: readonly PayloadKind[], subjects: (payload: PayloadKind) => string[]) =>
  others.flatMap((payload) =>
    subjects(payload).map((subject) => holder(t, payload, subject, idOf(t, payload, subject))),
  );

/** The payload whose records are employees, and the others. */
function kindsOf(source: string): { employees: PayloadKind; others: PayloadKind[] } {
  const own = payloadKinds.filter((payload) => payload.source === source);
  const employees = own.find(isOfEmployees) ?? payloadNamed('KEDO.EMPLOYEES');
  return { employees, others: own.filter((payload) => payload !== employees) };
}

/** Objects to which fields refer in their two states, and the persons of employees. */
async function loadReferred(t: TestContext, load: Load, source: Source): Promise<void> {
  const { employees } = kindsOf(source);
  const both = (['a', 'b'] as const).map((state) => ext(t, `field-${state}-${source}`));
  const titled = both.map((external_id, n) => ({
    external_id,
    title: textOf(t, 'referred', 'ab'[n] ?? ''),
    external_parent_id: '',
  }));
  await load.make('ORGANIZATIONS', titled);
  await load.make('JOB_TITLES', titled);
  if (source === 'LEDGER') {
    const departments = titled.map(({ external_id, title }) => ({
      external_id,
      Ссылка: external_id,
      Наименование: title,
    }));
    await load.make('DEPARTMENTS', departments, source);
    return;
  }
  await load.make('DEPARTMENTS', titled);
  const people = [...oldSubjects(employees), ...madeSubjects(employees)].map((subject) => ({
    ...person(t, '', { phone: textOf(t, `${employees.name}/${subject}`, 'phone') }),
    external_id: idOf(t, employees, subject),
  }));
  const others = titled.map(({ external_id, title }) => ({ ...person(t, '', { phone: title }), external_id }));
  await load.make('PERSONS', [...people, ...others, person(t, 'field-holder')]);
}

/** Loads every subject with its first values, and touches the employees that an earlier run has made anew. */
async function loadFirst(t: TestContext, load: Load, source: Source): Promise<void> {
  const { employees, others } = kindsOf(source);
  const first = (payload: PayloadKind) =>
    oldSubjects(payload).map((subject) =>
      recordFrom(t, payload, idOf(t, payload, subject), whole(t, payload, subject)),
    );
  for (const payload of others) await load.make(payload.type, first(payload), source);
  const holders = holdersOf(t, others, oldSubjects);
  // New subjects get their employees now, and are themselves made later.
  const waiting = others.flatMap((payload) => madeSubjects(payload).map((subject) => holder(t, payload, subject)));
  await load.make(employees.type, [...first(employees), ...holders, ...waiting], source);
  const numbers = fieldOf(employees, 'number', 'ТабельныйНомер');
  const left = madeSubjects(employees).map((subject) =>
    recordFrom(
      t,
      employees,
      idOf(t, employees, subject),
      numbers.map((field) => [field, fieldValue(t, field, subject, 'a')]),
    ),
  );
  await load.update(
    employees.type,
    left.map(({ ФизЛицо: _, ...record }) => record),
    source,
  );
}

/** Changes every subject, and makes the new ones. */
async function change(t: TestContext, load: Load, source: Source, unmade: string): Promise<void> {
  const { employees, others } = kindsOf(source);
  const made = (payload: PayloadKind) => madeSubjects(payload).map((subject) => newRecord(t, payload, subject));
  for (const payload of others) {
    await load.make(payload.type, made(payload), source);
    await load.update(payload.type, changesOf(t, payload), source);
  }
  const holders = holdersOf(t, others, madeSubjects);
  await load.update(employees.type, [...changesOf(t, employees), ...holders], source);
  if (unmade === '') await load.make(employees.type, made(employees), source);
}

/** A text that only records that must be skipped hold. */
export const lost = (t: TestContext): string => textOf(t, 'lost', 'x');

/**
 * Sends records that must be skipped: of the subject of each field, and new ones, to which that subject then refers. Each
 * also says something that is right. @returns when there are no more values
 */
async function sendBad(t: TestContext, load: Load, source: Source): Promise<void> {
  const { employees, others } = kindsOf(source);
  const most = Math.max(...[employees, ...others].flatMap(({ fields }) => fields.map((one) => badValues(one).length)));
  for (let nth = 0; nth < most; nth++) {
    const about = (payload: PayloadKind, isNew: boolean) =>
      payload.fields.flatMap((field) => {
        // Without its person no employee is made.
        const isPerson = isNew && field.path[0] === 'external_person_id';
        const values = [...(isPerson ? [undefined, null, '', ext(t, 'never-loaded')] : []), ...badValues(field)];
        if (nth >= values.length) return [];
        const marked = valueFields(payload).map((one): SentField => {
          if (one.kind === 'text') return [one, lost(t)];
          return [one, isNew ? fieldValue(t, one, '', 'a') : ownValue(t, one, subjectOf(field), 'a')];
        });
        const id = isNew ? `${idOf(t, payload, `new-${subjectOf(field)}`)}-${nth}` : idOf(t, payload, subjectOf(field));
        return [recordFrom(t, payload, id, [...marked, [field, values[nth]]])];
      });
    for (const payload of [...others, employees]) {
      const records = [...about(payload, true), ...about(payload, false)];
      if (records.length > 0) await load.make(payload.type, records, source);
    }
    const holders = others.flatMap((payload) =>
      payload.fields.flatMap((field) => {
        const id = `${idOf(t, payload, `new-${subjectOf(field)}`)}-${nth}`;
        const { number: _, ТабельныйНомер: __, ...rest } = holder(t, payload, subjectOf(field), id);
        return nth < badValues(field).length ? [rest] : [];
      }),
    );
    if (holders.length > 0) await load.update(employees.type, holders, source);
  }
}

/** What the employee that shows a subject is found by at first, and where that is emptied. */
function marksOf(t: TestContext, payload: PayloadKind, subject: string): string[] {
  if (!isOfEmployees(payload)) return [textOf(t, `${payload.name}/${subject}`, 'of')];
  const fields = fieldOf(payload, 'number', 'ТабельныйНомер', 'Телефон');
  return [
    ...fields.map((field) => fieldValue(t, field, subject, 'a')),
    textOf(t, `${payload.name}/${subject}`, 'phone'),
  ];
}

/** Notes the employees that are found. */
function find(
  t: TestContext,
  rows: readonly EmployeeRow[],
  payloads: readonly PayloadKind[],
  ids: Map<string, string>,
): void {
  const byMark = new Map(
    rows.flatMap(
      ({ id, employee_number, person: human }) =>
        [
          [human?.phone, id],
          [employee_number, id],
        ] as const,
    ),
  );
  for (const payload of payloads)
    for (const subject of [...oldSubjects(payload), ...madeSubjects(payload)]) {
      const id = marksOf(t, payload, subject).flatMap((mark) => byMark.get(mark) ?? [])[0];
      if (id !== undefined) ids.set(`${payload.name}/${subject}`, id);
    }
}

const play = (source: Source) =>
  sharedScenario(async (t): Promise<FieldWorld> => {
    const load = new Load(t);
    const { employees, others } = kindsOf(source);
    await loadReferred(t, load, source);
    await loadFirst(t, load, source);
    const { update_time: loaded } = await load.followed();
    const ids = new Map<string, string>();
    find(t, await load.rows(), [employees, ...others], ids);
    const left = madeSubjects(employees).flatMap((subject) => ids.get(`${employees.name}/${subject}`) ?? []);
    const canDelete = t.values.ingest_deleted_employee === 'new_employee' && t.has('apply_employee_changes');
    const unmade = left.length > 0 && !canDelete ? 'employees of an earlier run cannot be deleted and made again' : '';
    if (left.length > 0 && canDelete) await deleteEmployees(t, left);
    const hook = await t.ifThere('callbacks', () => observer(t).catch(() => undefined));
    await change(t, load, source, unmade);
    const { update_time: changed } = await load.followed();
    if (unmade === '') find(t, await load.rows(), [employees], ids);
    if (t.values.ingest_bad_value === 'skip_record') await sendBad(t, load, source);
    await load.followed();
    return { by: t, load, ids, loaded, changed, hook, unmade };
  });

const worlds = { KEDO: play('KEDO'), LEDGER: play('LEDGER') };

/** The world of a source, which is loaded once in a run: the rules that judge it name it. */
export const fieldWorld = (t: TestContext, source: Source): Promise<FieldWorld> => worlds[source](t);
