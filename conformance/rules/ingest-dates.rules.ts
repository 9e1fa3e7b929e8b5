/** The status of an employee by its first and its last day: with batches, and when a day of the tenant begins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { envelopeOf, type Hook, makeHook, received, waitFor } from '../callbacks/hooks.ts';
import { seenWithin } from '../engine/bounded-wait.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { statuses, updateEmployees } from './shared/calls.ts';
import { employee, ext, Load, mark } from './shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS } from './shared/movable-clock.ts';
import { beforeMidnight, dayAfter, dayAt, midnightAfter, mustBeOfOldDay } from './shared/tenant-day.ts';

const rule = rulesWith({ place: 'ingestRecords: Status by dates', decisions: ['D-29'], runs: 'moving' });

const ACCEPTED = 'EMPLOYEE_STATUS_ACCEPTED';
const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const TERMINATED = 'EMPLOYEE_STATUS_TERMINATED';

/** Dates of a record; '' clears. */
type RecordDates = {
  admission_date?: string;
  left_date?: string;
};

/** The status after dates of a record, `today` being the tenant's. */
function statusAfter(status: string, { admission_date = '', left_date = '' }: RecordDates, today: string): string {
  if (left_date !== '' && left_date < today) return TERMINATED;
  return status === ACCEPTED && admission_date <= today ? ACTIVE : status;
}

/** A date far enough from today that time zones do not matter. */
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const BEGUN: RecordDates = { admission_date: '2020-01-01', left_date: '' };

/** What batches say of employees of every status, one after the other. */
const STEPS: readonly [what: string, ...dates: RecordDates[]][] = [
  ['another first day', { admission_date: '2021-02-03' }],
  ['a first day ahead', { admission_date: daysAhead(365) }],
  ['a last day ahead', { left_date: daysAhead(365) }],
  ['a last day that is over, then none', { left_date: daysAhead(-2) }, { left_date: '' }],
  ['a last day that is over, then one ahead', { left_date: daysAhead(-2) }, { left_date: daysAhead(365) }],
];

/** An employee whose status and dates are followed. */
interface DatedEmployee {
  id: string;
  record: Readonly<Record<string, unknown>>;
  status: string;
  what: string;
  dates: readonly RecordDates[];
}

async function loadDated(t: TestContext, load: Load): Promise<DatedEmployee[]> {
  const each = STEPS.flatMap(([what, ...dates], n) =>
    statuses.map((status) => {
      const name = `dated-${n}-${status.slice('EMPLOYEE_STATUS_'.length)}`;
      return { record: employee(t, name, 'dated', mark(t, name)), status, what, dates };
    }),
  );
  await load.people('dated');
  await load.make(
    'EMPLOYEES',
    // Whoever is accepted begins to work as soon as a day has come on which the first one lies behind.
    each.map(({ record, status }) => ({
      ...record,
      ...(status === ACCEPTED ? { admission_date: daysAhead(365) } : {}),
    })),
  );
  await load.settled();
  const rows = await load.rows();
  return each.map((one) => {
    const row = rows.find(({ employee_number }) => employee_number === one.record.number);
    return { ...one, id: t.present(row, 'an employee was not loaded').id };
  });
}

