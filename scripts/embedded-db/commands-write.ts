import { ObjectId } from 'bson';
import { type Collection, keyFields } from './catalogue.ts';
import type { Call, Command } from './command.ts';
import { deadlineOf } from './cursors.ts';
import { asBuffer, decode, encode } from './documents.ts';
import { DatabaseError, fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { equalValues } from './keys.ts';
import { checkFields, document, integer, text } from './parameters.ts';
import { compileProjection } from './projections.ts';
import { deleteRow, deleteSelected, insertRow, type NewRow, replaceRow } from './rows.ts';
import type { Row } from './scan.ts';
import { complete, parseSort, select } from './select.ts';
import { compileUpdate, isReplacement, type Update, upsertBase, withIdFirst } from './updates.ts';
import { type Doc, isDoc, type Value } from './values.ts';

const MAX_BATCH = 100_000;

/** The error of one operation of a batch, as the answer lists it. */
function writeError(error: unknown, index: number): Doc {
  if (!(error instanceof DatabaseError)) throw error;
  return { index, code: error.code, errmsg: error.message, ...error.details };
}

/** Runs the operations of a batch one by one. An ordered batch ends at the first error. @returns the errors */
function runBatch(call: Call, count: number, operation: (index: number) => void): Doc[] {
  if (count === 0 || count > MAX_BATCH)
    fail(16, `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${count} operations.`);
  const ordered = call.body.ordered !== false;
  const errors: Doc[] = [];
  for (let i = 0; i < count; i++) {
    try {
      call.server.database.atomically(() => operation(i));
    } catch (error) {
      errors.push(writeError(error, i));
      if (ordered) break;
    }
  }
  return errors;
}

const withErrors = (reply: Doc, errors: Doc[]): Doc => (errors.length > 0 ? { ...reply, writeErrors: errors } : reply);

function listOf(call: Call, name: string): Doc[] {
  const sequence = call.documents.get(name);
  if (sequence !== undefined) return sequence.map((raw) => decode(raw));
  const list = call.body[name];
  if (!Array.isArray(list)) return fail(40414, `BSON field '${name}' is missing but a required field`);
  return list.map((item) => (isDoc(item) ? item : fail(14, `BSON field '${name}' must hold objects`)));
}

/** Prepares a document for insertion, with _id as its first field. */
function newRow(raw: Buffer): NewRow {
  // The whole document, so that no type is stored that could not be read.
  const doc = decode(raw);
  const id = doc._id;
  // In BSON the type byte of the first element is followed by its name.
  if (raw.toString('latin1', 5, 9) === '_id\0') return { raw, doc };
  const whole = withIdFirst(doc, id ?? new ObjectId());
  return { raw: encode(whole), doc: whole };
}

function insert(call: Call): Doc {
  const { body, db, server } = call;
  const given = call.documents.get('documents') ?? listOf(call, 'documents').map(encode);
  const { catalogue, database } = server;
  const name = text('insert', body.insert);
  const collection = database.atomically(() => catalogue.ensure(db, name));
  let n = 0;
  const errors = runBatch(call, given.length, (i) => {
    insertRow(catalogue, collection, newRow(given[i] as Buffer));
    n++;
  });
  return withErrors({ n, ok: 1 }, errors);
}

/** Changes the document of a row. Returns the bytes of the new one, and whether they differ from the old ones. */
function changeRow(
  call: Call,
  collection: Collection,
  { id, raw }: Row,
  update: Update,
): { after: Buffer; modified: boolean } {
  const before = decode(raw, keyFields(collection));
  const changed = update(decode(raw), false);
  if (changed._id === undefined || !equalValues(changed._id, before._id)) {
    return fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  const doc = Object.keys(changed)[0] === '_id' ? changed : withIdFirst(changed, changed._id);
  const after = encode(doc);
  const modified = !after.equals(asBuffer(raw));
  if (modified) replaceRow(call.server.catalogue, collection, id, before, { raw: after, doc });
  return { after, modified };
}

/** Inserts the document that an upsert makes from its filter and its update. */
function upsert(call: Call, collection: Collection, filter: Doc, spec: Value, update: Update): Doc {
  const base = upsertBase(filter, spec);
  const { _id } = base;
  const made = update(base, true);
  const doc = withIdFirst(made, made._id ?? new ObjectId());
  if (_id !== undefined && !equalValues(_id, doc._id)) {
    fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  insertRow(call.server.catalogue, collection, { raw: encode(doc), doc });
  return doc;
}

/** What one update of a batch did. */
interface Changes {
  readonly matched: number;
  readonly modified: number;
  /** The _id of the document that was inserted. */
  readonly upserted?: Value;
}

function updateOne(call: Call, name: string, each: Doc, check: () => void): Changes {
  checkFields('update.updates', each, ['q', 'u', 'multi', 'upsert']);
  const filter = document('q', each.q);
  const update = compileUpdate(each.u);
  const multi = isTruthy(each.multi);
  if (multi && isReplacement(each.u as Value)) fail(9, 'multi update is not supported for replacement-style update');
  const collection = collectionFor(call, name, each.upsert);
  // All rows are found before the first change, so that none is found twice.
  const rows = complete(select(collection, { filter, limit: multi ? 0 : 1 }), check);
  if (collection === undefined) return { matched: 0, modified: 0 };
  if (rows.length === 0 && isTruthy(each.upsert)) {
    const doc = upsert(call, collection, filter, each.u as Value, update);
    return { matched: 1, modified: 0, upserted: doc._id as Value };
  }
  const modified = rows.filter((row) => changeRow(call, collection, row, update).modified).length;
  return { matched: rows.length, modified };
}

/** A collection; an upsert makes one that is missing. */
function collectionFor({ server, db }: Call, name: string, upserts: Value | undefined): Collection | undefined {
  return isTruthy(upserts) ? server.catalogue.ensure(db, name) : server.catalogue.find(db, name);
}

function update(call: Call): Doc {
  const name = text('update', call.body.update);
  const updates = listOf(call, 'updates');
  let [n, nModified] = [0, 0];
  const upserted: Doc[] = [];
  const { check } = deadlineOf(call.body);
  const errors = runBatch(call, updates.length, (index) => {
    const changes = updateOne(call, name, updates[index] as Doc, check);
    n += changes.matched;
    nModified += changes.modified;
    if (changes.upserted !== undefined) upserted.push({ index, _id: changes.upserted });
  });
  return withErrors({ n, nModified, ...(upserted.length > 0 && { upserted }), ok: 1 }, errors);
}

function remove(call: Call): Doc {
  const deletes = listOf(call, 'deletes');
  const collection = call.server.catalogue.find(call.db, text('delete', call.body.delete));
  const { check } = deadlineOf(call.body);
  let n = 0;
  const result = runBatch(call, deletes.length, (i) => {
    const one = deletes[i] as Doc;
    checkFields('delete.deletes', one, ['q', 'limit']);
    const { q, limit } = one;
    const most = integer('limit', limit, 0);
    if (most > 1) fail(9, `The limit field in delete objects must be 0 or 1. Got ${most}`);
    const selection = { filter: document('q', q), limit: most };
    n += deleteSelected(collection, selection, check);
  });
  return withErrors({ n, ok: 1 }, result);
}

function findAndModify(call: Call): Doc {
  const { body, server } = call;
  const name = text('findAndModify', body.findAndModify);
  const filter = document('query', body.query);
  const removes = isTruthy(body.remove);
  if (removes && (body.update !== undefined || isTruthy(body.upsert) || isTruthy(body.new))) {
    fail(9, 'Cannot specify both an update or new or upsert and remove=true');
  }
  const project = compileProjection(body.fields);
  const update = removes ? undefined : compileUpdate(body.update);
  const { check } = deadlineOf(body);
  return server.database.atomically(() => {
    const collection = collectionFor(call, name, body.upsert);
    const [row] = complete(select(collection, { filter, sort: parseSort(body.sort), limit: 1 }), check);
    const answer = (before: Uint8Array | null, after: Uint8Array | null, upserted?: Value): Doc => {
      const raw = isTruthy(body.new) ? after : before;
      const lastErrorObject: Doc = { n: Number((after ?? before) !== null) };
      if (!removes) lastErrorObject.updatedExisting = before !== null;
      if (upserted !== undefined) lastErrorObject.upserted = upserted;
      return { lastErrorObject, value: raw && decode(project?.(raw) ?? raw), ok: 1 };
    };
    if (row && collection) {
      if (update !== undefined) return answer(row.raw, changeRow(call, collection, row, update).after);
      deleteRow(collection, row.id, decode(row.raw, keyFields(collection)));
      return answer(row.raw, null);
    }
    if (collection === undefined || update === undefined || !isTruthy(body.upsert)) return answer(null, null);
    const doc = upsert(call, collection, filter, body.update as Value, update);
    return answer(null, encode(doc), doc._id);
  });
}

export const WRITE_COMMANDS: Readonly<Record<string, Command>> = {
  insert: { fields: ['insert', 'documents', 'ordered'], run: insert },
  update: { fields: ['update', 'updates', 'ordered'], run: update },
  delete: { fields: ['delete', 'deletes', 'ordered'], run: remove },
  findAndModify: {
    fields: ['findAndModify', 'query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert'],
    run: findAndModify,
  },
};
