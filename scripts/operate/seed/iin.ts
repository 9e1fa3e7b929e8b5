/** Identification numbers (IIN) that look right, but for a wrong checksum: none can belong to a living person. */

import type { Random } from '../../kit/random.ts';
import { controlDigit } from '../../world/control-digit.ts';

/** Twelve digits for a birth date (YYYY-MM-DD, from 1900 on) and a gender. The control digit is wrong on purpose. */
export function invalidIin(birthDate: string, female: boolean, random: Random): string {
  const year = Number(birthDate.slice(0, 4));
  const century = (year < 2000 ? 3 : 5) + (female ? 1 : 0);
  const serial = String(random.int(10_000)).padStart(4, '0');
  const digits = `${birthDate.slice(2, 4)}${birthDate.slice(5, 7)}${birthDate.slice(8, 10)}${century}${serial}`;
  const right = controlDigit(digits);
  const wrong = right === null ? random.int(10) : (right + random.between(1, 9)) % 10;
  return `${digits}${wrong}`;
}
