/** Which tenants have batches that are not applied to their end. */
import { READ_TIME_MS, type Store } from '../runtime/store.ts';

/**
 * The tenants whose accepted requests wait, or were begun; the watch asks for them, as the alarm of a request can be
 * lost with the process that accepted it.
 */
export async function tenantsWithPendingIngest(store: Store): Promise<string[]> {
  return store.ingest_requests.distinct('tenant_id', { ended_at: null }, { maxTimeMS: READ_TIME_MS });
}
