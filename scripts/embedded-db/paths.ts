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
 * itself (`elements`), or only the array (`whole`). Arrays inside arrays are entered only by an explicit index. A test
 * gets undefined if a document on the way, or an element of an array of documents, lacks the field.
 */
export function someAtPath(doc: Doc, path: readonly string[], leaf: 'elements' | 'whole', test: Test): boolean {
  const last = path.length - 1;

  function inDoc(current: Doc, at: number): boolean {
    const value = getField(current, path[at] as string);
    if (Array.isArray(value)) return at === last ? atLeaf(value) : inArray(value, at + 1);
    if (at === last) return test(value);
    return isDoc(value) ? inDoc(value, at + 1) : test(undefined);
  }

  function atLeaf(items: Value[]): boolean {
    return (leaf === 'elements' && items.some((item) => test(item))) || test(items);
  }

  function inArray(items: Value[], at: number): boolean {
    if (items.some((item) => isDoc(item) && inDoc(item, at))) return true;
    const part = path[at];
    if (!isIndex(part) || Number(part) >= items.length) return false;
    const item = items[Number(part)];
    if (at === last) return test(item);
    if (isDoc(item)) return inDoc(item, at + 1);
    return Array.isArray(item) && inArray(item, at + 1);
  }

  return inDoc(doc, 0);
}

interface Walk {
  /** The value at which the walk ended. */
  value: Maybe;
  /** The parts of the path that were not walked because there was an array before them. */
  rest: readonly string[];
  /** The path of the array that stopped the walk. */
  array: string | undefined;
}

function walk(start: Value | undefined, path: readonly string[], prefix: string): Walk {
  let value = start as Maybe;
  let walked = prefix;
  for (let i = 0; i < path.length; i++) {
    const part = path[i] as string;
    if (Array.isArray(value)) {
      if (!isIndex(part) || Number(part) >= value.length) return { value, rest: path.slice(i), array: walked };
      value = value[Number(part)];
    } else value = isDoc(value) ? getField(value, part) : undefined;
    walked = `${walked}.${part}`;
  }
  return { value, rest: [], array: Array.isArray(value) ? walked : undefined };
}

/**
 * The values that a compound index or a sort takes from a document (manual: "Multikey Indexes"): one row for each
 * element of an array on the way. A missing field counts as null, an empty array as a value below null. Calls `onArray`
 * with the number of each field that goes through an array. Fails with 171 when two fields go through different arrays.
 */
export function keyValues(
  doc: Doc,
  paths: readonly (readonly string[])[],
  onArray?: (field: number) => void,
): KeyValue[][] {
  return expand(
    paths.map(() => doc),
    paths,
    paths.map(() => ''),
    onArray,
  );
}

function expand(
  starts: readonly (Value | undefined)[],
  paths: readonly (readonly string[])[],
  prefixes: readonly string[],
  onArray: ((field: number) => void) | undefined,
): KeyValue[][] {
  const walks = starts.map((start, i) => walk(start, paths[i] as readonly string[], prefixes[i] as string));
  let array: Walk | undefined;
  for (const [i, each] of walks.entries()) {
    if (each.array === undefined) continue;
    onArray?.(i);
    if (array !== undefined && array.array !== each.array) {
      fail(171, `cannot index parallel arrays [${lastPart(each.array)}] [${lastPart(array.array as string)}]`);
    }
    array = each;
  }
  if (array === undefined) return [walks.map((each) => each.value)];
  const items = array.value as Value[];
  const prefix = array.array as string;
  if (items.length === 0) return [walks.map((each) => (each.array === undefined ? each.value : emptyAt(each)))];
  return items.flatMap((item) => expandItem(item, walks, prefix, onArray));
}

const emptyAt = (each: Walk): KeyValue => (each.rest.length === 0 ? EMPTY_ARRAY : undefined);

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The rows for one element of the common array. Finished fields are put back afterwards. */
function expandItem(
  item: Value,
  walks: readonly Walk[],
  prefix: string,
  onArray: ((field: number) => void) | undefined,
): KeyValue[][] {
  const deeper = walks.flatMap((each, i) => (each.array !== undefined && each.rest.length > 0 ? [i] : []));
  const fixed = walks.map((each): KeyValue => (each.array === undefined ? each.value : item));
  if (deeper.length === 0) return [fixed];
  const start = isDoc(item) ? item : undefined;
  const rows = expand(
    deeper.map(() => start),
    deeper.map((i) => (walks[i] as Walk).rest),
    deeper.map(() => prefix),
    onArray && ((i) => onArray(deeper[i] as number)),
  );
  return rows.map((row) => {
    const merged = [...fixed];
    for (const [k, i] of deeper.entries()) merged[i] = row[k];
    return merged;
  });
}
