/**
 * What is kept of a record when its batch is accepted: what its pair knows, and of that no more than it takes to tell
 * what is wrong with it. So a record is never large, whatever was sent, nothing is kept that nobody will read, and
 * {@link mapRecord} says of what is kept just what it says of what was sent.
 */
import { RawJson } from '../http/bulk-body.ts';
import { type Columns, isNested } from './columns.ts';
import { isRecord, knownName } from './records.ts';
import { firstOf, MAX_TEXT } from './text.ts';

/** Objects up to this size are parsed as a whole, in bytes: their values take a megabyte or two. */
const SMALL_BYTES = 64 * 1024;

/** A value that has a wrong type wherever it stands. */
const WRONG = false;

/** A record with nothing in it but what its columns know; `null` for what is no object. */
export async function reduceRecord(columns: Columns, record: RawJson): Promise<unknown> {
  if (!record.isObject) return null;
  return reduceObject(columns, await membersOf(columns, record));
}

/** Names and values of an object, in the order of the text; known names are all among them. */
async function membersOf(columns: Columns, value: RawJson): Promise<Iterable<readonly [string, unknown]>> {
  if (value.sizeBytes > SMALL_BYTES) return value.members((name) => knownName(columns, name) !== undefined);
  return Object.entries(value.parsed() as object);
}

async function reduceObject(columns: Columns, members: Iterable<readonly [string, unknown]>): Promise<object> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of members) {
    const known = knownName(columns, name);
    const column = known === undefined ? undefined : columns[known];
    // Of equal names the last counts.
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
  if (value instanceof RawJson) return value.isText || value.sizeBytes <= 4 ? reduceScalar(value.parsed()) : WRONG;
  if (typeof value === 'string') return firstOf(value, MAX_TEXT + 1);
  return value === null ? null : WRONG;
}
