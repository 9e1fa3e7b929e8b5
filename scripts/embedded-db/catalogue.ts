import type { Database } from './database.ts';
import { decode, encode } from './documents.ts';
import { fail } from './errors.ts';
import { type Index, indexOf, parseIndexSpec } from './indexes.ts';
import { equalValues } from './keys.ts';
import type { Doc } from './values.ts';

/** A collection: one table of documents, and one table for each index. */
export type Collection = ReturnType<typeof collectionOf>;

function collectionOf(database: Database, number: number, db: string, name: string) {
  const table = `c${number}`;
  const indexes: Index[] = [];
  return {
    number,
    db,
    name,
    namespace: `${db}.${name}`,
    table,
    database,
    idIndex: indexOf(0, { v: 2, key: { _id: 1 }, name: '_id_' }, 0, table, 'id'),
    indexes,
    /** The row number that the next document gets. */
    nextRow: Number(database.get(`SELECT coalesce(max(rid), 0) FROM ${table}`)[0]) + 1,
    /** True when the collection has been dropped, so that a paused cursor stops. */
    dropped: false,
  };
}

/** The index on _id and the others, in order of creation. */
export const allIndexes = ({ idIndex, indexes }: Collection): Index[] => [idIndex, ...indexes];

/** The top-level fields that index keys need; undefined if a partial filter may read any field. */
export function keyFields({ indexes }: Collection): ReadonlySet<string> | undefined {
  const names = new Set(['_id']);
  for (const { fields, partial } of indexes) {
    for (const { parts } of fields) names.add(parts[0] as string);
    if (partial === undefined) continue;
    if (partial.fields === undefined) return undefined;
    for (const name of partial.fields) names.add(name);
  }
  return names;
}

/** All collections of all databases, in memory and in the tables `_collections` and `_indexes`. */
export class Catalogue {
  readonly database: Database;
  private readonly collections = new Map<string, Collection>();

  constructor(database: Database) {
    this.database = database;
    database.sql.exec(`
      CREATE TABLE IF NOT EXISTS _collections (
        number INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, options BLOB NOT NULL, UNIQUE (db, name));
      CREATE TABLE IF NOT EXISTS _indexes (
        number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL)`);
    for (const row of this.database.all('SELECT number, db, name FROM _collections ORDER BY number')) {
      this.load(row as [number, string, string]);
    }
  }

  private load([number, db, name]: [number, string, string]): void {
    const collection = collectionOf(this.database, number, db, name);
    const rows = this.database.all(
      'SELECT number, spec, multikey FROM _indexes WHERE collection = ? ORDER BY number',
      number,
    );
    for (const [index, spec, multikey] of rows as [number, Uint8Array, number][]) {
      collection.indexes.push(indexOf(index, decode(spec), multikey));
    }
    this.collections.set(collection.namespace, collection);
  }

  find(db: string, name: string): Collection | undefined {
    return this.collections.get(`${db}.${name}`);
  }

  list(db?: string): Collection[] {
    return [...this.collections.values()].filter((collection) => db === undefined || collection.db === db);
  }

  /** Finds a collection, or creates it, as MongoDB does at the first write. Like all changes here, within a step. */
  ensure(db: string, name: string): Collection {
    const found = this.find(db, name);
    if (found !== undefined) return found;
    if (/^$|^\.|\.$|[$\0]|^system\./.test(name)) fail(73, `Invalid collection name: ${name}`);
    if (/^$|[/\\. "$\0]/.test(db)) fail(73, `Invalid database name: ${db}`);
    const [number] = this.database.get(
      'INSERT INTO _collections (db, name, options) VALUES (?, ?, ?) RETURNING number',
      db,
      name,
      encode({}),
    );
    this.database.sql.exec(
      `CREATE TABLE c${number} (rid INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
    );
    const collection = collectionOf(this.database, Number(number), db, name);
    this.collections.set(collection.namespace, collection);
    this.database.undo(() => {
      collection.dropped = true;
      this.collections.delete(collection.namespace);
    });
    return collection;
  }

  drop(collection: Collection): void {
    for (const { table } of [collection, ...collection.indexes]) this.database.sql.exec(`DROP TABLE ${table}`);
    this.database.run('DELETE FROM _indexes WHERE collection = ?', collection.number);
    this.database.run('DELETE FROM _collections WHERE number = ?', collection.number);
    this.collections.delete(collection.namespace);
    collection.dropped = true;
    this.database.undo(() => {
      collection.dropped = false;
      this.collections.set(collection.namespace, collection);
    });
  }

  /**
   * Adds an empty index, or returns undefined if the same one exists. Fails with 85 or 86 if there is an index with the
   * same name or keys but different properties (manual: "createIndexes").
   */
  createIndex(collection: Collection, given: Doc): Index | undefined {
    const spec = parseIndexSpec(given);
    for (const existing of allIndexes(collection)) {
      const isSame = (option: string) => equalValues(existing.spec[option], spec[option]);
      const isOnId = existing === collection.idIndex && isSame('key');
      if (isOnId || equalValues(existing.spec, spec)) return undefined;
      if (isSame('name')) fail(86, `An existing index has the same name as the requested index: ${spec.name}`);
      if (isSame('key') && isSame('partialFilterExpression')) {
        fail(85, `Index already exists with a different name: ${existing.name}`);
      }
    }
    return this.addIndex(collection, spec);
  }

  private addIndex(collection: Collection, spec: Doc): Index {
    const [number] = this.database.get(
      'INSERT INTO _indexes (collection, spec, multikey) VALUES (?, ?, 0) RETURNING number',
      collection.number,
      encode(spec),
    );
    const index = indexOf(Number(number), spec, 0);
    const key = index.unique ? 'k' : 'k, rid';
    this.database.sql.exec(
      `CREATE TABLE ${index.table} (k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (${key})) WITHOUT ROWID`,
    );
    this.setIndexes(collection, [...collection.indexes, index]);
    return index;
  }

  private setIndexes(collection: Collection, indexes: Index[]): void {
    const before = collection.indexes;
    collection.indexes = indexes;
    this.database.undo(() => {
      collection.indexes = before;
    });
  }

  dropIndex(collection: Collection, index: Index): void {
    this.database.sql.exec(`DROP TABLE ${index.table}`);
    this.database.run('DELETE FROM _indexes WHERE number = ?', index.number);
    this.setIndexes(
      collection,
      collection.indexes.filter((each) => each !== index),
    );
  }

  /** Records that fields of an index go through arrays in some document. */
  markMultikey(index: Index, fields: number): void {
    const before = index.multikey;
    index.multikey |= fields;
    this.database.run('UPDATE _indexes SET multikey = ? WHERE number = ?', index.multikey, index.number);
    this.database.undo(() => {
      index.multikey = before;
    });
  }
}
