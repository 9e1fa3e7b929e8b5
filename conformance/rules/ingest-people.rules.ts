/** Who is who: what records of LEDGER mean when people marry, leave, come back, share a number or are corrected. */
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { FILLER } from './shared/payload-fields.ts';
import {
  type CaseDay,
  type Human,
  type PeopleCase,
  type PlayedRecord,
  playDays,
  type SentRecord,
} from './shared/who-is-who.ts';

const rule = rulesWith({ place: 'ingestRecords: Who is who', decisions: ['D-29'], runs: 'changing' });

const ANNA = { last: 'Сарина', first: 'Анна', born: '1991-02-03' };
const BORIS = { last: 'Бектемиров', first: 'Борис', born: '1985-06-07' };
/** Anna before and after a marriage. */
const WED = { ...ANNA, last: 'Ким' };

type More = Omit<SentRecord, 'to' | 'number' | 'human'>;

/** A record, with the number of the employee whom it must reach. @param number '' for that of `to` */
const say = (to: string, human: Human, number = '', more: More = {}): SentRecord => ({
  to,
  number: number || to,
  human,
  ...more,
});

const day = (...records: SentRecord[]): CaseDay => ({ records });
const after = (left: readonly string[], ...records: SentRecord[]): CaseDay => ({ left, records });

interface WrittenCase {
  readonly id: string;
  readonly replaces?: readonly string[];
  readonly text: string;
  readonly days: readonly CaseDay[];
}

/** Records of a new employee with the number of `ANNA`: whether they lead to her person, and the outcome says more of it. */
const JOINING: readonly (readonly [human: Human, is: 'joined' | 'told' | 'apart'])[] = [
  [ANNA, 'joined'],
  [{ ...ANNA, born: undefined }, 'joined'],
  [{ ...ANNA, last: 'анна', first: 'САРИНА' }, 'joined'],
  [WED, 'told'],
  [{ born: ANNA.born }, 'told'],
  [{}, 'told'],
  [{ ...WED, born: undefined }, 'apart'],
  [{ ...ANNA, born: BORIS.born }, 'apart'],
  [{ ...BORIS, born: ANNA.born }, 'apart'],
  [{ ...BORIS, born: undefined }, 'apart'],
  [{ born: BORIS.born }, 'apart'],
  [BORIS, 'apart'],
];

/** Numbers that only fill their field. */
const FILLERS = ['123456789012', '000000000001', '010101000000', FILLER];

const named = (nth: number, name: string) => `${name}${nth}`;

