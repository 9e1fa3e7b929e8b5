/**
 * What the types hold into which typed clients read an answer. A value that one of them cannot hold makes the whole answer
 * unreadable there, so answers keep to what all of them hold (D-2).
 */
import { isUtf8 } from 'node:buffer';
import { firstComplaint, properties } from './universal-check.ts';

/** Numbers beyond 53 bits are bigint; both compare with each other. */
type Bound = number | bigint;
type Range = readonly [least: Bound, most: Bound];

const INT32: Range = [-(2 ** 31), 2 ** 31 - 1];
const INT64: Range = [-(2n ** 63n), 2n ** 63n - 1n];
const ANY: Range = [-Infinity, Infinity];

/** Years of days, and of instants in UTC; digits of a second's fraction; whole numbers; code points of texts; levels. */
const all = {
  day: [0, 9999] as Range,
  instant: [0, 9999] as Range,
  fraction: [0, 9] as Range,
  int32: INT32,
  int64: INT64,
  character: [0, 0x10_ffff] as Range,
  depth: [0, 1_000] as Range,
};
type Measure = keyof typeof all;
type ReaderTypes = Readonly<Record<Measure, Range>>;

const readers: Readonly<Record<string, ReaderTypes>> = {
  // date, datetime; json.
  Python: { ...all, day: [1, 9999], instant: [1, 9999], fraction: [0, 6], int32: ANY, int64: ANY },
  // DateOnly, DateTimeOffset; System.Text.Json.
  '.NET': { ...all, day: [1, 9999], instant: [1, 9999], fraction: [0, 7], depth: [0, 64] },
  // time.Time by time.RFC3339; encoding/json.
  Go: { ...all, depth: [0, 10_000] },
  // LocalDate and OffsetDateTime, without a sign before the year; Jackson.
  Java: all,
  // date, timestamptz, integer, bigint, text; jsonb.
  PostgreSQL: { ...all, day: [1, 5_874_897], instant: [1, 294_276], fraction: [0, 6], character: [1, 0x10_ffff] },
};

/** The years that every reader holds. */
function narrowest(measure: 'day' | 'instant'): [first: number, last: number] {
  const ranges = Object.values(readers).map((reader) => reader[measure].map(Number));
  return [Math.max(...ranges.map(([first = 0]) => first)), Math.min(...ranges.map(([, last = 0]) => last))];
}

const beginOf = (year: number): string => `${String(year).padStart(4, '0')}-01-01`;
const endOf = (year: number): string => `${String(year).padStart(4, '0')}-12-31`;
const [firstDay, lastDay] = narrowest('day');
const [first, last] = narrowest('instant');

/** By format: texts just outside of what every reader holds, instants also by their zone. */
export const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  date: [beginOf(firstDay - 1), endOf(firstDay - 1), beginOf(lastDay + 1)],
  'date-time': [
    `${beginOf(first - 1)}T00:00:00Z`,
    `${endOf(first - 1)}T23:59:59.999Z`,
    `${beginOf(first)}T00:00:00+00:01`,
    `${endOf(last)}T23:59:59.999-00:01`,
    `${beginOf(last + 1)}T00:00:00Z`,
  ],
};

/** By format: the first and the last text that every reader holds. */
export const OUTERMOST: Readonly<Record<string, readonly string[]>> = {
  date: [beginOf(firstDay), endOf(lastDay)],
  'date-time': [`${beginOf(first)}T00:00:00Z`, `${endOf(last)}T23:59:59.999Z`],
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d+))?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The year of a day that exists; NaN of any other text. */
function yearOfDay(text: string): number {
  const at = new Date(`${text}T00:00:00Z`);
  return DAY.test(text) && at.getUTCDate() === Number(text.slice(-2)) ? at.getUTCFullYear() : Number.NaN;
}

/** The year in UTC of an RFC 3339 instant with a zone, on a day that exists; NaN of any other text. */
const yearOfInstant = (text: string): number =>
  INSTANT.test(text) && !Number.isNaN(yearOfDay(text.slice(0, 10))) ? new Date(text).getUTCFullYear() : Number.NaN;

const OF_INT64 = /^(total_count|size_bytes)$/;
/** What is measured of texts with these names. NaN is what no reader can hold. */
const ofTexts: readonly (readonly [names: RegExp, measure: Measure, bound: (text: string) => Bound])[] = [
  [/^(birth_|start_|end_)?date$/, 'day', yearOfDay],
  [/_(time|at)$/, 'instant', yearOfInstant],
  [/_(time|at)$/, 'fraction', (text) => INSTANT.exec(text)?.[2]?.length ?? 0],
  [OF_INT64, 'int64', (text) => (/^(0|[1-9]\d*)$/.test(text) ? BigInt(text) : Number.NaN)],
  [/^/, 'character', (text) => (text.isWellFormed() ? Number(!text.includes('\0')) : Number.NaN)],
];
/** In the schema of a template's variables, where numbers are any that a double holds. */
const OF_DOUBLE = /^(minimum|maximum|const|enum)$/;

function measured(name: string, value: unknown): (readonly [Measure, Bound])[] {
  if (typeof value === 'number' && OF_INT64.test(name)) return [['int64', Number.NaN]];
  if (typeof value === 'number' && !OF_DOUBLE.test(name)) return [['int32', value]];
  if (typeof value !== 'string' || value === '') return [];
  return ofTexts.filter(([names]) => names.test(name)).map(([, measure, bound]) => [measure, bound(value)]);
}

/** How many names the objects of JSON text have, and how many levels it has. */
function structureOf(text: string): [names: number, depth: number] {
  let [names, depth, deepest] = [0, 0, 0];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    if (colon !== undefined) names++;
    else if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return [names, deepest];
}

const kinds = Object.entries(readers);

/** Why some readers cannot hold this; '' if all can. */
function complaintAbout(name: string, [measure, bound]: readonly [Measure, Bound]): string {
  const failing = kinds.filter(([, types]) => !(bound >= types[measure][0] && bound <= types[measure][1]));
  return failing.length === 0 ? '' : `the ${measure} of ${name} is none for ${failing.map(([of]) => of).join(', ')}`;
}

/** What was found of values, by their names; a run reads most of them many times. */
const known = new Map<string, Map<unknown, string>>();
const MOST_KNOWN = 20_000;

function about(name: string, held: unknown, shown = name): string {
  const ofName = known.get(shown) ?? new Map<unknown, string>();
  const found = ofName.get(held);
  if (found !== undefined) return found;
  const complaint = firstComplaint(measured(name, held), (one) => complaintAbout(shown, one)) || '';
  if (ofName.size > MOST_KNOWN) ofName.clear();
  known.set(shown, ofName.set(held, complaint));
  return complaint;
}

/** What of an answer some typed client cannot read; '' if nothing. It names fields, and never a value. */
export function unreadable(body: Buffer, value: unknown): string {
  if (!isUtf8(body)) return 'the body is no UTF-8';
  const members = properties(value);
  const [names, depth] = structureOf(body.toString('utf8'));
  if (names !== members.length) return 'an object has a name twice';
  return (
    complaintAbout('the body', ['depth', depth]) ||
    firstComplaint(new Set(members.map(([name]) => name)), (name) => about('', name, 'a name')) ||
    firstComplaint(members, ([name, held]) =>
      firstComplaint(Array.isArray(held) ? held : [held], (each) => about(name, each)),
    ) ||
    ''
  );
}
