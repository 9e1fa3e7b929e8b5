import { setTimeout as sleep } from 'node:timers/promises';
import { arrived, envelopeOf, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule } from './rule.ts';
import { employee, ext, KEDO, Load, mark, newKey, send, skippedBatch } from './shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS, withClock } from './shared/movable-clock.ts';
import { need, together } from './shared/needs.ts';
import { beforeMidnight, dayAfter, dayAt, midnightAfter } from './shared/tenant-day.ts';

rule({
  id: 'ING-6',
  level: 'MUST',
  text: 'An Idempotency-Key is used up for 24 hours and free again after them.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: together(need.ingest, { clock: true }),
  runs: 'alone',
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const first = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords');
    await withClock(t, async (advance) => {
      await advance(DAY_MS - MARGIN_MS);
      (await send(t, full, KEDO, skippedBatch(), key)).fails(
        'INGEST_ALREADY_ACCEPTED',
        'a minute before the end of 24 hours',
      );
      await advance(2 * MARGIN_MS);
      const late = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords', 'a minute after it');
      t.check(late.ingest_request_id !== first.ingest_request_id, 'the new request has the id of the old one');
      (await send(t, full, KEDO, skippedBatch(), key)).fails('INGEST_ALREADY_ACCEPTED', 'a repeat of the new one');
    });
  },
});

/** Reads a card until it has the status, which it must have within the target's time. */
async function becomes(t: TestContext, load: Load, id: string, status: string): Promise<EmployeeRow> {
  const end = performance.now() + t.values.ingest_applied_within_s * 1000;
  for (;;) {
    const asked = performance.now();
    const card = await load.now(id);
    if (card.status === status) return card;
    if (asked > end) t.fail(`the status is ${card.status}, not ${status}`);
    await sleep(300);
  }
}

const [ACCEPTED, ACTIVE] = ['EMPLOYEE_STATUS_ACCEPTED', 'EMPLOYEE_STATUS_ACTIVE'];
const TERMINATED = 'EMPLOYEE_STATUS_TERMINATED';
/**
 * A person of the pool whose employments change only while the clock is moved. No instant of a row goes back, so a later
 * run that changed such an employment by the present time would see an event of the future.
 */
const APART = 'apart';
/**
 * An employee to be loaded, and how long after the midnight of a date the status has moved, in milliseconds. The id is
 * new in each run: only new employees are accepted for a future date.
 */
async function newcomer(t: TestContext, name: string) {
  const load = new Load(t);
  const number = mark(t);
  await load.people(APART);
  const record = { ...employee(t, APART, APART, number), external_id: ext(t, `${name}-${t.run.run_id}`) };
  return { load, number, record, moved: t.values.status_by_dates_within_s * 1000 + MARGIN_MS };
}

/** Ends the employment of somebody whom a run has made and cannot delete. */
const LEFT = { left_date: '2020-02-01' };
/** Real time for a pass that moves a status too early. */
const PASS_MS = 3_000;

/** Checks that the status has not moved before an instant. */
async function stays(t: TestContext, load: Load, id: string, status: string, until: number): Promise<void> {
  await sleep(PASS_MS);
  const card = await load.now(id);
  const isLate = Date.parse(card.update_time) >= until;
  t.check(
    card.status === status || isLate,
    `the status was ${card.status} before the day came, at ${card.update_time}`,
  );
  if (isLate) t.untested('not_exercised', 'the day came before the card was read');
}

rule({
  id: 'ING-54',
  level: 'MUST',
  text: 'When a new day of the tenant begins, statuses change by the dates without any batch: not before midnight in the tenant’s time zone, and within the time that the profile states after it.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { clock: true }),
  runs: 'alone',
  check: async (t) => {
    const { load, number, record, moved } = await newcomer(t, 'awaited');
    try {
      await beforeMidnight(t, async ({ first, until }) => {
        const dates = { admission_date: dayAt(t, first), left_date: dayAfter(dayAt(t, first)) };
        const last = midnightAfter(t, midnightAfter(t, first));
        await load.make('EMPLOYEES', [{ ...record, ...dates }]);
        const accepted = await load.card(number);
        if (Date.parse(accepted.create_time) >= first) t.untested('not_exercised', 'it was too slow for the old day');
        t.equal([accepted.status, accepted.end_date], [ACCEPTED, ''], 'status and end_date before the first day');
        await stays(t, load, accepted.id, ACCEPTED, first);
        await until(first + moved);
        const active = await becomes(t, load, accepted.id, ACTIVE);
        t.check(Date.parse(active.update_time) >= first, 'update_time is not that of the first day');
        t.equal(active.end_date, '', 'end_date of an active employee');
        await until(last - MARGIN_MS);
        await stays(t, load, accepted.id, ACTIVE, last);
        await until(last + moved);
        const left = await becomes(t, load, accepted.id, TERMINATED);
        t.check(Date.parse(left.update_time) >= last, 'update_time is not that of the day after the last');
        t.equal(left.end_date, dates.left_date, 'end_date of a terminated employee');
      });
    } finally {
      await load.update('EMPLOYEES', [{ ...record, ...LEFT }]);
    }
  },
});

