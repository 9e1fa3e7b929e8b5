import { BSONRegExp, ObjectId } from 'bson';
import { fail } from './errors.ts';
import { isNumeric, toInteger } from './numbers.ts';
import { isNullish, type Operator } from './operators.ts';
import { toRegExp } from './regex.ts';
import { type Maybe, typeName, type Value } from './values.ts';

/** A value as a string, as `$toString` and the string operators convert it; null for null and missing. */
function toText(name: string, value: Maybe): string | null {
  if (isNullish(value)) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (isNumeric(value) || typeof value === 'boolean') return String(value);
  return fail(name === '$toString' ? 241 : 16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function onText(name: string, apply: (text: string) => Value): Operator {
  return { min: 1, max: 1, apply: ([value]) => apply(toText(name, value) ?? '') };
}

function strings(name: string, args: Maybe[]): string[] | null {
  if (args.some(isNullish)) return null;
  return args.map((value) =>
    typeof value === 'string' ? value : fail(16702, `${name} only supports strings, not ${typeName(value)}`),
  );
}

function integer(name: string, value: Maybe): number {
  const result = isNumeric(value) ? toInteger(value) : undefined;
  return result === undefined ? fail(16034, `${name} needs an integer, not ${typeName(value)}`) : Number(result);
}

function substring([value, start, count]: Maybe[]): Value {
  const [from, length] = [integer('$substrCP', start), integer('$substrCP', count)];
  if (from < 0) fail(34455, '$substrCP: the starting index must be a nonnegative integer.');
  const points = [...(toText('$substrCP', value) ?? '')];
  return points.slice(from, length < 0 ? undefined : from + length).join('');
}

function trim(left: boolean, right: boolean): Operator['apply'] {
  return ([input, chars]) => {
    if (isNullish(input) || chars === null) return null;
    if (typeof input !== 'string')
      return fail(50699, `$trim requires its input to be a string, got ${typeName(input)}`);
    if (chars !== undefined && typeof chars !== 'string') return fail(50700, '$trim requires chars to be a string');
    const points = [...input];
    const drop = chars === undefined ? (char: string) => /[\s\0]/.test(char) : (char: string) => chars.includes(char);
    let [from, to] = [0, points.length];
    while (left && from < to && drop(points[from] as string)) from++;
    while (right && to > from && drop(points[to - 1] as string)) to--;
    return points.slice(from, to).join('');
  };
}

function replace(every: boolean): Operator['apply'] {
  return (args) => {
    const list = strings(every ? '$replaceAll' : '$replaceOne', args.slice(0, 3));
    if (list === null) return null;
    const [input = '', find = '', replacement = ''] = list;
    return every ? input.replaceAll(find, () => replacement) : input.replace(find, () => replacement);
  };
}

function regexMatch([input, regex, options]: Maybe[]): Value {
  if (isNullish(input) || isNullish(regex)) return false;
  if (typeof input !== 'string') return fail(51104, '$regexMatch needs input to be of type string');
  const flags = typeof options === 'string' ? options : '';
  if (typeof regex === 'string') return toRegExp(new BSONRegExp(regex, flags)).test(input);
  if (!(regex instanceof BSONRegExp)) return fail(51105, "$regexMatch needs 'regex' to be of type string or regex");
  return toRegExp(flags === '' ? regex : new BSONRegExp(regex.pattern, flags)).test(input);
}

function indexOf(args: Maybe[]): Value {
  if (isNullish(args[0])) return null;
  const list =
    strings('$indexOfCP', args.slice(0, 2)) ?? fail(40094, '$indexOfCP requires a string as the second argument');
  const [text = '', part = ''] = list;
  const from = args[2] === undefined ? 0 : integer('$indexOfCP', args[2]);
  const points = [...text];
  const to = args[3] === undefined ? points.length : integer('$indexOfCP', args[3]);
  if (from > points.length) return -1;
  const found = points.slice(from, to).join('').indexOf(part);
  return found < 0 ? -1 : from + [...points.slice(from, to).join('').slice(0, found)].length;
}

/** Only ASCII letters are converted, as the manual says of `$toLower` and `$toUpper`. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

export const STRING_OPERATORS: Readonly<Record<string, Operator>> = {
  $concat: { min: 0, max: Number.POSITIVE_INFINITY, apply: (args) => strings('$concat', args)?.join('') ?? null },
  $toString: { min: 1, max: 1, apply: ([value]) => toText('$toString', value) },
  $toLower: onText('$toLower', lower),
  $toUpper: onText('$toUpper', upper),
  $strLenCP: {
    min: 1,
    max: 1,
    apply: ([value]) =>
      typeof value === 'string' ? [...value].length : fail(34471, '$strLenCP requires a string argument'),
  },
  $substrCP: { min: 3, max: 3, apply: substring },
  $split: {
    min: 2,
    max: 2,
    apply: (args) => {
      const list = strings('$split', args);
      if (list === null) return null;
      return list[1] === ''
        ? fail(40087, '$split requires a non-empty separator')
        : (list[0] ?? '').split(list[1] ?? '');
    },
  },
  $trim: { min: 1, max: 2, apply: trim(true, true) },
  $ltrim: { min: 1, max: 2, apply: trim(true, false) },
  $rtrim: { min: 1, max: 2, apply: trim(false, true) },
  $replaceOne: { min: 3, max: 3, apply: replace(false) },
  $replaceAll: { min: 3, max: 3, apply: replace(true) },
  $regexMatch: { min: 2, max: 3, apply: regexMatch },
  $indexOfCP: { min: 2, max: 4, apply: indexOf },
};
