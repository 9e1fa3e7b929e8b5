/** Reads a record, which can be any JSON (D-29). Pure functions: what the store knows is taken into account later. */
import {
  type Columns,
  isFiller,
  isNested,
  type MappedRecord,
  type Payload,
  type RecordValues,
  type SkippedRecord,
  type TextColumn,
} from './columns.ts';
import { kedo } from './kedo.ts';
import { ledger } from './ledger.ts';
import { longerThan, MAX_EXTERNAL_ID, MAX_TEXT } from './text.ts';

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

/** What a record says, or why it is skipped. The record may be any JSON value. */
export function mapRecord(pair: Pair, record: unknown): MappedRecord | SkippedRecord {
  const payload = payloadOf(pair);
  if (payload === undefined) return { skipped: 'There is no such pair of source and payload.' };
  if (!isRecord(record)) return { skipped: 'The record is no object.' };
  const values = read(payload.columns, record, '');
  return typeof values === 'string' ? { skipped: values } : payload.map(values);
}

/**
 * The places of the records that a later record with the same external id replaces: the last one wins (D-29). A skipped
 * record replaces none.
 */
export function supersededIn(mapped: readonly (MappedRecord | SkippedRecord)[]): Set<number> {
  const last = new Map<string, number>();
  const superseded = new Set<number>();
  for (const [index, each] of mapped.entries()) {
    if ('skipped' in each) continue;
    const earlier = last.get(each.externalId);
    if (earlier !== undefined) superseded.add(earlier);
    last.set(each.externalId, index);
  }
  return superseded;
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of the known fields, or what is wrong with one of them. @param path of the object, with its dot */
function read(columns: Columns, record: Readonly<Record<string, unknown>>, path: string): RecordValues | string {
  const given = new Map<string, unknown>();
  for (const name of Object.keys(record)) {
    const known = knownName(columns, name);
    if (known !== undefined) given.set(known, record[name]);
  }
  const values: Record<string, string | RecordValues> = {};
  for (const [name, column] of Object.entries(columns)) {
    const value = isNested(column) ? given.get(name) : meant(column, given.get(name));
    const problem = isNested(column)
      ? readNested(column, value, `${path}${name}`, (nested) => {
          values[name] = nested;
        })
      : problemOf(column, value);
    if (problem !== '') return isNested(column) ? problem : `${path}${name} ${problem}.`;
    if (!isNested(column) && value !== undefined) values[name] = (value ?? '') as string;
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

/** Reads an object within a record. It may be missing; null clears nothing. */
function readNested(columns: Columns, value: unknown, name: string, found: (values: RecordValues) => void): string {
  if (value === undefined || value === null) return '';
  if (!isRecord(value)) return `${name} is no object.`;
  const values = read(columns, value, `${name}.`);
  if (typeof values === 'string') return values;
  found(values);
  return '';
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
