import { describe, expect, test } from '@jest/globals';
import { suggestionFor } from './suggest-name.ts';

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
