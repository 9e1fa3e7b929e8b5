import { arithmetic, compareValues, equalValues, isNumeric } from './compare.ts';
import { fail } from './errors.ts';
import { compileExpression, type Expression, splitPath } from './expressions.ts';
import { stageOf } from './parameters.ts';
import { isIndex } from './paths.ts';
import { copyValue, type Doc, getField, isDoc, type Maybe, setField, type Value } from './values.ts';

/** What an operator does at a place; compiled from its argument. */
type Apply = (place: Place) => void;

interface UpdateOperator {
  /** Whether missing documents on the way to the field are made. */
  readonly creates: boolean;
  readonly compile: (argument: Value) => Apply;
}

/** The array at a place; undefined if nothing is there yet. */
function arrayAt(name: string, place: Place): Value[] | undefined {
  const value = place.get();
  if (value === undefined || Array.isArray(value)) return value;
  return fail(2, `Cannot apply ${name} to a value that is not an array`);
}

/** The values of `$push` and `$addToSet`: those of `$each`, or the argument itself. Other modifiers are not known here. */
function itemsOf(name: string, argument: Value): Value[] {
  if (!isDoc(argument) || !('$each' in argument)) return [argument];
  const { $each, ...others } = argument;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) fail(2, `Unrecognized clause in ${name}: ${unknown}`);
  return Array.isArray($each) ? $each : fail(2, `The argument to $each in ${name} must be an array`);
}

function push(argument: Value): Apply {
  const items = itemsOf('$push', argument);
  return (place) => place.set([...(arrayAt('$push', place) ?? []), ...items.map((item) => copyValue(item))]);
}

function addToSet(argument: Value): Apply {
  const items = itemsOf('$addToSet', argument);
  return (place) => {
    const result = [...(arrayAt('$addToSet', place) ?? [])];
    for (const item of items) if (!result.some((each) => equalValues(each, item))) result.push(copyValue(item));
    place.set(result);
  };
}

function pull(argument: Value): Apply {
  if (isDoc(argument)) return fail(115, '$pull by a condition is not supported by this database, only of a value');
  return (place) => {
    const list = arrayAt('$pull', place);
    if (list !== undefined) place.set(list.filter((item) => !equalValues(item, argument)));
  };
}

function increment(argument: Value): Apply {
  if (!isNumeric(argument)) return fail(14, 'Cannot increment with non-numeric argument');
  return (place) => {
    const value = place.get();
    if (value === undefined) return place.set(argument);
    if (!isNumeric(value)) return fail(14, 'Cannot apply $inc to a value of non-numeric type');
    place.set(arithmetic('add', value, argument) ?? fail(2, 'Failed to apply $inc operations to current value'));
  };
}

const set: UpdateOperator = { creates: true, compile: (argument) => (place) => place.set(copyValue(argument)) };

/** The update operators (manual: "Update Operators"). */
const OPERATORS: ReadonlyMap<string, UpdateOperator> = new Map<string, UpdateOperator>([
  ['$set', set],
  ['$setOnInsert', set],
  ['$unset', { creates: false, compile: () => (place) => place.remove() }],
  ['$inc', { creates: true, compile: increment }],
  ['$push', { creates: true, compile: push }],
  ['$addToSet', { creates: true, compile: addToSet }],
  ['$pull', { creates: false, compile: pull }],
]);

/** How many elements an update may add to fill up an array. */
const MAX_PADDING = 1_500_000;

/** A field or an element that an update changes. */
interface Place {
  get(): Maybe;
  set(value: Value): void;
  /** Removes a field; an array element becomes null instead. */
  remove(): void;
}

/**
 * Fails for paths that no update may have: with 56 for empty names, with 52 for names with `$`, among them the
 * positional operators, which are not supported here.
 */
function checkPath(path: string, parts: readonly string[]): void {
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
function locate(doc: Doc, parts: readonly string[], create: boolean): Place | undefined {
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

/** Sets or removes a field, with copies of the documents on the way; one that is missing is made. */
function setAt(doc: Doc, [name = '', ...rest]: readonly string[], value: Maybe): void {
  if (rest.length > 0) {
    const inner = getField(doc, name);
    if (Array.isArray(inner)) fail(115, `setting fields of the documents in the array ${name} is not supported here`);
    const copy = isDoc(inner) ? { ...inner } : {};
    setAt(copy, rest, value);
    setField(doc, name, copy);
  } else if (value === undefined) delete doc[name];
  else setField(doc, name, value);
}

/** Compiles the stage `$set` (manual: "$set (aggregation)"), of which pipeline updates consist. */
function compileSet(spec: Value): (doc: Doc) => Doc {
  if (!isDoc(spec)) return fail(40272, '$set specification stage must be an object');
  const fields = fieldsSet('', spec);
  if (fields.length === 0) fail(40177, 'Invalid $set :: caused by :: specification must have at least one field');
  checkConflicts(
    fields.map(({ parts }) => parts),
    31250,
  );
  return (doc) => {
    const result = { ...doc };
    for (const { parts, expression } of fields) setAt(result, parts, expression({ root: doc }));
    return result;
  };
}

function fieldsSet(prefix: string, spec: Doc): { parts: string[]; expression: Expression }[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    const isNested = isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
    if (isNested) return fieldsSet(`${prefix}${name}.`, value);
    return [{ parts: splitPath(prefix + name), expression: compileExpression(value) }];
  });
}

