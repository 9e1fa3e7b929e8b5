import { type Catalogue, type Collection, keyFields } from './catalogue.ts';
import { isConstraint } from './database.ts';
import { checkSize, decode } from './documents.ts';
import { DatabaseError, fail } from './errors.ts';
import type { Index } from './indexes.ts';
import { encodeCompoundKey } from './keys.ts';
import { scanCollection } from './scan.ts';
import { complete, type Selection, select } from './select.ts';
import type { Doc } from './values.ts';

/** A document with its _id, decoded as far as the index keys need it. */
export interface NewRow {
  readonly raw: Buffer;
  readonly doc: Doc;
}

/** MongoDB's duplicate key error, 11000, with keyPattern and keyValue. */
function duplicate(collection: Collection, index: Index, doc: Doc): DatabaseError {
  const keyPattern = index.spec.key as Doc;
  const keyValue = index.keyValueOf(doc);
  const text = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${text} }`;
  return new DatabaseError(11000, message, { keyPattern, keyValue });
}

function keysOf(catalogue: Catalogue, index: Index, doc: Doc): Buffer[] {
  const { keys, multikey } = index.keysOf(doc);
  if ((multikey & ~index.multikey) !== 0) catalogue.markMultikey(index, multikey);
  return keys;
}

function insertKey(collection: Collection, index: Index, key: Buffer, row: number, doc: Doc): void {
  try {
    collection.database.run(`INSERT INTO ${index.table} VALUES (?, ?)`, key, row);
  } catch (error) {
    throw isConstraint(error) ? duplicate(collection, index, doc) : error;
  }
}

/** Inserts one document. Fails with 11000, 10334, 171; then the caller takes back what was already written. */
export function insertRow(catalogue: Catalogue, collection: Collection, { raw, doc }: NewRow): void {
  checkSize(raw);
  if (Array.isArray(doc._id)) fail(53, "The '_id' value cannot be of type array");
  const row = collection.nextRow++;
  try {
    collection.database.run(
      `INSERT INTO ${collection.table} VALUES (?, ?, ?)`,
      row,
      encodeCompoundKey([doc._id], [1]),
      raw,
    );
  } catch (error) {
    throw isConstraint(error) ? duplicate(collection, collection.idIndex, doc) : error;
  }
  for (const index of collection.indexes) {
    for (const key of keysOf(catalogue, index, doc)) insertKey(collection, index, key, row, doc);
  }
}

/** Replaces the document of a row; `before` is the row's present document, with the same _id. */
export function replaceRow(
  catalogue: Catalogue,
  collection: Collection,
  row: number,
  before: Doc,
  { raw, doc }: NewRow,
): void {
  checkSize(raw);
  collection.database.run(`UPDATE ${collection.table} SET doc = ? WHERE rid = ?`, raw, row);
  for (const index of collection.indexes) {
    const old = index.keysOf(before).keys;
    const now = keysOf(catalogue, index, doc);
    for (const key of old) {
      if (!now.some((each) => each.equals(key))) deleteKey(collection, index, key, row);
    }
    for (const key of now) if (!old.some((each) => each.equals(key))) insertKey(collection, index, key, row, doc);
  }
}

function deleteKey(collection: Collection, index: Index, key: Buffer, row: number): void {
  collection.database.run(`DELETE FROM ${index.table} WHERE k = ? AND rid = ?`, key, row);
}

/** Deletes a row; `doc` is its document. */
export function deleteRow(collection: Collection, row: number, doc: Doc): void {
  for (const index of collection.indexes) {
    for (const key of index.keysOf(doc).keys) deleteKey(collection, index, key, row);
  }
  collection.database.run(`DELETE FROM ${collection.table} WHERE rid = ?`, row);
}

/** Deletes the rows that are selected; finds all before the first goes. @returns how many */
export function deleteSelected(
  collection: Collection | undefined,
  selection: Selection,
  check: () => void = () => undefined,
): number {
  const rows = complete(select(collection, selection), check);
  for (const { id, raw } of rows) if (collection) deleteRow(collection, id, decode(raw, keyFields(collection)));
  return rows.length;
}

/** Fills a new index from the existing documents. Fails with 11000 or 171. */
export function fillIndex(catalogue: Catalogue, collection: Collection, index: Index): void {
  const fields = keyFields(collection);
  for (const found of scanCollection(collection, 0)) {
    if (found === null) continue;
    const doc = decode(found.raw, fields);
    for (const key of keysOf(catalogue, index, doc)) insertKey(collection, index, key, found.id, doc);
  }
}
