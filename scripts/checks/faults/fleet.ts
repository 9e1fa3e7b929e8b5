/**
 * The environment of the suites of events and ingest: a database, tenants, processes of any role, and a receiver of
 * events.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { newEmployee } from '../../../handlers/employees/write/employee-rows.ts';
import { writeEmployees } from '../../../handlers/employees/write/employees.ts';
import { newWebhookSecret, secretBox } from '../../../handlers/webhooks/secrets.ts';
import { OwnDatabase } from '../../testbed/database.ts';
import { askClock, eventually, type RunningServer, ready, startServer } from '../../testbed/processes.ts';
import { TestTenant } from '../../testbed/tenant.ts';
import { endLeases, unlessDead } from './deployment.ts';
import { listen, type Receiver } from './receiver.ts';

/** A machine that is busy with other things starts a process slowly. This only ends a wait; no result depends on it. */
const START_MS = 120_000;
/** How long the suite itself waits at most for one answer of the database. */
const DATABASE_MS = 20_000;

export type Role = 'api' | 'worker' | 'all';

/** Waits without doing anything. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The levels of log lines that report unexpected errors. */
const ERROR_LEVELS: readonly unknown[] = ['error', 'fatal'];

/**
 * Whether a suite itself causes what is logged: its database is away, or nobody can decrypt the secret of its endpoint.
 */
function isCaused({ event, error }: Record<string, unknown>): boolean {
  const { kind = '', code } = (error ?? {}) as { readonly kind?: string; readonly code?: unknown };
  return event === 'delivery_not_sent' || kind.startsWith('Mongo') || /^E[A-Z]+$/.test(String(code));
}

/** One sentence for each unexpected error that a process has logged. @param log its lines */
export function faultsIn(log: readonly Record<string, unknown>[]): string[] {
  const errors = log.filter((line) => ERROR_LEVELS.includes(line.level) && !isCaused(line));
  return errors.map((line) => `an error: ${JSON.stringify(line)}`);
}

/** An endpoint, with what is needed to check the deliveries to it. */
export interface Hook {
  readonly id: string;
  readonly path: string;
}

/**
 * Subscribes a path of the receiver; the limit of 50 endpoints per tenant does not apply. @returns the endpoint's id
 */
export async function subscribe(store: Store, receiver: Receiver, wanted: Subscription): Promise<string> {
  const { tenantId: tenant_id, path, slot, eventTypes: event_types } = wanted;
  const [_id, time, secret] = [randomUUID(), new Date(), newWebhookSecret()];
  const sealed_secret = await secretBox(store, undefined).seal(_id, secret);
  receiver.secrets.set(path, secret);
  await store.webhook_endpoints.insertOne({
    ...{ _id, tenant_id, url: receiver.url + path, event_types, status: 'ACTIVE', slot },
    ...{ disabled_reason: '', disabled_at: null, sealed_secret, failed_delivery_ids: [] },
    ...{ create_time: time, update_time: time },
  });
  return _id;
}

interface Subscription {
  readonly tenantId: string;
  readonly path: string;
  readonly slot: number;
  readonly eventTypes: string[];
}

/**
 * Writes new employees as the application does, each with its event.
 * @param repeating how often the write is tried; by default once
 * @returns what was written
 */
export async function hireEmployees(
  store: Store,
  tenantId: string,
  count: number,
  repeating: (write: () => Promise<unknown>) => Promise<unknown> = (write) => write(),
): Promise<EmployeeRow[]> {
  const moment = { now: new Date(), today: new Date().toISOString().slice(0, 10) };
  const rows = Array.from({ length: count }, () =>
    newEmployee(tenantId, { _id: 'nobody', rev: 0 }, { start_date: '2024-01-01' }, moment),
  );
  // Rows of a repeated write that already exist were written by an earlier attempt.
  const changes = rows.map((after) => ({ before: null, after }));
  await repeating(() => writeEmployees(store, tenantId, changes));
  return rows;
}

/** The configuration that allows a process to deliver to the receiver. */
export function receiving({ port, authorityFile }: Receiver): Readonly<Record<string, string>> {
  return { WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${port}`, WEBHOOK_CA_FILE: authorityFile };
}

export class Fleet {
  readonly folder = temporaryFolder('faults-');
  readonly database = new OwnDatabase();
  readonly #running = new Set<RunningServer>();
  #offsetMs = 0;
  store!: Store;
  receiver!: Receiver;

  /** Starts the database and the receiver. */
  static async make(): Promise<Fleet> {
    const fleet = new Fleet();
    try {
      fleet.store = await fleet.database.open(DATABASE_MS);
      await createIndexes(fleet.store);
      fleet.receiver = await listen();
      return fleet;
    } catch (error) {
      await fleet.end();
      throw error;
    }
  }

  tenant(): Promise<TestTenant> {
    return TestTenant.create(this.store);
  }

  /** Starts a process, and returns once it answers requests. @param started waits until it has started */
  async start(
    role: Role,
    env: Readonly<Record<string, string>> = {},
    started: (server: RunningServer) => Promise<unknown> = (server) => ready(server, START_MS),
  ): Promise<RunningServer> {
    const server = await startServer({
      ...{ ...this.database.env, CONTROL_PORT: '0', LOG_LEVEL: 'info' },
      ...{ ROLE: role, STORAGE_DIR: join(this.folder, 'files') },
      ...receiving(this.receiver),
      ...env,
    });
    this.#running.add(server);
    await unlessDead(server, async () => {
      await started(server);
      if (this.#offsetMs > 0) await this.#setClock(server);
    });
    return server;
  }

  /** Ends a process as the system does when memory runs out. */
  async kill(server: RunningServer): Promise<void> {
    this.#running.delete(server);
    await server.process.stop('SIGKILL');
  }

  /** Moves the time of all processes, and of those that start later. */
  async advance(ms: number): Promise<void> {
    this.#offsetMs += ms;
    this.receiver.judgesAge = false;
    await Promise.all([...this.#running].map((server) => this.#setClock(server)));
  }

  async #setClock({ controlUrl }: RunningServer): Promise<void> {
    await askClock({ controlUrl }, { offset_ms: this.#offsetMs });
  }

  /** Subscribes a path of the receiver. */
  async hook(tenantId: string, path: string, slot: number, eventTypes = ['employee.changed']): Promise<Hook> {
    return { id: await subscribe(this.store, this.receiver, { tenantId, path, slot, eventTypes }), path };
  }

  /** Like {@link hireEmployees}, even if there is an outage of the database. */
  employees(tenantId: string, count: number): Promise<EmployeeRow[]> {
    return hireEmployees(this.store, tenantId, count, patiently);
  }

  /** See {@link endLeases}. */
  endLeases(): Promise<void> {
    return patiently(() => endLeases(this.store));
  }

  /** Ends everything that was started. */
  async end(): Promise<void> {
    for (const server of this.#running) await server.process.stop('SIGKILL');
    await this.receiver?.stop();
    await this.store?.close();
    await this.database.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Does the work on a fleet of its own, and ends it. @throws Error when a process does not even start */
export async function withFleet<T>(work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = await Fleet.make();
  try {
    return await work(fleet);
  } finally {
    await fleet.end();
  }
}

/** Repeats the work until the database is available, for two minutes at most. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  let last: unknown;
  return eventually(
    'an answer of the database',
    () =>
      work()
        .then((value) => ({ value }))
        .catch((error) => {
          last = error;
          return undefined;
        }),
    120_000,
  ).then(
    ({ value }) => value,
    () => {
      throw last;
    },
  );
}
