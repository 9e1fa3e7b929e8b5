import { describe, expect, test } from '@jest/globals';
import { type ApiError, failFields, MAX_VIOLATIONS, type Violation } from './errors.ts';

function violationsOf(given: readonly Violation[]): readonly Violation[] | undefined {
  try {
    return failFields(given);
  } catch (error) {
    return (error as ApiError).extras.violations;
  }
}

describe('violations', () => {
  const wrong = (i: number) => ({ field: `field_${i}`, description: 'is wrong' });

  test('are at most 20, the first ones', () => {
    const given = Array.from({ length: 1000 }, (_, i) => wrong(i));
    expect(MAX_VIOLATIONS).toBe(20);
    expect(violationsOf(given)).toEqual(given.slice(0, 20));
  });

  test('name each field once, with its first fault', () => {
    const again = { ...wrong(1), description: 'is wrong in another way' };
    expect(violationsOf([wrong(1), again, wrong(2)])).toEqual([wrong(1), wrong(2)]);
  });
});
