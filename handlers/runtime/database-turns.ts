/**
 * How tenants share the database (D-33). A process has fifty connections to it. The reads of lists take its time, and the
 * writes wait for a majority; both are handed out tenant by tenant, so that a tenant that asks for much waits for itself.
 * Rows that are read by their ids take no time worth counting.
 */
import { Shares } from './shares.ts';
import type { Writing } from './write-time.ts';

/** With the time that a request then has for its writes, and for a read, a refusal still comes within four seconds. */
const PATIENCE_MS = 2_000;

const lists = new Shares({ inAll: 18, ofTenant: 6, leavesSome: true, patienceMs: PATIENCE_MS });
const writes = new Shares({ inAll: 24, ofTenant: 12, leavesSome: true, patienceMs: PATIENCE_MS });

/** Reads a part of a list, or counts it, when it is the tenant's turn. @throws ApiError UNAVAILABLE when that takes too long */
export const readInTurn = <T>(tenantId: string, read: () => Promise<T>): Promise<T> => lists.during(tenantId, read);

/** Writes that take place when it is the tenant's turn; else they fail with UNAVAILABLE. @param writing how they are waited for */
export function writingInTurn(tenantId: string, writing: Writing): Writing {
  return (write) => writes.during(tenantId, () => writing(write));
}
