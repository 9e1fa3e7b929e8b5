/**
 * Plays days of changes in records of LEDGER, as an accounting system sends them when people marry, leave, come back or are
 * corrected. What each record must lead to is said beside it, so the state after each day is known for everybody.
 */
import type { TestContext } from '../../engine/test-context.ts';
import { deleteEmployees, updateEmployees } from './calls.ts';
import { FULL, LEDGER, Load, mark } from './ingest-calls.ts';
import { digitsOf } from './payload-fields.ts';

/** What a record says of a person. What is left out is not sent. */
export interface Human {
  readonly last?: string;
  readonly first?: string;
  readonly born?: string;
  /** A name for a number that nobody had before; or the number itself. */
  readonly iin?: string;
}

/** A record, and what it must lead to. */
export interface SentRecord {
  /** The employee whom it must reach, by a name in its case: a new one or a known one; '' if it must be skipped. */
  readonly to: string;
  readonly number: string;
  readonly organization?: string;
  readonly id?: string;
  readonly human: Human;
  /** What the person must show otherwise than the record says. */
  readonly shows?: Human;
  /** The employee whose person this must be from now on. Without it a new employee has a new person. */
  readonly as?: string;
  /** Whether the outcome must say more than that the record was applied. */
  readonly isTold?: true;
  /** What an administrator decides of the record once it was skipped. */
  readonly decided?: 'same' | 'successor';
}

export interface CaseDay {
  /** Who has left before the records of this day come. */
  readonly left?: readonly string[];
  readonly records: readonly SentRecord[];
}

/** What happens to people who have nothing to do with those of other cases. */
export interface PeopleCase {
  readonly id: string;
  readonly days: readonly CaseDay[];
}

/** An employee, as the days so far must have left it. */
interface Expected {
  readonly id: string;
  readonly card: Shown;
  /** One for all employments of a person. */
  readonly person: Shown;
}

type Shown = Record<string, string | undefined>;

/** A record that was sent, and whether its employee was new. */
export type PlayedRecord = SentRecord & { readonly isNew: boolean };

interface PlayedDays {
  /** Each batch by its request, with its records in their order. */
  readonly batches: Map<string, PlayedRecord[]>;
  /** What was wrong after a day, by the case. */
  readonly complaints: Map<string, string[]>;
}

let made = 0;
const newDay = () => new Date(Date.UTC(2002, 0, ++made)).toISOString().slice(0, 10);

/** The numbers and ids of a case, which nobody had before. */
const ownText = (t: TestContext, { id }: PeopleCase, name: string): string => `who-${id}-${name}-${t.run_id}`;

/** A number that nobody has, since its month is none. */
function iinOf(t: TestContext, of: PeopleCase, name = ''): string {
  if (/^([0-9]{12})?$/.test(name)) return name;
  return `9999${digitsOf(ownText(t, of, name), 8)}`;
}

/** What a person shows after a record: only what the record says. */
function shownOf(t: TestContext, of: PeopleCase, human: Human): Shown {
  const { last: last_name, first: first_name, born: birth_date, iin } = human;
  const all = { last_name, first_name, birth_date, iin: iin && iinOf(t, of, iin) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Plays cases beside each other, day by day. */
export async function playDays(t: TestContext, cases: readonly PeopleCase[]): Promise<PlayedDays> {
  const known = new Map<string, Expected>();
  const result: PlayedDays = { batches: new Map(), complaints: new Map(cases.map(({ id }) => [id, []])) };
  const gone = { status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2026-01-31' };
  const load = new Load(t);
  try {
    for (let nth = 0; cases.some(({ days }) => nth < days.length); nth++) {
      const left = cases.flatMap(({ id, days }) => (days[nth]?.left ?? []).map((name) => known.get(`${id}/${name}`)));
      await updateEmployees(
        t,
        `left-${nth}`,
        left.map((one) => [one?.id ?? '', gone] as const),
      );
      await playDay(load, cases, nth, known, result);
    }
  } finally {
    await deleteEmployees(
      t,
      [...known.values()].map(({ id }) => id),
    );
  }
  return result;
}

/** Sends the records of a day, and judges everybody who is known then: also those whom no record was about. */
async function playDay(
  load: Load,
  cases: readonly PeopleCase[],
  nth: number,
  known: Map<string, Expected>,
  { batches, complaints }: PlayedDays,
): Promise<void> {
  const { t } = load;
  const lines = cases.flatMap((of) =>
    (of.days[nth]?.records ?? []).map((sent) => ({ of, sent, start_date: newDay(), phone: mark(t, 'who') })),
  );
  const batch = lines.map(({ of, sent, start_date, phone }) => ({
    external_id: sent.id && ownText(t, of, sent.id),
    ТабельныйНомер: ownText(t, of, sent.number),
    ДатаПриема: start_date,
    'Организация.Ссылка': sent.organization && ownText(t, of, sent.organization),
    ФизЛицо: {
      Фамилия: sent.human.last,
      Имя: sent.human.first,
      ДатаРождения: sent.human.born,
      ИИН: sent.human.iin && iinOf(t, of, sent.human.iin),
      Телефон: phone,
    },
  }));
  const { ingest_request_id } = await load.make(FULL, batch, LEDGER);
  await load.settled();
  const rows = await load.rows();
  const played = lines.map(({ of, sent, start_date, phone }): PlayedRecord => {
    const card = { employee_number: ownText(t, of, sent.number), start_date };
    const found = rows.find((row) => row.start_date === start_date && row.employee_number === card.employee_number);
    const [label, before] = [`${of.id}/${sent.to}`, known.get(`${of.id}/${sent.to}`)];
    const [reached = ''] = [...known].find(([, { id }]) => id === found?.id) ?? [found && label];
    if (reached !== (sent.to && label) || (before && before.id !== found?.id))
      complaints.get(of.id)?.push(`day ${nth}: a record for ${sent.to || 'nobody'} reached ${reached || 'nobody'}`);
    else if (found) {
      const person = known.get(`${of.id}/${sent.as}`)?.person ?? before?.person ?? {};
      known.set(label, { id: found.id, card, person });
      Object.assign(person, shownOf(t, of, { ...sent.human, ...sent.shows }), { phone });
    }
    return { ...sent, isNew: before === undefined };
  });
  batches.set(ingest_request_id, played);
  for (const [record, { decided }] of played.entries())
    if (decided) await t.admin('decide_ingest', { ingest_request_id, record: `${record}`, as: decided });
  for (const [label, { id, card, person }] of known) {
    const row = rows.find((one) => one.id === id);
    const seen: Record<string, unknown> = { ...row, ...row?.person };
    const wanted = { last_name: '', first_name: '', birth_date: '', iin: '', ...card, ...person };
    const wrong = Object.entries(wanted).flatMap(([name, value]) => (seen[name] === value ? [] : [name]));
    if (wrong.length > 0) complaints.get(label.split('/')[0] ?? '')?.push(`day ${nth}: ${label} has another ${wrong}`);
  }
}
