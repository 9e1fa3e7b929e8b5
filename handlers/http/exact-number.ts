/** Numbers that parsing changes (D-17): what is stored and printed would differ from what was sent. */

/** A number that parsing has changed, in the place of its value. */
export class InexactNumber {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A reviver of `JSON.parse` that marks the numbers which are changed. Of equal names it sees the last. */
export function markInexact(_name: string, value: unknown, { source = '' }: { readonly source?: string } = {}) {
  return typeof value === 'number' && !isExact(source) ? new InexactNumber(value) : value;
}

/** A number of so many significant digits is always read as it is written, unless it is too small or too large. */
const SAFE_DIGITS = 15;
/** Below it, a double has fewer digits. */
const SMALLEST_SAFE = 2 ** -1_022;

/** Whether the parsed number equals the written one, in any notation: 1.50, 15e-1. */
export function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (value === 0) return !/^[0.]*[1-9]/.test(text);
  if (text.length <= SAFE_DIGITS && Math.abs(value) >= SMALLEST_SAFE) return true;
  return digitsOf(text) === digitsOf(String(value));
}

/**
 * The digits of a number, without zeros at either end. Where they are the same, so is the power of ten: the parsed number
 * is the nearest to the written one.
 */
const digitsOf = (text: string) =>
  text
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|(?<=[1-9])0+$/g, '');
