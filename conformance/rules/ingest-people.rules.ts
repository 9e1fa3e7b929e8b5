/**
 * Plays days of changes in records of LEDGER, as an accounting system sends them when people marry, leave, come back or are
 * corrected. What each record must lead to is said beside it, so the state after each day is known for everybody.
 */

import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { deleteEmployees, LEFT, updateEmployees } from './shared/calls.ts';
import { FULL, LEDGER, Load, mark, newDay } from './shared/ingest-calls.ts';
import { digitsOf, FILLER, ZERO } from './shared/payload-fields.ts';

/** What a record says of a person beside the ИИН. What is left out is not sent. */
interface Human {
  readonly Фамилия?: string;
  readonly Имя?: string;
  readonly ДатаРождения?: string;
}

/** A record, and what it must lead to. */
interface SentRecord {
  /** The employee whom it must reach, by a name in its case: a new one or a known one; '' if it must be skipped. */
  readonly to: string;
  readonly human: Human;
  /** A name for a number that nobody had before, or the number itself; without it none is sent. */
  readonly iin?: string;
  /** The employee whose number it has, if not his whom it must reach. */
  readonly number?: string;
  readonly organization?: string;
  readonly id?: string;
  /** The external_id of the person. */
  readonly person?: string;
  /** The ИИН that the person must show, if not that of the record. */
  readonly shows?: string;
  /** The employee whose person this must be from now on. Without it a new employee has a new person. */
  readonly as?: string;
  /** Whether the outcome must say more than that the record was applied. */
  readonly isTold?: boolean;
  /** What an administrator decides of the record once it was skipped. */
  readonly decided?: 'same' | 'successor';
}

/** What happens to people who have nothing to do with those of other cases. */
interface PeopleCase {
  readonly id: string;
  /** By day: the records, after which everybody is judged. */
  readonly days: readonly (readonly SentRecord[])[];
  /** Who has left before the records of the second day come. */
  readonly left?: readonly string[];
}

/** An employee, as the days so far must have left it. */
interface ExpectedOutcome {
  readonly id: string;
  readonly card: object;
  /** One for all employments of a person. */
  readonly person: object;
}

/** A record that was sent, and whether its employee was new. */
type PlayedRecord = SentRecord & { readonly isNew: boolean };

/** Everything that was played. */
class PlayedDays {
  /** Each batch by its request, with its records in their order. */
  readonly batches = new Map<string, PlayedRecord[]>();
  /** What was wrong after a day; each begins with the case. */
  readonly complaints: string[] = [];
  /** By the case, a slash and the name in it. */
  readonly known = new Map<string, ExpectedOutcome>();
  /** Of all employees whom a record has reached. */
  readonly ids = new Set<string>();
}

/** A number or an id of a case, which nobody had before. */
const ownText = (t: TestContext, { id }: PeopleCase, name?: string) => name && `who-${id}-${name}-${t.run_id}`;

/** An ИИН that nobody has, since its month is none. */
const iinOf = (t: TestContext, of: PeopleCase, name?: string) =>
  name && !/^\d{12}$/.test(name) ? `9999${digitsOf(`${ownText(t, of, name)}`, 8)}` : name;

/** Plays cases beside each other, day by day. */
async function playDays(t: TestContext, cases: readonly PeopleCase[]): Promise<PlayedDays> {
  const played = new PlayedDays();
  const load = new Load(t);
  try {
    for (let nth = 0; cases.some(({ days }) => nth < days.length); nth++) {
      await playDay(load, cases, nth, played);
      const left = cases.flatMap((of) => of.left?.map((name) => played.known.get(`${of.id}/${name}`)?.id ?? '') ?? []);
      if (nth === 0)
        await updateEmployees(
          t,
          'left',
          left.map((id) => [id, LEFT]),
        );
    }
  } finally {
    await deleteEmployees(t, [...played.ids]);
  }
  return played;
}

function recordOf(t: TestContext, of: PeopleCase, sent: SentRecord) {
  const { to, number = to, organization } = sent;
  const own = (name?: string) => ownText(t, of, name);
  return {
    external_id: own(sent.id),
    ТабельныйНомер: own(number),
    ДатаПриема: newDay(),
    'Организация.Ссылка': organization === ZERO ? ZERO : own(organization),
    ФизЛицо: { ...sent.human, external_id: own(sent.person), ИИН: iinOf(t, of, sent.iin), Телефон: mark(t, 'who') },
  };
}

