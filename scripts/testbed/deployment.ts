/** A deployment of the service: a database with a store, processes that share files and time, a receiver of events. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { createIndexes, type Store } from '../../handlers/data/store.ts';
import { newWebhookSecret, secretBox } from '../../handlers/webhooks/secrets.ts';
import type { StartableDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { EventReceiver } from './receiver.ts';
import { askClock, type RunningServer, ready, startServer } from './server.ts';
import { endpointRow, TestTenant } from './tenant.ts';

/** A machine that is busy with other things starts a process slowly. This only ends a wait; no result depends on it. */
const START_MS = 120_000;
/** A process may end this long after its connections: where this is reported, and where it decides on a failure. */
const DYING_MS = 300;
const SURELY_DEAD_MS = 15_000;

/** Whether the server has ended. Its connections end shortly before the system reports the end of its process. */
export function hasDied(server: RunningServer, withinMs = DYING_MS): Promise<boolean> {
  return eventually('its death', () => server.process.hasEnded, withinMs).catch(() => false);
}

/** A planted kill may come while the server starts. Then the request to it fails, which does not count as a failure. */
async function unlessDead(server: RunningServer, asking: () => Promise<unknown>): Promise<void> {
  try {
    await asking();
  } catch (error) {
    if (!(await hasDied(server, SURELY_DEAD_MS))) throw error;
  }
}

export interface Subscription {
  readonly tenantId: string;
  readonly path: string;
  readonly slot: number;
  readonly eventTypes: string[];
}

/** Subscribes a path of the receiver; the limit of endpoints per tenant does not apply. @returns the endpoint's id */
export async function subscribe(store: Store, receiver: EventReceiver, wanted: Subscription): Promise<string> {
  const { tenantId: tenant_id, path, slot, eventTypes: event_types } = wanted;
  const [_id, secret] = [randomUUID(), newWebhookSecret()];
  const sealed_secret = await secretBox(store, undefined).seal(_id, secret);
  receiver.secrets.set(path, secret);
  const url = receiver.url + path;
  await store.webhook_endpoints.insertOne(endpointRow({ _id, tenant_id, url, event_types, slot, sealed_secret }));
  return _id;
}

/** How a process that was asked to end did so. */
export interface ProcessEnding {
  readonly ending: number | string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

export class Deployment<Database extends StartableDatabase = StartableDatabase> {
  readonly folder = temporaryFolder('testbed-');
  readonly database: Database;
  readonly store: Store;
  readonly #env: Env;
  readonly #servers = new Set<RunningServer>();
  readonly #atEnd: (() => unknown)[] = [];
  #receiver: EventReceiver | undefined;
  #offsetMs = 0;

  private constructor(database: Database, store: Store, env: Env) {
    this.database = database;
    this.store = store;
    this.#env = env;
  }

  /** Starts the database and makes the indexes. @param timeoutMs of its own store @param env of all processes */
  static async open<Database extends StartableDatabase>(
    database: Database,
    timeoutMs?: number,
    env: Env = {},
  ): Promise<Deployment<Database>> {
    try {
      const store = await database.open(timeoutMs);
      await createIndexes(store);
      return new Deployment(database, store, env);
    } catch (error) {
      await database.remove();
      throw error;
    }
  }

  get env(): Env {
    return {
      ...this.database.env,
      CONTROL_PORT: '0',
      STORAGE_DIR: join(this.folder, 'files'),
      ...this.#receiver?.env,
      ...this.#env,
    };
  }

  tenant(): Promise<TestTenant> {
    return TestTenant.create(this.store);
  }

  async receive(): Promise<EventReceiver> {
    this.#receiver = await EventReceiver.listen();
    return this.#receiver;
  }

  get receiver(): EventReceiver {
    if (this.#receiver === undefined) throw new Error('this deployment has no receiver');
    return this.#receiver;
  }

  async hook(tenantId: string, path: string, slot: number, eventTypes = ['employee.changed']) {
    return { id: await subscribe(this.store, this.receiver, { tenantId, path, slot, eventTypes }), path };
  }

  /**
   * Starts a process, and returns once it answers requests.
   * @param started waits until it has started
   * @param checkout see {@link startServer}
   */
  async start(
    env: Env = {},
    started: (server: RunningServer) => Promise<unknown> = (server) => ready(server, START_MS),
    checkout = '',
  ): Promise<RunningServer> {
    const server = await startServer({ ...this.env, ...env }, checkout);
    this.#servers.add(server);
    await unlessDead(server, async () => {
      await started(server);
      if (this.#offsetMs > 0) await askClock(server, { offset_ms: this.#offsetMs });
    });
    return server;
  }

  async kill(server: RunningServer): Promise<void> {
    await server.process.stop('SIGKILL');
  }

  /** Moves the time of processes that run, by default of all, and of those that start later. */
  async advance(ms: number, servers: Iterable<RunningServer> = this.#servers): Promise<void> {
    this.#offsetMs += ms;
    if (this.#receiver !== undefined) this.#receiver.judgesAge = false;
    const running = [...servers].filter((server) => !server.process.hasEnded);
    const change = { offset_ms: this.#offsetMs };
    await Promise.all(running.map((server) => unlessDead(server, () => askClock(server, change))));
  }

  /** Adds work to do once the processes have ended, while the database still runs. */
  atEnd(work: () => unknown): void {
    this.#atEnd.push(work);
  }

  /** Ends everything that was started. @returns how processes that still ran ended, and their standard error */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<ProcessEnding[]> {
    const running = [...this.#servers].filter((server) => !server.process.hasEnded);
    const endings = await Promise.all(
      running.map(async ({ process }) => {
        const ending = await process.stop(signal);
        return { ending, stderr: process.stderr };
      }),
    );
    for (const work of this.#atEnd) await work();
    await this.#receiver?.stop();
    await this.store.close();
    await this.database.remove();
    rmSync(this.folder, { recursive: true, force: true });
    return endings;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
