import { Timestamp } from 'bson';
import { compareValues } from './compare.ts';
import { fail } from './errors.ts';
import type { Variables } from './matcher.ts';
import type { Position } from './paths.ts';
import { compileTransform, type Transform } from './transforms.ts';
import { OPERATORS } from './update-operators.ts';
import { ArrayFilters, checkPath, locate, type Place } from './update-paths.ts';
import { type Doc, getField, isDoc, setField, typeName, type Value } from './values.ts';

/** The circumstances of an update. */
export interface Situation {
  /** The array element that the filter matched, for the positional `$`. */
  readonly position: Position;
  /** Whether the document is being inserted; only then `$setOnInsert` applies. */
  readonly inserting: boolean;
}

/** A compiled update. */
export interface Update {
  /** Makes the new document from the old one, which it may change while doing so. */
  readonly apply: (doc: Doc, situation: Situation) => Doc;
  /** Whether it needs to know the position at which the filter matched. */
  readonly positional: boolean;
}

/** Whether an update replaces the document instead of changing it. */
export function isReplacement(update: Value): update is Doc {
  return isDoc(update) && !Object.keys(update)[0]?.startsWith('$');
}

/**
 * Compiles an update (manual: "Update Operators", "Updates with Aggregation Pipeline").
 * Fails with MongoDB's codes: 9 unknown operator, 40 conflicting paths, 52 and 56 bad names, 2 and 14 bad arguments.
 */
export function compileUpdate(
  update: Value | undefined,
  arrayFilters: Value | undefined,
  variables?: Variables,
): Update {
  if (Array.isArray(update)) return compilePipeline(update, variables);
  if (!isDoc(update)) return fail(9, 'Update argument must be either an object or an array');
  if (isReplacement(update)) return compileReplacement(update);
  return compileOperators(update, new ArrayFilters(arrayFilters));
}

function compilePipeline(stages: readonly Value[], variables: Variables | undefined): Update {
  const transforms = stages.map((stage): Transform => {
    const [name, ...others] = isDoc(stage) ? Object.keys(stage) : [];
    if (name === undefined || others.length > 0)
      fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    const transform = compileTransform(name as string, (stage as Doc)[name as string] as Value);
    return transform ?? fail(72, `${name} is not allowed to be used within an update`);
  });
  return {
    positional: false,
    apply: (doc) => transforms.reduce((current, transform) => transform(current, variables), doc),
  };
}

function compileReplacement(replacement: Doc): Update {
  for (const name of Object.keys(replacement)) {
    if (name.startsWith('$'))
      fail(52, `The dollar ($) prefixed field '${name}' is not allowed in a replacement document.`);
  }
  return {
    positional: false,
    apply: (doc) => {
      const id = getField(replacement, '_id') ?? getField(doc, '_id');
      return id === undefined ? { ...replacement } : { _id: id, ...replacement };
    },
  };
}

/** One operator on one path. */
interface Change {
  readonly parts: readonly string[];
  readonly onInsert: boolean;
  readonly apply: (doc: Doc, place: Place) => void;
  /** Whether missing documents on the way are made. */
  readonly creates: boolean;
}

const MODIFIERS = new Set([...OPERATORS.keys(), '$setOnInsert', '$currentDate', '$rename']);

