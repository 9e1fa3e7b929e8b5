/** The environment of a fault suite: a database with one invented tenant, and three owners with many keys each. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { freePort } from '../../../conformance/processes/ports.ts';
import { scopes } from '../../../generated/operations.ts';
import { hashKey, newKey, shownPrefix } from '../../../handlers/access/keys.ts';
import { NO_LEASE } from '../../../handlers/data/lease.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';
import { FULL_PROFILE } from '../../operate/seed/users.ts';
import { askClock, eventually, type RunningServer, ready, startServer } from '../../testbed/processes.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'preload.ts')).href;
/** A key has a limit; the flows spread their requests over the keys. */
const KEYS_EACH = 12;
/**
 * A process may end this long after its connections: the short time if this is only reported, the long one if it
 * decides whether there is a failure.
 */
const DYING_MS = 300;
const SURELY_DEAD_MS = 15_000;

/** The events that a document emits if it passes through all its states. */
export const DOCUMENT_EVENTS = [
  'document.sent',
  'document.approval_started',
  'document.signing_started',
  'document.completed',
];

/** A user with an employee, who acts with any of several keys. */
export interface Owner {
  readonly userId: string;
  readonly employeeId: string;
  readonly keys: readonly string[];
}

/** When and where the process gets a signal; without a point, none is planted. */
export interface Planted {
  readonly point?: string;
  readonly nth?: number;
  /** By default SIGKILL. */
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
  /** A file that collects the names of the moments that occurred. */
  readonly seenFile?: string;
}

/** The database in which the tenant is written. */
export interface StartableDatabase {
  readonly env: { readonly MONGODB_URI: string; readonly MONGODB_DATABASE: string };
  /** Starts the database and connects to it. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export interface Deployment {
  readonly store: Store;
  readonly tenantId: string;
  readonly initiator: Owner;
  readonly approver: Owner;
  readonly signer: Owner;
  readonly typeId: string;
  readonly templateId: string;
  /** The endpoint that gets every event of documents. */
  readonly endpointId: string;
  /**
   * Starts a server at the same addresses each time, and with the time at which the previous one ended.
   * @param env variables that differ from the usual ones
   */
  serve(planted?: Planted, env?: Readonly<Record<string, string>>): Promise<RunningServer>;
  /** Moves the time of the server, and of those that start later. */
  advance(server: RunningServer, ms: number): Promise<void>;
  end(): Promise<void>;
}

/** Writes a user who sees everything and may do everything, with keys. */
export async function makeOwner(store: Store, tenantId: string, employeeId: string): Promise<Owner> {
  const [userId, time] = [randomUUID(), new Date()];
  await store.users.insertOne({
    ...{ _id: userId, tenant_id: tenantId, label: 'Faults', employee_id: employeeId, super_admin: true },
    ...{ profile: FULL_PROFILE, removed_at: null, create_time: time, update_time: time },
  });
  const keys = Array.from({ length: KEYS_EACH }, () => newKey('fault'));
  await store.api_keys.insertMany(
    keys.map((key) => ({
      ...{ _id: randomUUID(), tenant_id: tenantId, owner_id: userId, name: 'Faults', prefix: shownPrefix(key) },
      ...{ key_hash: hashKey(key), scopes: [...scopes], created_by_super_admin: true, active: true },
      ...{ revoked_at: null, expires_at: null, last_used_at: null, create_time: time },
    })),
  );
  return { userId, employeeId, keys };
}

/** An endpoint whose secret nobody can decrypt: its deliveries are kept, but none is sent. */
async function silentEndpoint(store: Store, tenant_id: string): Promise<string> {
  const [_id, time] = [randomUUID(), new Date()];
  await store.webhook_endpoints.insertOne({
    ...{ _id, tenant_id, url: 'https://receiver.invalid/', event_types: DOCUMENT_EVENTS, status: 'ACTIVE', slot: 0 },
    ...{ disabled_reason: '', disabled_at: null, sealed_secret: '', failed_delivery_ids: [] },
    ...{ create_time: time, update_time: time },
  });
  return _id;
}

/** Whether the server has ended. Its connections end shortly before the system reports the end of its process. */
export function hasDied(server: RunningServer, withinMs = DYING_MS): Promise<boolean> {
  return eventually('its death', () => server.process.hasEnded || undefined, withinMs).catch(() => false);
}

/** A planted kill may come while the server starts. Then the request to it fails, which does not count as a failure. */
export async function unlessDead(server: RunningServer, asking: () => Promise<unknown>): Promise<void> {
  try {
    await asking();
  } catch (error) {
    if (!(await hasDied(server, SURELY_DEAD_MS))) throw error;
  }
}

/**
 * Ends the leases that dead or frozen processes have left, because the database's clock cannot be moved. No living
 * process may hold one.
 */
export async function endLeases(store: Store): Promise<void> {
  const over = { $set: { lease_until: NO_LEASE.lease_until } };
  await store.idempotency_claims.updateMany({ state: 'RUNNING' }, over);
  await store.ingest_requests.updateMany({ ended_at: null }, over);
  await store.deliveries.updateMany({ status: 'PENDING' }, over);
}

/**
 * Starts the database and writes the tenant.
 * @param subscribe makes the endpoint for the events of documents; by default nothing is ever sent to it
 */
export async function deploy(database: StartableDatabase, subscribe = silentEndpoint): Promise<Deployment> {
  const folder = temporaryFolder('faults-');
  const store = await database.open();
  await createIndexes(store);
  const { tenant_id } = await seedTenant(store, { name: 'faults', seed: 'faults', employees: 40, keys: false });
  const people = await store.employees
    .find({ tenant_id, listed: true, status: 'EMPLOYEE_STATUS_ACTIVE' })
    .sort({ _id: 1 })
    .limit(3)
    .toArray();
  const [initiator, approver, signer] = await Promise.all(people.map(({ _id }) => makeOwner(store, tenant_id, _id)));
  const type = await store.document_types.findOne({ tenant_id, title: 'Приказ об отпуске' });
  if (initiator === undefined || approver === undefined || signer === undefined || type === null) {
    throw new Error('The invented tenant lacks three active employees or the order of leave.');
  }
  const [port, storagePort] = [await freePort(), await freePort()];
  let offsetMs = 0;
  const setClock = (server: RunningServer) => unlessDead(server, () => askClock(server, { offset_ms: offsetMs }));
  return {
    store,
    tenantId: tenant_id,
    initiator,
    approver,
    signer,
    typeId: type._id,
    templateId: type.template_id,
    endpointId: await subscribe(store, tenant_id),
    async serve({ point, nth = 1, signal = 'SIGKILL', seenFile }: Planted = {}, env = {}) {
      const planted = point !== undefined || seenFile !== undefined;
      const server = await startServer({
        ...{ ...database.env, CONTROL_PORT: '0', LOG_LEVEL: 'info' },
        ...{ PORT: String(port), STORAGE_PORT: String(storagePort), STORAGE_DIR: join(folder, 'files') },
        ...(planted && { NODE_OPTIONS: `--import ${PRELOAD} --disable-warning=ExperimentalWarning` }),
        ...(point !== undefined && { FAULT_POINT: point, FAULT_NTH: String(nth), FAULT_SIGNAL: signal }),
        ...(seenFile !== undefined && { FAULT_SEEN: seenFile }),
        ...env,
      });
      await unlessDead(server, () => ready(server, 60_000));
      await setClock(server);
      return server;
    },
    async advance(server, ms) {
      offsetMs += ms;
      await setClock(server);
    },
    async end() {
      await store.close();
      await database.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
