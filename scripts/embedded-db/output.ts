import { ObjectId } from 'bson';
import type { Collection } from './catalogue.ts';
import { decode, encode } from './documents.ts';
import { fail } from './errors.ts';
import { fillIndex, insertRow, replaceRow } from './rows.ts';
import type { Steps } from './scan.ts';
import { complete, first, select } from './select.ts';
import type { Context } from './stages.ts';
import { withIdFirst } from './updates.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** Writes the result of a pipeline to the target of `$out` or `$merge`, completely or not at all. */
export function writeResult(
  context: Context,
  results: Steps<Doc>,
  [stage, spec]: [string, Value],
  check: () => void,
): void {
  const { database } = context.catalogue;
  database.atomically(() => {
    const docs = complete(results, check);
    if (stage === '$out') replaceCollection(context, targetOf(context, spec, '$out'), docs);
    else mergeInto(context, spec, docs);
  });
}

interface Target {
  readonly db: string;
  readonly name: string;
}

function targetOf(context: Context, spec: Value | undefined, stage: string): Target {
  if (typeof spec === 'string') return { db: context.db, name: spec };
  if (isDoc(spec) && typeof spec.coll === 'string')
    return { db: typeof spec.db === 'string' ? spec.db : context.db, name: spec.coll };
  return fail(16990, `${stage} needs the name of a collection`);
}

/** `$out` (manual: "$out (aggregation)"): replaces the collection's documents and keeps its indexes. */
function replaceCollection({ catalogue }: Context, { db, name }: Target, docs: readonly Doc[]): void {
  const before = catalogue.find(db, name);
  const specs = before?.indexes.map((index) => index.spec) ?? [];
  if (before !== undefined) catalogue.drop(before);
  const collection = catalogue.create(db, name, before?.options ?? {});
  for (const doc of docs) insert({ catalogue } as Context, collection, doc);
  for (const spec of specs) {
    const index = catalogue.createIndex(collection, spec);
    if (index !== undefined) fillIndex(catalogue, collection, index);
  }
}

function insert({ catalogue }: Context, collection: Collection, doc: Doc): void {
  const whole = withIdFirst(doc, doc._id ?? new ObjectId());
  insertRow(catalogue, collection, { raw: encode(whole), doc: whole });
}

/** `$merge` (manual: "$merge (aggregation)"), on _id or on fields with a unique index. */
function mergeInto(context: Context, spec: Value, docs: readonly Doc[]): void {
  const options: Doc = isDoc(spec) ? spec : { into: spec };
  const { into, on = '_id', whenMatched = 'merge', whenNotMatched = 'insert', ...others } = options;
  if (Object.keys(others).length > 0) fail(40415, `BSON field '$merge.${Object.keys(others)[0]}' is an unknown field.`);
  if (!['replace', 'keepExisting', 'merge', 'fail'].includes(String(whenMatched))) {
    fail(115, '$merge with a pipeline in whenMatched is not supported by this database');
  }
  if (!['insert', 'discard', 'fail'].includes(String(whenNotMatched)))
    fail(2, `unknown whenNotMatched: ${whenNotMatched}`);
  const { db, name } = targetOf(context, into, '$merge');
  const collection = context.catalogue.ensure(db, name);
  const fields = (Array.isArray(on) ? on : [on]).map(String);
  const unique = collection.allIndexes.some(
    (index) =>
      index.unique && index.fields.length === fields.length && index.fields.every((each) => fields.includes(each.path)),
  );
  if (!unique) fail(51183, 'Cannot find index to verify that join fields will be unique');
  for (const doc of docs) {
    const filter: Doc = {};
    for (const field of fields)
      filter[field] = { $eq: doc[field] ?? fail(51132, `$merge write error: 'on' field '${field}' cannot be missing`) };
    const row = first(select(collection, { filter, limit: 1 }), () => undefined);
    if (row === undefined) {
      if (whenNotMatched === 'fail') fail(13113, '$merge could not find a matching document in the target collection');
      if (whenNotMatched === 'insert') insert(context, collection, doc);
    } else if (whenMatched === 'fail') fail(11000, '$merge found a matching document in the target collection');
    else if (whenMatched !== 'keepExisting') {
      const before = decode(row.raw);
      const merged = whenMatched === 'replace' ? doc : { ...before, ...doc };
      const after = withIdFirst(merged, doc._id ?? (before._id as Value));
      replaceRow(context.catalogue, collection, row.id, before, { raw: encode(after), doc: after });
    }
  }
}
