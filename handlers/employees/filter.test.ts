import { describe, expect, test } from '@jest/globals';
import { employeeFilter } from './filter.ts';

describe('employeeFilter', () => {
  test('is empty when the query has no filter', () => {
    expect(employeeFilter({})).toEqual({});
  });

  test('takes one value as it is and several as a set', () => {
    expect(employeeFilter({ status: ['EMPLOYEE_STATUS_LEAVE'], department_id: ['a', 'b'] })).toEqual({
      status: 'EMPLOYEE_STATUS_LEAVE',
      department_id: { $in: ['a', 'b'] },
    });
  });

  test('takes an instant as the earliest change', () => {
    expect(employeeFilter({ updated_since: 1_700_000_000_000 })).toEqual({
      update_time: { $gte: new Date(1_700_000_000_000) },
    });
  });
});
