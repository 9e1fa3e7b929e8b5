/** A replica set of one real MongoDB that asks for passwords, as one in production does. */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../../handlers/data/store.ts';
import type { StartableDatabase } from './database.ts';
import { PATIENCE_MS, ReplicaSet } from './replica-set.ts';

const NAME = 'guarded';
const ELECTION_MS = 10_000;

export class GuardedDatabase extends ReplicaSet {
  /** The user of the service, who may read and write its database and nothing else. */
  readonly user = { name: 'service', password: randomUUID() };
  readonly #admin = { username: 'administrator', password: randomUUID() };

  /** @param program mongod */
  constructor(program: string) {
    super(program, ELECTION_MS, 1);
    const keyFile = join(this.folder, 'members.key');
    writeFileSync(keyFile, randomBytes(48).toString('base64'), { mode: 0o600 });
    this.security = { keyFile, root: this.#admin };
  }

  /** What follows user and password in a connection string. */
  get hosts(): string {
    return `127.0.0.1:${this.members[0]?.port}/?replicaSet=test&authSource=admin`;
  }

  get adminUri(): string {
    return `mongodb://${this.#admin.username}:${this.#admin.password}@${this.hosts}`;
  }

  override get env(): StartableDatabase['env'] {
    const { name, password } = this.user;
    return { MONGODB_URI: `mongodb://${name}:${password}@${this.hosts}`, MONGODB_DATABASE: NAME };
  }

  override async open(): Promise<Store> {
    await this.start();
    const roles = [{ role: 'readWrite', db: NAME }];
    const command = { createUser: this.user.name, pwd: this.user.password, roles };
    await this.at(await this.primary(), (client) => client.db('admin').command(command));
    return openStore(this.adminUri, NAME, PATIENCE_MS, PATIENCE_MS);
  }
}