rule({
  id: 'ING-72',
  level: 'MUST',
  text: 'A status that moves because its day has come is reported as employee.changed, with the time of the move.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { clock: true, callbacks: true }),
  runs: 'alone',
  check: async (t) => {
    const { load, number, record, moved } = await newcomer(t, 'reported');
    await withHooks(t, [{ types: ['employee.changed'] }], async (hook) => {
      try {
        await beforeMidnight(t, async ({ first, until }) => {
          await load.make('EMPLOYEES', [{ ...record, admission_date: dayAt(t, first) }]);
          const { id, create_time } = await load.card(number);
          if (Date.parse(create_time) >= first) t.untested('not_exercised', 'it was too slow for the old day');
          const wanted = { containing: id, type: 'employee.changed', distinct: true } as const;
          await arrived(t, hook, wanted);
          await until(first + moved);
          await becomes(t, load, id, ACTIVE);
          const both = await arrived(t, hook, { ...wanted, count: 2 });
          const last = Math.max(...both.map((one) => Date.parse(envelopeOf(one).occurred_at)));
          t.check(last >= first, 'no employee.changed has occurred on the day that came');
        });
      } finally {
        await load.update('EMPLOYEES', [{ ...record, ...LEFT }]);
      }
    });
  },
});

rule({
  id: 'ING-69',
  level: 'MUST',
  text: 'The status that a batch sets by dates is that of the tenant’s day: a minute before its midnight the old one, a minute after it the new one.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { clock: true }),
  runs: 'alone',
  check: async (t) => {
    const load = new Load(t);
    const made: object[] = [];
    await load.people(APART);
    try {
      await beforeMidnight(t, async ({ first, until }) => {
        const [today, tomorrow] = [dayAt(t, first - 1), dayAt(t, first)];
        const loaded = async (name: string, dates: object) => {
          const number = mark(t);
          const record = employee(t, name, APART, number);
          made.push({ ...record, ...LEFT });
          await load.make('EMPLOYEES', [{ ...record, ...dates }]);
          return load.card(number);
        };
        const judge = ({ status, end_date }: EmployeeRow, what: string, wanted: string, end = '') =>
          t.equal([status, end_date], [wanted, end], `status and end_date of one who ${what}`);
        await loaded('left', {});
        const leaving = await loaded('leaving', { left_date: today });
        // New ids in each run: only new employees are accepted for a future date, and tell when they were loaded.
        const ahead = await loaded(`ahead-${t.run.run_id}`, { admission_date: tomorrow });
        if (Date.parse(ahead.create_time) >= first) t.untested('not_exercised', 'it was too slow for the old day');
        judge(leaving, 'leaves this day, before its end', ACTIVE);
        judge(ahead, 'starts the next day', ACCEPTED);
        await until(first + MARGIN_MS);
        const starting = await loaded(`starting-${t.run.run_id}`, { admission_date: tomorrow });
        t.check(Date.parse(starting.create_time) >= first, 'create_time has not followed the clock');
        judge(starting, 'starts this day', ACTIVE);
        judge(await loaded('left', { left_date: today }), 'left the day before', TERMINATED, today);
      });
    } finally {
      await load.update('EMPLOYEES', made);
    }
  },
});

rule({
  id: 'ING-63',
  level: 'MUST',
  text: 'A batch that was accepted is applied although the service restarts.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: together(need.ingest, { admin: ['restart'] }),
  runs: 'alone',
  check: async (t) => {
    const load = new Load(t);
    const [number, last] = [mark(t), mark(t, 'last')];
    await load.people('first');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', number)]);
    await load.card(number);
    const many = Array.from({ length: 400 }, (_, n) => ({ external_id: `${t.run.run_id}-${n}`, number: last }));
    for (let n = 0; n < 3; n++) await load.update('EMPLOYEES', many);
    await load.update('EMPLOYEES', [employee(t, 'first', 'first', last)]);
    await t.admin('restart');
    await t.link.ask({ op: 'drain' });
    await load.card(last);
  },
});
