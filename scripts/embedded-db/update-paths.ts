import { fail } from './errors.ts';
import { compileElementFilter } from './matcher.ts';
import { isIndex, type Position } from './paths.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

/** How many elements an update may add to fill up an array. */
const MAX_PADDING = 1_500_000;

/** A field or an element that an update changes. */
export interface Place {
  /** Whether it is an element of an array. */
  readonly inArray: boolean;
  get(): Maybe;
  set(value: Value): void;
  /** Removes a field; an array element becomes null instead. */
  remove(): void;
}

/** The array filters of an update by their identifier (manual: "$[<identifier>]"). */
export class ArrayFilters {
  private readonly tests = new Map<string, (item: Value) => boolean>();
  private readonly unused = new Set<string>();

  constructor(filters: Value | undefined) {
    if (filters === undefined || filters === null) return;
    if (!Array.isArray(filters)) fail(14, 'arrayFilters must be an array');
    for (const filter of filters as Value[]) this.add(filter);
  }

  private add(filter: Value): void {
    if (!isDoc(filter)) fail(14, 'each array filter must be an object');
    const names = new Set<string>();
    const stripped = strip(filter, names);
    const [name, ...others] = names;
    if (name === undefined) fail(9, 'Cannot use an expression without a top-level field name in arrayFilters');
    if (others.length > 0) {
      fail(
        9,
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${others[0]}'`,
      );
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      fail(
        2,
        `The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    }
    if (this.tests.has(name)) fail(9, `Found multiple array filters with the same top-level field name ${name}`);
    const test = compileElementFilter({ $and: [stripped] });
    this.tests.set(name, (item) => test({ item }));
    this.unused.add(name);
  }

  /** Records which filters a path uses. Fails if an identifier has no filter. */
  use(path: string, parts: readonly string[]): void {
    for (const part of parts) {
      const name = /^\$\[(.+)\]$/.exec(part)?.[1];
      if (name === undefined) continue;
      if (!this.tests.has(name)) fail(2, `No array filter found for identifier '${name}' in path '${path}'`);
      this.unused.delete(name);
    }
  }

  checkUsed(): void {
    const [name] = this.unused;
    if (name !== undefined) fail(9, `The array filter for identifier '${name}' was not used in the update`);
  }

  matches(name: string, item: Value): boolean {
    return this.tests.get(name)?.(item) ?? false;
  }
}

/** Replaces the identifier at the start of each path by `item`, the name under which the element is tested. */
function strip(filter: Doc, names: Set<string>): Doc {
  const result: Doc = {};
  for (const [path, value] of Object.entries(filter)) {
    if (path.startsWith('$')) {
      result[path] = Array.isArray(value) ? value.map((each) => (isDoc(each) ? strip(each, names) : each)) : value;
      continue;
    }
    const [name = '', ...rest] = path.split('.');
    names.add(name);
    result[['item', ...rest].join('.')] = value;
  }
  return result;
}

/**
 * Fails for paths that no update may have: with 56 for empty names, with 52 for `$` that is not a positional operator.
 */
export function checkPath(path: string, parts: readonly string[]): void {
  for (const [i, part] of parts.entries()) {
    if (part === '') fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (!part.startsWith('$')) continue;
    const positional = part === '$' || /^\$\[.*\]$/.test(part);
    if (!positional) fail(52, `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`);
    if (i === 0) fail(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    if (part === '$' && parts.indexOf('$') !== i)
      fail(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
}

/**
 * The places to which a path leads: one; several with `$[]` and `$[name]`; or none if something on the way is missing
 * and `create` is false. Fails with 28 if a path leads through a scalar, and with 2 if a positional operator has no
 * matched element.
 */
export function locate(
  doc: Doc,
  parts: readonly string[],
  filters: ArrayFilters,
  position: Position,
  create: boolean,
): Place[] {
  const places: Place[] = [];

  function descend(container: Value, at: number): void {
    const part = parts[at] as string;
    if (part.startsWith('$')) {
      descendPositional(container, at, part);
      return;
    }
    if (isDoc(container)) step(docPlace(container, part), at);
    else if (Array.isArray(container)) {
      if (isIndex(part)) step(arrayPlace(container, Number(part)), at);
      else if (create) notViable(at, part);
    } else if (create) notViable(at, part);
  }

  function notViable(at: number, part: string): never {
    return fail(28, `Cannot create field '${part}' in element at '${parts.slice(0, at).join('.')}'`);
  }

  function step(place: Place, at: number): void {
    if (at === parts.length - 1) {
      places.push(place);
      return;
    }
    const value = place.get();
    if (value !== undefined) descend(value, at + 1);
    else if (create) {
      if ((parts[at + 1] as string).startsWith('$')) missingArray(at);
      const fresh: Doc = {};
      place.set(fresh);
      descend(fresh, at + 1);
    }
  }

  function missingArray(at: number): never {
    return fail(
      2,
      `The path '${parts.slice(0, at + 1).join('.')}' must exist in the document in order to apply array updates.`,
    );
  }

  function descendPositional(container: Value, at: number, part: string): void {
    if (part === '$') {
      if (position.index < 0) fail(2, 'The positional operator did not find the match needed from the query.');
      if (Array.isArray(container)) step(arrayPlace(container, position.index), at);
      else if (isDoc(container)) step(docPlace(container, String(position.index)), at);
      else notViable(at, String(position.index));
      return;
    }
    if (!Array.isArray(container)) {
      fail(
        2,
        `Cannot apply array updates to non-array element ${parts.slice(0, at).join('.')}: ${typeName(container)}`,
      );
    }
    const name = part.slice(2, -1);
    for (const [i, item] of (container as Value[]).entries()) {
      if (name === '' || filters.matches(name, item)) step(arrayPlace(container as Value[], i), at);
    }
  }

  descend(doc, 0);
  return places;
}

function docPlace(doc: Doc, name: string): Place {
  return {
    inArray: false,
    get: () => getField(doc, name),
    set: (value) => setField(doc, name, value),
    remove: () => {
      delete doc[name];
    },
  };
}

function arrayPlace(items: Value[], index: number): Place {
  return {
    inArray: true,
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
