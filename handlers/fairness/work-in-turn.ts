/**
 * How tenants share what reading and writing takes (D-33): a process has fifty connections to the database, and one
 * thread to take requests apart and to make answers. Lists, large bodies and uploads take these for long, and writes
 * wait for a majority of the database's members; they are handed out tenant by tenant, so that a tenant that asks for much waits
 * for itself. All else takes no time worth counting.
 */
import type { Writing } from '../data/write-time.ts';
import { Shares } from './shares.ts';
import { type Rest, ThreadTime } from './thread-time.ts';

/** Together with the time that a request has for its writes and reads, a refusal still comes within four seconds. */
const PATIENCE_MS = 2_000;

/** Counted in parts of a list. While other tenants are active, a tenant has one of the largest pages at a time. */
const PARTS = { inAll: 40, ofTenant: 6, alone: 30 };
/** Rows in a part. */
const PART_ROWS = 200;
/** The most parts of one page. */
const MOST_PARTS = 5;
/** Counted in large bodies that are parsed and stored. */
const BULKS = { inAll: 6, ofTenant: 1, alone: 4 };
/** Counted in uploads that are read for their confirmation. */
const TRANSFERS = { inAll: 12, ofTenant: 3 };
/** Counted in writes, each of which holds a connection. */
const WRITES = { inAll: 24, ofTenant: 12 };

/** Counted in tenants whose batches are being applied. */
const BATCHES = { inAll: 4, ofTenant: 1, patienceMs: Number.POSITIVE_INFINITY };

const thread = new ThreadTime();
const lists = new Shares({ ...PARTS, patienceMs: PATIENCE_MS });
const bulks = new Shares(BULKS);
const transfers = new Shares({ ...TRANSFERS, keepsSomeFree: true });
const batches = new Shares(BATCHES);
const writes = new Shares({ ...WRITES, keepsSomeFree: true, patienceMs: PATIENCE_MS });

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

/** Reads an upload when it is the tenant's turn. @throws ApiError UNAVAILABLE when its turn does not come */
export const readInTurn = <T>(tenantId: string, read: () => Promise<T>): Promise<T> =>
  transfers.during(tenantId, 1, read);

/** Writes that take place when it is the tenant's turn; else they fail with UNAVAILABLE. @param writing how they are waited for */
export function writingInTurn(tenantId: string, writing: Writing): Writing {
  return (write) => writes.during(tenantId, 1, () => writing(write));
}