rule({
  id: 'ING-53',
  text: 'The dates of a batch move only ACCEPTED to ACTIVE, every status to TERMINATED once the last day is over, and that to ACTIVE when the last day is cleared or moved ahead.',
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const today = daysAhead(0);
    const dated = await loadDated(t, load);
    try {
      // People set statuses, which no batch can.
      await updateEmployees(
        t,
        'by-hand',
        dated.map(({ id, status }) => [id, { status }]),
      );
      for (const step of [0, 1]) {
        const moved = dated.filter(({ dates }) => dates.length > step);
        await load.update(
          'EMPLOYEES',
          moved.map(({ record, dates }) => ({ ...record, ...dates[step] })),
        );
        await load.settled();
        const rows = new Map((await load.rows()).map((row) => [row.id, row]));
        for (const { id, status, what, dates } of moved) {
          // Nothing says what a first last day ahead means for who was terminated without one.
          if (status === TERMINATED && what === 'a last day ahead') continue;
          const first = statusAfter(status, { ...BEGUN, ...dates[0] }, today);
          const wanted = step === 0 ? first : ACTIVE;
          const end = wanted === TERMINATED ? (dates[step]?.left_date ?? '') : '';
          const row = rows.get(id);
          t.equal([row?.status, row?.end_date], [wanted, end], `status and end_date of ${status} after ${what}`);
        }
      }
    } finally {
      await updateEmployees(
        t,
        'as-before',
        dated.map(({ id }) => [id, { status: ACTIVE }]),
      );
    }
    await followNewcomer(t, load);
  },
});

/** Checks the statuses of an employee who is new, as only such a one is accepted for a day ahead. */
async function followNewcomer(t: TestContext, load: Load): Promise<void> {
  const external_id = ext(t, `starting-${t.run_id}-${process.pid}`);
  for (const [dates, status, end] of [
    [{ admission_date: daysAhead(365) }, ACCEPTED, ''],
    [{ admission_date: '2020-01-01' }, ACTIVE, ''],
    [{ admission_date: daysAhead(365) }, ACTIVE, ''],
    [{ left_date: '2020-02-01' }, TERMINATED, '2020-02-01'],
    // The first day is the last one, too.
    [{ admission_date: '2020-02-03', left_date: '2020-02-03' }, TERMINATED, '2020-02-03'],
  ] as const) {
    const number = mark(t);
    await load.make('EMPLOYEES', [{ ...employee(t, '', 'dated', number), external_id, ...dates }]);
    const card = await load.card(number);
    t.equal([card.status, card.end_date], [status, end], `status and end_date with ${JSON.stringify(dates)}`);
  }
}

/**
 * A person of the pool whose employments change only while the clock is moved. No instant of a row goes back, so a later
 * run that changed such an employment by the present time would see an event of the future.
 */
const APART = 'apart';
/** Ends the employment of somebody whom a run has made and cannot delete. */
const LEFT = { left_date: '2020-02-01' };

/** An employee at a midnight: what it was, and what it is read as. */
interface MidnightEmployee {
  what: string;
  before: string;
  after: string;
  end: string;
  /** Read before midnight, and after it. */
  cards: EmployeeRow[];
}

interface Midnight {
  first: number;
  all: MidnightEmployee[];
  /** Who is loaded on either side of midnight, by the same dates. */
  loaded: [what: string, card: EmployeeRow, status: string, end: string][];
  /** When each employee has changed, as events say; undefined without a receiver. */
  told: Map<string, number[]> | undefined;
}

/** Loads employees of every status, whose first or last day is about to come. */
async function loadBefore(t: TestContext, load: Load, first: number): Promise<MidnightEmployee[]> {
  const [today, tomorrow] = [dayAt(t, first - 1), dayAt(t, first)];
  const canSet = t.has('apply_employee_changes');
  const working = (canSet ? statuses : [ACTIVE]).filter((status) => status !== ACCEPTED && status !== TERMINATED);
  const rows = [
    ...working.flatMap((status) => [
      { status, what: 'leaves this day', dates: { ...BEGUN, left_date: today } },
      { status, what: 'leaves the next day', dates: { ...BEGUN, left_date: tomorrow } },
    ]),
    ...(canSet ? [{ status: TERMINATED, what: 'has no last day', dates: { ...BEGUN, left_date: '' } }] : []),
  ];
  const numbers = rows.map(() => mark(t));
  // New in each run: only new employees are accepted for a future date.
  const [ahead, starting] = [mark(t, 'ahead'), { admission_date: tomorrow, left_date: dayAfter(tomorrow) }];
  const newcomer = { ...employee(t, '', APART, ahead), external_id: ext(t, `awaited-${t.run_id}`), ...starting };
  await load.people(APART);
  await load.make('EMPLOYEES', [
    ...rows.map(({ dates }, n) => ({ ...employee(t, `${APART}-${n}`, APART, numbers[n] ?? ''), ...dates })),
    newcomer,
  ]);
  const accepted = await load.card(ahead);
  const shown = await load.rows();
  const cards = numbers.map((number) =>
    t.present(
      shown.find((row) => row.employee_number === number),
      'not loaded',
    ),
  );
  if (canSet)
    await updateEmployees(
      t,
      'by-hand',
      cards.map(({ id }, n) => [id, { status: rows[n]?.status ?? ACTIVE }]),
    );
  return [
    ...rows.map(({ status, what, dates }, n) => {
      const after = statusAfter(status, dates, tomorrow);
      const end = after === TERMINATED ? dates.left_date : '';
      return { what: `${status} ${what}`, before: status, after, end, cards: [cards[n] as EmployeeRow] };
    }),
    { what: 'starts the next day', before: ACCEPTED, after: ACTIVE, end: '', cards: [accepted] },
  ];
}