/** Sends the records of a day, and judges everybody who is known then: also those whom no record was about. */
async function playDay(load: Load, cases: readonly PeopleCase[], nth: number, played: PlayedDays): Promise<void> {
  const { t } = load;
  const { known, ids, complaints } = played;
  const lines = cases.flatMap((of) =>
    (of.days[nth] ?? []).map((sent) => ({ of, sent, record: recordOf(t, of, sent) })),
  );
  const batch = lines.map(({ record }) => record);
  const { ingest_request_id } = await load.make(FULL, batch, LEDGER);
  await load.settled();
  const rows = await load.rows();
  const records = lines.map(({ of, sent, record }): PlayedRecord => {
    const card = { employee_number: record.ТабельныйНомер, start_date: record.ДатаПриема };
    const found = rows.find(
      (row) => row.start_date === card.start_date && row.employee_number === card.employee_number,
    );
    const label = `${of.id}/${sent.to}`;
    const before = known.get(label);
    const isNew = sent.to !== '' && before === undefined;
    const isRight = isNew ? found && !ids.has(found.id) : found?.id === before?.id;
    if (!isRight) complaints.push(`${label}, day ${nth}: the record ${found ? 'reached another' : 'was skipped'}`);
    if (isRight && found) {
      const person = known.get(`${of.id}/${sent.as}`)?.person ?? before?.person ?? {};
      const { Фамилия, Имя, ДатаРождения, ИИН, Телефон } = record.ФизЛицо;
      const iin = sent.shows === undefined ? ИИН : iinOf(t, of, sent.shows);
      const shown = { last_name: Фамилия, first_name: Имя, birth_date: ДатаРождения, iin, phone: Телефон };
      Object.assign(person, JSON.parse(JSON.stringify(shown)));
      known.set(label, { id: found.id, card, person });
    }
    if (found) ids.add(found.id);
    return { ...sent, isNew };
  });
  played.batches.set(ingest_request_id, records);
  for (const [record, { decided }] of records.entries())
    if (decided) await t.admin('decide_ingest', { ingest_request_id, record: `${record}`, as: decided });
  for (const [label, { id, card, person }] of known) {
    const row = rows.find((one) => one.id === id);
    const seen: Record<string, unknown> = { ...row, ...row?.person };
    const wanted = { last_name: '', first_name: '', birth_date: '', iin: '', ...card, ...person };
    const wrong = Object.entries(wanted).flatMap(([name, value]) => (seen[name] === value ? [] : [name]));
    if (wrong.length > 0) complaints.push(`${label}, day ${nth}: another ${wrong}`);
  }
}

const rule = rulesWith({ place: 'ingestRecords: Who is who', decisions: ['D-29'], runs: 'changing' });

const ANNA = { Фамилия: 'Сарина', Имя: 'Анна', ДатаРождения: '1991-02-03' };

const BORIS = { Фамилия: 'Бектемиров', Имя: 'Борис', ДатаРождения: '1985-06-07' };

/** Anna with the name of her husband. */
const WED = { ...ANNA, Фамилия: 'Ким' };

const undated = (human: Human) => ({ ...human, ДатаРождения: undefined });

const say = (to: string, human: Human, iin?: string, more: Partial<SentRecord> = {}): SentRecord => ({
  to,
  human,
  ...(iin !== undefined && { iin }),
  ...more,
});

/** Records of a new employee with the ИИН of `ANNA`: whether they lead to her person, and the outcome says more of it. */
const JOINING: readonly (readonly [human: Human, is: 'joined' | 'told' | 'apart'])[] = [
  [ANNA, 'joined'],
  [undated(ANNA), 'joined'],
  [{ ...ANNA, Фамилия: 'анна', Имя: 'САРИНА' }, 'joined'],
  [WED, 'told'],
  [{ ДатаРождения: ANNA.ДатаРождения }, 'told'],
  [{}, 'told'],
  [undated(WED), 'apart'],
  [{ ...ANNA, ДатаРождения: BORIS.ДатаРождения }, 'apart'],
  [{ ...BORIS, ДатаРождения: ANNA.ДатаРождения }, 'apart'],
  [undated(BORIS), 'apart'],
  [{ ДатаРождения: BORIS.ДатаРождения }, 'apart'],
  [BORIS, 'apart'],
];

const knownOnes = JOINING.map((_, nth) => say(`known${nth}`, ANNA, `${nth}`));

/** Three strangers with each number that only fills its field. */
const FILLED = ['123456789012', '000000000001', '010101000000', FILLER].flatMap((iin, nth) =>
  [ANNA, undated(BORIS), { ...BORIS, Фамилия: 'Юсупова', Имя: 'Вера' }].map((human) =>
    say(`${human.Имя}${nth}`, human, iin, iin === FILLER ? { shows: '' } : {}),
  ),
);

