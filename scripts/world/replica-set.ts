/** A replica set of real MongoDB processes, by default three. One member at a time fails. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Document, MongoClient, MongoClientOptions } from 'mongodb';
import { openStore, type Store } from '../../handlers/data/store.ts';
import { eventually } from '../kit/eventually.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import { freePort } from '../kit/ports.ts';
import { PATIENCE_MS, type RunningProgram } from '../kit/program.ts';
import type { StartableDatabase } from './database.ts';
import { answering, atMongod, initiate, type MongodSecurity, primaryOf, runMongod, uriOf } from './engine.ts';

/** How long a primary that stepped down cannot be elected again. */
const ASIDE_SECONDS = 10;
const CATCH_UP_SECONDS = 5;
/** A write takes less than this if the members of a majority get it as soon as it is written. */
const FOLLOWED_MS = 500;
/** The server's numbers of the states. */
const STATES = { primary: 1, secondary: 2 } as const;

interface Status {
  readonly members: readonly { readonly state: number; readonly optimeDate: Date }[];
}

export interface Member {
  readonly port: number;
  readonly folder: string;
  running: RunningProgram;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The users of a replica set that asks who calls. */
interface SetSecurity extends MongodSecurity {
  /** Whom it gets first, and who may do everything. */
  readonly root: Credentials;
  /** Of the service. */
  readonly user: Credentials;
  /** The role of the user, as `createRole` makes it. */
  readonly role: Document;
}

/** The database of the service. */
export const NAME = 'faults';
const AS_ADMINISTRATOR = 'authSource=admin';

export class ReplicaSet implements StartableDatabase {
  readonly folder = temporaryFolder('faults-set-');
  readonly members: Member[] = [];
  readonly #program: string;
  readonly #electionMs: number;
  readonly #size: number;
  readonly #security: SetSecurity | undefined;
  /** How this process connects to a member. */
  #access: MongoClientOptions = {};

  /** @param electionMs how long members wait for a sign of life of the primary before they elect another one */
  constructor(program: string, electionMs: number, size = 3, security?: SetSecurity) {
    this.#program = program;
    this.#electionMs = electionMs;
    this.#size = size;
    this.#security = security;
  }

  /** What follows user and password in a connection string. */
  get hosts(): string {
    const [, hosts = ''] = uriOf(this.#ports(), true).split('//');
    return this.#security === undefined ? hosts : `${hosts}&${AS_ADMINISTRATOR}`;
  }

  #uriFor(user: Credentials | undefined): string {
    return `mongodb://${user === undefined ? '' : `${user.username}:${user.password}@`}${this.hosts}`;
  }

  /** Of who may do everything. */
  get adminUri(): string {
    return this.#uriFor(this.#security?.root);
  }

  get env(): StartableDatabase['env'] {
    return { MONGODB_URI: this.#uriFor(this.#security?.user), MONGODB_DATABASE: NAME };
  }

  #ports(): number[] {
    return this.members.map(({ port }) => port);
  }

  /** Runs a function on one member, with all rights. */
  at<T>({ port }: Pick<Member, 'port'>, work: (client: MongoClient) => Promise<T>): Promise<T> {
    return atMongod(port, work, this.#access);
  }

  /** Starts the members, and waits until one is primary and the others follow it. @param ports by default free ones */
  async start(ports?: readonly number[]): Promise<void> {
    const { tls } = this.#security ?? {};
    if (tls !== undefined) this.#access = { tls: true, tlsCAFile: tls.authority };
    for (let nth = 0; nth < this.#size; nth++) {
      const [port, folder] = [ports?.[nth] ?? (await freePort()), join(this.folder, String(nth))];
      this.members.push({ port, folder, running: this.#run(port, folder) });
    }
    await Promise.all(this.members.map(({ running, port, folder }) => answering(running, port, folder, this.#access)));
    await initiate(this.#ports(), { electionTimeoutMillis: this.#electionMs }, this.#access);
    if (this.#security !== undefined) await this.#makeUsers(this.#security);
    await this.whole();
  }

  async #makeUsers({ root, user, role }: SetSecurity): Promise<void> {
    const primary = await this.primary();
    const admin = (command: Document) => this.at(primary, (client) => client.db('admin').command(command));
    // Whoever is on the machine may make the first user.
    await admin({ createUser: root.username, pwd: root.password, roles: ['root'] });
    this.#access = { ...this.#access, auth: root };
    await admin(role);
    await admin({ createUser: user.username, pwd: user.password, roles: [role.createRole] });
  }

  /** Starts it, and opens a store on it. */
  async open(): Promise<Store> {
    await this.start();
    return openStore(this.adminUri, NAME, PATIENCE_MS, PATIENCE_MS);
  }

  #run(port: number, folder: string): RunningProgram {
    const [program, security] = [this.#program, this.#security];
    return runMongod({ program, folder, port, isMember: true, hasFailPoints: security === undefined, security });
  }

  /** Waits until one of the members says that it accepts writes. @param among the members to ask */
  async primary(among: readonly Member[] = this.members): Promise<Member> {
    const ports = among.map(({ port }) => port);
    const port = await primaryOf(ports, this.#access);
    return among[ports.indexOf(port)] as Member;
  }

  others(than: Member): Member[] {
    return this.members.filter((member) => member !== than);
  }

  /** Makes the primary hand over, as an operator does before maintenance. */
  async stepDown(member: Member): Promise<void> {
    const command = { replSetStepDown: ASIDE_SECONDS, secondaryCatchUpPeriodSecs: CATCH_UP_SECONDS };
    // The command is refused while the possible successor has itself just stepped down.
    await eventually('a step-down', () =>
      this.at(member, (client) => client.db('admin').command(command)).catch(() => undefined),
    );
  }

  /** Makes members stop copying what the primary writes, or start again. */
  async follow(members: readonly Member[], isOn: boolean): Promise<void> {
    const command = { configureFailPoint: 'stopReplProducer', mode: isOn ? 'off' : 'alwaysOn' };
    await Promise.all(members.map((member) => this.at(member, (client) => client.db('admin').command(command))));
  }

  async kill({ running }: Member): Promise<void> {
    await running.stop('SIGKILL');
  }

  /** The address of one member, whatever its role. */
  addressOf({ port }: Member): string {
    return `mongodb://127.0.0.1:${port}/?directConnection=true`;
  }

  restart(member: Member): void {
    member.running = this.#run(member.port, member.folder);
  }

  /** Waits until a majority follows the member without delay: one write does not show that while it catches up. */
  async isFollowed(member: Member): Promise<void> {
    const options = { writeConcern: { w: 'majority', journal: true } } as const;
    const write = async (client: MongoClient) => {
      const fromMs = performance.now();
      await client.db('probe').collection('writes').insertOne({}, options);
      return performance.now() - fromMs < FOLLOWED_MS;
    };
    await this.at(member, (client) => eventually('a prompt majority', () => write(client)));
  }

  /** Waits until every member is back and has everything that the primary has. */
  async whole(): Promise<void> {
    await eventually('a whole replica set', () => this.#isWhole().catch(() => false));
  }

  async #isWhole(): Promise<boolean> {
    const { members } = await this.at(
      await this.primary(),
      (client) => client.db('admin').command({ replSetGetStatus: 1 }) as Promise<unknown> as Promise<Status>,
    );
    const followed = members.filter(({ state }) => state === STATES.secondary).length === this.#size - 1;
    const times = members.map(({ optimeDate }) => optimeDate.getTime());
    return followed && Math.max(...times) - Math.min(...times) <= CATCH_UP_SECONDS * 1_000;
  }

  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => this.kill(member)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