const CASES: readonly WrittenCase[] = [
  {
    id: 'ING-89',
    text: 'Whoever has a new name stays the same employee of LEDGER: the same identification number or date of birth bears it out, and names are compared in either order.',
    days: [
      day(say('wife', { ...ANNA, iin: 'a' }), say('heir', BORIS), say('both', { ...BORIS, iin: 'b' })),
      day(
        say('wife', { ...WED, iin: 'a' }),
        say('heir', { ...BORIS, last: 'Петров' }),
        say('both', { ...ANNA, born: BORIS.born, iin: 'b' }),
      ),
      day(say('wife', { ...WED, last: 'анна', first: 'КИМ', iin: 'c' })),
    ],
  },
  {
    id: 'ING-80',
    replaces: ['ING-75'],
    text: 'A first or corrected identification number of LEDGER is that of the same person, who is free of the old one; where the person has another employment, all else is applied until each that has not ended has it in one batch.',
    days: [
      day(
        say('one', { ...ANNA, iin: 'wrong' }),
        say('none', ANNA),
        say('two', { ...BORIS, iin: 'b' }),
        say('twin', { ...BORIS, iin: 'b' }, '', { as: 'two' }),
      ),
      day(
        say('one', { ...ANNA, iin: 'right' }),
        say('none', { ...ANNA, iin: 'first' }),
        say('twin', { ...BORIS, iin: 'c' }, '', { shows: { iin: 'b' }, isTold: true }),
      ),
      day(
        say('stranger', { ...BORIS, iin: 'wrong' }),
        say('two', { ...BORIS, iin: 'c' }),
        say('twin', { ...BORIS, iin: 'c' }),
      ),
      after(['two'], say('twin', { ...BORIS, iin: 'd' })),
    ],
  },
  {
    id: 'ING-90',
    text: 'Whoever comes back with the old number is the same employee of LEDGER, and with a new one, or for a second job, another employee of the same person.',
    days: [
      day(say('old', { ...ANNA, iin: 'a' }), say('bare', ANNA), say('first', { ...BORIS, iin: 'b' })),
      after(
        ['old', 'bare'],
        say('old', { ...WED, iin: 'a' }),
        say('bare', ANNA),
        say('second', { ...BORIS, iin: 'b' }, '', { as: 'first', organization: 'other' }),
      ),
      day(say('new', { ...WED, iin: 'a' }, '', { as: 'old' }), say('first', { ...BORIS, iin: 'b' })),
    ],
  },
  {
    id: 'ING-91',
    text: 'A number of LEDGER that a leaver had and another person has now is that of a new employee, and each of the two is still found by it.',
    days: [
      day(say('left', { ...ANNA, iin: 'a' }), say('bare', ANNA)),
      after(['left', 'bare'], say('heir', { ...BORIS, iin: 'b' }, 'left'), say('next', BORIS, 'bare')),
      day(
        say('heir', { ...BORIS, iin: 'b' }, 'left'),
        say('left', { ...ANNA, iin: 'a' }),
        say('bare', ANNA),
        say('next', BORIS, 'bare'),
      ),
    ],
  },
  {
    id: 'ING-92',
    text: 'A record of LEDGER with the number of another person who has not left is skipped, also beside a record of that person; with a new external_id it is a new employee, who does not take the number over.',
    days: [
      day(say('stays', { ...ANNA, iin: 'a' }), say('bare', ANNA)),
      day(say('', { ...BORIS, iin: 'b' }, 'stays'), say('', BORIS, 'bare')),
      day(say('', { ...BORIS, iin: 'b' }, 'stays'), say('stays', { ...ANNA, iin: 'a' }), say('bare', ANNA)),
      day(say('given', { ...BORIS, iin: 'b' }, 'stays', { id: 'given' })),
      day(say('stays', { ...WED, iin: 'a' }), say('given', { ...BORIS, iin: 'b' }, 'stays', { id: 'given' })),
    ],
  },
  {
    id: 'ING-97',
    text: 'An employee of LEDGER stays the same where an organisation is added to its number or left out; the same number in another organisation is another employee, and the number alone is skipped where it may mean several or another person.',
    days: [
      day(
        say('alone', { ...ANNA, iin: 'a' }),
        say('with', { ...BORIS, iin: 'b' }, '', { organization: 'one' }),
        say('here', { ...ANNA, iin: 'c' }, 'same', { organization: 'one' }),
        say('there', { ...BORIS, iin: 'd' }, 'same', { organization: 'two' }),
        say('apart', { ...ANNA, iin: 'e' }),
        say('taken', { ...ANNA, iin: 'f' }, '', { organization: 'one' }),
      ),
      day(
        say('alone', { ...ANNA, iin: 'a' }, '', { organization: 'one' }),
        say('with', { ...BORIS, iin: 'b' }),
        say('', { ...ANNA, iin: 'c' }, 'same'),
        say('joining', { ...BORIS, iin: 'g' }, 'apart', { organization: 'one' }),
        say('', { ...BORIS, iin: 'h' }, 'taken'),
      ),
      day(
        say('alone', { ...ANNA, iin: 'a' }),
        say('with', { ...BORIS, iin: 'b' }, '', { organization: 'one' }),
        say('here', { ...ANNA, iin: 'c' }, 'same', { organization: 'one' }),
        say('there', { ...BORIS, iin: 'd' }, 'same', { organization: 'two' }),
      ),
      day(say('second', { ...ANNA, iin: 'a' }, 'alone', { organization: 'two', as: 'alone' })),
    ],
  },
  {
    id: 'ING-81',
    replaces: ['ING-70', 'ING-78'],
    text: 'A number that LEDGER knows leads a new employee to its person only where name and date of birth bear it out; else there is a new person with that number, whom it does not name.',
    days: [
      day(...JOINING.map((_, nth) => say(named(nth, 'known'), { ...ANNA, iin: `${nth}` }))),
      day(
        ...JOINING.map(([human, is], nth) => {
          const more = { as: named(nth, 'known'), ...(is === 'told' && { isTold: true as const }) };
          return say(named(nth, 'new'), { ...human, iin: `${nth}` }, '', is === 'apart' ? {} : more);
        }),
      ),
      day(...JOINING.map((_, nth) => say(named(nth, 'known'), { ...ANNA, iin: `${nth}` }))),
    ],
  },
  {
    id: 'ING-93',
    text: 'A number that only fills its field makes no one person of strangers, whatever digits it has.',
    days: [0, 1].map(() =>
      day(
        ...FILLERS.flatMap((iin, nth) => {
          const more = iin === FILLER ? { shows: { iin: '' } } : {};
          const records = [ANNA, { ...BORIS, born: undefined }, { ...BORIS, first: 'Вера', last: 'Юсупова' }];
          return records.map((human, at) => say(named(nth, `filler${at}-`), { ...human, iin }, '', more));
        }),
      ),
    ),
  },
  {
    id: 'ING-94',
    text: 'A known employee of LEDGER moves by a number only to a person whom name and date of birth bear out, and never where the record has its external_id; else all but the number is applied. A new external_id takes over the same person alone.',
    days: [
      day(
        say('mover', ANNA),
        say('target', { ...ANNA, iin: 'a' }),
        say('mistyped', ANNA),
        say('other', { ...BORIS, iin: 'b' }),
        say('given', { ...ANNA, iin: 'c' }, '', { id: 'given' }),
        say('late', { ...ANNA, iin: 'd' }),
      ),
      day(
        say('mover', { ...ANNA, iin: 'a' }, '', { as: 'target' }),
        say('mistyped', { ...ANNA, iin: 'b' }, '', { shows: { iin: '' }, isTold: true }),
        say('given', { ...BORIS, iin: 'b' }, '', { id: 'given', shows: { iin: 'c' }, isTold: true }),
        say('late', { ...ANNA, iin: 'd' }, '', { id: 'late' }),
      ),
      day(
        say('late', { ...WED, iin: 'd' }, 'later', { id: 'late' }),
        say('given', { ...BORIS, iin: 'c' }, 'moved', { id: 'given' }),
      ),
      day(say('late', { ...WED, iin: 'd' }, 'later')),
    ],
  },
];

