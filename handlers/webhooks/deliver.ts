/**
 * Works on due deliveries, endpoint by endpoint. Every endpoint has places of its own, and every tenant a limited share
 * of all places, so that receivers that hang do not block others. An endpoint begins with one attempt at a time; a
 * success doubles this up to eight, a failure sets it back to one.
 */
import type { Store } from '../data/store.ts';
import { onThisMachine, storeNow } from '../data/store-clock.ts';
import { describeError } from '../process/log.ts';
import { deliveriesUnderWay } from '../process/metrics.ts';
import { type AttemptMeans, type Claim, claimDue, makeAttempt } from './attempt.ts';

/**
 * The most simultaneous attempts of one process: for an endpoint, for a tenant, and in all. Also, a tenant never has
 * more places than are free, so that some are left for a new tenant while the receivers of others hang (D-33).
 */
const MAX_OF_ENDPOINT = 8;
const MAX_OF_TENANT = 64;
const MAX_IN_ALL = 256;
/** How long attempts under way may continue when the process stops, in milliseconds; then they are handed back. */
const FINISH_MS = 8_000;

/** Deliveries that are being worked on. */
export interface Deliveries {
  /**
   * Works on the endpoint's due deliveries until none is left; then schedules a job for the next one.
   * @param tenantId the endpoint's tenant, if the caller knows it
   */
  work(endpointId: string, tenantId?: string): void;
  /** Endpoints that are being worked on. */
  working(): string[];
  /** Claims nothing more, gives attempts under way 8 s to finish, and hands back the rest. */
  stop(): Promise<void>;
}

/** An endpoint while it has work. */
interface Lane {
  readonly endpointId: string;
  /** Undefined until it is read. */
  tenantId: string | undefined;
  /** Due deliveries that a claim has found and no claim has tried. */
  readonly found: string[];
  limit: number;
  running: number;
  /** Claims under way. Each waits for the disk, so several run at the same time. */
  claiming: number;
  /** Whether something may be due. */
  wanting: boolean;
}

/**
 * Starts with nothing to do.
 * @param schedule is called with the time at which the endpoint's next delivery is due, by this machine's clock as the service
 *   sets it
 * @param finishMs how long {@link Deliveries.stop} waits
 */
export function startDeliveries(
  means: AttemptMeans,
  schedule: (endpointId: string, at: Date) => Promise<void>,
  finishMs = FINISH_MS,
): Deliveries {
  const { store, log } = means;
  /** Endpoints in the order of their turns. */
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

  /** @param free the number of unused places, including the requested one */
  function hasShare({ tenantId }: Lane, free: number): boolean {
    return tenantId === undefined || (ofTenant.get(tenantId) ?? 0) < Math.min(MAX_OF_TENANT, free);
  }

  /** Gives free places to the endpoints in turn. */
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
        // Most likely the store is away; due deliveries are found again once it is back.
        lane.wanting = false;
        log.warn({ event: 'delivery_interrupted', endpoint_id: lane.endpointId, error: describeError(error) });
      })
      .finally(() => {
        under.delete(work);
        lane.running -= 1;
        running -= 1;
        if (lane.running === 0 && !lane.wanting) drop(lane);
        fill();
      });
    under.add(work);
  }

  async function turn(lane: Lane): Promise<void> {
    try {
      const tenantId = lane.tenantId ?? (await tenantOf(store, lane.endpointId));
      lane.tenantId ??= tenantId;
    } finally {
      lane.claiming -= 1;
    }
    const { tenantId } = lane;
    // The endpoint is deleted. If it has due deliveries left, the workers' regular check finds them with their tenant.
    if (tenantId === undefined) lane.wanting = false;
    // The endpoint keeps its place in the queue until other attempts of its tenant have ended.
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

  /** Nothing is due at the endpoint any more: schedules a job for its next delivery. */
  function drop({ endpointId, tenantId }: Lane): void {
    lanes.delete(endpointId);
    if (isStopping || tenantId === undefined) return;
    nextAfter(store, tenantId, endpointId, storeNow())
      .then((at) => at && schedule(endpointId, onThisMachine(at)))
      // The workers' regular check finds due deliveries without a job.
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

/** When the endpoint's next delivery after `at` is due. */
async function nextAfter(store: Store, tenantId: string, endpointId: string, at: Date): Promise<Date | undefined> {
  const pending = { tenant_id: tenantId, endpoint_id: endpointId, status: 'PENDING' } as const;
  const [next] = await store.deliveries
    .find({ ...pending, next_at: { $gt: at } }, { projection: { next_at: 1 } })
    .sort({ next_at: 1 })
    .limit(1)
    .toArray();
  return next?.next_at ?? undefined;
}

/** How many due deliveries one read considers. */
const SEEN = 200;

/**
 * Endpoints, with their tenants, that have a due delivery without a lease: a job was lost, its process died, the
 * clock was moved, or there is more work than one process can do.
 * @param except endpoints that this process is working on
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
