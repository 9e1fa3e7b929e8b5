import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rule } from './rule.ts';
import { employee, ext, idle, KEDO, Load, mark, newKey, send } from './shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS, withClock } from './shared/movable-clock.ts';
import { need, together } from './shared/needs.ts';

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
    const first = (await send(t, full, KEDO, idle(), key)).ok('ingestRecords');
    await withClock(t, async (advance) => {
      await advance(DAY_MS - MARGIN_MS);
      (await send(t, full, KEDO, idle(), key)).fails('INGEST_ALREADY_ACCEPTED', 'a minute before the end of 24 hours');
      await advance(2 * MARGIN_MS);
      const late = (await send(t, full, KEDO, idle(), key)).ok('ingestRecords', 'a minute after it');
      t.check(late.ingest_request_id !== first.ingest_request_id, 'the new request has the id of the old one');
      (await send(t, full, KEDO, idle(), key)).fails('INGEST_ALREADY_ACCEPTED', 'a repeat of the new one');
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
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

rule({
  id: 'ING-54',
  level: 'MUST',
  text: 'A day that comes moves the status by the dates, without any batch.',
  place: 'ingestRecords: Status by dates',
  decisions: ['D-29'],
  needs: together(need.ingest, { clock: true }),
  runs: 'alone',
  check: async (t) => {
    const load = new Load(t);
    const number = mark(t);
    await load.people('first');
    // A new id in each run: only new employees are accepted for a future date.
    const external_id = ext(t, `awaited-${t.run.run_id}`);
    const record = { ...employee(t, 'first', 'first', number), external_id };
    const dates = { admission_date: dayAfter(3), left_date: dayAfter(6) };
    await load.make('EMPLOYEES', [{ ...record, ...dates }]);
    const accepted = await load.card(number);
    t.equal([accepted.status, accepted.end_date], ['EMPLOYEE_STATUS_ACCEPTED', ''], 'status and end_date at first');
    try {
      await withClock(t, async (advance) => {
        await advance(4 * DAY_MS + DAY_MS / 2);
        const active = await becomes(t, load, accepted.id, 'EMPLOYEE_STATUS_ACTIVE');
        t.check(active.update_time > accepted.update_time, 'update_time did not move with the status');
        t.equal(active.end_date, '', 'end_date of an active employee');
        await advance(4 * DAY_MS);
        const left = await becomes(t, load, accepted.id, 'EMPLOYEE_STATUS_TERMINATED');
        t.check(left.update_time > active.update_time, 'update_time did not move with the status');
        t.equal(left.end_date, dates.left_date, 'end_date of a terminated employee');
      });
    } finally {
      await load.update('EMPLOYEES', [{ ...record, left_date: '2020-02-01' }]);
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