const month = sharedScenario((t) => playDays(t, CASES));

function asks(t: TestContext): void {
  if (t.values.ingest_ledger_identity !== 'as_documented')
    t.skip('the target declares nothing about who is who in records of LEDGER');
}

for (const { id, replaces = [], text } of CASES)
  rule({
    id,
    replaces,
    family: 'who is who',
    text,
    check: async (t) => {
      asks(t);
      t.equal((await month(t)).complaints.get(id), [], 'who was reached, and who somebody has become');
    },
  });

interface Outcome {
  readonly outcome: string;
  readonly reason: string;
  readonly note: string;
}

/** What became of each record of a batch, as the application's settings say it. */
async function outcomesOf(t: TestContext, ingest_request_id: string): Promise<Outcome[]> {
  return JSON.parse(await t.admin('show_ingest', { ingest_request_id })).records as Outcome[];
}

const wantedOutcome = ({ to, isNew }: PlayedRecord) => (to === '' ? 'skipped' : isNew ? 'created' : 'updated');

rule({
  id: 'ING-95',
  text: 'What became of each record is said: why it was skipped, and where all but its number was applied, without names, dates of birth and numbers.',
  check: async (t) => {
    asks(t);
    for (const [request, records] of (await month(t)).batches) {
      const outcomes = await outcomesOf(t, request);
      t.equal(
        outcomes.map(({ outcome }) => outcome),
        records.map(wantedOutcome),
        'the outcomes of a batch',
      );
      for (const [nth, { reason, note }] of outcomes.entries()) {
        const { to, isTold, human } = t.present(records[nth], 'no record');
        t.equal(reason !== '', to === '', 'whether there is a reason');
        if (isTold) t.check(note !== '', 'nothing is said of who was joined, or of a number that was left out');
        const said = `${reason} ${note}`;
        const values = [human.last, human.first, human.born].filter((value) => value && said.includes(value));
        t.check(values.length === 0 && !/\d{12}/.test(said), 'an outcome holds a name, a date of birth or a number');
      }
    }
  },
});

const DECIDED: PeopleCase = {
  id: 'ING-96',
  days: [
    day(say('stays', { ...ANNA, iin: 'a' }), say('same', { ...ANNA, iin: 'b' })),
    day(
      say('', { ...BORIS, iin: 'c' }, 'stays', { decided: 'successor' }),
      say('', { ...BORIS, iin: 'd' }, 'same', { decided: 'same' }),
    ),
    day(say('heir', { ...BORIS, iin: 'c' }, 'stays'), say('same', { ...BORIS, iin: 'd' })),
    day(say('stays', { ...ANNA, iin: 'a' }), say('', { ...WED, first: 'Мира', born: '1999-09-09', iin: 'e' }, 'same')),
  ],
};

rule({
  id: 'ING-96',
  text: 'What is decided in the settings of a record that was skipped, the same person or a successor, applies when such a record comes again, and to no other person.',
  check: async (t) => {
    asks(t);
    t.equal((await playDays(t, [DECIDED])).complaints.get(DECIDED.id), [], 'who was reached after the decisions');
  },
});
