import { Binary, ObjectId } from 'bson';

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

/** The brackets of MongoDB's comparison order (manual: "Comparison/Sort Order"). A missing value sorts with null. */
export const RANK = {
  missing: 0,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
} as const;

/** The bracket of a value in the comparison order. */
export function rankOf(value: Maybe): number {
  switch (typeof value) {
    case 'undefined':
      return RANK.missing;
    case 'number':
      return RANK.number;
    case 'string':
      return RANK.string;
    case 'boolean':
      return RANK.boolean;
    default:
      return rankOfObject(value as object | null);
  }
}

function rankOfObject(value: object | null): number {
  if (value === null) return RANK.null;
  if (Array.isArray(value)) return RANK.array;
  if (isDoc(value)) return RANK.object;
  if (value instanceof Date) return RANK.date;
  if (value instanceof ObjectId) return RANK.objectId;
  if (value instanceof Binary) return RANK.binary;
  throw new TypeError('not a BSON value');
}
