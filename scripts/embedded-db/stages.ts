import type { Catalogue } from './catalogue.ts';
import { decode } from './documents.ts';
import { fail } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { distinctness } from './keys.ts';
import { integer, stageOf } from './parameters.ts';
import { valueAt } from './paths.ts';
import { mapped, type Row, type Steps } from './scan.ts';
import { count, type Selection, select } from './select.ts';
import { type Doc, isDoc, type Maybe, type Value } from './values.ts';

/** The environment in which a pipeline runs. */
interface Context {
  readonly catalogue: Catalogue;
  readonly db: string;
}

type Stage = (source: Steps<Doc>) => Steps<Doc>;

/** A pipeline. Its first stages become a selection, so that indexes serve them; the other stages follow. */
interface Pipeline {
  readonly selection: Selection;
  readonly stages: readonly Stage[];
  /** If only the number of documents is wanted, as by countDocuments(): the _id and the name under which it is given. */
  readonly counting: { readonly id: Value; readonly name: string } | undefined;
}

/** Compiles a pipeline (manual: "Aggregation Stages"). Fails with 40324 for stages that are not known here. */
export function compilePipeline(stages: Value | undefined, context: Context): Pipeline {
  if (!Array.isArray(stages)) return fail(14, "'pipeline' option must be specified as an array");
  const list = stages.map(stageOf);
  const filter = list[0]?.[0] === '$match' ? filterOf(list.shift()?.[1]) : {};
  const limit = list[0]?.[0] === '$limit' ? limitOf(list.shift()?.[1]) : 0;
  const selection = { filter, limit };
  const [[name, spec] = [], ...more] = list;
  const counting = name === '$group' && more.length === 0 ? countingOf(spec) : undefined;
  if (counting !== undefined) return { selection, counting, stages: [] };
  return { selection, counting, stages: list.map(([each, its]) => compileStage(each, its, context)) };
}

const limitOf = (value: Value | undefined): number =>
  integer('$limit', value, 0) || fail(15958, 'the limit must be positive');

/** Recognizes the group of countDocuments(), which may be answered from index keys alone. */
function countingOf(group: Value | undefined): Pipeline['counting'] {
  const [[idName, id] = [], [name, sum] = [], ...others] = isDoc(group) ? Object.entries(group) : [];
  const isConstant = idName === '_id' && typeof id === 'number';
  if (!isConstant || name === undefined || others.length > 0) return undefined;
  return isDoc(sum) && Object.keys(sum).length === 1 && sum.$sum === 1 ? { id, name } : undefined;
}

function filterOf(spec: Value | undefined): Doc {
  return isDoc(spec) ? spec : fail(15959, 'the match filter must be an expression in an object');
}

/** Runs a pipeline on a collection, which need not exist. */
export function runPipeline(pipeline: Pipeline, name: string, context: Context): Steps<Doc> {
  const { selection, counting, stages } = pipeline;
  const collection = context.catalogue.find(context.db, name);
  if (counting !== undefined) return counted(count(collection, selection), counting);
  return stages.reduce((source, stage) => stage(source), documents(select(collection, selection)));
}

/** The group of all documents, if there are any. */
function* counted(numbers: Steps<number>, { id, name }: NonNullable<Pipeline['counting']>): Steps<Doc> {
  for (const number of numbers) if (number !== 0) yield number === null ? null : { _id: id, [name]: number };
}

const documents = (rows: Steps<Row>): Steps<Doc> => mapped(rows, ({ raw }) => decode(raw));

function compileStage(name: string, spec: Value, context: Context): Stage {
  switch (name) {
    case '$group':
      return groupStage(spec);
    case '$lookup':
      return lookupStage(spec, context);
    case '$match':
    case '$limit':
      return fail(115, `${name} is supported by this database only at the head of a pipeline, in the order of a find`);
    case '$changeStream':
      return fail(40573, 'The $changeStream stage is only supported on replica sets');
    default:
      return fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

/** `$group` by an _id alone (manual: "$group (aggregation)"). Groups are in the order of their first document. */
function groupStage(spec: Value): Stage {
  const { _id, ...sums } = isDoc(spec) ? spec : fail(15947, "a group's fields must be specified in an object");
  if (_id === undefined) return fail(15955, 'a group specification must include an _id');
  for (const name of Object.keys(sums)) fail(115, `sums of groups are not supported by this database: ${name}`);
  const id = compileExpression(_id);
  return function* group(source) {
    const isNew = distinctness();
    for (const doc of source) {
      const value = doc && (id({ root: doc }) ?? null);
      if (doc === null) yield null;
      else if (isNew(value)) yield { _id: value };
    }
  };
}

/** `$lookup` by equality (manual: "$lookup (aggregation)"), which an index serves. */
function lookupStage(spec: Value, { catalogue, db }: Context): Stage {
  const { from, as, localField, foreignField, ...others } = isDoc(spec) ? spec : {};
  const names = [from, as, localField, foreignField].filter((name) => typeof name === 'string');
  const [source = '', into = '', localPath = '', foreignPath] = names;
  if (foreignPath === undefined || into.includes('.') || Object.keys(others).length > 0)
    return fail(9, "a $lookup takes 'from', 'localField', 'foreignField' and 'as', a field of the document, here");
  const local = localPath.split('.');
  return function* lookup(rows) {
    for (const doc of rows) {
      if (doc === null) {
        yield null;
        continue;
      }
      const found: Value[] = [];
      const filter = equalityFilter(foreignPath, valueAt(doc, local));
      for (const each of documents(select(catalogue.find(db, source), { filter }))) {
        if (each === null) yield null;
        else found.push(each);
      }
      yield { ...doc, [into]: found };
    }
  };
}

const equalityFilter = (path: string, value: Maybe): Doc =>
  Array.isArray(value) ? { [path]: { $in: value } } : { [path]: { $eq: value ?? null } };
