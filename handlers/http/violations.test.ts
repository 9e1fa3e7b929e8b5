import { describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { validators } from '../../generated/validators.js';
import { bodyViolations, parameterViolations, suggestionFor } from './violations.ts';

const query = (values: object) => {
  const judge = validators.listEmployees.parameters;
  expect(judge({ path: {}, query: values, header: {} })).toBe(false);
  return parameterViolations(judge.errors);
};

describe('parameters', () => {
  test.each([
    [{ limit: 0 }, 'limit', 'must be at least 1'],
    [{ limit: 2 ** 31 }, 'limit', 'must be at most 2147483647'],
    [{ expand: ['x'] }, 'expand', 'must be one of: person, department, job_title, manager'],
    [
      { updated_since: '2024-02-30T00:00:00Z' },
      'updated_since',
      /^must be an RFC 3339 date-time with a zone, such as .+; in a URL, \+ is written as %2B$/,
    ],
  ])('%j get the expected description for %s', (values, field, description) => {
    expect(query(values)).toContainEqual({
      field,
      description: typeof description === 'string' ? description : expect.stringMatching(description),
    });
  });

  test('have the names that the caller wrote', () => {
    const judge = validators.getEmployee.parameters;
    expect(judge({ path: { employee_id: 'x' }, query: {}, header: {} })).toBe(false);
    expect(parameterViolations(judge.errors)).toEqual([{ field: 'employee_id', description: 'must be a UUID' }]);
  });
});

describe('bodies', () => {
  test('have every wrong field named by its path, with what is expected of it', () => {
    const judge = validators.setDocumentRoute.body;
    const participants = [{ employee_id: 'x', key_type: 'SIMPLE', 'a/b~c': 1 }];
    expect(judge({ steps: [{ step_type: 'STEP_TYPE_SIGNING', participants }, {}], evil: '900131000001' })).toBe(false);
    const found = bodyViolations(judge.errors, []);
    expect(found).toEqual(
      expect.arrayContaining([
        { field: 'evil', description: 'is not a field of this request' },
        { field: 'steps[0].participants[0].a/b~c', description: 'is not a field of this request' },
        { field: 'steps[0].participants[0].employee_id', description: 'must be a UUID' },
        { field: 'steps[1].step_type', description: 'is required' },
      ]),
    );
    expect(JSON.stringify(found)).not.toContain('900131000001');
  });

  test('with an unknown field get the name of a similar known one', () => {
    const judge = validators.createDocument.body;
    expect(judge({ title: 'x', type_id: '', subjectEmployeeIds: [] })).toBe(false);
    const description = 'is not a field of this request; is subject_employee_ids meant?';
    const known = operations.createDocument.bodyFields;
    expect(bodyViolations(judge.errors, known)).toContainEqual({ field: 'subjectEmployeeIds', description });
  });

  test.each([[null], [[]], [1]])('that are %j are wrong as a whole', (value) => {
    const judge = validators.createDocument.body;
    expect(judge(value)).toBe(false);
    expect(bodyViolations(judge.errors, [])[0]).toEqual({ field: 'body', description: 'must be an object' });
  });
});

const known = ['limit', 'page_token', 'department_id', 'updated_since', 'expand', 'status'];

describe('an unknown name', () => {
  test.each([
    ['limt', 'limit'],
    ['Limit', 'limit'],
    ['pageToken', 'page_token'],
    ['departmentId', 'department_id'],
    ['update_since', 'updated_since'],
    ['statuses', 'status'],
  ])('%s suggests %s', (name, meant) => expect(suggestionFor(name, known)).toBe(`; is ${meant} meant?`));

  test.each(['', 'x', 'offset', 'sort', 'a'.repeat(8_000), 'l'])('%s has no suggestion', (name) =>
    expect(suggestionFor(name, known)).toBe(''),
  );
});
