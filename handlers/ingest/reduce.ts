/**
 * Reduces a record when its batch is accepted: only the fields that its pair knows are kept, and of each value only as
 * much as is needed to name its faults. So a record is never large, even if the sent one was; nothing is kept that
 * nobody reads; and {@link mapRecord} has the same result for the reduced record as for the sent one.
 */
import { RawJson } from '../http/bulk-body.ts';
import { type Columns, isNested } from './columns.ts';
import { isRecord, knownName } from './records.ts';
import { firstOf, MAX_TEXT } from './text.ts';

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