function compileOperators(update: Doc, filters: ArrayFilters): Update {
  const changes: Change[] = [];
  const renames: { from: string[]; to: string[] }[] = [];
  for (const [name, fields] of Object.entries(update)) {
    if (!MODIFIERS.has(name)) {
      fail(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDoc(fields)) {
      return fail(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}}`,
      );
    }
    for (const [path, argument] of Object.entries(fields)) {
      if (name === '$rename') renames.push(compileRename(path, argument));
      else changes.push(compileChange(name, path, argument, filters));
    }
  }
  filters.checkUsed();
  checkConflicts([...changes.map((change) => change.parts), ...renames.flatMap(({ from, to }) => [from, to])]);
  // New fields are added in the order of their names, regardless of the order in the update.
  changes.sort((a, b) => comparePaths(a.parts, b.parts));
  const apply: Update['apply'] = (doc, situation) => {
    for (const change of changes) {
      if (change.onInsert && !situation.inserting) continue;
      for (const place of locate(doc, change.parts, filters, situation.position, change.creates)) {
        change.apply(doc, place);
      }
    }
    for (const { from, to } of renames) rename(doc, from, to, filters, situation.position);
    return doc;
  };
  return { apply, positional: changes.some((change) => change.parts.includes('$')) };
}

function compileChange(name: string, path: string, argument: Value, filters: ArrayFilters): Change {
  const parts = path.split('.');
  checkPath(path, parts);
  filters.use(path, parts);
  const onInsert = name === '$setOnInsert';
  if (name === '$currentDate') return { parts, onInsert, apply: currentDate(argument), creates: true };
  const operator = OPERATORS.get(onInsert ? '$set' : name) ?? fail(9, `Unknown modifier: ${name}`);
  return { parts, onInsert, apply: operator.compile(path, argument), creates: operator.creates };
}

function currentDate(argument: Value): Change['apply'] {
  const type = isDoc(argument) ? argument.$type : argument === true || argument === false ? 'date' : undefined;
  if (type !== 'date' && type !== 'timestamp') {
    fail(
      2,
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
    );
  }
  return (_, place) => {
    const now = Date.now();
    place.set(type === 'date' ? new Date(now) : new Timestamp({ t: Math.floor(now / 1000), i: 1 }));
  };
}

function compileRename(path: string, argument: Value): { from: string[]; to: string[] } {
  if (typeof argument !== 'string') return fail(2, `The 'to' field for $rename must be a string: ${path}`);
  const [from, to] = [path.split('.'), argument.split('.')];
  checkPath(path, from);
  checkPath(argument, to);
  if ([...from, ...to].some((part) => part.startsWith('$')))
    fail(2, `The source and target fields for $rename may not be dynamic: ${path}`);
  if (path === argument) fail(2, `The source and target field for $rename must differ: ${path}: "${argument}"`);
  return { from, to };
}

function rename(doc: Doc, from: string[], to: string[], filters: ArrayFilters, position: Position): void {
  const [source] = locate(doc, from, filters, position, false);
  const value = source?.get();
  if (source?.inArray === true) fail(2, `The source field cannot be an array element, '${from.join('.')}'`);
  if (source === undefined || value === undefined) return;
  const [target] = locate(doc, to, filters, position, true);
  if (target === undefined || target.inArray)
    fail(2, `The destination field cannot be an array element, '${to.join('.')}'`);
  source.remove();
  (target as Place).set(value);
}

function checkConflicts(paths: readonly (readonly string[])[]): void {
  const sorted = [...paths].sort((a, b) => compareValues([...a], [...b]));
  for (let i = 1; i < sorted.length; i++) {
    const [a, b] = [sorted[i - 1] as string[], sorted[i] as string[]];
    if (a.length <= b.length && a.every((part, k) => part === b[k])) {
      fail(40, `Updating the path '${b.join('.')}' would create a conflict at '${a.join('.')}'`);
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
  const filters = new ArrayFilters(undefined);
  for (const [path, value] of equalities) {
    const [place] = locate(base, path.split('.'), filters, { index: -1 }, true);
    place?.set(value);
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
    } else if (isValue(value)) into.push([name, value]);
  }
}

/** A regular expression in a filter is a pattern, not a value. */
function isValue(value: Value): boolean {
  return !(typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'BSONRegExp');
}

/** Puts _id first, as the server stores it. */
export function withIdFirst(doc: Doc, id: Value): Doc {
  const result: Doc = { _id: id };
  for (const [name, value] of Object.entries(doc)) if (name !== '_id') setField(result, name, value);
  return result;
}
