/**
 * How tenants share what reading and writing takes (D-33): a process has fifty connections to the database, and one
 * thread to take requests apart and to make answers. Lists, large bodies and uploads take these for long, and writes
 * wait for a majority of the database's members; they are handed out tenant by tenant, so that a tenant that asks for much waits
 * for itself. All else takes no time worth counting.
 */
import { setImmediate } from 'node:timers/promises';
import type { Writing } from '../data/write-timeout.ts';
import { Shares } from './shares.ts';

/** Called between two parts of long work: lets other work run before the next part. */
export type Rest = () => Promise<void>;

/** Used time counts half after this many milliseconds. */
const HALF_LIFE_MS = 1_000;
/**
 * Tenants whose used times differ by less run side by side, in milliseconds: while one waits for the database, another
 * one computes.
 */
const SAME_MS = 100;
/** A tenant lets others go first for at most this long at a time, in milliseconds, so that it never starves. */
const LONGEST_REST_MS = 500;
/** Less than this counts as nothing, in milliseconds. */
const NOTHING_MS = 1;
/** Beyond this many tenants, those that have used nothing lately are forgotten. */
const MOST_KEPT = 1_000;

interface Use {
  readonly ms: number;
  readonly atMs: number;
}

/**
 * The time of the process' thread, which tenants share for long work. Between two parts, a tenant that has used more time
 * lately lets tenants go first that have used less. `Shares` cannot do that: it counts places that one holds or waits for,
 * and the thread is held by whoever runs. How long a part takes is known only after it, and nobody may be kept waiting for a
 * turn while the thread has nothing to do.
 */
export class ThreadTime {
  readonly #nowMs: () => number;
  readonly #uses = new Map<string, Use>();
  /** How many pieces of work of each tenant run, without those that wait for other tenants. */
  readonly #working = new Map<string, number>();
  /** Those that wait; each call checks whether it may go on. */
  readonly #resting = new Set<() => void>();

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Runs a tenant's work. @param work calls its argument between its parts; others wait for one part, so keep it short */
  async during<T>(tenantId: string, work: (rest: Rest) => Promise<T>): Promise<T> {
    let sinceMs = this.#nowMs();
    this.#enter(tenantId);
    try {
      return await work(async () => {
        this.#charge(tenantId, sinceMs);
        await setImmediate();
        if (!this.#mayGoOn(tenantId)) {
          this.#leave(tenantId);
          await this.#othersFirst(tenantId);
          this.#enter(tenantId);
        }
        sinceMs = this.#nowMs();
      });
    } finally {
      this.#leave(tenantId);
      this.#charge(tenantId, sinceMs);
    }
  }

  #enter(tenantId: string): void {
    this.#working.set(tenantId, (this.#working.get(tenantId) ?? 0) + 1);
  }

  #leave(tenantId: string): void {
    const count = (this.#working.get(tenantId) ?? 0) - 1;
    if (count > 0) this.#working.set(tenantId, count);
    else this.#working.delete(tenantId);
  }

  #charge(tenantId: string, sinceMs: number): void {
    const atMs = this.#nowMs();
    this.#uses.set(tenantId, { ms: this.#usedBy(tenantId) + atMs - sinceMs, atMs });
    if (this.#uses.size > MOST_KEPT) for (const each of this.#uses.keys()) this.#usedBy(each);
    for (const lookAgain of this.#resting) lookAgain();
  }

  /** How much time a tenant has used lately, in milliseconds; forgets the tenant where that is nothing. */
  #usedBy(tenantId: string): number {
    const use = this.#uses.get(tenantId);
    if (use === undefined) return 0;
    const ms = use.ms * 0.5 ** ((this.#nowMs() - use.atMs) / HALF_LIFE_MS);
    if (ms < NOTHING_MS) this.#uses.delete(tenantId);
    return ms;
  }

  #mayGoOn(tenantId: string): boolean {
    const most = this.#usedBy(tenantId) - SAME_MS;
    if (most <= 0) return true;
    return [...this.#working.keys()].every((other) => other === tenantId || this.#usedBy(other) >= most);
  }

  #othersFirst(tenantId: string): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#resting.delete(lookAgain);
        resolve();
      };
      const lookAgain = () => {
        if (this.#mayGoOn(tenantId)) goOn();
      };
      const timer = setTimeout(goOn, LONGEST_REST_MS);
      this.#resting.add(lookAgain);
    });
  }
}

