/** Checks around the tenant's next midnight, for targets whose clock cannot be moved. */
import type { TestContext } from '../engine/test-context.ts';
import { draft } from '../rules/shared/document-calls.ts';
import { employee, ext, Load, mark } from '../rules/shared/ingest-calls.ts';
import { dayAfter, dayAt, midnightAfter } from '../rules/shared/tenant-day.ts';
import { type DeferredCheck, hours } from './check-type.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface DatedEmployee {
  date: string;
  create_time: string;
}

const dated = async (t: TestContext): Promise<DatedEmployee> => {
  const { date, create_time } = await draft(t);
  return { date, create_time };
};

export const dates: DeferredCheck = {
  name: 'dates of documents',
  begin: async (t) => ({ first: midnightAfter(t, Date.now() + MINUTE_MS) }),
  meanwhile: async (t, { first, before, after }) => {
    const ahead = Number(first) - Date.now();
    if (before === undefined && ahead > 0 && ahead < MINUTE_MS) return { before: await dated(t) };
    if (after === undefined && ahead < 0 && ahead > -MINUTE_MS) return { after: await dated(t) };
    return {};
  },
  judges: {
    'DOC-38': async (t, { kept }) => {
      const both = [kept.data.before, kept.data.after] as (DatedEmployee | undefined)[];
      for (const made of both) {
        if (made) t.equal(made.date, dayAt(t, made.create_time), `the date of a document made at ${made.create_time}`);
      }
      const days = new Set(both.map((made) => made && dayAt(t, made.create_time)));
      if (days.size < 2 || days.has(undefined)) {
        t.untested('not_exercised', 'deferred begin must listen in the minutes around midnight');
      }
    },
  },
};

export const statuses: DeferredCheck = {
  name: 'statuses by dates',
  begin: async (t) => {
    const load = new Load(t);
    // Enough time to load them on the day that is still today.
    const first = midnightAfter(t, Date.now() + 5 * MINUTE_MS);
    const [today, tomorrow] = [dayAt(t, first - 1), dayAt(t, first)];
    const loaded = async (name: string, dates_: object) => {
      const number = mark(t);
      await load.make('EMPLOYEES', [{ ...employee(t, name, 'first', number), ...dates_ }]);
      return load.card(number);
    };
    await load.people('first');
    // He is new, so that he is accepted, and leaves by himself.
    const newcomer = ext(t, `deferred-${t.run.run_id}`).slice(ext(t, '').length);
    const starting = await loaded(newcomer, { admission_date: tomorrow, left_date: dayAfter(tomorrow) });
    const leaving = await loaded('deferred-leaving', { left_date: today });
    t.equal(
      [starting.status, leaving.status],
      ['EMPLOYEE_STATUS_ACCEPTED', 'EMPLOYEE_STATUS_ACTIVE'],
      'the statuses of one who starts the next day and one who leaves this day',
    );
    return { first, starting: starting.id, leaving: leaving.id };
  },
  judges: {
    'ING-54': async (t, { kept, age }) => {
      const { first, starting, leaving } = kept.data;
      const since = kept.began_at + age - Number(first);
      const wanted = [
        [starting, 'EMPLOYEE_STATUS_ACCEPTED', 'EMPLOYEE_STATUS_ACTIVE'],
        [leaving, 'EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_TERMINATED'],
      ] as const;
      const withinMs = t.values.status_by_dates_within_s * 1000;
      for (const [id, before, after] of wanted) {
        const { status, update_time } = await t.as('full').employee(String(id));
        const isEarly = status !== before && Date.parse(update_time) < Number(first);
        t.check(!isEarly, `the status became ${status} at ${update_time}, before the day came`);
        const isLate = since > withinMs + MINUTE_MS && status === before;
        t.check(!isLate, `the status is still ${status}, ${hours(since)} after midnight`);
        if (status !== before && since < DAY_MS) t.equal(status, after, 'the status');
      }
      if (since < withinMs + MINUTE_MS)
        t.untested('not_exercised', `too early: come back in ${hours(withinMs + MINUTE_MS - since)}`);
    },
  },
};
