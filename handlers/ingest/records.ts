/**
 * Reads a record, which can be any JSON (D-29), in two steps. {@link reduceRecord} runs when its batch is accepted: only
 * the fields that its pair knows are kept, and of each value only as much as is needed to name its faults. So a stored
 * record is never large, even if the sent one was. {@link mapRecord} runs when the batch is applied; its result for the
 * reduced record is that for the sent one, but that a text of more than 64 KiB of JSON is too long even if most of it is
 * blanks. What the store knows is taken into account later.
 */
import { RawJson } from '../http/raw-json.ts';
import {
  type Columns,
  isNested,
  type MappedRecord,
  type Payload,
  type RecordValues,
  type SentValues,
  type SkippedRecord,
} from './columns.ts';
import { kedo } from './kedo.ts';
import { ledger } from './ledger.ts';
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
  return reduceObject(columns, record);
}

/** Names and values of an object, at least all those with known names; of equal names the last counts. */
async function membersOf(columns: Columns, object: object): Promise<Iterable<readonly [string, unknown]>> {
  if (!(object instanceof RawJson)) return Object.entries(object);
  const isWhole = object.sizeBytes <= SMALL_BYTES && !object.hasEscapes;
  if (!isWhole) return object.members((name) => knownName(columns, name) !== undefined);
  return Object.entries(object.parsed() as object);
}

async function reduceObject(columns: Columns, object: object): Promise<object> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of await membersOf(columns, object)) {
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
  return scalarOf(value) === null ? null : WRONG;
}

/** A value that is no object, parsed where it tells more than its type. */
function scalarOf(value: unknown): unknown {
  if (!(value instanceof RawJson)) return value;
  return value.isText || value.sizeBytes <= NUMBER_BYTES ? value.parsed() : WRONG;
}

function reduceScalar(type: ScalarType, value: unknown): unknown {
  const scalar = scalarOf(value);
  // Of a large text only the beginning is parsed.
  const isCut = value instanceof RawJson && value.sizeBytes > SMALL_BYTES;
  if (typeof scalar === 'string') return reduceText(type, scalar, isCut);
  if (typeof scalar === 'number' && Number.isFinite(scalar)) return scalar;
  return scalar === null ? null : WRONG;
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
