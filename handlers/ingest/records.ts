/**
 * Reads a record, which can be any JSON (D-29), in two steps. {@link reduceRecord} runs when its batch is accepted: only
 * the fields that its pair knows are kept, and of each value only as much as is needed to name its faults. So a stored
 * record is never large, even if the sent one was. {@link mapRecord} runs when the batch is applied; its result for the
 * reduced record is that for the sent one. What the store knows is taken into account later.
 */
import { RawJson } from '../http/raw-json.ts';
import {
  type Columns,
  firstOf,
  isFiller,
  isNested,
  longerThan,
  MAX_EXTERNAL_ID,
  MAX_TEXT,
  type MappedRecord,
  type Payload,
  type RecordValues,
  type SkippedRecord,
  type TextColumn,
} from './columns.ts';
import { kedo } from './kedo.ts';
import { ledger } from './ledger.ts';

/** The source and payload type that a batch names. */
export interface Pair {
  readonly source_type: string;
  readonly payload_type: string;
}

const sources: ReadonlyMap<string, ReadonlyMap<string, Payload>> = new Map([
  ['KEDO', kedo],
  ['LEDGER', ledger],
]);

/** The payload of a pair; undefined if there is no such pair. */
export function payloadOf({ source_type, payload_type }: Pair): Payload | undefined {
  return sources.get(source_type)?.get(payload_type);
}

/** No known name is longer than this, in any Unicode form. */
const MAX_NAME = 100;

/** The known name of a field, NFC-normalised; undefined if it is unknown. */
export function knownName(columns: Columns, name: string): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const normalised = name.normalize('NFC');
  return Object.hasOwn(columns, normalised) ? normalised : undefined;
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects up to this size, in bytes, are parsed as a whole: their values take one or two megabytes. */
const SMALL_BYTES = 64 * 1024;

/** A value that has the wrong type for every field. */
const WRONG = false;
/** Numbers up to this length are kept, in bytes: a record whose id is a number can then be named by it. */
const NUMBER_BYTES = 32;

/** A record with only the fields of its columns; `null` if it is not an object. */
export async function reduceRecord(columns: Columns, record: RawJson): Promise<unknown> {
  if (!record.isObject) return null;
  // Of a pair that does not exist nothing is kept, so nothing needs to be parsed.
  if (Object.keys(columns).length === 0) return {};
  return reduceObject(columns, await membersOf(columns, record));
}

/** Names and values of an object, at least all those with known names; of equal names the last counts. */
async function membersOf(columns: Columns, value: RawJson): Promise<Iterable<readonly [string, unknown]>> {
  if (value.sizeBytes > SMALL_BYTES) return value.members((name) => knownName(columns, name) !== undefined);
  return Object.entries(value.parsed() as object);
}

async function reduceObject(columns: Columns, members: Iterable<readonly [string, unknown]>): Promise<object> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of members) {
    const known = knownName(columns, name);
    const column = known === undefined ? undefined : columns[known];
    // If two forms of a name are known as the same one, the last counts.
    if (known === undefined || column === undefined) continue;
    kept[known] = isNested(column) ? await reduceNested(column, value) : reduceScalar(value);
  }
  return kept;
}

async function reduceNested(columns: Columns, value: unknown): Promise<unknown> {
  if (value instanceof RawJson && value.isObject) return reduceObject(columns, await membersOf(columns, value));
  return isRecord(value) && !(value instanceof RawJson)
    ? reduceObject(columns, Object.entries(value))
    : reduceScalar(value);
}

function reduceScalar(value: unknown): unknown {
  if (value instanceof RawJson)
    return value.isText || value.sizeBytes <= NUMBER_BYTES ? reduceScalar(value.parsed()) : WRONG;
  if (typeof value === 'string') return firstOf(value, MAX_TEXT + 1);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return value === null ? null : WRONG;
}

/** What a record says, or why it is skipped. The record may be any JSON value. */
export function mapRecord(pair: Pair, record: unknown): MappedRecord | SkippedRecord {
  const payload = payloadOf(pair);
  if (payload === undefined) return { skipped: 'There is no such pair of source and payload.' };
  if (!isRecord(record)) return { skipped: 'The record is no object.' };
  const values = read(payload.columns, record, '');
  return typeof values === 'string' ? { skipped: values } : payload.map(values);
}

/** The values of the known fields, or what is wrong with one of them. @param path of the object, with its dot */
function read(columns: Columns, record: Readonly<Record<string, unknown>>, path: string): RecordValues | string {
  const given = new Map(Object.entries(record).map(([name, value]) => [knownName(columns, name), value]));
  const values: Record<string, string | RecordValues> = {};
  for (const [name, column] of Object.entries(columns)) {
    const sent = given.get(name);
    if (!isNested(column)) {
      const value = meant(column, sent);
      const problem = problemOf(column, value);
      if (problem !== '') return `${path}${name} ${problem}.`;
      if (value !== undefined) values[name] = (value ?? '') as string;
      continue;
    }
    // An object may be missing; null clears nothing.
    if (sent === undefined || sent === null) continue;
    if (!isRecord(sent)) return `${path}${name} is no object.`;
    const nested = read(column, sent, `${path}${name}.`);
    if (typeof nested === 'string') return nested;
    values[name] = nested;
  }
  return values;
}

/** An empty date as 1C:Enterprise writes it (D-29). */
const NO_DAY = '0001-01-01';

/** A value without the habits of senders: `''` for the empty date, a day without its midnight, no filler IIN (D-29). */
function meant({ type }: TextColumn, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'iin' && isFiller(value)) return undefined;
  if (type !== 'day') return value;
  const day = value.replace(/T00:00:00$/, '');
  if (day === '') return value;
  return day === NO_DAY ? '' : day;
}

/** What is wrong with a value, as the end of a sentence; `''` if nothing is. */
function problemOf({ type, isRequired }: TextColumn, value: unknown): string {
  if (value === undefined || value === null || value === '') return isRequired ? 'is missing' : '';
  if (typeof value !== 'string') return 'is no text';
  const limit = type === 'external_id' ? MAX_EXTERNAL_ID : MAX_TEXT;
  if (longerThan(value, limit)) return `has more than ${limit} characters`;
  if (value.includes('\0') || !value.isWellFormed()) return 'has a NUL character or half a surrogate pair';
  if (type === 'iin' && !/^[0-9]{12}$/.test(value)) return 'is neither empty nor 12 digits';
  if (type === 'day' && !isDay(value)) return 'is no day of the calendar as YYYY-MM-DD';
  return '';
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
