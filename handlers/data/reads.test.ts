import { describe, expect, test } from '@jest/globals';
import { allOf, anyOf } from './reads.ts';

test('the condition for any of some values finds exactly these', () => {
  expect(anyOf(['a'])).toBe('a');
  expect(anyOf(['a', 'b'])).toEqual({ $in: ['a', 'b'] });
  expect(anyOf([])).toEqual({ $in: [] });
});

describe('allOf', () => {
  test('keeps conditions on the same field apart', () => {
    expect(allOf({ a: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
    expect(allOf({ a: 1 }, { a: 2 }, { b: 3 })).toEqual({ $and: [{ a: 1, b: 3 }, { a: 2 }] });
  });
});
