import { describe, expect, test } from '@jest/globals';
import { employeeViolations, personViolations, textProblem } from './fields.ts';

const fieldsOf = (violations: readonly { field: string }[]) => violations.map(({ field }) => field);

describe('employeeViolations', () => {
  const id = '3f8a6b1e-2c4d-4e5f-8a9b-0c1d2e3f4a5b';

  test('accepts right and empty values', () => {
    const fields = {
      status: 'EMPLOYEE_STATUS_LEAVE',
      organization_id: id,
      department_id: '',
      manager_id: '',
      employee_number: '000123/А',
      start_date: '2026-03-01',
      end_date: '',
      work_email: 'a.akhmetova@demo.example',
    };
    expect(employeeViolations(fields)).toEqual([]);
  });

  test.each([
    [{ status: 'ACTIVE' }, 'status'],
    [{ status: '' }, 'status'],
    [{ status: 'EMPLOYEE_STATUS_UNSPECIFIED' }, 'status'],
    [{ department_id: 'x' }, 'department_id'],
    [{ manager_id: id.toUpperCase() }, 'manager_id'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ work_email: 'nobody' }, 'work_email'],
    [{ work_email: `${'a'.repeat(250)}@b.kz` }, 'work_email'],
    [{ employee_number: 'x'.repeat(1001) }, 'employee_number'],
    [{ employee_number: 7 }, 'employee_number'],
    [{ employee_number: null }, 'employee_number'],
    [{ person_id: id }, 'person_id'],
    [{ constructor: 'x' }, 'constructor'],
    [{ update_time: '2026-01-01' }, 'update_time'],
  ])('refuses %j', (fields, field) => {
    expect(fieldsOf(employeeViolations(fields))).toEqual([field]);
  });

  test('names every wrong field', () => {
    expect(fieldsOf(employeeViolations({ start_date: 'x', end_date: 'y', status: 'z' }))).toEqual([
      'start_date',
      'end_date',
      'status',
    ]);
  });
});

describe('personViolations', () => {
  test('take an IIN of 12 digits or an empty one, without its checksum', () => {
    expect(personViolations({ iin: '' })).toEqual([]);
    expect(personViolations({ iin: '910402400000' })).toEqual([]);
    for (const iin of ['91040240000', '9104024000000', '91040240000x', '٩١٠٤٠٢٤٠٠٠٠٠', ' 910402400000']) {
      expect(fieldsOf(personViolations({ iin }))).toEqual(['iin']);
    }
  });

  test('textProblem names texts that are malformed or hold control characters', () => {
    expect(textProblem('Ақмарал')).toBeNull();
    expect(textProblem('👩‍💼')).toBeNull();
    expect(textProblem('a\u0000')).not.toBeNull();
    expect(textProblem('a\nb')).not.toBeNull();
    expect(textProblem('\ud800')).not.toBeNull();
    expect(textProblem('x'.repeat(1000))).toBeNull();
  });
});
