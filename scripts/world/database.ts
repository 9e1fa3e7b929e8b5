/**
 * The database of a test, on the engine that the environment names. `TEST_MONGODB` is
 *
 * - `embedded`, or not set: the embedded database, a process for each test file;
 * - `mongod`: a replica set of one real MongoDB, which is what production runs on; `standalone`: one without `--replSet`;
 * - a connection string: that deployment. A test that kills or pauses its database still gets a process of its own.
 *
 * `MONGOD` is the path of the binary. `TEST_MONGODB_SHARED` is the address of a process that many test files share, each
 * with a database of its own; see `scripts/lab/run/database-setup.ts`.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { openStore, type Store } from '../../handlers/data/store.ts';
import { freeze } from '../kit/frozen.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import { PATIENCE_MS, type RunningProgram } from '../kit/program.ts';
import { type Engine, engineNamed, startEngine } from './engine.ts';

interface Engines {
  /** For a process that belongs to one test file. */
  readonly own: Engine;
  /** The address that all other test files share; absent: each starts a process. */
  readonly shared?: string;
}

/** @throws Error for an unknown value of `TEST_MONGODB` */
export function readEngines(env: Readonly<Record<string, string | undefined>>): Engines {
  const { TEST_MONGODB: wanted = '', TEST_MONGODB_SHARED: shared, MONGOD: program } = env;
  const named = engineNamed(wanted);
  if (typeof named === 'object') {
    return { own: program ? { name: 'mongod', program } : { name: 'embedded' }, shared: named.uri };
  }
  if (named === 'embedded') return { own: { name: named } };
  if (!program) throw new Error('MONGOD must be the path of a mongod.');
  return { own: { name: named, program }, ...(shared && { shared }) };
}

/** A database that a {@link Deployment} works on. */
export interface StartableDatabase {
  /** What a process needs to reach it. */
  readonly env: Readonly<Record<'MONGODB_URI' | 'MONGODB_DATABASE', string>> & Readonly<Record<string, string>>;
  /** Starts it and opens a store on it. @param timeoutMs after how long the store takes it for away */
  open(timeoutMs?: number): Promise<Store>;
  remove(): Promise<void>;
}

/** A database of one test file that does not kill or pause it: it may share the process with those of other files. */
export class Database implements StartableDatabase {
  /** For other things that the test writes; removed with the database. */
  readonly folder = temporaryFolder('handlers-test-');
  readonly name: string;
  protected readonly engines: Engines;
  protected running: RunningProgram | undefined;
  #uri = '';

  constructor(engines: Engines = readEngines(process.env), name = `test_${randomUUID().slice(0, 8)}`) {
    this.engines = engines;
    this.name = name;
  }

  get uri(): string {
    return this.#uri;
  }

  /** A process takes it for away only after long: on a slow machine one command may keep it busy. */
  get env(): StartableDatabase['env'] {
    return { MONGODB_URI: this.uri, MONGODB_DATABASE: this.name, DATABASE_TIMEOUT_MS: '60000' };
  }

  /** Its process; undefined if it is shared. */
  get pid(): number | undefined {
    return this.running?.pid;
  }

  protected get isShared(): boolean {
    return this.engines.shared !== undefined;
  }

  /** Starts the process unless it is shared; after a stop, at its former address. @returns the address */
  async start(): Promise<string> {
    if (this.isShared) this.#uri = this.engines.shared ?? '';
    else await this.#startOwn();
    return this.#uri;
  }

  async #startOwn(): Promise<void> {
    // No other process may take the port while this one is stopped.
    const port = Number(new URL(this.#uri || 'mongodb://none').port) || undefined;
    const started = await startEngine(this.engines.own, join(this.folder, 'data'), port);
    this.running = started.process;
    this.#uri = started.uri;
  }

  /** The store, too, takes it for away only after long. */
  async open(timeoutMs = PATIENCE_MS): Promise<Store> {
    return openStore(await this.start(), this.name, timeoutMs, timeoutMs);
  }

  async remove(): Promise<void> {
    if (this.isShared && this.#uri !== '') await this.#drop();
    await this.running?.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #drop(): Promise<void> {
    const client = new MongoClient(this.#uri);
    try {
      await client.db(this.name).dropDatabase();
    } finally {
      await client.close();
    }
  }
}

/** A database that is killed, paused and started again: never shared. */
export class OwnDatabase extends Database {
  protected override get isShared(): boolean {
    return false;
  }

  override get env(): StartableDatabase['env'] {
    return { MONGODB_URI: this.uri, MONGODB_DATABASE: this.name };
  }

  /** Its engine, for tests that differ between engines. */
  get engine(): Engine['name'] {
    return this.engines.own.name;
  }

  async kill(): Promise<void> {
    await this.running?.stop('SIGKILL');
  }

  /** Freezes it, so that it does not answer, like a network that drops every packet. */
  async freeze(): Promise<void> {
    if (this.running) await freeze(this.running);
  }

  thaw(): void {
    this.running?.signal('SIGCONT');
  }
}
