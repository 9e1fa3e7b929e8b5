/**
 * Works on due deliveries, endpoint by endpoint. Every endpoint has places of its own, and a tenant a bounded share of
 * all, so that receivers who hang take nothing from others: an endpoint begins with one attempt at a time, a success
 * doubles that up to eight, a failure sets it back to one.
 */
import type { Store } from '../data/store.ts';
import { onThisMachine, storeNow } from '../data/store-clock.ts';
import { describeError } from '../process/log.ts';
import { deliveriesUnderWay } from '../process/metrics.ts';
import { type AttemptMeans, type Claim, claimDue, makeAttempt } from './attempt.ts';

/**
 * Attempts at a time of one process: for an endpoint, for all of a tenant, in all. A tenant has no more either than are
 * free, so that one is left for a tenant that comes when the receivers of others hang (D-33).
 */
const MAX_OF_ENDPOINT = 8;
const MAX_OF_TENANT = 64;
const MAX_IN_ALL = 256;
/** How long attempts under way may go on when the process ends, in milliseconds; then they are handed back. */
const FINISH_MS = 8_000;

/** Deliveries that are being worked on. */
export interface Deliveries {
  /**
   * Works on what is due at the endpoint until nothing is; then says when the next one is.
   * @param tenantId whose endpoint it is, where the caller knows it
   */
  work(endpointId: string, tenantId?: string): void;
  /** Endpoints that are being worked on. */
  working(): string[];
  /** Claims nothing more, lets attempts under way finish for 8 s, and hands back the others. */
  stop(): Promise<void>;
}

/** An endpoint while there is something to do for it. */
interface Lane {
  readonly endpointId: string;
  /** Undefined until it is asked for. */
  tenantId: string | undefined;
  /** Due deliveries that a claim has found and none has tried. */
  readonly found: string[];
  limit: number;
  running: number;
  /** Claims that are asked for: they wait for the disk, so some go side by side. */
  claiming: number;
  /** Whether something may be due. */
  wanting: boolean;
}

/**
 * Begins with nothing to do.
 * @param setAlarm is told when the endpoint's next delivery is due, by this machine's clock as the service sets it
 * @param finishMs how long {@link Deliveries.stop} waits
 */
