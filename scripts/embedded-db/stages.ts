import { BSONRegExp } from 'bson';
import type { Catalogue } from './catalogue.ts';
import { decode } from './documents.ts';
import { fail } from './errors.ts';
import { compileGroup } from './groups.ts';
import { compileFilter } from './matcher.ts';
import { isNumeric, toInteger } from './numbers.ts';
import { valueAt } from './operators.ts';
import { parseSort } from './plans.ts';
import type { Steps } from './scan.ts';
import { type Selection, select, sortKeyOf } from './select.ts';
import { compileTransform, stageOf } from './transforms.ts';
import { type Doc, getField, isDoc, type Maybe, setField, type Value } from './values.ts';

/** The environment in which a pipeline runs. */
export interface Context {
  readonly catalogue: Catalogue;
  readonly db: string;
}

type Stage = (source: Steps<Doc>) => Steps<Doc>;

/** A pipeline. Its first stages become a selection, so that indexes serve them; the other stages follow. */
export interface Pipeline {
  readonly selection: Selection;
  readonly stages: readonly Stage[];
}

function whole(name: string, value: Value, least: bigint, code: number): number {
  const result = isNumeric(value) ? toInteger(value) : undefined;
  if (result === undefined || result < least)
    return fail(code, `invalid argument to ${name} stage: must be an integer of at least ${least}`);
  return Number(result);
}

/** Compiles a pipeline (manual: "Aggregation Stages"). Fails with 40324 for stages that are not known here. */
export function compilePipeline(stages: Value | undefined, context: Context, hint?: Value): Pipeline {
  if (!Array.isArray(stages)) return fail(14, "'pipeline' option must be specified as an array");
  const list = stages.map(stageOf);
  let at = 0;
  const filters: Doc[] = [];
  for (; list[at]?.[0] === '$match'; at++) filters.push(filterOf(list[at]?.[1]));
  const sort = list[at]?.[0] === '$sort' ? sortOf(list[at++]?.[1]) : [];
  const skip = list[at]?.[0] === '$skip' ? whole('$skip', list[at++]?.[1] as Value, 0n, 15956) : 0;
  const limit = list[at]?.[0] === '$limit' ? whole('$limit', list[at++]?.[1] as Value, 1n, 15958) : 0;
  const filter = filters.length > 1 ? { $and: filters } : (filters[0] ?? {});
  const rest = list.slice(at).map(([name, spec]) => compileStage(name, spec, context));
  return { selection: { filter, sort, skip, limit, hint }, stages: rest };
}

function filterOf(spec: Value | undefined): Doc {
  return isDoc(spec) ? spec : fail(15959, 'the match filter must be an expression in an object');
}

function sortOf(spec: Value | undefined): ReturnType<typeof parseSort> {
  if (!isDoc(spec) || Object.keys(spec).length === 0) return fail(15976, '$sort stage must have at least one sort key');
  return parseSort(spec);
}

/** Runs a pipeline on a collection, which need not exist. */
export function runPipeline(pipeline: Pipeline, name: string, context: Context): Steps<Doc> {
  const rows = select(context.catalogue.find(context.db, name), pipeline.selection);
  return pipeline.stages.reduce((source, stage) => stage(source), documents(rows));
}

function* documents(rows: Steps<{ raw: Uint8Array }>): Steps<Doc> {
  for (const row of rows) yield row === null ? null : decode(row.raw);
}

/** A stage that processes each document separately. */
function each(apply: (doc: Doc) => Iterable<Doc>): Stage {
  return function* stage(source) {
    for (const doc of source) {
      if (doc === null) yield null;
      else yield* apply(doc);
    }
  };
}