const stays = ({ before, after }: MidnightEmployee) => before === after;

/** Reads an employee until it has this status, or must have it. */
const readAs = (t: TestContext, load: Load, id: string, status: string): Promise<EmployeeRow> =>
  seenWithin(
    t.values.ingest_applied_within_s * 1000,
    () => load.now(id),
    (card) => card.status === status,
  );

/** When each employee has changed, as events say, once each has come that a move of a status causes. */
async function toldOf(t: TestContext, hook: Hook, all: readonly MidnightEmployee[]): Promise<Map<string, number[]>> {
  const moved = all.filter(({ before, after }) => before !== after);
  for (const { cards } of moved) await waitFor(t, hook, { containing: cards[0]?.id ?? '', count: 2, distinct: true });
  const events = (await received(t, hook)).map(envelopeOf);
  const times = Map.groupBy(events, ({ data }) => data?.employee_id ?? '');
  return new Map([...times].map(([id, of]) => [id, of.map((one) => Date.parse(one.occurred_at))]));
}

const midnight = sharedScenario(async (t): Promise<Midnight> => {
  const load = new Load(t);
  const made: object[] = [];
  const hook = await t.ifThere('callbacks', () => makeHook(t, { types: ['employee.changed'] }).catch(() => undefined));
  const result: Midnight = { first: 0, all: [], loaded: [], told: undefined };
  const movedMs = t.values.status_by_dates_within_s * 1000 + MARGIN_MS;
  try {
    await beforeMidnight(t, async ({ first, until }) => {
      const [today, tomorrow] = [dayAt(t, first - 1), dayAt(t, first)];
      const loaded = async (what: string, name: string, dates: object, status: string, end = '') => {
        const number = mark(t);
        const record = { ...employee(t, name, APART, number), ...dates };
        made.push({ ...record, ...LEFT });
        await load.make('EMPLOYEES', [record]);
        result.loaded.push([what, await load.card(number), status, end]);
      };
      Object.assign(result, { first, all: await loadBefore(t, load, first) });
      await loaded('leaves this day, before its end', 'leaving', { left_date: today }, ACTIVE);
      // Real time for a pass that moves a status too early.
      await sleep(3_000);
      for (const one of result.all) one.cards.push(await load.now(one.cards[0]?.id ?? ''));
      await until(first + movedMs);
      await loaded('starts this day', `starting-${t.run_id}`, { admission_date: tomorrow }, ACTIVE);
      await loaded('left the day before', 'left', { left_date: today }, TERMINATED, today);
      // Who must stay is read when the others have moved.
      const staysLast = result.all.toSorted((one, other) => Number(stays(one)) - Number(stays(other)));
      for (const one of staysLast) one.cards.push(await readAs(t, load, one.cards[0]?.id ?? '', one.after));
      if (hook !== undefined) result.told = await t.ifThere('callbacks', () => toldOf(t, hook, result.all));
    });
  } finally {
    await load.update('EMPLOYEES', [...made, { external_id: ext(t, `awaited-${t.run_id}`), ...LEFT }]);
  }
  return result;
});

