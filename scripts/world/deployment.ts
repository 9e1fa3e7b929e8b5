/** A deployment of the service: a database with a store, processes that share files and time, a receiver of events. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createIndexes, type Store } from '../../handlers/data/store.ts';
import { newWebhookSecret, secretBox } from '../../handlers/webhooks/secrets.ts';
import { eventually } from '../kit/eventually.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import { freePort } from '../kit/ports.ts';
import type { StartableDatabase } from './database.ts';
import { EventReceiver } from './receiver.ts';
import { askClock, type RunningServer, ready, startServer } from './server.ts';
import { endpointRow, TestTenant } from './tenant.ts';

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

/** How a process that was asked to end did so. */
interface ProcessEnding {
  readonly ending: number | string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;
/** Waits until a process has started. */
type StartWait = (server: RunningServer) => Promise<unknown>;

export class Deployment<Database extends StartableDatabase = StartableDatabase> {
  readonly folder = temporaryFolder('deployment-');
  readonly database: Database;
  readonly store: Store;
  readonly #servers = new Set<RunningServer>();
  readonly #places = new Map<string, Promise<Env>>();
  readonly #named = new Map<string, RunningServer>();
  readonly #atEnd: (() => unknown)[] = [];
  #receiver: EventReceiver | undefined;
  #offsetMs = 0;

  private constructor(database: Database, store: Store) {
    this.database = database;
    this.store = store;
  }

  /** Starts the database and makes the indexes. @param timeoutMs of its own store */
  static async open<Database extends StartableDatabase>(
    database: Database,
    timeoutMs?: number,
  ): Promise<Deployment<Database>> {
    try {
      const store = await database.open(timeoutMs);
      await createIndexes(store);
      return new Deployment(database, store);
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

  /** Subscribes a path of the receiver; the limit of endpoints per tenant does not apply. */
  async hook(tenant_id: string, path: string, slot: number, event_types = ['employee.changed']) {
    const [id, secret] = [randomUUID(), newWebhookSecret()];
    const sealed_secret = await secretBox(this.store, undefined).seal(id, secret);
    this.receiver.secrets.set(path, secret);
    const url = this.receiver.url + path;
    const row = endpointRow({ _id: id, tenant_id, url, event_types, slot, sealed_secret });
    await this.store.webhook_endpoints.insertOne(row);
    return { id, path };
  }

  /**
   * Starts a process, and returns once it answers requests.
   * @param script see {@link startServer}
   */
  async start(env: Env = {}, started: StartWait = ready, script?: string): Promise<RunningServer> {
    const server = await startServer({ ...this.env, ...env }, script);
    this.#servers.add(server);
    await unlessDead(server, async () => {
      await started(server);
      if (this.#offsetMs > 0) await askClock(server, { offset_ms: this.#offsetMs });
    });
    return server;
  }

  /** The addresses that a process of this name has each time, and its role: the word that the name begins with, or all. */
  placeOf(name: string): Promise<Env> {
    const place = this.#places.get(name) ?? this.#newPlace(name);
    // Whoever asks meanwhile gets the same.
    this.#places.set(name, place);
    return place;
  }

  async #newPlace(name: string): Promise<Env> {
    const port = async () => String(await freePort());
    const ROLE = /^(api|worker)\b/.exec(name)?.[0] ?? 'all';
    return { ROLE, PORT: await port(), STORAGE_PORT: await port(), METRICS_PORT: await port() };
  }

  /** Like {@link start}, at the addresses and in the role of this name. */
  async run(name: string, env: Env = {}, ...more: [started?: StartWait, script?: string]): Promise<RunningServer> {
    const server = await this.start({ ...(await this.placeOf(name)), ...env }, ...more);
    this.#named.set(name, server);
    return server;
  }

  /** The process that runs, or ran last, at the addresses of this name. */
  named(name: string): RunningServer {
    const server = this.#named.get(name);
    if (server === undefined) throw new Error(`no process was started as ${name}`);
    return server;
  }

  /** @param server or its name */
  async kill(server: RunningServer | string): Promise<void> {
    const { process } = typeof server === 'string' ? this.named(server) : server;
    await process.stop('SIGKILL');
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
