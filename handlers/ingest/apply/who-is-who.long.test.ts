/**
 * Who is who in records of LEDGER (D-29): every way in which a record finds an employee or a person, each with a third of
 * the combinations of witnesses, and the next way with another third. What must follow is written from the decision: one
 * table, and one function for each way.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { appliedAsChecked } from '../../../scripts/world/ingest.ts';
import { TestTenant } from '../../../scripts/world/tenant.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { IngestOutcomeRow } from '../../data/collections/ingest_outcomes.ts';

const NAMES = ['same', 'near', 'other', 'absent'];
/**
 * What a record and a known person are to each other:
 * J  the same person, whose IIN joins   s  the same person, whose IIN does not join   .  another person
 */
const TABLE = `
  IIN     born    name: same near other absent
  same    same           J    J    s     J
  same    other          s    s    .     s
  same    absent         J    s    .     J
  other   same           s    s    .     .
  other   other          .    .    .     .
  other   absent         s    .    .     .
  absent  same           s    s    .     s
  absent  other          s    .    .     .
  absent  absent         s    s    .     s`;
const LETTERS = new Map<string, string>(
  [...TABLE.matchAll(/^ +(same|other|absent) +(\S+) +(\S) +(\S) +(\S) +(\S)$/gm)].flatMap(([, iin, born, ...letters]) =>
    letters.map((letter, n) => [`${iin} ${born} ${NAMES[n]}`, letter] as [string, string]),
  ),
);

/**
 * IIN, date of birth and name of a record beside those of a person; who lacks what is absent has a word of its own: the
 * person `lacks` it, the record is `silent` or sends it `empty`, or `neither` has it.
 */
type Witnesses = readonly string[];
const ABSENCES = ['lacks', 'silent', 'empty', 'neither'];
const letterOf = (witnesses: Witnesses) =>
  LETTERS.get(witnesses.map((each) => (ABSENCES.includes(each) ? 'absent' : each)).join(' ')) ?? '';
const withAbsence = (key: string, absences: Witnesses): Witnesses =>
  key.split(' ').map((each, n) => (each === 'absent' ? (absences[n] ?? '') : each));
/** The rows of the table, once for each way in which something can be absent. */
const ALL_WITNESSES = [...LETTERS.keys()].flatMap((key) =>
  (key.includes('absent') ? ABSENCES : ['']).map((absence) => withAbsence(key, [absence, absence, absence])),
);
/** A known person beside another one who has the record's IIN. What the record lacks is absent of both. */
const ALL_BEARERS = ['lacks', 'silent'].flatMap((absence) => {
  const all = [...LETTERS.keys()].map((key) => withAbsence(key, ['lacks', absence, absence]));
  const pairs = all.flatMap((own) => all.map((bearer) => ({ own, bearer })));
  return pairs.filter(({ own, bearer }) => {
    const isPossible = [1, 2].every((n) => (own[n] === 'silent') === (bearer[n] === 'silent'));
    return isPossible && own[0] !== 'same' && bearer[0] === 'same' && (absence === 'lacks' || own.includes('silent'));
  });
});

type Ids = Readonly<Record<string, string>>;

interface Situation {
  readonly way: string;
  /** Of the employee E: active, terminated or deleted. */
  readonly state: string;
  /** The record beside the person P of E. */
  readonly own: Witnesses;
  /** The record beside the person Q who has its IIN. */
  readonly bearer?: Witnesses;
}
type Cell = Situation & { readonly number: number };

/** Invented: nobody is born in the month 13. */
const iinOf = (number: number, who: number) => `9913${`${number}`.padStart(7, '0')}${who}`;
const NAME = { Фамилия: 'Ахметова', Имя: 'Айгүл' };
/** What is sent, under `same`, and what others have. */
const valuesOf = (number: number): Record<string, Ids>[] => [
  { same: { ИИН: iinOf(number, 0) }, other: { ИИН: iinOf(number, 1) } },
  { same: { ДатаРождения: '1990-03-15' }, other: { ДатаРождения: '1987-11-02' } },
  { same: NAME, near: { ...NAME, Фамилия: 'Сейітова' }, other: { Фамилия: 'Оспанова', Имя: 'Дана' } },
];
const gathered = (number: number, witnesses: Witnesses, of: (values: Record<string, Ids>, each: string) => Ids) => {
  const values = valuesOf(number);
  return Object.assign({}, ...witnesses.map((each, n) => of(values[n] ?? {}, each))) as Ids;
};
const knownOf = (number: number, witnesses: Witnesses) =>
  gathered(number, witnesses, ({ other = {}, ...values }, each) =>
    each === 'lacks' || each === 'neither' ? {} : (values[each] ?? other),
  );
