import { compareValues } from './compare.ts';
import { fail } from './errors.ts';
import { compileSet, stageOf } from './transforms.ts';
import { OPERATORS } from './update-operators.ts';
import { checkPath, locate, type Place } from './update-paths.ts';
import { type Doc, getField, isDoc, setField, typeName, type Value } from './values.ts';

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
  readonly apply: (doc: Doc, place: Place) => void;
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
      return fail(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}}`,
      );
    }
    return Object.entries(fields).map(([path, argument]): Change => {
      const parts = path.split('.');
      checkPath(path, parts);
      const apply = operator.compile(path, argument);
      return { parts, onInsert: name === '$setOnInsert', apply, creates: operator.creates };
    });
  });
  checkConflicts(changes.map((change) => change.parts));
  // New fields are added in the order of their names, regardless of the order in the update.
  changes.sort((a, b) => comparePaths(a.parts, b.parts));
  return (doc, inserting) => {
    for (const { onInsert, parts, creates, apply } of changes) {
      const place = onInsert && !inserting ? undefined : locate(doc, parts, creates);
      if (place !== undefined) apply(doc, place);
    }
    return doc;
  };
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
