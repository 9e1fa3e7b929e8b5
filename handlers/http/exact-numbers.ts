/** Numbers that are printed as they were sent must survive their reading (D-17). */
import { MAX_VIOLATIONS, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/thread-time.ts';
import type { JsonPath } from './json-events.ts';
import { scanJson } from './json-scan.ts';

const INEXACT = 'must be a number that a 64-bit float holds as it is written';
/** A number of so many significant digits is always read as it is written, unless it is too small or too large. */
const SAFE_DIGITS = 15;
/** Below it, a double has fewer digits. */
const SMALLEST_SAFE = 2 ** -1_022;

/**
 * The numbers of a value that parsing changes, so that what is stored and printed would differ from what was sent; at
 * most as many as an answer names.
 * @param bytes the text of the value, known to be valid
 * @param value what it was parsed to: of two members with one name, the first does not count
 * @param field how callers name the value
 */
export async function inexactNumbers(bytes: Buffer, value: unknown, field: string, rest: Rest): Promise<Violation[]> {
  const found = new Set<string>();
  const onNumber = (start: number, end: number, path: () => JsonPath) => {
    if (found.size === MAX_VIOLATIONS) return;
    const text = bytes.toString('latin1', start, end);
    if (isExact(text)) return;
    const steps = path();
    if (Object.is(steps.reduce(childOf, value), Number(text))) found.add(nameOf(field, steps));
  };
  await scanJson(bytes, Number.POSITIVE_INFINITY, { onNumber }, rest);
  return [...found].map((name) => ({ field: name, description: INEXACT }));
}

function childOf(value: unknown, step: string | number): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  return isThere ? (value as Readonly<Record<string | number, unknown>>)[step] : undefined;
}

const nameOf = (field: string, steps: JsonPath) =>
  field + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

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
