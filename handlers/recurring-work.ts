/** What runs once in the whole deployment, by whichever worker is first (`jobs/recurring.ts`): what time makes due. */
import type { Store } from './data/store.ts';
import { advanceStatuses } from './employees/write/advance-statuses.ts';
import { sweepFiles } from './files/sweep-files.ts';
import { sweepIngest } from './ingest/sweep-ingest.ts';
import type { TimedWork } from './jobs/recurring.ts';
import type { Storage } from './storage/storage.ts';
import { pruneDeliveries } from './webhooks/schedule.ts';

/** How often each runs in the deployment, in milliseconds. */
const SWEEP_MS = 60_000;
const PRUNE_MS = 10 * 60_000;
/** Tenants are in any time zone, so a day may begin at any minute. */
const ADVANCE_MS = 60_000;

export const recurringNames = ['sweep_files', 'sweep_ingest', 'prune_deliveries', 'advance_statuses'] as const;

export const recurringWork = (store: Store, storage: Storage): TimedWork[] => [
  { name: 'sweep_files', everyMs: SWEEP_MS, run: (stopping) => sweepFiles(store, storage, stopping) },
  { name: 'sweep_ingest', everyMs: SWEEP_MS, run: (stopping) => sweepIngest(store, stopping) },
  { name: 'prune_deliveries', everyMs: PRUNE_MS, run: () => pruneDeliveries(store) },
  { name: 'advance_statuses', everyMs: ADVANCE_MS, run: (stopping) => advanceStatuses(store, stopping) },
];