rule({
  id: 'ING-54',
  text: 'When a new day of the tenant begins, statuses change by the dates without any batch: not before midnight in the tenant’s time zone, and within the time that the profile states after it.',
  check: async (t) => {
    const { first, all } = await midnight(t);
    for (const { what, before, after, end, cards } of all) {
      const [, late, now] = cards;
      // Whom an earlier run has moved has a later time: only who is new tells how late it was.
      const isNew = before === ACCEPTED;
      if (isNew) mustBeOfOldDay(t, late?.create_time ?? '', first);
      t.equal([late?.status, late?.end_date ?? ''], [before, ''], `status and end_date before midnight: ${what}`);
      t.equal([now?.status, now?.end_date ?? ''], [after, end], `status and end_date after midnight: ${what}`);
      const hasMoved = (now?.update_time ?? '') > (late?.update_time ?? '');
      t.equal(hasMoved, before !== after, `whether update_time has moved with the new day: ${what}`);
      if (isNew) t.check(Date.parse(now?.update_time ?? '') >= first, 'update_time is not that of the new day');
    }
  },
});

rule({
  id: 'ING-72',
  text: 'A status that moves because its day has come is reported as employee.changed, with the time of the move, and one that stays is not.',
  check: async (t) => {
    t.uses.flags.add('callbacks');
    const { first, all, told } = await midnight(t);
    if (told === undefined) return t.untested('not_exercised', 'nothing is delivered to this run');
    for (const { what, before, after, cards } of all) {
      // What an earlier run has moved has a time of its new day already.
      const since = Math.max(first - 1, Date.parse(cards[1]?.update_time ?? ''));
      const late = (told.get(cards[0]?.id ?? '') ?? []).filter((at) => at > since);
      t.equal(late.length > 0, before !== after, `whether employee.changed has occurred on the new day: ${what}`);
    }
  },
});

rule({
  id: 'ING-69',
  text: 'The status that a batch sets by dates is that of the tenant’s day: before its midnight the old one, after it the new one.',
  check: async (t) => {
    for (const [what, card, status, end] of (await midnight(t)).loaded)
      t.equal([card.status, card.end_date], [status, end], `status and end_date of one who ${what}`);
  },
});

rule({
  id: 'ING-86',
  text: 'Statuses change at the midnight of each tenant’s own time zone.',
  check: async (t) => {
    const zone = t.fixture('time_zone_other_tenant');
    const load = new Load(t, 'other_tenant');
    const movedMs = t.values.status_by_dates_within_s * 1000 + MARGIN_MS;
    await beforeMidnight(t, async ({ first, until }) => {
      const number = mark(t);
      const left_date = dayAt(t, first - MARGIN_MS, zone);
      const theirs = midnightAfter(t, first - MARGIN_MS, zone);
      await load.people(APART);
      // New in each run: an earlier one has left a row of the future. It ends TERMINATED.
      await load.make('EMPLOYEES', [employee(t, `${APART}-${t.run_id}`, APART, number, { left_date })]);
      const { id } = await load.card(number);
      const seen: string[] = [];
      for (const at of [first, theirs].toSorted((a, b) => a - b)) {
        await until(at + movedMs);
        const isOver = at + movedMs >= theirs;
        // Real time for a pass that moves a status too early.
        if (!isOver) await sleep(3_000);
        const { status } = await readAs(t, load, id, isOver ? TERMINATED : ACTIVE);
        seen.push(status);
        t.equal(status, isOver ? TERMINATED : ACTIVE, `the status ${isOver ? 'after' : 'before'} midnight in ${zone}`);
      }
      if (seen[0] === TERMINATED) t.notes.push('the midnights of the two tenants are too near each other');
    });
  },
});
