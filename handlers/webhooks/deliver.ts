/**
 * Works on due deliveries, endpoint by endpoint. Every endpoint has places of its own, and every tenant a limited share
 * of all places, so that receivers that hang do not block others. An endpoint begins with one attempt at a time; a
 * success doubles this up to its most, a failure sets it back to one.
 */

import { onceForEach, rowsTogether } from '../data/batched-reads.ts';
import { FREE } from '../data/lease.ts';
import { ofTenant } from '../data/of-tenant.ts';
import { logFailure } from '../data/outages.ts';
import type { Store } from '../data/store.ts';
import { Shares } from '../fairness/shares.ts';
import { now, nowMs } from '../runtime/clock.ts';
import { gauge } from '../runtime/metrics.ts';
import { inTrace } from '../runtime/tracing.ts';
import { type AttemptMeans, makeAttempt } from './attempt.ts';
import { claimDue, type DueDeliveries, mayBeDue, nothingRead, setNothingDue } from './claim.ts';

const attemptsUnderWay = gauge('webhook_attempts_active', 'Attempts of deliveries that this process is making.');

/**
 * The most simultaneous attempts of one process, for a tenant and in all. Also, a tenant never has more places than are
 * free, so that some are left for a new tenant while the receivers of others hang (D-33).
 */
const MAX_OF_TENANT = 64;
const MAX_IN_ALL = 256;
/** How long attempts under way may continue when the process stops, in milliseconds; then they are handed back. */
const FINISH_MS = 8_000;

/** An endpoint while it has work. */
interface Lane {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly found: DueDeliveries;
  limit: number;
  running: number;
  /** Since when its own attempts have taken its places, by the service's clock; undefined once nothing waits. */
  fullSinceMs: number | undefined;
  /** Claims under way. They share their reads and writes (`claim.ts`), so several run at the same time. */
  claiming: number;
}

type Schedule = (endpointId: string, at: Date) => Promise<void>;

/** The tenants of endpoints; wanted for many at a time. */
const endpointsOf = onceForEach((store: Store) =>
  rowsTogether(store.webhook_endpoints, { projection: { tenant_id: 1 } }),
);

/** The endpoints that have work, and the attempts at their deliveries. */
export class Deliveries {
  readonly #means: AttemptMeans;
  readonly #perEndpoint: number;
  readonly #schedule: Schedule;
  readonly #finishMs: number;
  /** Endpoints in the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
  /** Endpoints whose tenant is being read. */
  readonly #unknown = new Set<string>();
  /** Places for attempts and the claims before them. */
  readonly #places = new Shares({ name: 'attempts', inAll: MAX_IN_ALL, ofTenant: MAX_OF_TENANT, keepsSomeFree: true });
  readonly #under = new Set<Promise<void>>();
  readonly #aborting = new AbortController();
  #isStopping = false;

  /**
   * Starts with nothing to do.
   * @param perEndpoint the most simultaneous attempts of this process for an endpoint
   * @param schedule is called with the time at which the endpoint's next delivery is due, by the service's clock
   * @param finishMs how long {@link stop} waits
   */
  constructor(means: AttemptMeans, perEndpoint: number, schedule: Schedule, finishMs = FINISH_MS) {
    this.#means = means;
    this.#perEndpoint = perEndpoint;
    this.#schedule = schedule;
    this.#finishMs = finishMs;
  }

