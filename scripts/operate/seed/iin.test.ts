import { describe, expect, test } from '@jest/globals';
import { controlDigit } from '../../testbed/control-digit.ts';
import { invalidIin } from './iin.ts';
import { randomOf } from './random.ts';

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

describe('invalidIin', () => {
  const random = randomOf('iin');
  const cases = Array.from({ length: 3_000 }, () => {
    const date = `${random.between(1950, 2008)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`;
    const female = random.chance(0.5);
    return { date, female, iin: invalidIin(date, female, random) };
  });

  test('begins with the birth date and encodes century and gender', () => {
    for (const { date, female, iin } of cases) {
      expect(iin.slice(0, 6)).toBe(date.slice(2).replaceAll('-', ''));
      const expected = date < '2000' ? (female ? '4' : '3') : female ? '6' : '5';
      expect(iin.charAt(6)).toBe(expected);
    }
  });
});