const sentOf = ({ number, own }: Cell) =>
  gathered(number, own, ({ same = {} }, each) => {
    if (each === 'empty') return Object.fromEntries(Object.keys(same).map((name) => [name, '']));
    return each === 'silent' || each === 'neither' ? {} : same;
  });

/** The person who has the record's IIN, and the record beside that person. */
function bearerOf({ own, bearer }: Cell): readonly [who: 'P' | 'Q' | '-', Witnesses] {
  if (bearer !== undefined) return ['Q', bearer];
  return own[0] === 'same' ? ['P', own] : ['-', []];
}
const bringsIin = ({ own }: Cell) => ['same', 'other', 'lacks'].includes(own[0] ?? '');

/** `E` and `P` are the known ones, `Q` has the IIN, `N` is new, `-` nobody. */
function line(what: string, person: string, iin: string, named: string, isNoted: boolean): string {
  return `${what} of ${person}, IIN ${iin}, which names ${named}${isNoted ? ', with a note' : ''}`;
}

const iinIn = (cell: Cell) => ('ИИН' in sentOf(cell) ? 'sent' : 'kept');

/** A new employee: joins the person of the IIN, or gets a person of its own. */
function asNew(cell: Cell): string {
  const [bearer, witnesses] = bearerOf(cell);
  if (bearer === '-') return line('created N', 'N', iinIn(cell), bringsIin(cell) ? 'N' : '-', false);
  const joins = letterOf(witnesses) === 'J';
  return line('created N', joins ? bearer : 'N', 'sent', bearer, !joins || witnesses[2] !== 'same');
}

/** The known employee of the same person: it moves to the person of the IIN, or has all but it, or all. */
function applied(cell: Cell, mayMove = true): string {
  const { own, bearer } = cell;
  if (bearer === undefined) {
    const isChanged = own.some((each) => ['near', 'other', 'lacks', 'empty'].includes(each));
    const isSure = own[0] === 'same' && own[2] === 'same';
    return line('updated E', 'P', iinIn(cell), bringsIin(cell) ? 'P' : '-', isChanged && !isSure);
  }
  return mayMove && letterOf(bearer) === 'J'
    ? line('updated E', 'Q', 'sent', 'Q', bearer[2] !== 'same')
    : line('updated E', 'P', 'kept', 'Q', true);
}

function skipped(cell: Cell, why: string): string {
  return `skipped for ${why}, IIN names ${bearerOf(cell)[0]}`;
}
function differing({ own: [iin, born, name] }: Cell): string {
  const isNear = name === 'near';
  const fields = { ИИН: iin === 'other', ДатаРождения: born === 'other', Фамилия: isNear || name === 'other' };
  return Object.entries({ ...fields, Имя: name === 'other' })
    .flatMap(([field, differs]) => (differs ? [field] : []))
    .join(' ');
}

const isSame = ({ own }: Cell) => letterOf(own) !== '.';

const byNaturalId = (cell: Cell) => {
  if (cell.state === 'D') return asNew(cell);
  if (isSame(cell)) return applied(cell);
  return cell.state === 'T' ? asNew(cell) : skipped(cell, differing(cell));
};
const byExternalId = (cell: Cell) => (cell.state === 'D' ? asNew(cell) : applied(cell, false));
/** Of a new external_id beside a known number, and of an organisation that is added to one. */
const bySamePerson = (cell: Cell) => (cell.state !== 'D' && isSame(cell) ? applied(cell) : asNew(cell));
const byNumberAlone = (cell: Cell) => (isSame(cell) ? applied(cell) : skipped(cell, 'ambiguous'));

const FOLLOWS = { byNaturalId, byExternalId, bySamePerson, byNumberAlone, asNew };
/**
 * The ids `external_id=organisation/number` by which E is known and by which the record comes, what then follows, the
 * states of E (active, terminated, deleted), and those in which the IIN is also that of Q.
 */
