import { ObjectId, Timestamp } from 'bson';
import { fail } from './errors.ts';
import { isNumeric, toInteger, toNumber } from './numbers.ts';
import { isNullish, type Operator } from './operators.ts';
import { type Maybe, typeName, type Value } from './values.ts';

function toDate(name: string, value: Maybe): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.high * 1000);
  return fail(16006, `can't convert from BSON type ${typeName(value)} to Date in ${name}`);
}

/** Minutes east of UTC. Named zones other than UTC are refused. */
function offsetOf(timezone: Maybe): number {
  if (timezone === undefined || timezone === 'UTC' || timezone === 'GMT' || timezone === 'Z') return 0;
  const match = typeof timezone === 'string' ? /^([+-])(\d\d):?(\d\d)?$/.exec(timezone) : null;
  if (match === null)
    return fail(40485, `unrecognized time zone identifier: "${timezone}" (here only UTC and offsets)`);
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

const shift = (date: Date, minutes: number): Date => new Date(date.getTime() + minutes * 60_000);

/** An operator for a part of a date. The date may be given with a time zone as `{date, timezone}`. */
function part(name: string, read: (date: Date) => Value): Operator {
  return { min: 1, max: 1, apply: ([value]) => (isNullish(value) ? null : read(toDate(name, value))) };
}

const DAY = 86_400_000;
const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1;
const pad = (value: number, width: number): string => String(value).padStart(width, '0');

function dateToString([value, format, timezone, onNull]: Maybe[]): Maybe {
  if (isNullish(value)) return onNull ?? null;
  const offset = offsetOf(timezone);
  const date = shift(toDate('$dateToString', value), offset);
  if (format !== undefined && typeof format !== 'string') return fail(18533, '$dateToString requires a string format');
  const sign = offset < 0 ? '-' : '+';
  const zone = `${sign}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`;
  const parts: Record<string, string> = {
    Y: pad(date.getUTCFullYear(), 4),
    m: pad(date.getUTCMonth() + 1, 2),
    d: pad(date.getUTCDate(), 2),
    H: pad(date.getUTCHours(), 2),
    M: pad(date.getUTCMinutes(), 2),
    S: pad(date.getUTCSeconds(), 2),
    L: pad(date.getUTCMilliseconds(), 3),
    j: pad(dayOfYear(date), 3),
    w: String(date.getUTCDay() + 1),
    u: String(date.getUTCDay() || 7),
    z: zone,
    Z: String(offset),
    '%': '%',
  };
  const pattern = format ?? (timezone === undefined ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L');
  return pattern.replace(/%(.?)/g, (_, letter: string) => {
    return parts[letter] ?? fail(18536, `Invalid format character '%${letter}' in format string`);
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY,
  week: 7 * DAY,
};
const UNIT_MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

function unitOf(value: Maybe): string {
  const unit = String(value);
  if (UNIT_MS[unit] === undefined && UNIT_MONTHS[unit] === undefined) fail(9, `unknown time unit value: ${unit}`);
  return unit;
}

function dateTrunc([value, unitName, binSize, timezone]: Maybe[]): Maybe {
  if (isNullish(value) || isNullish(unitName)) return null;
  if (binSize !== undefined && !(isNumeric(binSize) && toNumber(binSize) === 1)) {
    return fail(115, '$dateTrunc with a binSize other than 1 is not supported by this database');
  }
  const unit = unitOf(unitName);
  const offset = offsetOf(timezone);
  const date = shift(toDate('$dateTrunc', value), offset);
  const months = UNIT_MONTHS[unit];
  let start: number;
  if (months !== undefined) {
    const month = Math.floor(date.getUTCMonth() / months) * months;
    start = new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1);
  } else if (unit === 'week') start = Math.floor(date.getTime() / DAY - date.getUTCDay()) * DAY;
  else start = Math.floor(date.getTime() / (UNIT_MS[unit] as number)) * (UNIT_MS[unit] as number);
  return shift(new Date(start), -offset);
}

function addMonths(date: Date, months: number): Date {
  const target = new Date(date);
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(new Date(0).setUTCFullYear(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  target.setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay));
  return target;
}

function dateAdd(name: string, sign: 1 | -1): Operator['apply'] {
  return ([value, unitName, amount, timezone]) => {
    if (isNullish(value) || isNullish(unitName) || isNullish(amount)) return null;
    const count = isNumeric(amount) ? toInteger(amount) : undefined;
    if (count === undefined) return fail(5166405, `${name} expects integer amount of time units`);
    const unit = unitOf(unitName);
    const offset = offsetOf(timezone);
    const date = shift(toDate(name, value), offset);
    const steps = Number(count) * sign;
    const months = UNIT_MONTHS[unit];
    const moved =
      months === undefined
        ? new Date(date.getTime() + steps * (UNIT_MS[unit] as number))
        : addMonths(date, steps * months);
    return Number.isNaN(moved.getTime()) ? fail(5166406, `${name} overflowed`) : shift(moved, -offset);
  };
}

/** How many boundaries of the unit lie between start and end. */
function dateDiff([start, end, unitName, timezone]: Maybe[]): Maybe {
  if (isNullish(start) || isNullish(end) || isNullish(unitName)) return null;
  const unit = unitOf(unitName);
  const offset = offsetOf(timezone);
  const [from, to] = [shift(toDate('$dateDiff', start), offset), shift(toDate('$dateDiff', end), offset)];
  const months = UNIT_MONTHS[unit];
  const index = (date: Date): number => {
    if (months !== undefined) return date.getUTCFullYear() * (12 / months) + Math.floor(date.getUTCMonth() / months);
    if (unit === 'week') return Math.floor((Math.floor(date.getTime() / DAY) - date.getUTCDay()) / 7);
    return Math.floor(date.getTime() / (UNIT_MS[unit] as number));
  };
  return BigInt(index(to) - index(from));
}

function convertDate([value]: Maybe[]): Maybe {
  if (isNullish(value)) return null;
  if (isNumeric(value)) return new Date(Math.trunc(toNumber(value)));
  if (typeof value !== 'string') return toDate('$toDate', value);
  const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(value);
  const hasZone = iso?.[4] !== undefined || iso?.[1] === undefined;
  const date = new Date(iso === null ? Number.NaN : hasZone ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? fail(241, `Error parsing date string '${value}' in $toDate`) : date;
}

export const DATE_OPERATORS: Readonly<Record<string, Operator>> = {
  $year: part('$year', (date) => date.getUTCFullYear()),
  $month: part('$month', (date) => date.getUTCMonth() + 1),
  $dayOfMonth: part('$dayOfMonth', (date) => date.getUTCDate()),
  $dayOfWeek: part('$dayOfWeek', (date) => date.getUTCDay() + 1),
  $dayOfYear: part('$dayOfYear', dayOfYear),
  $hour: part('$hour', (date) => date.getUTCHours()),
  $minute: part('$minute', (date) => date.getUTCMinutes()),
  $second: part('$second', (date) => date.getUTCSeconds()),
  $millisecond: part('$millisecond', (date) => date.getUTCMilliseconds()),
  $toDate: { min: 1, max: 1, apply: convertDate },
  $dateToString: { min: 1, max: 4, apply: dateToString },
  $dateTrunc: { min: 2, max: 4, apply: dateTrunc },
  $dateAdd: { min: 3, max: 4, apply: dateAdd('$dateAdd', 1) },
  $dateSubtract: { min: 3, max: 4, apply: dateAdd('$dateSubtract', -1) },
  $dateDiff: { min: 3, max: 4, apply: dateDiff },
};
