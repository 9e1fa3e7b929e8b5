import type { Collection } from './catalogue.ts';
import { fail } from './errors.ts';
import type { Index } from './indexes.ts';
import type { Range } from './plans.ts';

const LARGEST_CHUNK = 1024;
/** The intended size of a chunk is at most this, since a document may have 16 MB. */
const CHUNK_BYTES = 1024 * 1024;

/** A key with its row number, and with the document if it was requested. */
export type Entry = [key: Uint8Array, id: number, raw: Uint8Array];

/**
 * Reads a range of an index in chunks. Each chunk starts with a seek to the end of the previous one. So nothing stays
 * open in SQLite between chunks, and writes between them cause no problems.
 */
export class RangeReader {
  private readonly collection: Collection;
  private readonly index: Index;
  private readonly text: string;
  private readonly reverse: boolean;
  private low: Uint8Array;
  private high: Uint8Array;
  private lastId: number;
  private chunk: number;
  private done = false;

  constructor(collection: Collection, index: Index, range: Range, reverse: boolean, documents: boolean, chunk: number) {
    this.collection = collection;
    this.index = index;
    this.reverse = reverse;
    this.low = range.low;
    this.high = range.high;
    this.lastId = reverse ? 0 : -1;
    this.chunk = chunk;
    this.text = readText(collection, index, reverse, documents);
  }

  next(): Entry[] {
    if (this.done) return [];
    if (this.index.dropped || this.collection.dropped) {
      fail(175, 'operation was killed: the collection or index was dropped');
    }
    const values = this.reverse ? [this.high, this.lastId, this.low] : [this.low, this.lastId, this.high];
    const entries = this.collection.statements.all(this.text, ...values, this.chunk) as unknown as Entry[];
    const last = entries.at(-1);
    if (last === undefined || entries.length < this.chunk) this.done = true;
    if (last === undefined) return [];
    if (this.reverse) this.high = last[0];
    else this.low = last[0];
    this.lastId = last[1];
    this.chunk = nextChunk(this.chunk, entries);
    return entries;
  }

  /** Continues after the first `count` keys without reading documents. */
  skip(count: number): void {
    const text = `${readText(this.collection, this.index, this.reverse, false)} OFFSET ?`;
    const values = this.reverse ? [this.high, this.lastId, this.low] : [this.low, this.lastId, this.high];
    const [last] = this.collection.statements.all(text, ...values, 1, count - 1) as unknown as Entry[];
    if (last === undefined) this.done = true;
    else {
      if (this.reverse) this.high = last[0];
      else this.low = last[0];
      this.lastId = last[1];
    }
  }
}

/** How many entries to read next, given the ones read before. */
export function nextChunk(chunk: number, entries: readonly Entry[]): number {
  let bytes = 1;
  for (const entry of entries) bytes += entry[2]?.length ?? 0;
  const affordable = Math.max(1, Math.floor((CHUNK_BYTES * entries.length) / bytes));
  return Math.min(chunk * 4, LARGEST_CHUNK, affordable);
}

function readText(collection: Collection, index: Index, reverse: boolean, documents: boolean): string {
  const { table } = collection;
  const key = `i.${index.keyColumn}`;
  const joined = documents && index.table !== table;
  const columns = `${key}, i.rid${documents ? `, ${joined ? 'c' : 'i'}.doc` : ''}`;
  const from = joined ? `${index.table} i CROSS JOIN ${table} c ON c.rid = i.rid` : `${index.table} i`;
  const range = reverse ? `(${key}, i.rid) < (?, ?) AND ${key} >= ?` : `(${key}, i.rid) > (?, ?) AND ${key} < ?`;
  const order = reverse ? `ORDER BY ${key} DESC, i.rid DESC` : `ORDER BY ${key}, i.rid`;
  return `SELECT ${columns} FROM ${from} WHERE ${range} ${order} LIMIT ?`;
}