const CASES: readonly (PeopleCase & { readonly text: string })[] = [
  {
    id: 'ING-61',
    text: 'An employee of LEDGER stays the same where an organisation is added to its number or left out; the same number in another organisation is another employee, and the number alone is skipped where it may mean several or another person.',
    days: [
      [
        say('alone', ANNA, 'a'),
        say('with', BORIS, 'b', { organization: 'one' }),
        say('here', ANNA, 'c', { number: 'same', organization: 'one' }),
        say('there', BORIS, 'd', { number: 'same', organization: 'two' }),
        say('apart', ANNA, 'e'),
        say('taken', ANNA, 'f', { organization: 'one' }),
      ],
      [
        say('alone', ANNA, 'a', { organization: 'one' }),
        say('with', BORIS, 'b', { organization: ZERO }),
        say('', ANNA, 'c', { number: 'same' }),
        say('joining', BORIS, 'g', { number: 'apart', organization: 'one' }),
        say('', BORIS, 'h', { number: 'taken' }),
      ],
      [say('alone', ANNA, 'a'), say('with', BORIS, 'b', { organization: 'one' })],
      [say('second', ANNA, 'a', { number: 'alone', organization: 'two', as: 'alone' })],
    ],
  },
  {
    id: 'ING-68',
    text: 'A person of LEDGER with an external_id is the same in each employment, also with another name and a new number.',
    days: [
      [
        say('first', ANNA, 'a', { id: 'first', person: 'shared' }),
        say('second', BORIS, 'b', { id: 'second', person: 'own' }),
      ],
      [say('second', WED, 'a', { id: 'second', person: 'shared', as: 'first' })],
      [say('first', BORIS, 'c', { id: 'first', person: 'shared' })],
    ],
  },
  {
    id: 'ING-80',
    text: 'A first or corrected identification number of LEDGER is that of the same person, who is free of the old one; where the person has another employment, all else is applied until each that has not ended has it in one batch.',
    left: ['gone'],
    days: [
      [
        say('one', ANNA, 'wrong'),
        say('none', ANNA),
        say('two', BORIS, 'b'),
        say('twin', BORIS, 'b', { as: 'two' }),
        say('gone', BORIS, 'd'),
        say('stays', BORIS, 'd', { as: 'gone' }),
      ],
      [
        say('one', ANNA, 'right'),
        say('none', ANNA, 'first'),
        say('twin', BORIS, 'c', { shows: 'b', isTold: true }),
        say('stays', BORIS, 'e'),
      ],
      [say('stranger', BORIS, 'wrong'), say('two', BORIS, 'c'), say('twin', BORIS, 'c')],
    ],
  },
  {
    id: 'ING-81',
    text: 'A number that LEDGER knows leads a new employee to its person only where name and date of birth bear it out; else there is a new person with that number, whom it does not name.',
    days: [
      knownOnes,
      JOINING.map(([human, is], nth) =>
        say(`new${nth}`, human, `${nth}`, is === 'apart' ? {} : { as: `known${nth}`, isTold: is === 'told' }),
      ),
      knownOnes,
    ],
  },
  {
    id: 'ING-89',
    text: 'Whoever has a new name stays the same employee of LEDGER: the same identification number or date of birth bears it out, and names are compared in either order.',
    days: [
      [say('wife', ANNA, 'a'), say('bare', BORIS), say('both', BORIS, 'b')],
      [
        say('wife', WED, 'a'),
        say('bare', { ...BORIS, Фамилия: 'Петров' }),
        say('both', { ...ANNA, ДатаРождения: BORIS.ДатаРождения }, 'b'),
      ],
      [say('wife', { ...WED, Фамилия: 'анна', Имя: 'КИМ' }, 'c')],
    ],
  },
  {
    id: 'ING-90',
    text: 'Whoever comes back with the old number is the same employee of LEDGER, and with a new one, or for a second job, another employee of the same person.',
    left: ['old', 'bare'],
    days: [
      [say('old', ANNA, 'a'), say('bare', ANNA), say('first', BORIS, 'b')],
      [say('old', WED, 'a'), say('bare', ANNA), say('second', BORIS, 'b', { as: 'first', organization: 'other' })],
      [say('new', WED, 'a', { as: 'old' }), say('first', BORIS, 'b')],
    ],
  },
  {
    id: 'ING-91',
    text: 'A number of LEDGER that a leaver had and another person has now is that of a new employee, and each of the two is still found by it.',
    left: ['left', 'bare'],
    days: [
      [say('left', ANNA, 'a'), say('bare', ANNA)],
      [say('heir', BORIS, 'b', { number: 'left' }), say('next', BORIS, undefined, { number: 'bare' })],
      [say('heir', BORIS, 'b', { number: 'left' }), say('left', ANNA, 'a'), say('bare', ANNA)],
    ],
  },
  {
    id: 'ING-92',
    text: 'A record of LEDGER with the number of another person who has not left is skipped, also beside a record of that person; with a new external_id it is a new employee, who does not take the number over.',
    days: [
      [say('stays', ANNA, 'a'), say('bare', ANNA)],
      [say('', BORIS, undefined, { number: 'bare' })],
      [say('', BORIS, 'b', { number: 'stays' }), say('stays', ANNA, 'a')],
      [say('given', BORIS, 'b', { number: 'stays', id: 'given' })],
      [say('stays', WED, 'a'), say('given', BORIS, 'b', { number: 'stays', id: 'given' })],
    ],
  },
  {
    id: 'ING-93',
    text: 'A number that only fills its field makes no one person of strangers, whatever digits it has.',
    days: [FILLED, FILLED],
  },
  {
    id: 'ING-94',
    text: 'A known employee of LEDGER moves by a number only to a person whom name and date of birth bear out, and never where the record has its external_id; else all but the number is applied. A new external_id takes over the same person.',
    days: [
      [
        say('mover', ANNA),
        say('target', ANNA, 'a'),
        say('mistyped', ANNA),
        say('other', BORIS, 'b'),
        say('given', ANNA, 'c', { id: 'given' }),
        say('late', ANNA, 'd'),
      ],
      [
        say('mover', ANNA, 'a', { as: 'target' }),
        say('mistyped', ANNA, 'b', { shows: '', isTold: true }),
        say('given', BORIS, 'b', { id: 'given', shows: 'c', isTold: true }),
        say('late', ANNA, 'd', { id: 'late' }),
      ],
      [say('late', WED, 'd', { id: 'late', number: 'later' }), say('given', BORIS, 'c', { id: 'given' })],
      [say('late', WED, 'd', { number: 'later' })],
    ],
  },
];