/**
 * A compiled update. It makes the new document from the old one, which it may change while doing so. `inserting` says
 * whether the document is being inserted; only then `$setOnInsert` applies.
 */
export type Update = (doc: Doc, inserting: boolean) => Doc;

/** Whether an update replaces the document instead of changing it. */
export function isReplacement(update: Value): update is Doc {
  return isDoc(update) && !Object.keys(update)[0]?.startsWith('$');
}

/**
 * Compiles an update (manual: "Update Operators", "Updates with Aggregation Pipeline").
 * Fails with MongoDB's codes: 9 unknown operator, 40 conflicting paths, 52 and 56 bad names, 2 and 14 bad arguments.
 */
export function compileUpdate(update: Value | undefined): Update {
  if (Array.isArray(update)) return compilePipeline(update);
  if (!isDoc(update)) return fail(9, 'Update argument must be either an object or an array');
  return isReplacement(update) ? compileReplacement(update) : compileOperators(update);
}

function compilePipeline(stages: readonly Value[]): Update {
  const transforms = stages.map((stage) => {
    const [name, spec] = stageOf(stage);
    return name === '$set' ? compileSet(spec) : fail(115, `the stage ${name} is not supported in updates here`);
  });
  return (doc) => transforms.reduce((current, transform) => transform(current), doc);
}

function compileReplacement(replacement: Doc): Update {
  for (const name of Object.keys(replacement)) {
    if (name.startsWith('$'))
      fail(52, `The dollar ($) prefixed field '${name}' is not allowed in a replacement document.`);
  }
  return (doc) => {
    const id = getField(replacement, '_id') ?? getField(doc, '_id');
    return id === undefined ? { ...replacement } : { _id: id, ...replacement };
  };
}

/** One operator on one path. */
interface Change {
  readonly parts: readonly string[];
  readonly onInsert: boolean;
  readonly apply: Apply;
  /** Whether missing documents on the way are made. */
  readonly creates: boolean;
}

function compileOperators(update: Doc): Update {
  const changes = Object.entries(update).flatMap(([name, fields]) => {
    const operator = OPERATORS.get(name);
    if (operator === undefined) {
      return fail(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDoc(fields)) {
      return fail(9, 'Modifiers operate on fields. For example: {$mod: {<field>: ...}}');
    }
    return Object.entries(fields).map(([path, argument]): Change => {
      const parts = path.split('.');
      checkPath(path, parts);
      const apply = operator.compile(argument);
      return { parts, onInsert: name === '$setOnInsert', apply, creates: operator.creates };
    });
  });
  checkConflicts(changes.map((change) => change.parts));
  // New fields are added in the order of their names, regardless of the order in the update.
  changes.sort((a, b) => comparePaths(a.parts, b.parts));
  return (doc, inserting) => {
    for (const { onInsert, parts, creates, apply } of changes) {
      const place = onInsert && !inserting ? undefined : locate(doc, parts, creates);
      if (place !== undefined) apply(place);
    }
    return doc;
  };
}

function checkConflicts(paths: readonly (readonly string[])[], code = 40): void {
  const sorted = [...paths].sort((a, b) => compareValues([...a], [...b]));
  for (let i = 1; i < sorted.length; i++) {
    const [a, b] = [sorted[i - 1] as string[], sorted[i] as string[]];
    if (a.length <= b.length && a.every((part, k) => part === b[k])) {
      fail(code, `Updating the path '${b.join('.')}' would create a conflict at '${a.join('.')}'`);
    }
  }
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a[i] as string, b[i] as string];
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return compareValues(x, y);
  }
  return a.length - b.length;
}

/**
 * The document with which an upsert starts: the values that the filter requires fields to equal (manual:
 * "db.collection.update()", "Upsert"). Fails with 54 if a path is given twice.
 */
export function upsertBase(filter: Doc, update: Value): Doc {
  const equalities: [string, Value][] = [];
  collectEqualities(filter, equalities);
  const base: Doc = {};
  const id = equalities.find(([path]) => path === '_id');
  if (isReplacement(update)) return id === undefined ? base : { _id: id[1] };
  if (id !== undefined) base._id = id[1];
  const paths = equalities.map(([path]) => path);
  for (const path of paths) {
    const twice = paths.filter((each) => each === path || each.startsWith(`${path}.`)).length > 1;
    if (twice) fail(54, `cannot infer query fields to set, path '${path}' is matched twice`);
  }
  for (const [path, value] of equalities) {
    locate(base, path.split('.'), true)?.set(value);
  }
  return base;
}

function collectEqualities(filter: Doc, into: [string, Value][]): void {
  for (const [name, value] of Object.entries(filter)) {
    if (name === '$and' || (name === '$or' && Array.isArray(value) && value.length === 1)) {
      for (const each of value as Doc[]) collectEqualities(each, into);
    } else if (name.startsWith('$')) continue;
    else if (isDoc(value) && Object.keys(value)[0]?.startsWith('$')) {
      if (value.$eq !== undefined) into.push([name, value.$eq]);
    } else into.push([name, value]);
  }
}

/** Puts _id first, as the server stores it. */
export function withIdFirst(doc: Doc, id: Value): Doc {
  const result: Doc = { _id: id };
  for (const [name, value] of Object.entries(doc)) if (name !== '_id') setField(result, name, value);
  return result;
}
