import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../access/caller.ts';
import type { FilterQuery } from '../data/list.ts';
import { totalCount } from './list.ts';

describe('totalCount (D-13)', () => {
  /** The reads of the last owner: up to how many rows were counted, and at which rank an id was read. */
  let reads: number[] = [];

  const evenId = (share: number): string | undefined => {
    const hex = (Math.floor(share * 2 ** 48) - 1).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-4000-8000-000000000000`;
  };

  /** An owner with `matching` employees that match each filter, with ids at equal distances. */
  const callerOf = (all: boolean, matching: number, idAt = evenId) => {
    reads = [];
    const rows = (rank: number) => (rank > matching ? [] : [{ _id: idAt(rank / matching) }]);
    const collection = {
      count: async (_: object, { limit }: { limit: number }) => {
        reads.push(limit);
        return Math.min(matching, limit);
      },
      find: () => collection,
      sort: () => collection,
      skip: (before: number) => {
        reads.push(before + 1);
        return { limit: () => ({ toArray: async () => rows(before + 1) }) };
      },
    };
    return {
      profile: { employees: { all, departments: ['d'], reports: true, self: true } },
      employees: { list: async () => ({ collection, parts: [{ condition: {}, plan: {} }] }) },
    } as unknown as Caller;
  };
  const status: FilterQuery<'listEmployees'>['status'] = ['EMPLOYEE_STATUS_ACTIVE'];

  test.each([0, 2_499, 2_500, 9_999, 10_000])('is exact for %d employees', async (matching) => {
    expect(await totalCount(callerOf(true, matching), {})).toBe(matching);
    expect(await totalCount(callerOf(false, matching), { status })).toBe(matching);
  });

  test.each([10_001, 20_000, 50_000, 1_000_000])(
    'of %d is an estimate, where the owner sees all and there is one filter at most',
    async (matching) => {
      for (const query of [{}, { status }]) {
        const total = await totalCount(callerOf(true, matching), query);
        expect(Math.abs(total / matching - 1)).toBeLessThan(0.001);
        expect(total).toBeGreaterThanOrEqual(10_000);
      }
    },
  );

  test('is never estimated below 10,000 where there are more', async () => {
    // By chance, ids may lie closer to the end of their space.
    const caller = callerOf(true, 10_001, () => '50000000-0000-4000-8000-000000000000');
    expect(await totalCount(caller, {})).toBe(10_000);
  });

  test('is exact where the employee at the rank has gone since they were counted', async () => {
    expect(
      await totalCount(
        callerOf(true, 3_000, () => undefined),
        {},
      ),
    ).toBe(3_000);
  });

  test('of few, and of very many, costs few reads', async () => {
    await totalCount(callerOf(true, 2_499), {});
    expect(reads).toEqual([2_500]);
    await totalCount(callerOf(true, 1_000_000), {});
    expect(reads).toEqual([2_500, 2_500]);
  });

  test.each<[string, boolean, FilterQuery<'listEmployees'>]>([
    ['the owner does not see all employees', false, {}],
    ['there are two filters', true, { status, department_id: ['d'] }],
    ['the filter is a time', true, { updated_since: '2026-01-01T00:00:00Z' }],
  ])('says no more than that there are over 10,000 where %s', async (_, all, query) => {
    expect(await totalCount(callerOf(all, 30_000), query)).toBe(10_001);
  });
});
