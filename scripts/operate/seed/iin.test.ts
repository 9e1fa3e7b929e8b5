import { describe, expect, test } from '@jest/globals';
import { controlDigit } from '../../world/control-digit.ts';

describe('controlDigit', () => {
  // 1·1 = 1; 2·1+… calculated by hand from the published weights 1…11, and 3…11,1,2 if the first sum gives 10.
  test('is the weighted sum modulo 11', () => {
    expect(controlDigit('10000000000')).toBe(1);
    expect(controlDigit('01000000000')).toBe(2);
    expect(controlDigit('00000000001')).toBe(0);
  });

  test('takes the second weights where the first give 10', () => {
    // The digit 1 in tenth place has the weight 10 at first, then 1.
    expect(controlDigit('00000000010')).toBe(1);
  });
});
