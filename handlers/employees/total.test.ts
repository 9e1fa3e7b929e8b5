import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../access/caller.ts';
import type { EmployeeRow, Filter } from '../data/store.ts';
import { shareBelow, totalCount } from './total.ts';

describe('totalCount (D-13)', () => {
  /** An owner with `matching` employees that match each filter. Half of the id space holds the first 10,000 of them. */
  const callerOf = (all: boolean, matching: number) =>
    ({
      profile: { employees: { all, departments: ['d'], reports: true, self: true } },
      employees: {
        count: async (_filter: object, most: number) => Math.min(matching, most),
        idAtRank: async () => '80000000-0000-4000-8000-000000000000',
      },
    }) as unknown as Caller;
  const status = 'EMPLOYEE_STATUS_ACTIVE' as const;

  test.each([0, 9_999, 10_000])('is exact for %d employees', async (matching) => {
    expect(await totalCount(callerOf(true, matching), {})).toBe(matching);
    expect(await totalCount(callerOf(false, matching), { status })).toBe(matching);
  });

  test('is an estimate for more, where the owner sees all and the filter has one condition at most', async () => {
    expect(await totalCount(callerOf(true, 10_001), {})).toBe(20_000);
    expect(await totalCount(callerOf(true, 10_001), { status })).toBe(20_000);
  });

  test.each<[string, boolean, Filter<EmployeeRow>]>([
    ['the owner does not see all employees', false, {}],
    ['the filter has two conditions', true, { status, department_id: 'd' }],
    ['the filter is a time', true, { update_time: { $gte: new Date(0) } }],
  ])('says no more than that there are over 10,000 where %s', async (_, all, filter) => {
    expect(await totalCount(callerOf(all, 30_000), filter)).toBe(10_001);
  });
});

describe('shareBelow', () => {
  test('is the position of an id in the space of ids', () => {
    expect(shareBelow('00000000-0000-4000-8000-000000000000')).toBeCloseTo(0, 9);
    expect(shareBelow('80000000-0000-4000-8000-000000000000')).toBeCloseTo(0.5, 9);
    expect(shareBelow('ffffffff-ffff-4fff-bfff-ffffffffffff')).toBe(1);
  });
});
