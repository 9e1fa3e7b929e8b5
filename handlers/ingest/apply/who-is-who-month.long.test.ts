/**
 * Who is who in records of LEDGER (D-29), from batch to batch: nobody becomes somebody else. In a play a line is an event
 * or a record with its outcome, and an empty line ends a batch: `ID HUMAN LAST FIRST MIDDLE BORN #IIN → OUTCOME`.
 *
 * - ID is `external_id=organisation/number`; HUMAN is who it is in truth, sent as the telephone; a name `_` is not sent
 * - OUTCOME has `!` for a note; `applied` is updated or unchanged; the fields that the reason must name follow `skipped`
 * - events: `left`, `deleted`, `has #IIN` (set past the rule), `shares` the person of another, and `is #IIN`, a check
 */
import { describe, expect, test } from '@jest/globals';
import { appliedAsChecked } from '../../../scripts/world/ingest.ts';
import { TestTenant } from '../../../scripts/world/tenant.ts';
import { testDeployment } from '../../../scripts/world/test-deployment.ts';
import type { EmployeeRow } from '../../data/collections/employees.ts';

const { store } = await testDeployment();

/** Invented: nobody is born in the month 13. `#0` is a filler. */
const iinOf = (name: string) => (name === '#0' ? '000000000000' : `991301${name.slice(1).padStart(6, '0')}`);