const month = sharedScenario((t) => playDays(t, CASES));

/** What must not have happened. */
function judge(t: TestContext, complaints: readonly string[], id: string): void {
  const own = complaints.filter((complaint) => complaint.startsWith(id));
  t.equal(own, [], 'whom records have reached, and who somebody has become');
}

function asks(t: TestContext): void {
  const { ingest_ledger_identity, ingest_ledger_employee_id, ingest_ledger_person_id } = t.values;
  const declared = [ingest_ledger_identity, ingest_ledger_employee_id, ingest_ledger_person_id].join();
  if (declared !== 'as_documented,organization_and_number,external_id')
    t.skip('the target declares that it finds out otherwise who is who in records of LEDGER');
}

for (const { id, text } of CASES)
  rule({
    id,
    family: 'who is who',
    text,
    check: async (t) => {
      asks(t);
      judge(t, (await month(t)).complaints, id);
    },
  });

rule({
  id: 'ING-95',
  text: 'What became of each record is said: why it was skipped, whom it joined and what of it was left out, without names, dates of birth and identification numbers.',
  check: async (t) => {
    asks(t);
    for (const [ingest_request_id, records] of (await month(t)).batches) {
      const shown = JSON.parse(await t.admin('show_ingest', { ingest_request_id }));
      for (const [nth, record] of records.entries()) {
        const { outcome, reason, note } = shown.records[nth];
        const of = `of the record for ${record.to || record.number}`;
        const wanted = record.to === '' ? 'skipped' : record.isNew ? 'created' : 'updated';
        t.equal([outcome, reason !== ''], [wanted, record.to === ''], `the outcome and a reason ${of}`);
        t.check(!record.isTold || note !== '', `nothing is said ${of}`);
        const values = Object.values(record.human).filter((value) => value && `${reason} ${note}`.includes(value));
        t.check(values.length === 0 && !/\d{12}/.test(reason + note), `a value is said ${of}`);
      }
    }
  },
});

const DECIDED: PeopleCase = {
  id: 'ING-96',
  days: [
    [say('stays', ANNA, 'a'), say('same', ANNA, 'b')],
    [
      say('', BORIS, 'c', { number: 'stays', decided: 'successor' }),
      say('', BORIS, 'd', { number: 'same', decided: 'same' }),
    ],
    [say('heir', BORIS, 'c', { number: 'stays' }), say('same', BORIS, 'd')],
    [say('stays', ANNA, 'a'), say('', { ...WED, Имя: 'Мира', ДатаРождения: '1999-09-09' }, 'e', { number: 'same' })],
  ],
};

rule({
  id: 'ING-96',
  text: 'What is decided in the settings of a record that was skipped, the same person or a successor, applies when such a record comes again, and to no other person.',
  check: async (t) => {
    asks(t);
    judge(t, (await playDays(t, [DECIDED])).complaints, DECIDED.id);
  },
});
