/**
 * A tenant's calendar, and its midnight: every "today" of the service is the tenant's. The tenant is that of `full`
 * unless a time zone is given.
 */
import type { TestContext } from '../../engine/test-context.ts';
import { DAY_MS, MARGIN_MS } from './movable-clock.ts';

/** The tenant's calendar day at an instant, YYYY-MM-DD. */
export function dayAt(t: TestContext, at: string | number, timeZone = t.values.time_zone): string {
  // The Canadian form of a date is that of ISO 8601.
  const form = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', form).format(new Date(at));
}

/** The day that comes after a day. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** The first instant of the tenant's next day, in milliseconds since 1970; its days have 23 to 25 hours. */
export function midnightAfter(t: TestContext, at: number, timeZone = t.values.time_zone): number {
  const today = dayAt(t, at, timeZone);
  let [before, after] = [at, at + 26 * 3_600_000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayAt(t, middle, timeZone) === today) before = middle;
    else after = middle;
  }
  return after;
}

/** Midnights of the tenant, and a way to move the target's clock to an instant. */
interface Midnights {
  /** The next midnight, with a minute at least before it. */
  first: number;
  /** Moves the clock forward, to within a second. */
  until: (at: number) => Promise<void>;
}

/**
 * What tells of the day before a midnight must have been made on it.
 * @throws Untested if it was made later: run or target were too slow
 */
export function mustBeOfOldDay(t: TestContext, create_time: string, midnight: number): void {
  const lateMs = Date.parse(create_time) - midnight;
  if (lateMs >= 0) t.untested('not_exercised', `what tells of the old day was made ${lateMs} ms after its midnight`);
}

/** Runs `work` with the target's clock a minute before the tenant's midnight, from where it can move on. */
export function beforeMidnight(
  t: TestContext,
  work: (midnights: Midnights) => Promise<void>,
  timeZone = t.values.time_zone,
): Promise<void> {
  return t.withClock(async (advance) => {
    // Read once: a target need not move the time that it says here.
    const answer = await t.as('full').verify();
    const unmoved = Date.parse(t.present(answer.header('date'), 'there is no header Date', answer)) - performance.now();
    let moved = 0;
    const now = () => unmoved + performance.now() + moved;
    const until = async (at: number) => {
      const ms = Math.max(0, Math.round(at - now()));
      await advance(ms);
      moved += ms;
    };
    const first = midnightAfter(t, now() + MARGIN_MS, timeZone);
    await until(first - MARGIN_MS);
    await work({ first, until });
  });
}
