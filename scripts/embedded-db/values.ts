import type { Binary, ObjectId } from 'bson';

/** A BSON value in memory. All types of numbers are one. */
export type Value = null | boolean | number | string | Date | ObjectId | Binary | Value[] | Doc;

/**
 * A document. The order of fields is the order of insertion (names that look like integers come first, as in every
 * JavaScript object).
 */
export interface Doc {
  [name: string]: Value;
}

/** A value or nothing: MongoDB distinguishes a missing field from null. */
export type Maybe = Value | undefined;

export function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Reads an own field, because a document may have no field `constructor` although every JavaScript object has one. */
export function getField(doc: Doc, name: string): Maybe {
  return Object.hasOwn(doc, name) ? doc[name] : undefined;
}

/** Writes a field; `__proto__` is a name like any other. */
export function setField(doc: Doc, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(doc, name, { value, enumerable: true, configurable: true, writable: true });
  } else doc[name] = value;
}

/** Whether a filter's value is a document of operators, rather than a value for comparison. */
export function isOperators(value: Value): value is Doc {
  return isDoc(value) && Object.keys(value)[0]?.startsWith('$') === true;
}