function compileStage(name: string, spec: Value, context: Context): Stage {
  const transform = compileTransform(name, spec);
  if (transform !== undefined) return each((doc) => [transform(doc)]);
  switch (name) {
    case '$match': {
      const matcher = compileFilter(filterOf(spec));
      return each((doc) => (matcher.test(doc) ? [doc] : []));
    }
    case '$sort':
      return sortStage(spec);
    case '$limit':
      return limitStage(whole(name, spec, 1n, 15958));
    case '$skip':
      return skipStage(whole(name, spec, 0n, 15956));
    case '$count': {
      if (typeof spec !== 'string' || spec === '' || spec.startsWith('$') || spec.includes('.'))
        return fail(40156, 'the count field must be a non-empty string');
      const group = compileGroup({ _id: null, [spec]: { $sum: 1 } });
      const drop = compileTransform('$unset', '_id');
      return (source) => each((doc) => [drop?.(doc) ?? doc])(group(source));
    }
    case '$group':
      return compileGroup(spec);
    case '$unwind':
      return unwindStage(spec);
    case '$lookup':
      return lookupStage(spec, context);
    case '$changeStream':
      return fail(40573, 'The $changeStream stage is only supported on replica sets');
    default:
      return fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

function sortStage(spec: Value): Stage {
  const keyOf = sortKeyOf(sortOf(spec));
  return function* sort(source) {
    const found: [Buffer, Doc][] = [];
    for (const doc of source) {
      if (doc === null) yield null;
      else found.push([keyOf(doc), doc]);
    }
    for (const [, doc] of found.sort((a, b) => Buffer.compare(a[0], b[0]))) yield doc;
  };
}

function limitStage(limit: number): Stage {
  return function* take(source) {
    let left = limit;
    for (const doc of source) {
      yield doc;
      if (doc !== null && --left === 0) return;
    }
  };
}

function skipStage(skip: number): Stage {
  return function* pass(source) {
    let left = skip;
    for (const doc of source) {
      if (doc === null || left === 0) yield doc;
      else left--;
    }
  };
}

function fieldPath(value: Value | undefined, stage: string): string[] {
  if (typeof value !== 'string' || !/^\$[^$]/.test(value))
    return fail(28818, `path option to ${stage} stage should be prefixed with a '$': ${value}`);
  return value.slice(1).split('.');
}

function unwindStage(spec: Value): Stage {
  const options: Doc = isDoc(spec) ? spec : { path: spec };
  const { path, preserveNullAndEmptyArrays, includeArrayIndex, ...others } = options;
  if (Object.keys(others).length > 0) fail(28811, `unrecognized option to $unwind stage: ${Object.keys(others)[0]}`);
  const parts = fieldPath(path, '$unwind');
  const keep = preserveNullAndEmptyArrays === true;
  const number = typeof includeArrayIndex === 'string' ? includeArrayIndex : undefined;
  const numbered = (doc: Doc, value: Value): Doc =>
    number === undefined ? doc : withPath(doc, number.split('.'), 0, value);
  return each((doc) => {
    let value: Maybe = doc;
    for (const part of parts) value = isDoc(value) ? getField(value, part) : undefined;
    if (value === undefined || value === null) return keep ? [numbered(doc, null)] : [];
    if (!Array.isArray(value)) return [numbered(doc, null)];
    if (value.length === 0) return keep ? [numbered(withPath(doc, parts, 0, undefined), null)] : [];
    return value.map((item, i) => numbered(withPath(doc, parts, 0, item), BigInt(i)));
  });
}

/** A copy of a document with a different value, or none, at a path. */
function withPath(doc: Doc, parts: readonly string[], at: number, value: Maybe): Doc {
  const name = parts[at] as string;
  const result = { ...doc };
  const inner = getField(doc, name);
  if (at < parts.length - 1) setField(result, name, withPath(isDoc(inner) ? inner : {}, parts, at + 1, value));
  else if (value === undefined) delete result[name];
  else setField(result, name, value);
  return result;
}

/** `$lookup` by equality (manual: "$lookup (aggregation)"), which an index serves. */
function lookupStage(spec: Value, { catalogue, db }: Context): Stage {
  if (!isDoc(spec)) return fail(9, 'the $lookup specification must be an Object');
  const { from, as, localField, foreignField, ...others } = spec;
  if (Object.keys(others).length > 0) fail(9, `unknown argument to $lookup: ${Object.keys(others)[0]}`);
  if (typeof from !== 'string' || typeof as !== 'string')
    return fail(9, "must specify 'from' and 'as' fields for a $lookup");
  if (typeof localField !== 'string' || typeof foreignField !== 'string')
    return fail(9, '$lookup requires both localField and foreignField to be specified');
  const [local, target] = [localField.split('.'), as.split('.')];
  return function* lookup(source) {
    for (const doc of source) {
      if (doc === null) {
        yield null;
        continue;
      }
      const found: Value[] = [];
      const filter = equalityFilter(foreignField, valueAt(doc, local, 0));
      for (const each of documents(select(catalogue.find(db, from), { filter }))) {
        if (each === null) yield null;
        else found.push(each);
      }
      yield withPath(doc, target, 0, found);
    }
  };
}

function equalityFilter(path: string, value: Maybe): Doc {
  if (!Array.isArray(value)) return { [path]: { $eq: value ?? null } };
  // Inside `$in` a regular expression would be taken as a pattern.
  if (value.some((item) => item instanceof BSONRegExp))
    return { $or: value.map((item) => ({ [path]: { $eq: item } })) };
  return { [path]: { $in: value } };
}