const WAYS = `
  O/n   O/n   byNaturalId    ATD  AT
  n     n     byNaturalId    ATD
  X=    X=    byExternalId   ATD  A
  X=n   X=n   byExternalId   AT
  n     Y=n   bySamePerson   ATD
  X=n   Y=n   bySamePerson   A
  n     O/n   bySamePerson   AT
  O/n   n     byNumberAlone  A
  O/n   O/Nn  asNew          ATD
  n     Z=    asNew          A`;

function idsOf(pattern: string, number: number): Ids {
  const [, external, organization, ofNumber] = /^(?:(.)=)?(?:(O)\/)?(.*)$/.exec(pattern) ?? [];
  return {
    ...(external && { external_id: `${external}${number}` }),
    ...(organization && { 'Организация.Ссылка': organization }),
    ...(ofNumber && { ТабельныйНомер: ofNumber.replace('n', `${number}`) }),
  };
}

/** Where neither has an IIN, a person may be known under the id of an employee who was deleted. */
const isOpen = (state: string, own: Witnesses) => state === 'D' && own[0] === 'neither' && letterOf(own) !== '.';

const aThird = <Each>(all: readonly Each[], nth: number) => all.filter((_, n) => n % 3 === nth % 3);

const CELLS = WAYS.trim()
  .split(/\n +/)
  .flatMap((way, at) => {
    const [, , , states = '', moves = ''] = way.split(/ +/);
    const plain = [...states].flatMap((state, n) =>
      aThird(ALL_WITNESSES, at + n).flatMap((own): Situation[] => (isOpen(state, own) ? [] : [{ way, state, own }])),
    );
    return [
      ...plain,
      ...[...moves].flatMap((state, n) =>
        aThird(ALL_BEARERS, at + n).map((pair): Situation => ({ way, state, ...pair })),
      ),
    ];
  })
  .map((situation, number): Cell => ({ ...situation, number: number + 1 }));
const titleOf = ({ state, own, bearer = [] }: Cell) => [state, ...own, '|', ...bearer].join(' ');
const recordOf = (ids: Ids, person: Ids, Телефон: string, ДатаПриема = '2019-01-01') => ({
  ...ids,
  ДатаПриема,
  ФизЛицо: { ...person, Телефон },
});

const { store } = await testDeployment();
const tenant = await TestTenant.create(store);
const mine = { tenant_id: tenant.id };

const load = (records: readonly object[], pair: `${string}/${string}` = 'LEDGER/EMPLOYEES_FULL') =>
  appliedAsChecked(store, tenant.id, { pair, records, chunkRecords: 200 });

async function readAll() {
  const employees = await store.employees.find(mine).toArray();
  const persons = await store.persons.find(mine).toArray();
  const bindings = await store.external_bindings.find({ ...mine, kind: 'PERSON' }).toArray();
  return {
    employees: new Map(employees.map((row) => [row._id, row])),
    persons: new Map(persons.map((row) => [row._id, row])),
    named: new Map(bindings.map(({ external_id, object_id }) => [external_id, object_id])),
  };
}

let before: Awaited<ReturnType<typeof readAll>>;
let after: typeof before;
/** The employee E of each cell. */
let known: string[];
let outcomes: IngestOutcomeRow[];

const patternsOf = ({ way }: Cell) => way.split(/ +/);
const SENT = CELLS.map((cell) => {
  const [, sent = ''] = patternsOf(cell);
  return recordOf(idsOf(sent, cell.number), sentOf(cell), `sent ${cell.number}`, '2020-02-02');
});

async function bring(wanted: string, change: object): Promise<void> {
  const ids = known.filter((_, n) => CELLS[n]?.state === wanted);
  await store.employees.updateMany({ ...mine, _id: { $in: ids } }, { $set: change });
}