  /**
   * Works on the endpoint's due deliveries until none is left; then schedules a job for the next one.
   * @param tenantId the endpoint's tenant, if the caller knows it
   */
  readonly work = (endpointId: string, tenantId?: string): void => {
    if (this.#isStopping) return;
    const lane = this.#lanes.get(endpointId);
    if (lane !== undefined) lane.found.isOutdated = true;
    else if (tenantId === undefined) this.#find(endpointId);
    else {
      const found = nothingRead();
      const idle = { limit: 1, running: 0, claiming: 0, fullSinceMs: undefined };
      this.#lanes.set(endpointId, { endpointId, tenantId, found, ...idle });
    }
    this.#fill();
  };

  /** Reads whose endpoint it is. Of a deleted one, the workers' watch finds what is left, with its tenant. */
  #find(endpointId: string): void {
    if (this.#unknown.has(endpointId)) return;
    this.#unknown.add(endpointId);
    const found = endpointsOf(this.#means.store)(endpointId)
      .finally(() => this.#unknown.delete(endpointId))
      .then((endpoint) => endpoint && this.work(endpointId, endpoint.tenant_id));
    this.#keep(found, endpointId);
  }

  /** Endpoints that are being worked on. */
  working(): string[] {
    return [...this.#lanes.keys(), ...this.#unknown];
  }

  /** Claims nothing more, gives attempts under way 8 s to finish, and hands on the rest by jobs. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const timer = setTimeout(() => this.#aborting.abort(), this.#finishMs);
    await Promise.allSettled(this.#under);
    clearTimeout(timer);
    await Promise.allSettled([...this.#lanes.keys()].map((endpointId) => this.#schedule(endpointId, now())));
  }

  /** Whether a further claim may begin; it has a place then. */
  #takesPlace(lane: Lane): boolean {
    const { found, claiming, running, limit, tenantId } = lane;
    if (!mayBeDue(found)) return false;
    if (running >= limit) lane.fullSinceMs ??= nowMs();
    return claiming < limit / 2 && running < limit && this.#places.tryTake(tenantId, 1);
  }

  /** Gives free places to the endpoints in turn, until none may have another one. */
  #fill(): void {
    let lanes = [...this.#lanes.values()];
    while (lanes.length > 0) {
      lanes = lanes.filter((lane) => {
        const starts = !this.#isStopping && this.#takesPlace(lane);
        if (starts) this.#start(lane);
        return starts;
      });
    }
  }

  #start(lane: Lane): void {
    this.#lanes.delete(lane.endpointId);
    this.#lanes.set(lane.endpointId, lane);
    lane.running += 1;
    // Whatever wakes it: an attempt belongs to the trace of its event.
    const work = inTrace(undefined, () => this.#turn(lane))
      .catch((error) => {
        // Most likely the store is away; due deliveries are found again once it is back.
        setNothingDue(lane.found);
        throw error;
      })
      .finally(() => {
        lane.running -= 1;
        this.#places.release(lane.tenantId, 1);
        if (lane.running === 0 && !mayBeDue(lane.found)) this.#drop(lane);
        this.#fill();
      });
    this.#keep(work, lane.endpointId);
  }

  /** Notes work that a stop waits for. */
  #keep(work: Promise<void>, endpointId: string): void {
    const { log } = this.#means;
    const kept = work
      .catch((error) => logFailure(log, 'warn', { event: 'delivery_interrupted', endpoint_id: endpointId }, error))
      .finally(() => this.#under.delete(kept));
    this.#under.add(kept);
  }

  async #turn(lane: Lane): Promise<void> {
    lane.claiming += 1;
    const claiming = claimDue(this.#means.store, lane.tenantId, lane.endpointId, lane.found);
    const claim = await claiming.finally(() => {
      lane.claiming -= 1;
    });
    if (claim === undefined) {
      lane.fullSinceMs = undefined;
      return;
    }
    const fullMs = nowMs() - (lane.fullSinceMs ?? nowMs());
    this.#fill();
    attemptsUnderWay.inc();
    const attempt = makeAttempt(this.#means, claim, this.#aborting.signal, fullMs);
    const result = await attempt.finally(() => attemptsUnderWay.dec());
    // A retry may have become due meanwhile; the last read of the endpoint may be older than its last attempt.
    lane.found.isOutdated = true;
    if (result === 'success') lane.limit = Math.min(2 * lane.limit, this.#perEndpoint);
    if (result === 'failure') lane.limit = 1;
  }

  /** Nothing is due at the endpoint any more: schedules a job for its next delivery. */
  #drop({ endpointId, tenantId, found }: Lane): void {
    this.#lanes.delete(endpointId);
    if (this.#isStopping) return;
    // Something may have become due since the last read.
    nextAfter(this.#means.store, tenantId, endpointId, found.readAt)
      .then((at) => at && this.#schedule(endpointId, at))
      // The workers' watch finds due deliveries without a job.
      .catch(() => {});
  }
}

/** When the endpoint's next delivery after `at` is due. */
async function nextAfter(store: Store, tenantId: string, endpointId: string, at: Date): Promise<Date | undefined> {
  const pending = { endpoint_id: endpointId, status: 'PENDING' } as const;
  const [next] = await ofTenant(store.deliveries, tenantId)
    .find({ ...pending, next_at: { $gt: at } }, { projection: { next_at: 1 } })
    .sort({ next_at: 1 })
    .limit(1)
    .toArray();
  return next?.next_at ?? undefined;
}

/** How many due deliveries one read considers. */
const SEEN = 200;

/**
 * Endpoints, with their tenants, that have a due delivery without a lease: a job was lost, a process died, or there is more
 * work than one process can do.
 * @param except endpoints that this process is working on
 */
export async function overdueEndpoints(store: Store, except: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await store.deliveries
    .find(
      {
        next_at: { $gt: new Date(0), $lte: now() },
        ...(except.length > 0 && { endpoint_id: { $nin: [...except] } }),
        ...FREE,
      },
      { projection: { endpoint_id: 1, tenant_id: 1 }, sort: { next_at: 1 }, limit: SEEN, batchSize: SEEN + 1 },
    )
    .toArray();
  return new Map(found.map(({ endpoint_id, tenant_id }) => [endpoint_id, tenant_id]));
}
