/**
 * What the types hold into which typed clients read an answer. A value that one of them cannot hold makes the whole answer
 * unreadable there, so answers keep to what all of them hold (D-2).
 */
import { isUtf8 } from 'node:buffer';

/** Numbers beyond 53 bits are bigint; both compare with each other. */
type Bound = number | bigint;
type Range = readonly [least: Bound, most: Bound];

/** What is measured of an answer: years in UTC, digits of a second's fraction, numbers, code points, levels. */
type Measure = 'day' | 'instant' | 'fraction' | 'int32' | 'int64' | 'character' | 'depth';

const INT32: Range = [-(2 ** 31), 2 ** 31 - 1];
const INT64: Range = [-(2n ** 63n), 2n ** 63n - 1n];
const ANY: Range = [-Infinity, Infinity];
const UNICODE: Range = [0, 0x10_ffff];
const FORM: Range = [0, 9999];
const CALENDAR: Range = [1, 9999];
const bounded = { int32: INT32, int64: INT64, character: UNICODE };

const readers: Readonly<Record<string, Readonly<Record<Measure, Range>>>> = {
  // date and datetime; json recurses.
  Python: { ...bounded, day: CALENDAR, instant: CALENDAR, fraction: [0, 6], int32: ANY, int64: ANY, depth: [0, 900] },
  // DateOnly and DateTimeOffset; the depth of System.Text.Json.
  '.NET': { ...bounded, day: CALENDAR, instant: CALENDAR, fraction: [0, 7], depth: [0, 64] },
  // time.Time, by time.RFC3339.
  Go: { ...bounded, day: FORM, instant: FORM, fraction: [0, 9], depth: [0, 10_000] },
  // LocalDate and OffsetDateTime, without a sign before the year; the depth of Jackson.
  Java: { ...bounded, day: FORM, instant: FORM, fraction: [0, 9], depth: [0, 1_000] },
  // date, timestamptz, integer, bigint, text.
  PostgreSQL: {
    ...bounded,
    day: [1, 5_874_897],
    instant: [1, 294_276],
    fraction: [0, 6],
    character: [1, 0x10_ffff],
    depth: ANY,
  },
};

const isWithin = ([least, most]: Range, value: Bound): boolean => value >= least && value <= most;

/** The readers that cannot hold a value. */
const failing = (measure: Measure, value: Bound): string[] =>
  Object.keys(readers).filter((name) => !isWithin(readers[name]?.[measure] ?? ANY, value));

/** The years that every reader holds. */
function narrowest(measure: 'day' | 'instant'): [first: number, last: number] {
  const ranges = Object.values(readers).map((reader) => reader[measure].map(Number));
  return [Math.max(...ranges.map(([first = 0]) => first)), Math.min(...ranges.map(([, last = 0]) => last))];
}

/** A day of a year as text. */
const dayOf = (year: number, day: string): string => `${String(year).padStart(4, '0')}-${day}`;

function outside(measure: 'day' | 'instant') {
  const [least, most] = narrowest(measure);
  const [first, last] = [dayOf(least, '01-01'), dayOf(most, '12-31')];
  return {
    first,
    last,
    days: [dayOf(least - 1, '01-01'), dayOf(least - 1, '12-31'), dayOf(most + 1, '01-01')],
    zoned: [`${first}T00:00:00+00:01`, `${last}T23:59:59.999-00:01`],
  };
}

const [ofDays, ofInstants] = [outside('day'), outside('instant')];

/** By format: texts just outside of what every reader holds, instants by their zone too. */
export const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  date: ofDays.days,
  'date-time': [...ofInstants.days.map((day) => `${day}T12:00:00Z`), ...ofInstants.zoned],
};

/** By format: the first and the last text that every reader holds. */
export const OUTERMOST: Readonly<Record<string, readonly string[]>> = {
  date: [ofDays.first, ofDays.last],
  'date-time': [`${ofInstants.first}T00:00:00Z`, `${ofInstants.last}T23:59:59.999Z`],
};

export const isDayName = (name: string): boolean => /^(birth_|start_|end_)?date$/.test(name);
export const isInstantName = (name: string): boolean => /_(time|at)$/.test(name);
export const isInt64Name = (name: string): boolean => name === 'total_count' || name === 'size_bytes';

type Measured = readonly [name: string, measure: Measure, value: Bound];

function* ofText(name: string, text: string): Generator<Measured> {
  // Half a surrogate pair is no character at all.
  if (!text.isWellFormed()) yield [name, 'character', -1];
  if (text.includes('\0')) yield [name, 'character', 0];
  const year = /^[+-]?\d{4,6}(?=-\d\d-\d\d)/.exec(text)?.[0];
  if (isInt64Name(name) && /^-?\d+$/.test(text)) yield [name, 'int64', BigInt(text)];
  if (isDayName(name) && year !== undefined) yield [name, 'day', Number(year)];
  if (!isInstantName(name) || year === undefined) return;
  const ms = Date.parse(text);
  yield [name, 'instant', Number.isNaN(ms) ? Number(year) : new Date(ms).getUTCFullYear()];
  yield [name, 'fraction', /\.(\d+)/.exec(text)?.[1]?.length ?? 0];
}

/** Everything that is measured of a value. Within a template's schema a number may be any that a double holds. */
function* measured(value: unknown, name: string, depth: number, isSchema = false): Generator<Measured> {
  if (typeof value === 'string') yield* ofText(name, value);
  if (typeof value === 'number' && !isSchema) yield [name, 'int32', value];
  if (typeof value !== 'object' || value === null) return;
  yield [name, 'depth', depth];
  for (const [key, one] of Object.entries(value)) {
    if (!Array.isArray(value)) yield* ofText('a name', key);
    yield* measured(one, Array.isArray(value) ? name : key, depth + 1, isSchema || key === 'variable_schema');
  }
}

/** How many members the objects of a value have. */
const membersOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce(
        (sum, one) => sum + membersOf(one),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

/** How many members JSON text has: strings before a colon. */
function namesIn(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) count++;
  return count;
}

/** What of an answer some typed client cannot read; '' if nothing. It names fields, and never a value. */
export function unreadable(body: Buffer, value: unknown): string {
  if (!isUtf8(body)) return 'the body is no UTF-8';
  for (const [name, measure, one] of measured(value, 'the body', 1)) {
    const names = failing(measure, one);
    if (names.length > 0) return `the ${measure} of ${name} is more than ${names.join(', ')} can hold`;
  }
  return namesIn(body.toString('utf8')) === membersOf(value) ? '' : 'an object has a name twice';
}
