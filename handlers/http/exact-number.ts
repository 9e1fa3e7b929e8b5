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
  const [written, read] = [decimalOf(text), decimalOf(String(value))];
  return written.digits === read.digits && written.exponent === read.exponent;
}

/** The digits of a number other than zero, without zeros at either end, and the power of ten of the last one. */
function decimalOf(text: string): { readonly digits: string; readonly exponent: number } {
  const e = text.search(/e/i);
  const mantissa = e < 0 ? text : text.slice(0, e);
  const point = mantissa.indexOf('.');
  const all = mantissa.replace('-', '').replace('.', '');
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  let [from, to] = [0, all.length];
  while (to > 0 && all[to - 1] === '0') to--;
  while (from < to && all[from] === '0') from++;
  const exponent = (e < 0 ? 0 : Number(text.slice(e + 1))) - fraction + all.length - to;
  return { digits: all.slice(from, to), exponent };
}
