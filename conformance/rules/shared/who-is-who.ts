/**
 * Plays days of changes in records of LEDGER, as an accounting system sends them when people marry, leave, come back or are
 * corrected. What each record must lead to is said beside it, so the state after each day is known for everybody.
 */
import type { TestContext } from '../../engine/test-context.ts';
import { deleteEmployees, updateEmployees } from './calls.ts';
import { FULL, LEDGER, Load, mark } from './ingest-calls.ts';
import { digitsOf, ZERO } from './payload-fields.ts';

/** What a record says of a person beside the ИИН. What is left out is not sent. */
export interface Human {
  readonly Фамилия?: string;
  readonly Имя?: string;
  readonly ДатаРождения?: string;
}

/** A record, and what it must lead to. */
export interface SentRecord {
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
export interface PeopleCase {
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
export type PlayedRecord = SentRecord & { readonly isNew: boolean };

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

let made = 0;
const newDay = () => new Date(Date.UTC(2002, 0, ++made)).toISOString().slice(0, 10);

/** A number or an id of a case, which nobody had before. */
const ownText = (t: TestContext, { id }: PeopleCase, name?: string) => name && `who-${id}-${name}-${t.run_id}`;

/** An ИИН that nobody has, since its month is none. */
const iinOf = (t: TestContext, of: PeopleCase, name?: string) =>
  name && !/^\d{12}$/.test(name) ? `9999${digitsOf(`${ownText(t, of, name)}`, 8)}` : name;

const LEFT = { status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2026-01-31' };

/** Plays cases beside each other, day by day. */
export async function playDays(t: TestContext, cases: readonly PeopleCase[]): Promise<PlayedDays> {
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
