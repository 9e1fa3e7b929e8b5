import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../access/caller.ts';
import type { EmployeeRow } from '../data/collections/employees.ts';
import type { Filter } from '../data/store.ts';
import { shareBelow, totalCount } from './total.ts';

describe('totalCount (D-13)', () => {
  /** The reads of the last owner: up to how many rows were counted, and at which rank an id was read. */
  let reads: number[] = [];

  /** An owner with `matching` employees that match each filter, with ids at equal distances. */
  const callerOf = (all: boolean, matching: number) => {
    reads = [];
    return {
      profile: { employees: { all, departments: ['d'], reports: true, self: true } },
      employees: {
        count: async (_filter: object, most: number) => {
          reads.push(most);
          return Math.min(matching, most);
        },
        idAtRank: async (_filter: object, rank: number) => {
          reads.push(rank);
          const position = Math.floor((rank / matching) * 2 ** 48) - 1;
          const hex = position.toString(16).padStart(12, '0');
          return rank > matching ? undefined : `${hex.slice(0, 8)}-${hex.slice(8)}-4000-8000-000000000000`;
        },
      },
    } as unknown as Caller;
  };
  const status = 'EMPLOYEE_STATUS_ACTIVE' as const;

  test.each([0, 2_499, 2_500, 9_999, 10_000])('is exact for %d employees', async (matching) => {
    expect(await totalCount(callerOf(true, matching), {})).toBe(matching);
    expect(await totalCount(callerOf(false, matching), { status })).toBe(matching);
  });

  test.each([10_001, 20_000, 50_000, 1_000_000])(
    'of %d is an estimate, where the owner sees all and the filter has one condition at most',
    async (matching) => {
      for (const filter of [{}, { status }]) {
        const total = await totalCount(callerOf(true, matching), filter);
        expect(Math.abs(total / matching - 1)).toBeLessThan(0.001);
        expect(total).toBeGreaterThanOrEqual(10_000);
      }
    },
  );

  test('is never estimated below 10,000 where there are more', async () => {
    const caller = callerOf(true, 10_001);
    // By chance, ids may lie closer to the end of their space.
    caller.employees.idAtRank = async () => '50000000-0000-4000-8000-000000000000';
    expect(await totalCount(caller, {})).toBe(10_000);
  });

  test('of few, and of very many, costs few reads', async () => {
    await totalCount(callerOf(true, 2_499), {});
    expect(reads).toEqual([2_500]);
    await totalCount(callerOf(true, 1_000_000), {});
    expect(reads).toEqual([2_500, 2_500]);
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
