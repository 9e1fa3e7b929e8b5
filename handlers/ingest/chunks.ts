/** Cuts the records of a batch for the store: in order, in portions that are cheap to write and to read. */
import type { Rest } from '../fairness/thread-time.ts';
import type { RawJson } from '../http/bulk-body.ts';
import { type Pair, payloadOf } from './records.ts';
import { reduceRecord } from './reduce.ts';

/** The most records of a portion; applying it occupies the process' thread for some milliseconds at a time. */
export const CHUNK_RECORDS = 200;
/** The most bytes of a portion's text. Far below the limit of a row (16 MiB), and far above any single record. */
export const CHUNK_BYTES = 1024 * 1024;
/** How many bytes of records are parsed before other requests get their turn; takes a fraction of a millisecond. */
const TURN_BYTES = 64 * 1024;

/** A portion of a batch. */
export interface Chunk {
  readonly index: number;
  /** The place of its first record in the batch. */
  readonly firstRecord: number;
  /** JSON text of an array. */
  readonly records: string;
}

/** Cuts a batch. If its pair does not exist, every record is kept as an empty one. */
export async function* chunksOf(pair: Pair, records: readonly RawJson[], rest: Rest): AsyncGenerator<Chunk> {
  const columns = payloadOf(pair)?.columns ?? {};
  let texts: string[] = [];
  let bytes = 0;
  let index = 0;
  let firstRecord = 0;
  let sinceTurn = 0;
  const chunk = () => ({ index: index++, firstRecord, records: `[${texts.join()}]` });
  for (const [place, record] of records.entries()) {
    sinceTurn += record.sizeBytes;
    if (sinceTurn > TURN_BYTES) {
      sinceTurn = 0;
      await rest();
    }
    const text = JSON.stringify(await reduceRecord(columns, record));
    const size = Buffer.byteLength(text) + 1;
    if (texts.length === CHUNK_RECORDS || bytes + size > CHUNK_BYTES) {
      yield chunk();
      texts = [];
      bytes = 0;
      firstRecord = place;
    }
    texts.push(text);
    bytes += size;
  }
  if (texts.length > 0) yield chunk();
}
