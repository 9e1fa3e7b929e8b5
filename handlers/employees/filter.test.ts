import { describe, expect, test } from '@jest/globals';
import { indexes } from '../runtime/store.ts';
import { listedStatuses } from './fields.ts';
import { employeeFilter } from './filter.ts';

describe('employeeFilter', () => {
  test('asks for nothing where nothing is asked', () => {
    expect(employeeFilter({})).toEqual({});
  });

  test('takes one value as it is and several as a set', () => {
    expect(employeeFilter({ status: ['EMPLOYEE_STATUS_LEAVE'], department_id: ['a', 'b'] })).toEqual({
      status: 'EMPLOYEE_STATUS_LEAVE',
      department_id: { $in: ['a', 'b'] },
    });
  });

  test('fixes every field that stands before update_time in an index, so that few changes are found at once', () => {
    const filter = { tenant_id: 't', listed: true, ...employeeFilter({ updated_since: 1_700_000_000_000 }) };
    expect(filter.update_time).toEqual({ $gte: new Date(1_700_000_000_000) });
    expect(filter.status).toEqual({ $in: [...listedStatuses] });
    const served = indexes.employees.some(({ key }) => {
      const fields = Object.keys(key);
      const before = fields.slice(0, fields.indexOf('update_time'));
      return fields.includes('update_time') && before.every((field) => field in filter);
    });
    expect(served).toBe(true);
  });
});
