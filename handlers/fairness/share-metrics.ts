/** What the metrics show of what tenants share, at each scrape. */
import { counter, gauge, OTHER_TENANTS, onScrape } from '../runtime/metrics.ts';

const shareUsed = gauge(
  'share_used_ratio',
  'How much of what tenants share in this process is in use, from 0 to 1.',
  'share',
);

const shareWaiting = gauge('share_waiting_requests', 'Requests that wait for their turn at a share.', 'share');

const shareOldestWait = gauge(
  'share_oldest_wait_seconds',
  'How long the oldest of the requests waits that wait for a share; 0 if none does.',
  'share',
);

export const shareRefusals = counter(
  'share_refusals_total',
  'Requests that got no turn at a share: they waited too long (late), or too many waited already (full).',
  'share',
  'reason',
);

const tenantWaiting = gauge(
  'tenant_waiting_requests',
  'Requests of a tenant that wait for a share: of each share the 10 tenants with the most, the others together as tenant_id other.',
  'tenant_id',
  'share',
);

/** What tenants share, by the names that metrics and `docs/metrics.md` have for it. */
export type ShareName =
  | 'lists'
  | 'writes'
  | 'body_rooms'
  | 'body_bytes'
  | 'bulk_bodies'
  | 'uploads'
  | 'printing'
  | 'signatures'
  | 'batches'
  | 'attempts';

/** The state of one share. */
export interface ShareState {
  /** From 0 to 1; undefined where there is no end of it. */
  readonly used: number | undefined;
  /** How many requests of each tenant wait. */
  readonly waiting: ReadonlyMap<string, number>;
  /** In milliseconds; 0 if none waits. */
  readonly oldestWaitMs: number;
}

/** How many tenants of a share are shown by name while they wait. */
const MOST_SHOWN = 10;

const shown = new Map<ShareName, () => ShareState>();

/** Shows a share in the metrics from here on, in place of an earlier one of the name. Its refusals count from zero. */
export function showShare(name: ShareName, state: () => ShareState): void {
  shown.set(name, state);
  for (const reason of ['late', 'full']) shareRefusals.inc({ share: name, reason }, 0);
}

onScrape(() => {
  tenantWaiting.reset();
  for (const [share, state] of shown) {
    const { used, waiting, oldestWaitMs } = state();
    if (used !== undefined) shareUsed.set({ share }, used);
    shareOldestWait.set({ share }, oldestWaitMs / 1_000);
    const byCount = [...waiting].toSorted(([, one], [, other]) => other - one);
    shareWaiting.set(
      { share },
      byCount.reduce((sum, [, count]) => sum + count, 0),
    );
    for (const [place, [tenantId, count]] of byCount.entries()) {
      tenantWaiting.inc({ tenant_id: place < MOST_SHOWN ? tenantId : OTHER_TENANTS, share }, count);
    }
  }
});
