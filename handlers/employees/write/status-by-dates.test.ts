/** The rules of D-29 with generated dates and statuses. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredEmployeeStatus } from '../../data/collections/employees.ts';
import { dayAfter } from '../../runtime/day.ts';
import { employeeStatuses } from './fields.ts';
import { type Dates, statusAfterChange, statusDueOn, statusToday } from './status-by-dates.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_260_302 });

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const ACCEPTED = 'EMPLOYEE_STATUS_ACCEPTED';
const TERMINATED = 'EMPLOYEE_STATUS_TERMINATED';
const LEAVE = 'EMPLOYEE_STATUS_LEAVE';

/** Days of two weeks around a leap day, so that equal and neighbouring ones are common. */
const days = ['2024-02-22'];
while (days.length < 14) days.push(dayAfter(days.at(-1) ?? ''));
const day = fc.constantFrom(...days);
const dates: fc.Arbitrary<Dates> = fc
  .record({ start_date: fc.oneof(day, fc.constant('')), end_date: fc.oneof(day, fc.constant('')) })
  .filter(({ start_date, end_date }) => end_date === '' || start_date <= end_date);
const status = fc.constantFrom(...employeeStatuses);
const row = fc.record({ status, dates }).map((each) => ({ status: each.status, deleted_at: null, ...each.dates }));

describe('statusToday', () => {
  test('makes only the changes that D-29 names', () => {
    fc.assert(
      fc.property(row, day, (employee, today) => {
        const after = statusToday(employee.status, employee, today);
        if (after === employee.status) return;
        expect(employee.status).not.toBe('CREATED');
        if (after === ACTIVE) expect(employee.status).toBe(ACCEPTED);
        else expect([after, employee.end_date < today && employee.end_date !== '']).toEqual([TERMINATED, true]);
      }),
    );
  });

  test('gives after a late pass what a pass on each day gives', () => {
    fc.assert(
      fc.property(row, fc.nat(days.length - 1), (employee, late) => {
        const daily = days
          .slice(0, late + 1)
          .reduce<StoredEmployeeStatus>((each, today) => statusToday(each, employee, today), employee.status);
        expect(statusToday(employee.status, employee, days[late] ?? '')).toBe(daily);
      }),
    );
  });
});

describe('the day on which a status is due', () => {
  test('is the first day on which the status changes', () => {
    fc.assert(
      fc.property(row, (employee) => {
        const firstOther = days.find((today) => statusToday(employee.status, employee, today) !== employee.status);
        const due = statusDueOn(employee);
        // A last day at the end of the two weeks is followed by a day after them.
        expect(due > (days.at(-1) ?? '') ? undefined : due || undefined).toBe(firstOther);
      }),
    );
  });

  test('is empty for a deleted employee, without a last day, and after the last day of the calendar', () => {
    const employee = {
      status: LEAVE as StoredEmployeeStatus,
      start_date: '',
      end_date: '2026-03-01',
      deleted_at: null,
    };
    expect(statusDueOn(employee)).toBe('2026-03-02');
    expect(statusDueOn({ ...employee, deleted_at: new Date() })).toBe('');
    expect(statusDueOn({ ...employee, end_date: '9999-12-31' })).toBe('');
    expect(statusDueOn({ ...employee, end_date: '' })).toBe('');
  });
});

describe('statusAfterChange', () => {
  test('keeps the status when dates stay, and else gives the one of the daily pass, except for an ended employee', () => {
    fc.assert(
      fc.property(row, dates, day, (before, after, today) => {
        const result = statusAfterChange(before, after, today);
        const stays = before.start_date === after.start_date && before.end_date === after.end_date;
        if (stays) expect(result).toBe(before.status);
        else if (before.status !== TERMINATED) expect(result).toBe(statusToday(before.status, after, today));
        else expect([ACTIVE, TERMINATED]).toContain(result);
      }),
    );
  });
});