function parsed(text: string): object {
  const [id = '', Телефон, ...rest] = text.split(' ');
  const [, external_id, organization, number] = /^(?:(\w+)=)?(?:(\w+)\/)?(\w*)$/.exec(id) ?? [];
  const [iin, ДатаРождения] = [/^#/, /^\d/].map((pattern) => rest.find((each) => pattern.test(each)));
  const names = rest.filter((each) => /^[^#\d]/.test(each));
  const [Фамилия, Имя, Отчество] = names.map((each) => (each === '_' ? undefined : each));
  const ИИН = iin && iinOf(iin);
  return {
    external_id,
    ТабельныйНомер: number || undefined,
    'Организация.Ссылка': organization,
    ФизЛицо: { Фамилия, Имя, Отчество, ИИН, ДатаРождения, Телефон },
  };
}

class Play {
  readonly #tenantId: string;
  readonly #chunkRecords: number;
  /** Who each employee is in truth. */
  readonly #humans = new Map<string, string>();
  /** The employees that records have found, by `ID HUMAN`. */
  readonly #found = new Map<string, string>();

  constructor(tenantId: string, chunkRecords: number) {
    this.#tenantId = tenantId;
    this.#chunkRecords = chunkRecords;
  }

  static async of(text: string, chunkRecords = 200): Promise<void> {
    const play = new Play((await TestTenant.create(store)).id, chunkRecords);
    const organizations = ['O', 'R'].map((external_id) => ({ external_id, title: external_id }));
    await play.#load('KEDO/ORGANIZATIONS', organizations, true);
    for (const part of text.split(/\n\s*\n/)) await play.#batch(part.trim().split(/\n */));
  }

  async #batch(lines: readonly string[]): Promise<void> {
    for (const each of lines) if (!each.includes('→')) await this.#happens(each.split(' '));
    const records = lines.flatMap((each) => (each.includes('→') ? [each.split(' → ')] : []));
    const sent = records.map(([text = '']) => parsed(text));
    const outcomes = await this.#load('LEDGER/EMPLOYEES_FULL', sent, !lines.includes('without create_missing'));
    const said = outcomes.map(({ outcome, reason, note = '', object_id }, n) => {
      const [text = '', expected = ''] = records[n] ?? [];
      const [id, human = ''] = text.split(' ');
      if (object_id !== '') this.#found.set(`${id} ${human}`, object_id);
      if (outcome === 'created') this.#humans.set(object_id, human);
      const fields = reason.match(/(?<=ФизЛицо\.)[А-яЁё]+|ambiguous/g) ?? [];
      expect(reason).not.toMatch(/ {2}|: $/);
      const isVague = expected === outcome || (expected === 'applied' && /^u/.test(outcome));
      return [text, isVague ? expected : [outcome + (note && '!'), ...fields].join(' ')];
    });
    expect(said).toEqual(records);
    const employees = await store.employees.find({ tenant_id: this.#tenantId }).toArray();
    const people = await Promise.all(
      employees.map(async (row) => [row._id, (await this.#personOf(row))?.phone] as const),
    );
    expect(new Map(people)).toEqual(this.#humans);
  }

  async #happens([event = '', id, human, rest = '']: readonly string[]): Promise<void> {
    const filter = { _id: this.#found.get(`${id} ${human}`) ?? '' };
    const person = await this.#personOf(await store.employees.findOne(filter));
    const set = ($set: Partial<EmployeeRow>) => store.employees.updateOne(filter, { $set });
    const events: Record<string, () => unknown> = {
      left: () => set({ status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2025-12-31', status_due_on: '' }),
      deleted: () => set({ deleted_at: new Date(), listed: false, status_due_on: '' }),
      has: () => store.persons.updateOne({ _id: person?._id ?? '' }, { $set: { iin: iinOf(rest) } }),
      shares: async () => {
        const other = await store.employees.findOne({ _id: this.#found.get(`${rest} ${human}`) ?? '' });
        await set({ person_id: other?.person_id ?? '' });
      },
      is: () => expect(person?.iin).toBe(rest && iinOf(rest)),
    };
    await events[event]?.();
  }

  #personOf(employee: EmployeeRow | null) {
    return store.persons.findOne({ _id: employee?.person_id ?? '' });
  }

  #load(pair: `${string}/${string}`, records: readonly object[], createMissing: boolean) {
    return appliedAsChecked(store, this.#tenantId, { pair, records, createMissing, chunkRecords: this.#chunkRecords });
  }
}

test('a month of changes as they happen', () =>
  Play.of(`
    O/10 A Ахметова Айгүл 1990-03-15 #1 → created
    O/11 B Ким Лариса #2 → created
    O/12 C Цой Вера 1979-07-07 → created
    O/20 D Омаров Ержан 1982-02-02 #4 → created
    O/21 D Омаров Ержан 1982-02-02 #4 → created
    O/30 E Нурланов Дәурен 1975-05-05 #5 → created
    O/31 F Сапаров Тимур 1988-08-08 #6 → created
    O/32 G Ли Олег 1991-01-01 #7 → created
    40 H Цой Инна 1992-12-12 #8 → created

    marriage
    O/10 A Оспанова Айгүл 1990-03-15 #1 → updated!
    O/11 B Пак Лариса #2 → updated!
    O/12 C Хан Вера 1979-07-07 → updated!

    marriage without the date of birth, and with a corrected IIN
    O/12 C Цой Вера → updated!
    O/11 B Ким Лариса #9 → skipped ИИН Фамилия
    O/10 A Ахметова Айгүл 1990-03-15 #10 → updated!

    correction of an IIN with one of two jobs
    is O/10 A #10
    is O/11 B #2
    O/20 D Омаров Ержан Маратович 1982-02-02 #11 → updated!

    correction with both, and with one job
    is O/20 D #4
    O/20 D Омаров Ержан 1982-02-02 #11 → updated!
    O/21 D Омаров Ержан 1982-02-02 #11 → applied
    O/32 G Ли Олег 1991-01-01 #12 → updated!

    rehire with the old number
    is O/21 D #11
    is O/32 G #12
    left O/30 E
    O/30 E Нурланов Дәурен Әлиұлы 1975-05-05 #5 → updated

    rehire with a new number, and a second job
    O/35 E Нурланов Дәурен 1975-05-05 #5 → created
    O/36 A Ахметова Айгүл 1990-03-15 #10 → created

    a number given on by a leaver
    left O/31 F
    O/31 I Жумабаев Ерлан 2000-01-01 #13 → created

    his old record comes once more, the new holder stays, and nobody else gets the number
    O/31 J Исаев Руслан 1999-09-09 #14 → skipped ИИН ДатаРождения Фамилия Имя
    O/31 F Сапаров Тимур 1988-08-08 #6 → unchanged
    O/31 I Жумабаев Ерлан 2000-01-01 #13 → unchanged

    a number given on by somebody who stayed
    O/32 J Исаев Руслан 1999-09-09 #14 → skipped ИИН ДатаРождения Фамилия Имя
    O/37 G Ли Олег 1991-01-01 #12 → created

    the organisation is added, and left out
    O/40 H Цой Инна 1992-12-12 #8 → updated
    10 A Ахметова Айгүл 1990-03-15 #10 → applied
    12 J Исаев Руслан 1999-09-09 #14 → skipped ambiguous

    the organisation is left out, and added
    40 H Цой Инна 1992-12-12 #8 → unchanged
    O/10 A Ахметова Айгүл 1990-03-15 #10 → unchanged
    is O/36 A #10`));

const KNOWN = 'O/1 A Ахметова Айгүл #1 → created';
const TWO_JOBS = [KNOWN, 'O/2 A Ахметова Айгүл #1 → created'].join('\n');
const STRANGER = 'O/1 B Оспанова Дана #2 → ';
const HOLDER = 'O/1 A Ахметова Айгүл Ерланқызы #1 → updated';

/** Titles and plays. */
const playsOf = (text: string) =>
  text
    .split('== ')
    .slice(1)
    .map((play) => [play.split('\n', 1)[0] ?? '', play.slice(play.indexOf('\n'))] as const);

const FROM_BATCH_TO_BATCH = `
  == a new IIN of one of two jobs
  ${TWO_JOBS}

  O/1 A Ахметова Айгүл Ерланқызы #2 → updated!

  is O/1 A #1

  == a new IIN of two jobs, of which one has ended
  ${TWO_JOBS}

  left O/2 A
  O/1 A Ахметова Айгүл #2 → updated!

  is O/2 A #2

  == a new IIN of two jobs, of which one is deleted
  ${TWO_JOBS}

  deleted O/2 A
  O/1 A Ахметова Айгүл #2 → updated!

  is O/1 A #2

  == a new IIN of two jobs, in the record of the one that has ended
  ${TWO_JOBS}

  left O/2 A
  O/2 A Ахметова Айгүл Ерланқызы #2 → updated!

  is O/2 A #1

  == a filler says nothing, on either side, and joins nobody
  O/1 A Ахметова Айгүл 1990-03-15 → created
  O/2 A Ахметова Айгүл #1 → created
  O/3 A Ахметова Айгүл → created
  O/4 C Ким Лариса #0 → created
  O/5 D Ким Лариса #0 → created

  has O/1 A #0
  has O/3 A #0
  O/1 B Сейітова Айгүл 1987-11-02 #0 → skipped ДатаРождения Фамилия
  O/2 A Сейітова Айгүл #0 → updated!
  O/3 A Сейітова Айгүл #3 → updated!

  is O/2 A #1
  is O/3 A #3

  == a stranger to a leaver, without create_missing
  ${KNOWN}

  without create_missing
  left O/1 A
  ${STRANGER}skipped

  == a successor is the present holder
  ${KNOWN}

  left O/1 A
  ${STRANGER}created

  O/1 C Ким Лариса #3 → skipped ИИН Фамилия Имя
  O/1 A Ахметова Айгүл #1 → unchanged
  ${STRANGER}unchanged

  left O/1 B
  O/1 C Ким Лариса #3 → created

  == a new external_id takes no number from a holder who stays
  ${KNOWN}

  X=O/1 B Оспанова Дана #2 → created

  ${STRANGER}unchanged
  O/1 C Ким Лариса #3 → skipped ИИН Фамилия Имя

  left X=O/1 B
  O/1 C Ким Лариса #3 → skipped ИИН Фамилия Имя

  left O/1 A
  O/1 C Ким Лариса #3 → created

  == a new external_id takes the number over from a leaver
  ${KNOWN}

  left O/1 A
  X=O/1 B Оспанова Дана #2 → created

  O/1 C Ким Лариса #3 → skipped ИИН Фамилия Имя
  X= B Оспанова Дана #2 → unchanged

  == a new number of an organisation that the record leaves out is taken from nobody who stays
  X=O/5 A Ахметова Айгүл #1 → created
  O/7 B Оспанова Дана #2 → created

  X=7 A Ахметова Айгүл #1 → updated

  left X=7 A
  O/7 C Ким Лариса #3 → skipped ИИН Фамилия Имя

  == a number of two organisations without either
  O/1 A Ахметова Айгүл #1 → created
  R/1 A Ахметова Айгүл #1 → created

  1 A Ахметова Айгүл #1 → skipped ambiguous

  == a number of two people without organisation
  O/1 A Ахметова Айгүл #1 → created
  R/1 B Оспанова Дана #2 → created

  1 A Ахметова Айгүл #1 → skipped ambiguous

  == who has moved to the person of an IIN stays there
  O/1 A Ахметова Айгүл → created
  O/2 A Ахметова Айгүл #1 → created

  O/1 A Ахметова Айгүл #1 → applied

  O/1 A Ахметова Айгүл Ерланқызы → updated

  is O/1 A #1

  == a number that its holder has changed is free
  X=O/1 A Ахметова Айгүл #1 → created

  X=O/2 A Ахметова Айгүл #1 → updated

  ${STRANGER}created

  == both forms find who was found once
  1 A Ахметова Айгүл #1 → created
  O/2 B Оспанова Дана #2 → created

  O/1 A Ахметова Айгүл Ерланқызы #1 → updated
  2 B Оспанова Дана Асқарқызы #2 → updated

  R/1 C Ким Лариса #3 → created
  R/2 D Пак Вера #4 → created

  1 A Ахметова Айгүл #1 → unchanged
  2 B Оспанова Дана #2 → unchanged

  without create_missing
  O/1 A Ахметова Айгүл #1 → unchanged
  O/2 B Оспанова Дана #2 → unchanged
`;

const IN_ONE_BATCH = `
  == a new IIN of two jobs, in both records
  ${TWO_JOBS}

  O/2 A Ахметова Айгүл #2 → updated!
  O/1 A Ахметова Айгүл #2 → applied

  is O/1 A #2

  == a new IIN beside the old one in the record of the other job
  ${TWO_JOBS}

  O/1 A Ахметова Айгүл Ерланқызы #2 → updated!
  O/2 A Ахметова Айгүл Ерланқызы #1 → applied

  is O/1 A #1

  == a new IIN beside a record of the other job without one
  ${TWO_JOBS}

  O/1 A Ахметова Айгүл Ерланқызы #2 → updated!
  O/2 A Ахметова Айгүл Ерланқызы → applied

  is O/1 A #1

  == a new IIN of three jobs in two records
  ${TWO_JOBS}

  O/3 A Ахметова Айгүл #1 → created

  O/1 A Ахметова Айгүл Ерланқызы #2 → updated!
  O/2 A Ахметова Айгүл Ерланқызы #2 → applied

  is O/1 A #1

  == a new IIN of a job found by its external_id
  X=O/1 A Ахметова Айгүл #1 → created
  O/2 A Ахметова Айгүл #1 → created

  X=O/1 A Ахметова Айгүл Ерланқызы #2 → updated!

  is X=O/1 A #1
  X=O/1 A Ахметова Айгүл #2 → updated!
  O/2 A Ахметова Айгүл #2 → applied

  is O/2 A #2

  == the first IIN of two jobs
  O/1 A Ахметова Айгүл → created
  O/2 A Ахметова Айгүл → created

  shares O/2 A O/1
  O/1 A Ахметова Айгүл Ерланқызы #2 → updated!

  is O/1 A
  O/1 A Ахметова Айгүл #2 → updated!
  O/2 A Ахметова Айгүл #2 → applied

  is O/2 A #2

  == two persons with one new number
  O/1 A Ахметова Айгүл #1 → created
  O/1 B Оспанова Дана #2 → skipped ИИН Фамилия Имя

  == a stranger after the holder
  ${KNOWN}

  ${HOLDER}
  ${STRANGER}skipped ИИН Фамилия Имя

  == a stranger before the holder
  ${KNOWN}

  ${STRANGER}skipped ИИН Фамилия Имя
  ${HOLDER}

  == a stranger before a holder who has left
  ${KNOWN}

  left O/1 A
  ${STRANGER}created
  ${HOLDER}

  == a stranger after a holder who has left
  ${KNOWN}

  left O/1 A
  ${HOLDER}
  ${STRANGER}created

  == a holder known by an IIN only
  O/1 A _ _ #1 → created

  O/1 B Оспанова Дана #2 → skipped
  O/1 A Ахметова Айгүл #1 → updated!

  == a holder known by an IIN only, and a stranger without one
  O/1 A _ _ #1 → created

  O/1 B Оспанова Дана → skipped
  O/1 A Ахметова Айгүл #1 → updated!

  == an IIN that is corrected, and comes as that of somebody else
  O/1 A Ахметова Айгүл #1 → created
  X=O/1 A Ахметова Айгүл #2 → updated!
  O/3 B Оспанова Дана #1 → created

  == a holder known by a date of birth only
  O/1 A _ _ 1990-03-15 → created

  O/1 B Оспанова Дана 1987-11-02 → skipped
  O/1 A Ахметова Айгүл 1990-03-15 → updated!

  == one person twice, and a stranger between
  ${KNOWN}

  O/1 A Ахметова Айгүл Асқарқызы #1 → skipped
  ${STRANGER}skipped ИИН Фамилия Имя
  ${HOLDER}

  == numbers that two people swap
  ${KNOWN}

  O/2 B Оспанова Дана #2 → created

  ${STRANGER}skipped ИИН Фамилия Имя
  O/2 A Ахметова Айгүл #1 → skipped ИИН Фамилия Имя

  == numbers that two people with external_ids swap
  X=O/1 A Ахметова Айгүл #1 → created
  Y=O/2 B Оспанова Дана #2 → created

  X=O/2 A Ахметова Айгүл #1 → updated
  Y=O/1 B Оспанова Дана #2 → updated

  O/1 B Оспанова Дана #2 → unchanged
  O/2 A Ахметова Айгүл #1 → unchanged

  == a number that is handed on
  X=O/1 A Ахметова Айгүл #1 → created

  Y=O/1 B Оспанова Дана #2 → created
  X=O/2 A Ахметова Айгүл #1 → updated

  ${STRANGER}unchanged
  O/2 A Ахметова Айгүл #1 → unchanged

  == two organisations are added to a number
  1 A Ахметова Айгүл #1 → created

  O/1 A Ахметова Айгүл #1 → created
  R/1 A Ахметова Айгүл #1 → created
`;

test.each(playsOf(FROM_BATCH_TO_BATCH))('%s', (_, play) => Play.of(play));

describe.each([[200], [1]])('in one batch, in chunks of %i records', (chunkRecords) => {
  test.each(playsOf(IN_ONE_BATCH))('%s', (_, play) => Play.of(play, chunkRecords));
});

/** Names as they are sent | as they are known. */
const COMPARED = {
  same: [
    'Ахметова Айгүл | Ахметова Айгүл',
    'Айгүл Ахметова | Ахметова Айгүл',
    'АХМЕТОВА әсел | Ахметова Әсел',
    'Сеи\u0306тов Ержан | Се\u0439тов Ержан',
    'Ахметова Айгүл Ерланқызы | Ахметова Айгүл Асқарқызы',
    '_ Айгүл | _ Айгүл',
    'Айгүл _ | _ Айгүл',
  ],
  near: [
    'Оспанова Айгүл | Ахметова Айгүл',
    'Ахметова Дана | Ахметова Айгүл',
    'Айгүл Дана | Ахметова Айгүл',
    '_ АЙГҮЛ | Ахметова Айгүл',
    'Ахметова Айгүл | Ахметова _',
  ],
  other: ['Оспанова Дана | Ахметова Айгүл', 'Оспанова Дана Ерланқызы | Ахметова Айгүл Ерланқызы'],
  absent: [
    '_ _ | Ахметова Айгүл',
    'Ахметова Айгүл | _ _',
    '_ Дана | Ахметова Айгүл',
    'Ахметова Айгүл | Оспанова _',
    '_ Айгүл | Ахметова _',
  ],
};
/** The outcomes with another IIN; with that and the date of birth; with nothing but the name. */
const FOUND = {
  same: ['applied', 'applied', 'applied'],
  near: ['skipped', 'applied', 'applied'],
  other: ['skipped', 'skipped', 'skipped'],
  absent: ['skipped', 'skipped', 'applied'],
} as const;

test.each(['same', 'near', 'other', 'absent'] as const)('names are %s', (relation) => {
  const [other, born, neither] = FOUND[relation];
  const known: string[] = [];
  const sent: string[] = [];
  for (const [n, pair] of COMPARED[relation].entries()) {
    const [sentName, knownName] = pair.split(' | ');
    known.push(`O/${n}a A ${knownName} #${n}1 → created`, `O/${n}b A ${knownName} #${n}2 1990-03-15 → created`);
    known.push(`O/${n}c A ${knownName} → created`);
    sent.push(`O/${n}a A ${sentName} #${n}3 → ${other}`, `O/${n}b A ${sentName} #${n}4 1990-03-15 → ${born}`);
    sent.push(`O/${n}c A ${sentName} → ${neither}`);
  }
  return Play.of([known.join('\n'), sent.join('\n')].join('\n\n'));
});
