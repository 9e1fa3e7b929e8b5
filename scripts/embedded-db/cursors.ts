import { MAX_DOCUMENT_BYTES } from './documents.ts';
import { fail } from './errors.ts';
import { integer } from './parameters.ts';
import type { Steps } from './scan.ts';
import type { Doc } from './values.ts';

/** How long work may occupy the event loop before others get their turn. */
const SLICE_MS = 10;
/** How long an unused cursor is kept (manual: "cursorTimeoutMillis"). */
const TIMEOUT_MS = 600_000;
/** Documents in the first batch if the client gives no number (manual: "Cursor Batches"). */
export const FIRST_BATCH = 101;

/** A time limit on work, from maxTimeMS. Fails with 50 when the time is over. */
export type Deadline = ReturnType<typeof deadlineOf>;

/** @param body of the command */
export function deadlineOf({ maxTimeMS }: Doc) {
  let left = integer('maxTimeMS', maxTimeMS, 0) || Number.POSITIVE_INFINITY;
  let since = performance.now();
  return {
    /** Only the time of the client's requests counts, not the time between them. */
    resume(): void {
      since = performance.now();
    },
    pause(): void {
      left -= performance.now() - since;
    },
    check(): void {
      if (performance.now() - since > left) fail(50, 'operation exceeded time limit');
    },
  };
}

/** Runs steps until they end or `take` returns false. Pauses so that other connections get their turn. */
export async function pace<T>(steps: Steps<T>, deadline: Deadline, take: (item: T) => boolean): Promise<boolean> {
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return true;
    if (value !== null) {
      if (!take(value as T)) return false;
      continue;
    }
    deadline.check();
    if (performance.now() - began < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
}

/** A result that is read in batches. Nothing is computed before it is requested. */
export type Cursor = ReturnType<typeof cursorOf>;

export function cursorOf(namespace: string, steps: Steps<Uint8Array>, deadline: Deadline) {
  let ahead: Uint8Array | undefined;
  return {
    namespace,
    lastUsed: 0,
    /** Whether a batch is being read; then no other may be read. */
    busy: false,

    /** The next documents, at most `size` of them and at most 16 MB, and whether these were the last. */
    async next(size: number): Promise<{ batch: Uint8Array[]; done: boolean }> {
      deadline.resume();
      const batch: Uint8Array[] = [];
      let bytes = 0;
      if (ahead !== undefined && size > 0) {
        batch.push(ahead);
        bytes = ahead.length;
        ahead = undefined;
      }
      const take = (raw: Uint8Array) => {
        bytes += raw.length;
        if (batch.length > 0 && bytes > MAX_DOCUMENT_BYTES) {
          ahead = raw;
          return false;
        }
        batch.push(raw);
        return batch.length < size;
      };
      const done = batch.length < size && (await pace(steps, deadline, take));
      deadline.pause();
      return { batch, done };
    },

    close(): void {
      steps.return();
    },
  };
}

/** The open cursors. Those that have not been used for some time are closed. */
export class Cursors {
  private readonly open = new Map<number, Cursor>();
  private lastId = Date.now();

  get size(): number {
    return this.open.size;
  }

  /** Keeps a cursor for later batches and returns its number. */
  keep(cursor: Cursor): number {
    const id = ++this.lastId;
    cursor.lastUsed = Date.now();
    this.open.set(id, cursor);
    return id;
  }

  /** Finds a cursor for its next batch. Fails with 43 if there is none. */
  take(id: number, namespace: string): Cursor {
    const cursor = this.open.get(id);
    if (cursor === undefined) return fail(43, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      fail(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    if (cursor.busy) fail(12051, `cursor id ${id} is already in use`);
    cursor.lastUsed = Date.now();
    return cursor;
  }

  /** Closes a cursor; returns false if there is none. */
  kill(id: number): boolean {
    const cursor = this.open.get(id);
    if (cursor?.busy === false) cursor.close();
    return this.open.delete(id);
  }

  /** Closes the cursors that have not been used for too long. */
  expire(now = Date.now()): void {
    for (const [id, cursor] of this.open) {
      if (!cursor.busy && now - cursor.lastUsed > TIMEOUT_MS) this.kill(id);
    }
  }
}
