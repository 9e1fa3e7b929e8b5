import { fail } from './errors.ts';
import { isIndex } from './paths.ts';
import { type Doc, getField, isDoc, type Maybe, setField, type Value } from './values.ts';

/** How many elements an update may add to fill up an array. */
const MAX_PADDING = 1_500_000;

/** A field or an element that an update changes. */
export interface Place {
  get(): Maybe;
  set(value: Value): void;
  /** Removes a field; an array element becomes null instead. */
  remove(): void;
}

/**
 * Fails for paths that no update may have: with 56 for empty names, with 52 for names with `$`, among them the
 * positional operators, which are not supported here.
 */
export function checkPath(path: string, parts: readonly string[]): void {
  for (const part of parts) {
    if (part === '') fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (/^\$(\[.*\])?$/.test(part)) fail(115, `positional updates are not supported by this database: ${path}`);
    if (part.startsWith('$'))
      fail(52, `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`);
  }
}

/**
 * The place to which a path leads, or none if something on the way is missing and `create` is false. Fails with 28 if
 * something has to be created in a scalar.
 */
export function locate(doc: Doc, parts: readonly string[], create: boolean): Place | undefined {
  let container: Value = doc;
  for (const [at, part] of parts.entries()) {
    const place = placeIn(container, part);
    if (place === undefined && create) {
      fail(28, `Cannot create field '${part}' in element at '${parts.slice(0, at).join('.')}'`);
    }
    if (place === undefined || at === parts.length - 1) return place;
    const value = place.get();
    if (value === undefined && !create) return undefined;
    if (value === undefined) place.set({});
    container = place.get() as Value;
  }
  return undefined;
}

function placeIn(container: Value, part: string): Place | undefined {
  if (isDoc(container)) return docPlace(container, part);
  return Array.isArray(container) && isIndex(part) ? arrayPlace(container, Number(part)) : undefined;
}

function docPlace(doc: Doc, name: string): Place {
  return {
    get: () => getField(doc, name),
    set: (value) => setField(doc, name, value),
    remove: () => {
      delete doc[name];
    },
  };
}

function arrayPlace(items: Value[], index: number): Place {
  return {
    get: () => items[index],
    set: (value) => {
      if (index - items.length > MAX_PADDING) fail(2, `can't backfill more than ${MAX_PADDING} elements`);
      while (items.length < index) items.push(null);
      items[index] = value;
    },
    remove: () => {
      if (index < items.length) items[index] = null;
    },
  };
}
