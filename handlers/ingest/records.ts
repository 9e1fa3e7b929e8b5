/**
 * Reads a record, which can be any JSON (D-29), in two steps. {@link reduceRecord} runs when its batch is accepted: only
 * the fields that its pair knows are kept, and of each value only as much as is needed to name its faults. So a stored
 * record is never large, even if the sent one was. {@link mapRecord} runs when the batch is applied; its result for the
 * reduced record is that for the sent one, but that a text of more than 64 KiB of JSON is too long even if most of it is
 * blanks. What the store knows is taken into account later.
 */
import { RawJson } from '../http/raw-json.ts';
import { kedo } from './kedo.ts';
import { ledger } from './ledger.ts';
import {
  type Columns,
  isNested,
  type MappedRecord,
  type Payload,
  type RecordValues,
  type SentValues,
  type SkippedRecord,
} from './record-columns.ts';
import { readScalar, reduceText, type ScalarType } from './scalars.ts';

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
export function isRecord(value: unknown): value is SentValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that has the wrong type for every field. */
const WRONG = false;

/** A record with only the fields of its columns; `null` if it is not an object. */
export async function reduceRecord(columns: Columns, record: RawJson): Promise<unknown> {
  if (!record.isObject) return null;
  // Of a pair that does not exist nothing is kept, so nothing needs to be parsed.
  if (Object.keys(columns).length === 0) return {};
  return reduceObject(columns, record);
}

async function reduceObject(columns: Columns, object: RawJson | SentValues): Promise<object> {
  const kept: Record<string, unknown> = {};
  const isKnown = (name: string) => knownName(columns, name) !== undefined;
  for (const [name, value] of object instanceof RawJson ? await object.members(isKnown) : Object.entries(object)) {
    const known = knownName(columns, name);
    const column = known === undefined ? undefined : columns[known];
    // If two forms of a name are known as the same one, the last counts.
    if (known === undefined || column === undefined) continue;
    kept[known] = isNested(column) ? await reduceNested(column, value) : reduceScalar(column.type, value);
  }
  return kept;
}

async function reduceNested(columns: Columns, value: unknown): Promise<unknown> {
  if (isRecord(value) && !(value instanceof RawJson && !value.isObject)) return reduceObject(columns, value);
  return value === null ? null : WRONG;
}

function reduceScalar(type: ScalarType, value: unknown): unknown {
  if (value instanceof RawJson && value.isText) return reduceText(type, value.text, true);
  if (typeof value === 'string') return reduceText(type, value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return value === null ? null : WRONG;
}

/** What a record says, or why it is skipped. The record may be any JSON value. */
export function mapRecord(pair: Pair, record: unknown): MappedRecord | SkippedRecord {
  const payload = payloadOf(pair);
  if (payload === undefined) return { skipped: 'There is no such pair of source and payload.' };
  if (!isRecord(record)) return { skipped: 'The record is no object.' };
  const sent = knownFields(payload.columns, record);
  const values = read(payload.columns, sent, '');
  return typeof values === 'string' ? { skipped: values } : payload.map(values, sent);
}

/** The values of an object by the known names of their fields. What has an unknown one is under `''`, and not read. */
function knownFields(columns: Columns, record: SentValues): SentValues {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [knownName(columns, name) ?? '', value]));
}

/** The values of the known fields, or what is wrong with one of them. @param path of the object, with its dot */
function read(columns: Columns, given: SentValues, path: string): RecordValues | string {
  const values: Record<string, string | RecordValues> = {};
  for (const [name, column] of Object.entries(columns)) {
    const sent = given[name];
    if (!isNested(column)) {
      const reading = readScalar(column.type, sent);
      if ('problem' in reading) return `${path}${name} ${reading.problem}.`;
      if (column.isRequired && !reading.value) return `${path}${name} is missing.`;
      if (reading.value !== undefined) values[name] = reading.value;
      continue;
    }
    // An object may be missing; null clears nothing.
    if (sent === undefined || sent === null) continue;
    if (!isRecord(sent)) return `${path}${name} is no object.`;
    const nested = read(column, knownFields(column, sent), `${path}${name}.`);
    if (typeof nested === 'string') return nested;
    values[name] = nested;
  }
  return values;
}