export function startDeliveries(
  means: AttemptMeans,
  setAlarm: (endpointId: string, at: Date) => Promise<void>,
  finishMs = FINISH_MS,
): Deliveries {
  const { store, log } = means;
  /** In the order of their turns. */
  const lanes = new Map<string, Lane>();
  const ofTenant = new Map<string, number>();
  const under = new Set<Promise<void>>();
  const aborting = new AbortController();
  let isStopping = false;
  let running = 0;

  function mayClaim(lane: Lane): boolean {
    return (
      lane.wanting &&
      lane.claiming < lane.limit / 2 &&
      lane.running < lane.limit &&
      hasShare(lane, MAX_IN_ALL - running)
    );
  }

  /** @param free places that nobody has, the one that is asked for among them */
  function hasShare({ tenantId }: Lane, free: number): boolean {
    return tenantId === undefined || (ofTenant.get(tenantId) ?? 0) < Math.min(MAX_OF_TENANT, free);
  }

  /** Gives free places to endpoints in turn. */
  function fill(): void {
    for (const lane of [...lanes.values()]) {
      if (isStopping || running >= MAX_IN_ALL) return;
      if (mayClaim(lane)) start(lane);
    }
  }

  function start(lane: Lane): void {
    lanes.delete(lane.endpointId);
    lanes.set(lane.endpointId, lane);
    lane.claiming += 1;
    lane.running += 1;
    running += 1;
    const work = turn(lane)
      .catch((error) => {
        // The store is away, most likely: what is due is found again once it is back.
        lane.wanting = false;
        log.warn({ event: 'delivery_interrupted', endpoint_id: lane.endpointId, error: describeError(error) });
      })
      .finally(() => {
        under.delete(work);
        lane.running -= 1;
        running -= 1;
        if (lane.running === 0 && !lane.wanting) leave(lane);
        fill();
      });
    under.add(work);
  }

  async function turn(lane: Lane): Promise<void> {
    try {
      const asked = lane.tenantId ?? (await tenantOf(store, lane.endpointId));
      lane.tenantId ??= asked;
    } finally {
      lane.claiming -= 1;
    }
    const { tenantId } = lane;
    // The endpoint is gone. Where it has left something that is due, the watch finds that with its tenant.
    if (tenantId === undefined) lane.wanting = false;
    // It stays in line until others of its tenant have ended.
    if (tenantId === undefined || !hasShare(lane, MAX_IN_ALL - running + 1)) return;
    count(tenantId, +1);
    try {
      const claim = await claimFor(lane, tenantId);
      if (claim === undefined) return;
      fill();
      deliveriesUnderWay.inc();
      const result = await makeAttempt(means, claim, aborting.signal).finally(() => deliveriesUnderWay.dec());
      if (result === 'success') lane.limit = Math.min(2 * lane.limit, MAX_OF_ENDPOINT);
      if (result === 'failure') lane.limit = 1;
    } finally {
      count(tenantId, -1);
    }
  }

  async function claimFor(lane: Lane, tenantId: string): Promise<Claim | undefined> {
    lane.claiming += 1;
    lane.wanting = false;
    try {
      const claim = await claimDue(store, tenantId, lane.endpointId, lane.found);
      if (claim !== undefined) lane.wanting = true;
      return claim;
    } finally {
      lane.claiming -= 1;
    }
  }

  function count(tenantId: string, change: number): void {
    const places = (ofTenant.get(tenantId) ?? 0) + change;
    if (places === 0) ofTenant.delete(tenantId);
    else ofTenant.set(tenantId, places);
  }

  /** Nothing is due at the endpoint any more: whoever is nearest to the time of the next one is woken then. */
  function leave({ endpointId, tenantId }: Lane): void {
    lanes.delete(endpointId);
    if (isStopping || tenantId === undefined) return;
    nextAfter(store, tenantId, endpointId, storeNow())
      .then((at) => at && setAlarm(endpointId, onThisMachine(at)))
      // The watch finds what has no alarm.
      .catch(() => {});
  }

  return {
    work(endpointId, tenantId) {
      if (isStopping) return;
      const lane = lanes.get(endpointId);
      if (lane === undefined) {
        lanes.set(endpointId, { endpointId, tenantId, found: [], limit: 1, running: 0, claiming: 0, wanting: true });
      } else {
        lane.tenantId ??= tenantId;
        lane.wanting = true;
      }
      fill();
    },
    working: () => [...lanes.keys()],
    async stop() {
      isStopping = true;
      const timer = setTimeout(() => aborting.abort(), finishMs);
      await Promise.allSettled(under);
      clearTimeout(timer);
    },
  };
}

async function tenantOf(store: Store, endpointId: string): Promise<string | undefined> {
  const endpoint = await store.webhook_endpoints.findOne({ _id: endpointId }, { projection: { tenant_id: 1 } });
  return endpoint?.tenant_id;
}

/** When the next delivery of the endpoint falls due, after those that are due already. */
async function nextAfter(store: Store, tenantId: string, endpointId: string, at: Date): Promise<Date | undefined> {
  const pending = { tenant_id: tenantId, endpoint_id: endpointId, status: 'PENDING' } as const;
  const [next] = await store.deliveries
    .find({ ...pending, next_at: { $gt: at } }, { projection: { next_at: 1 } })
    .sort({ next_at: 1 })
    .limit(1)
    .toArray();
  return next?.next_at ?? undefined;
}

/** How many due deliveries one look takes into account. */
const SEEN = 200;

/**
 * Endpoints, with their tenants, that have something due that nobody holds: their alarm was lost, its process died, the
 * clock was moved, or there is more than one process can do.
 * @param except endpoints that are worked on here
 */
export async function overdueEndpoints(store: Store, except: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await store.deliveries
    .find(
      {
        next_at: { $gt: new Date(0), $lte: storeNow() },
        ...(except.length > 0 && { endpoint_id: { $nin: [...except] } }),
        $expr: { $lt: ['$lease_until', '$$NOW'] },
      },
      { projection: { endpoint_id: 1, tenant_id: 1 }, sort: { next_at: 1 }, limit: SEEN, batchSize: SEEN + 1 },
    )
    .toArray();
  return new Map(found.map(({ endpoint_id, tenant_id }) => [endpoint_id, tenant_id]));
}