/** Together with the time that a request has for its writes and reads, a refusal still comes within four seconds. */
const PATIENCE_MS = 2_000;

/** Rows in a part of a list. */
const PART_ROWS = 200;
/** The most parts of one page. */
const MOST_PARTS = 5;

const thread = new ThreadTime();
/** Counted in parts of a list. While other tenants are active, a tenant has one of the largest pages at a time. */
const lists = new Shares({ name: 'lists', inAll: 40, ofTenant: 6, alone: 30, patienceMs: PATIENCE_MS });
/** Counted in large bodies that are parsed and stored. */
const bulks = new Shares({ name: 'bulk_bodies', inAll: 6, ofTenant: 1, alone: 4 });
/** Counted in uploads that are read for their confirmation. */
const transfers = new Shares({ name: 'uploads', inAll: 12, ofTenant: 3, keepsSomeFree: true });
/** Counted in signatures that OpenSSL judges, each in a process of its own. */
const signatures = new Shares({ name: 'signatures', inAll: 2, ofTenant: 1, alone: 2, patienceMs: PATIENCE_MS });
/** Counted in tenants whose batches are being applied. */
const batches = new Shares({ name: 'batches', inAll: 4, ofTenant: 1, patienceMs: Number.POSITIVE_INFINITY });
/** Counted in writes, each of which holds a connection. */
const writes = new Shares({ name: 'writes', inAll: 24, ofTenant: 12, keepsSomeFree: true, patienceMs: PATIENCE_MS });

/** Works for a tenant in parts, and lets tenants go first between them that have had less lately. */
export const inParts = <T>(tenantId: string, work: (rest: Rest) => Promise<T>): Promise<T> =>
  thread.during(tenantId, work);

/**
 * Answers with a page of a list when it is the tenant's turn.
 * @param query of the list; a search costs as much as the largest page, however few rows it asks for
 * @throws ApiError UNAVAILABLE when its turn does not come
 */
export function listInTurn<T>(tenantId: string, query: object, answer: () => Promise<T>): Promise<T> {
  const { limit = 0, search = '' } = query as { limit?: number; search?: string };
  const parts = search === '' ? Math.min(Math.ceil(limit / PART_ROWS), MOST_PARTS) : MOST_PARTS;
  if (parts < MOST_PARTS) return lists.during(tenantId, parts, answer);
  // So a page of a tenant that seldom asks is made before the next page of a greedy one.
  const inItsTime = (rest: Rest) => rest().then(answer);
  return lists.during(tenantId, parts, () => inParts(tenantId, inItsTime));
}

/** Works on a large body when it is the tenant's turn. @throws ApiError UNAVAILABLE when its turn does not come */
export const bulkInTurn = <T>(tenantId: string, work: (rest: Rest) => Promise<T>): Promise<T> =>
  bulks.during(tenantId, 1, () => inParts(tenantId, work));

/**
 * Applies a tenant's batches when it is its turn.
 * @param work calls its argument after each portion: then others get the place that wait for it, and the thread that
 *   have had less of it
 */
export const batchesInTurn = <T>(tenantId: string, work: (rest: Rest) => Promise<T>): Promise<T> =>
  batches.during(tenantId, 1, (othersFirst) => inParts(tenantId, (rest) => work(() => othersFirst().then(rest))));

/** Work of one unit when it is the tenant's turn. @throws ApiError UNAVAILABLE when its turn does not come */
const inTurn =
  (shares: Shares) =>
  <T>(tenantId: string, work: () => Promise<T>): Promise<T> =>
    shares.during(tenantId, 1, work);

/** Reads an upload. */
export const readInTurn = inTurn(transfers);

/** Has a signature judged. */
export const signatureInTurn = inTurn(signatures);

/** Writes that take place when it is the tenant's turn; else they fail with UNAVAILABLE. @param writing how they are waited for */
export function writingInTurn(tenantId: string, writing: Writing): Writing {
  return (write) => writes.during(tenantId, 1, () => writing(write));
}
