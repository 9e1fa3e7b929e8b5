import { fail } from './errors.ts';
import { EMPTY_ARRAY, type KeyValue } from './keys.ts';
import { type Doc, getField, isDoc, type Maybe, type Value } from './values.ts';

export type Test = (value: Maybe) => boolean;

const NUMERIC = /^(0|[1-9]\d*)$/;

/** Whether a part of a path may be an array index. */
export function isIndex(part: string | undefined): part is string {
  return part !== undefined && NUMERIC.test(part);
}

/**
 * Whether some value at a path passes (manual: "Query an Array", "Query an Array of Embedded Documents"). Arrays of
 * documents on the way are entered. At the end of the path a test gets each element of an array and then the array
 * itself. Arrays inside arrays are not entered. The path may end with the index of an element. A test gets undefined if
 * a document on the way, or an element of an array of documents, lacks the field.
 * @param at the part of the path that comes next
 */
export function someAtPath(value: Maybe, path: readonly string[], test: Test, at = 0): boolean {
  const name = path[at];
  if (name === undefined) return (Array.isArray(value) && value.some((item) => test(item))) || test(value);
  if (isDoc(value)) return someAtPath(getField(value, name), path, test, at + 1);
  if (!Array.isArray(value)) return test(undefined);
  const isElement = at === path.length - 1 && isIndex(name) && Number(name) < value.length;
  return (
    value.some((item) => isDoc(item) && someAtPath(item, path, test, at)) || (isElement && test(value[Number(name)]))
  );
}

/** The value at a path through documents. Fails with 115 if it leads into an array. */
export function valueAt(from: Maybe, path: readonly string[]): Maybe {
  let value = from;
  for (const part of path) {
    if (Array.isArray(value))
      fail(115, `${path.join('.')} leads into an array; no index, sort or expression follows it`);
    value = isDoc(value) ? getField(value, part) : undefined;
  }
  return value;
}

/**
 * The values that a compound index or a sort takes from a document (manual: "Multikey Indexes"): one row for each
 * element of an array. A missing field counts as null, an empty array as a value below null. Calls `onArray` with the
 * number of each field that is an array. Fails with 171 when two fields are different arrays.
 */
export function keyValues(
  doc: Doc,
  paths: readonly (readonly string[])[],
  onArray?: (field: number) => void,
): KeyValue[][] {
  const values = paths.map((path) => valueAt(doc, path));
  let items: readonly Value[] | undefined;
  for (const [i, value] of values.entries()) {
    if (!Array.isArray(value)) continue;
    onArray?.(i);
    if (items !== undefined && items !== value) fail(171, `cannot index parallel arrays [${paths[i]?.at(-1)}]`);
    items = value;
  }
  if (items === undefined) return [values];
  const elements: readonly KeyValue[] = items.length === 0 ? [EMPTY_ARRAY] : items;
  return elements.map((item) => values.map((value) => (Array.isArray(value) ? item : value)));
}
