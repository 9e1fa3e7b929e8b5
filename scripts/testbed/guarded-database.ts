/** A replica set of one real MongoDB that asks for passwords, as one in production does. */
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { freePort } from '../../conformance/processes/ports.ts';
import type { RunningProgram } from '../../conformance/processes/program.ts';
import { openStore, type Store } from '../../handlers/data/store.ts';
import type { StartableDatabase } from './database.ts';
import { answering, atMongod, initiate, primaryOf, runMongod } from './engine.ts';

const NAME = 'guarded';
const PATIENCE_MS = 120_000;
const ADMIN = 'administrator';

export class GuardedDatabase implements StartableDatabase {
  /** The user of the service, who may read and write its database and nothing else. */
  readonly user = { name: 'service', password: randomUUID() };
  readonly #program: string;
  readonly #folder = temporaryFolder('guarded-');
  readonly #adminPassword = randomUUID();
  #port = 0;
  #running: RunningProgram | undefined;

  /** @param program mongod */
  constructor(program: string) {
    this.#program = program;
  }

  /** What follows user and password in a connection string. */
  get hosts(): string {
    return `127.0.0.1:${this.#port}/?replicaSet=test&authSource=admin`;
  }

  uriOf(user: string, password: string): string {
    return `mongodb://${user}:${password}@${this.hosts}`;
  }

  get adminUri(): string {
    return this.uriOf(ADMIN, this.#adminPassword);
  }

  get env(): StartableDatabase['env'] {
    return { MONGODB_URI: this.uriOf(this.user.name, this.user.password), MONGODB_DATABASE: NAME };
  }

  async open(): Promise<Store> {
    const [folder, keyFile] = [join(this.#folder, 'data'), join(this.#folder, 'members.key')];
    writeFileSync(keyFile, randomBytes(48).toString('base64'), { mode: 0o600 });
    this.#port = await freePort();
    this.#running = runMongod({
      program: this.#program,
      folder,
      port: this.#port,
      isMember: true,
      security: { keyFile },
    });
    await answering(this.#running, this.#port, folder);
    await initiate([this.#port]);
    await primaryOf([this.#port]);
    // Without users, one connection from the machine itself may make the first.
    await atMongod(this.#port, async (client) => {
      const admin = client.db('admin');
      await admin.command({ createUser: ADMIN, pwd: this.#adminPassword, roles: ['root'] });
    });
    await atMongod(
      this.#port,
      (client) => {
        const roles = [{ role: 'readWrite', db: NAME }];
        return client.db('admin').command({ createUser: this.user.name, pwd: this.user.password, roles });
      },
      { auth: { username: ADMIN, password: this.#adminPassword } },
    );
    return openStore(this.adminUri, NAME, PATIENCE_MS, PATIENCE_MS);
  }

  async remove(): Promise<void> {
    await this.#running?.stop('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
