/**
 * The database of a test, on the engine that the environment names. `TEST_MONGODB` is
 *
 * - `embedded`, or not set: the embedded database, a process for each test file;
 * - `mongod`: a replica set of one real MongoDB, which is what production runs on; `standalone`: one without `--replSet`;
 * - a connection string: that deployment. Who disturbs the database gets a process all the same.
 *
 * `MONGOD` is the path of the binary. `TEST_MONGODB_SHARED` is the address of a process that many test files share, each
 * under a name of its own; see `scripts/test/database-setup.ts`.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { temporaryFolder } from '../../scripts/processes/leftovers.ts';
import { freePort } from '../../scripts/processes/ports.ts';
import { PATIENCE_MS, type RunningProgram } from '../../scripts/processes/program.ts';
import { openStore, type Store } from '../data/store.ts';
import { startMongod } from './mongod.ts';
import { startAlone } from './processes.ts';

/** What a process of a test's own runs. */
export type Engine =
  | { readonly name: 'embedded' }
  | { readonly name: 'mongod' | 'standalone'; readonly program: string };

/** Where tests keep their data. */
export interface Engines {
  /** Of a process that is one test's own. */
  readonly own: Engine;
  /** The address that the others share; absent: each starts a process. */
  readonly shared?: string;
}

/** @throws Error for what `TEST_MONGODB` cannot be */
export function readEngines(env: Readonly<Record<string, string | undefined>>): Engines {
  const { TEST_MONGODB: wanted = '', TEST_MONGODB_SHARED: shared, MONGOD: program } = env;
  if (/^mongodb(\+srv)?:\/\//.test(wanted)) {
    return { own: program ? { name: 'mongod', program } : { name: 'embedded' }, shared: wanted };
  }
  switch (wanted) {
    case '':
    case 'embedded':
      return { own: { name: 'embedded' } };
    case 'mongod':
    case 'standalone':
      if (!program) throw new Error('MONGOD must be the path of a mongod.');
      return { own: { name: wanted, program }, ...(shared && { shared }) };
    default:
      throw new Error(`TEST_MONGODB is embedded, mongod, standalone or mongodb://…, not ${wanted}`);
  }
}

/** A database of one test file, which nobody disturbs: it may share the process with those of other files. */
export class Database {
  /** For whatever else the test writes; goes with the database. */
  readonly folder = temporaryFolder('handlers-test-');
  readonly name = `test_${randomUUID().slice(0, 8)}`;
  protected readonly engines = readEngines(process.env);
  protected running: RunningProgram | undefined;
  #uri = '';

  get uri(): string {
    return this.#uri;
  }

  /** What a process needs to reach it. */
  get env(): { readonly MONGODB_URI: string; readonly MONGODB_DATABASE: string } {
    return { MONGODB_URI: this.uri, MONGODB_DATABASE: this.name };
  }

  /** Whether the process is shared. */
  protected get isShared(): boolean {
    return this.engines.shared !== undefined;
  }

  /** Starts the process where it is not shared, after a stop at the address that it had. @returns the address */
  async start(): Promise<string> {
    if (this.isShared) this.#uri = this.engines.shared ?? '';
    else await this.#startOwn();
    return this.#uri;
  }

  async #startOwn(): Promise<void> {
    const { own } = this.engines;
    const folder = join(this.folder, 'data');
    if (own.name === 'embedded') {
      this.running = startAlone('scripts/embedded-db/main.ts', ['--data', folder], {});
      this.#uri = await this.running.line((line) => /^listening (mongodb:\S+)/.exec(line)?.[1]);
      return;
    }
    // Nobody else may get the port while the process is away.
    const port = this.#uri === '' ? await freePort() : Number(new URL(this.#uri).port);
    const isMember = own.name === 'mongod';
    const started = await startMongod({ program: own.program, folder, port, isMember });
    this.running = started.process;
    this.#uri = started.uri;
  }

  /**
   * Starts it and opens a store on it, which takes it for away only after a long time: on a slow machine one command may
   * keep it busy for longer than a server would wait.
   */
  async open(timeoutMs = PATIENCE_MS): Promise<Store> {
    return openStore(await this.start(), this.name, timeoutMs, timeoutMs);
  }

  /** Drops the data and ends what was started. */
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

  /** What it runs, for what differs between engines. */
  get engine(): Engine['name'] {
    return this.engines.own.name;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.running?.stop('SIGKILL');
  }

  /** Stops it from answering without ending it, as a network that swallows everything would; `SIGCONT` undoes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.running?.signal(signal);
  }
}
