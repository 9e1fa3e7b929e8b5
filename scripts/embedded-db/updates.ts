import { fail } from './errors.ts';
import { compileExpression, type Expression, exact, splitPath } from './expressions.ts';
import { compareValues, equalValues } from './keys.ts';
import { stageOf } from './parameters.ts';
import { isIndex } from './paths.ts';
import { type Doc, getField, isDoc, isOperators, type Maybe, setField, type Value } from './values.ts';

/** What an operator makes of the value at a path; undefined removes it. */
type Apply = (value: Maybe) => Maybe;

interface UpdateOperator {
  /** Whether missing documents on the way to the field are made. */
  readonly creates: boolean;
  readonly compile: (argument: Value) => Apply;
}

/** An array; undefined if nothing is there yet. */
function arrayIn(name: string, value: Maybe): Value[] | undefined {
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
  return (value) => [...(arrayIn('$push', value) ?? []), ...items];
}

function addToSet(argument: Value): Apply {
  const items = itemsOf('$addToSet', argument);
  return (value) => {
    const result = [...(arrayIn('$addToSet', value) ?? [])];
    for (const item of items) if (!result.some((each) => equalValues(each, item))) result.push(item);
    return result;
  };
}

function pull(argument: Value): Apply {
  if (isDoc(argument)) return fail(115, '$pull by a condition is not supported by this database, only of a value');
  return (value) => arrayIn('$pull', value)?.filter((item) => !equalValues(item, argument));
}

function increment(argument: Value): Apply {
  if (typeof argument !== 'number') return fail(14, 'Cannot increment with non-numeric argument');
  return (value = 0) =>
    typeof value === 'number' ? exact(value + argument) : fail(14, 'Cannot apply $inc to a value of non-numeric type');
}

const set: UpdateOperator = { creates: true, compile: (argument) => () => argument };

/** The update operators (manual: "Update Operators"). */
const OPERATORS: ReadonlyMap<string, UpdateOperator> = new Map<string, UpdateOperator>([
  ['$set', set],
  ['$setOnInsert', set],
  ['$unset', { creates: false, compile: () => () => undefined }],
  ['$inc', { creates: true, compile: increment }],
  ['$push', { creates: true, compile: push }],
  ['$addToSet', { creates: true, compile: addToSet }],
  ['$pull', { creates: false, compile: pull }],
]);

/**
 * Fails for paths that no update may have: with 56 for empty names, with 52 for names with `$`, among them the
 * positional operators.
 */
function checkPath(path: string, parts: readonly string[]): void {
  if (parts.includes('')) fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (parts.some((part) => part.startsWith('$'))) fail(52, `Names with $ in updates are not supported here: ${path}`);
}

/**
 * Changes the value at a path in a document, or in an array at the index of an element. What is on the way is copied;
 * what is missing there is made, or else nothing happens. Fails with 28 if a field or an element cannot be made.
 */
function changeAt(place: Doc | Value[], path: readonly string[], apply: Apply, creates: boolean): void {
  const [name = '', ...rest] = path;
  const isArray = Array.isArray(place);
  if (isArray && !(isIndex(name) && Number(name) < place.length)) fail(28, `Cannot create '${name}' in an array here`);
  const old = isArray ? place[Number(name)] : getField(place, name);
  let value: Maybe;
  if (rest.length === 0) value = apply(old);
  else if (isDoc(old) || Array.isArray(old) || (old === undefined && creates)) {
    value = Array.isArray(old) ? [...old] : { ...old };
    changeAt(value, rest, apply, creates);
  } else if (creates) fail(28, `Cannot create field '${rest[0]}' in '${name}', which is no document`);
  else return;
  if (isArray) place[Number(name)] = value ?? null;
  else if (value === undefined) delete place[name];
  else setField(place, name, value);
}

/** Compiles the stage `$set` (manual: "$set (aggregation)"), of which pipeline updates consist. */
function compileSet(spec: Value): (doc: Doc) => Doc {
  if (!isDoc(spec)) return fail(40272, '$set specification stage must be an object');
  const fields = fieldsSet('', spec);
  if (fields.some(({ parts }) => parts.some(isIndex))) fail(115, 'indexes in a stage $set are not supported here');
  inOrder(fields, 31250);
  return (doc) => {
    const result = { ...doc };
    for (const { parts, expression } of fields) changeAt(result, parts, () => expression({ root: doc }), true);
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
  readonly parts: string[];
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
  // New fields are added in the order of their names, regardless of the order in the update.
  const ordered = inOrder(changes, 40);
  return (doc, inserting) => {
    for (const { onInsert, parts, creates, apply } of ordered) {
      if (!onInsert || inserting) changeAt(doc, parts, apply, creates);
    }
    return doc;
  };
}

/** Changes in the order of their paths. Fails with the code if one changes what another changes too. */
function inOrder<Item extends { readonly parts: string[] }>(changes: readonly Item[], code: number): Item[] {
  const sorted = changes.toSorted((a, b) => compareValues(a.parts, b.parts));
  for (const [i, { parts }] of sorted.entries()) {
    const before = sorted[i - 1]?.parts;
    if (before?.every((part, k) => part === parts[k])) {
      fail(code, `Updating the path '${parts.join('.')}' would create a conflict at '${before.join('.')}'`);
    }
  }
  return sorted;
}

/**
 * The document with which an upsert starts: the values that the filter requires fields to equal (manual:
 * "db.collection.update()", "Upsert"). Fails with 54 if a path is given twice.
 */
export function upsertBase(filter: Doc, update: Value): Doc {
  const base: Doc = {};
  const equal: { parts: string[]; value: Value }[] = [];
  for (const [name, value] of Object.entries(filter)) {
    const isHidden = ['$and', '$or'].includes(name) || (isDoc(value) && '$eq' in value);
    if (isHidden) fail(115, `an upsert by ${name}, other than by a value itself, is not supported by this database`);
    if (!name.startsWith('$') && !isOperators(value)) equal.push({ parts: name.split('.'), value });
  }
  for (const { parts, value } of inOrder(equal, 54)) {
    if (parts[0] === '_id' || !isReplacement(update)) changeAt(base, parts, () => value, true);
  }
  return base;
}

/** Puts _id first, as the server stores it. */
export function withIdFirst(doc: Doc, id: Value): Doc {
  const result: Doc = { _id: id };
  for (const [name, value] of Object.entries(doc)) if (name !== '_id') setField(result, name, value);
  return result;
}