beforeAll(async () => {
  await load([{ external_id: 'O', title: 'ТОО' }], 'KEDO/ORGANIZATIONS');
  const own = CELLS.map((cell) => {
    const [pattern = ''] = patternsOf(cell);
    return recordOf(idsOf(pattern, cell.number), knownOf(cell.number, cell.own), `P ${cell.number}`);
  });
  const others = CELLS.flatMap(({ number, bearer }) =>
    bearer === undefined ? [] : [recordOf(idsOf('O/Qn', number), knownOf(number, bearer), `Q ${number}`)],
  );
  const created = await load([...own, ...others]);
  expect(new Set(created.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  known = created.slice(0, CELLS.length).map(({ object_id }) => object_id);
  await bring('T', { status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2024-06-30', status_due_on: '' });
  await bring('D', { deleted_at: new Date(), listed: false, status_due_on: '' });
  before = await readAll();
  outcomes = await load(SENT);
  after = await readAll();
});

/** Who a person of before is to a cell: `P` or `Q`, by the telephone of its first record. */
function who(id: string, { number }: Cell): string {
  if (id === '') return '-';
  const [letter = 'N', of] = before.persons.get(id)?.phone.split(' ') ?? [];
  return of === undefined || of === `${number}` ? letter : 'somebody else';
}

const FIELDS = { Фамилия: 'last_name', Имя: 'first_name', ДатаРождения: 'birth_date', Телефон: 'phone' } as const;

/** What became of the record of a cell, in the words of {@link line}. */
function seen(cell: Cell): string {
  const { outcome, reason, note = '', object_id } = outcomes[cell.number - 1] as IngestOutcomeRow;
  const sent: Ids = { ...sentOf(cell), Телефон: `sent ${cell.number}` };
  const named = who(after.named.get(sent.ИИН || '-') ?? '', cell);
  if (outcome === 'skipped') {
    const fields = reason.match(/(?<=ФизЛицо\.)[А-яЁё]+|ambiguous/g) ?? [];
    return `skipped for ${fields.join(' ')}, IIN names ${named}`;
  }
  const person = after.employees.get(object_id)?.person_id ?? '';
  const employee = object_id === known[cell.number - 1] ? 'E' : before.employees.has(object_id) ? 'somebody else' : 'N';
  const [was, is] = [before.persons.get(person), after.persons.get(person)];
  const wasIin = was?.iin ?? '';
  const iin = is?.iin === (sent.ИИН ?? wasIin) ? iinIn(cell) : is?.iin === wasIin ? 'kept' : 'lost';
  const isWhole = Object.entries(FIELDS).every(([name, field]) => is?.[field] === (sent[name] ?? was?.[field] ?? ''));
  return `${line(`${outcome} ${employee}`, who(person, cell), iin, named, note !== '')}${isWhole ? '' : ', garbled'}`;
}

describe('a record that comes as', () => {
  test.each(WAYS.trim().split(/\n +/))('%s', (way) => {
    const cells = CELLS.filter((cell) => cell.way === way);
    const [, , follows = ''] = way.split(/ +/);
    const expected = cells.map((cell) => `${titleOf(cell)}: ${FOLLOWS[follows as keyof typeof FOLLOWS](cell)}`);
    expect(cells.map((cell) => `${titleOf(cell)}: ${seen(cell)}`)).toEqual(expected);
  });
});

test("a record touches nobody but the employee whom its outcome names, and that one's person", () => {
  const touched = new Set(outcomes.map(({ object_id }) => object_id));
  const people = new Set([...touched].map((id) => after.employees.get(id)?.person_id));
  for (const { _id, person_id, status, start_date, deleted_at } of before.employees.values())
    if (!touched.has(_id))
      expect(after.employees.get(_id)).toMatchObject({ person_id, status, start_date, deleted_at });
  for (const row of before.persons.values()) if (!people.has(row._id)) expect(after.persons.get(row._id)).toEqual(row);
});

test('an IIN names the one who has it, or who has left it empty', () => {
  const iins = [...after.named].filter(([name]) => /^\d{12}$/.test(name));
  expect(iins.filter(([iin, id]) => ![iin, ''].includes(after.persons.get(id)?.iin ?? '-'))).toEqual([]);
});

test('no reason and no note holds a value', () => {
  const said = outcomes.map(({ reason, note = '' }) => `${reason} ${note}`);
  expect(said.filter((text) => /\d|Ахметова|Айгүл|Сейітова|Оспанова|Дана/.test(text))).toEqual([]);
});

test('the same records again change nothing, and who was skipped is skipped again', async () => {
  const again = await load(SENT);
  const said = (outcome: string, n: number) => `${CELLS[n]?.way} ${CELLS[n] && titleOf(CELLS[n])}: ${outcome}`;
  expect(again.map(({ outcome }, n) => said(outcome, n))).toEqual(
    outcomes.map(({ outcome }, n) => said(outcome === 'skipped' ? outcome : 'unchanged', n)),
  );
  const { employees, persons } = await readAll();
  expect([employees, persons]).toEqual([after.employees, after.persons]);
});
