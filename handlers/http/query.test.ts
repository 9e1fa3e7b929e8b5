import { describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { ApiError, failFields } from '../answers/errors.ts';
import { parseQuery, queryTable } from './query.ts';

const table = queryTable(operations.listEmployees);
const parse = (raw: string) => ({ ...parseQuery(raw, table).values });

/** The names of the wrong parameters, as an answer shows them. */
function fieldsRefused(raw: string): string[] | undefined {
  const { violations } = parseQuery(raw, table);
  if (violations.length === 0) return undefined;
  try {
    return failFields(violations);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extras.violations?.map(({ field }) => field);
  }
}

describe('parseQuery (D-12)', () => {
  test('fills in defaults and keeps types', () => {
    expect(parse('')).toMatchObject({ limit: 100 });
    expect(parse('limit=7&include_total=true&status=A&status=B&status=A')).toMatchObject({
      limit: 7,
      include_total: true,
      status: ['A', 'B'],
    });
  });

  test('an id in upper case is the same id (D-14); other text keeps its case', () => {
    const id = 'ABCDEF00-0000-4000-8000-00000000000A';
    expect(parse(`department_id=${id}&department_id=${id.toLowerCase()}&status=A`)).toMatchObject({
      department_id: [id.toLowerCase()],
      status: ['A'],
    });
  });

  test('takes an empty page_token for the first page', () => {
    expect(parse('page_token=')).not.toHaveProperty('page_token');
  });

  test.each([
    ['status%5B%24ne%5D=x', 'status[$ne]'],
    ['__proto__=1', '__proto__'],
    ['limit=1&limit=2', 'limit'],
    ['page_token=a&page_token=b', 'page_token'],
    ['status=', 'status'],
    ['status', 'status'],
    ['department_id=%zz', 'department_id'],
    ['department_id=%ff', 'department_id'],
  ])('refuses %s by the name of the parameter', (raw, field) => expect(fieldsRefused(raw)).toEqual([field]));

  test('takes 100 values, refuses 101, and keeps no more', () => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => `department_id=d${i}`).join('&');
    expect(parse(values(100)).department_id).toHaveLength(100);
    expect(fieldsRefused(values(101))).toEqual(['department_id']);
    expect(fieldsRefused(values(5_000))).toEqual(['department_id']);
  });

  test('names everything that is wrong, each once', () => {
    expect(fieldsRefused('x=1&limit=a&x=2&include_total=1')).toEqual(['x', 'limit', 'include_total']);
  });

  test('cuts an echoed name and makes it printable', () => {
    expect(fieldsRefused(`${'x'.repeat(500)}=1`)?.[0]).toHaveLength(64);
    expect(fieldsRefused(`${encodeURIComponent('😀'.repeat(40))}=1`)?.[0]).toHaveLength(64);
    expect(fieldsRefused(`${encodeURIComponent('😀'.repeat(40))}=1`)?.[0]?.isWellFormed()).toBe(true);
    expect(fieldsRefused('a%0d%0ab=1')).toEqual(['a\u{fffd}\u{fffd}b']);
  });
});
