/** A replica set of real MongoDB processes, by default three. One member at a time fails. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MongoClient, MongoClientOptions } from 'mongodb';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { freePort } from '../../conformance/processes/ports.ts';
import type { RunningProgram } from '../../conformance/processes/program.ts';
import { openStore, type Store } from '../../handlers/data/store.ts';
import type { StartableDatabase } from './database.ts';
import {
  answering,
  atMongod,
  initiate,
  isWritable,
  type MongodOptions,
  primaryOf,
  runMongod,
  uriOf,
} from './engine.ts';
import { eventually } from './eventually.ts';

/** How long the suite itself waits at most for one answer. */
export const PATIENCE_MS = 120_000;
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

/** A replica set asks who calls: with the user whom it gets first, and who may do everything. */
export type SetSecurity = NonNullable<MongodOptions['security']> & {
  readonly root: { readonly username: string; readonly password: string };
};

export class ReplicaSet implements StartableDatabase {
  readonly folder = temporaryFolder('faults-set-');
  readonly members: Member[] = [];
  readonly #program: string;
  readonly #electionMs: number;
  readonly #size: number;
  /** Set before the start. */
  protected security: SetSecurity | undefined;
  /** How this process connects to a member. */
  #access: MongoClientOptions = {};

  /** @param electionMs how long members wait for a sign of life of the primary before they elect another one */
  constructor(program: string, electionMs: number, size = 3, security?: SetSecurity) {
    this.#program = program;
    this.#electionMs = electionMs;
    this.#size = size;
    this.security = security;
  }

  get env(): StartableDatabase['env'] {
    return { MONGODB_URI: uriOf(this.#ports(), true), MONGODB_DATABASE: 'faults' };
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
    const { security } = this;
    if (security !== undefined && 'authority' in security) this.#access = { tls: true, tlsCAFile: security.authority };
    for (let nth = 0; nth < this.#size; nth++) {
      const [port, folder] = [ports?.[nth] ?? (await freePort()), join(this.folder, String(nth))];
      this.members.push({ port, folder, running: this.#run(port, folder) });
    }
    await Promise.all(this.members.map(({ running, port, folder }) => answering(running, port, folder, this.#access)));
    await initiate(this.#ports(), { electionTimeoutMillis: this.#electionMs }, this.#access);
    if (security !== undefined) await this.#makeRoot(security);
    await this.whole();
  }

  /** Whoever is on the machine may make the first user. */
  async #makeRoot({ root }: SetSecurity): Promise<void> {
    const command = { createUser: root.username, pwd: root.password, roles: ['root'] };
    await this.at(await this.primary(), (client) => client.db('admin').command(command));
    this.#access = { ...this.#access, auth: root };
  }

  /** Starts it, and opens a store on it. */
  async open(): Promise<Store> {
    await this.start();
    const { MONGODB_URI, MONGODB_DATABASE } = this.env;
    return openStore(MONGODB_URI, MONGODB_DATABASE, PATIENCE_MS, PATIENCE_MS);
  }

  #run(port: number, folder: string): RunningProgram {
    const { security } = this;
    const program = this.#program;
    return runMongod({ program, folder, port, isMember: true, hasFailPoints: security === undefined, security });
  }

  async primary(): Promise<Member> {
    const port = await primaryOf(this.#ports(), this.#access);
    return this.members.find((member) => member.port === port) as Member;
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

  /** Waits until one of the members says that it accepts writes. @param among the members to ask @returns the member */
  writable(among: readonly Member[]): Promise<Member> {
    const saying = (member: Member) =>
      eventually('a primary', () => isWritable(member.port, this.#access).catch(() => false), PATIENCE_MS).then(
        () => member,
      );
    return Promise.any(among.map(saying));
  }

  /** Waits until a majority follows the member without delay: one write does not show that while it catches up. */
  async isFollowed(member: Member): Promise<void> {
    const options = { writeConcern: { w: 'majority', journal: true } } as const;
    const write = async (client: MongoClient) => {
      const fromMs = performance.now();
      await client.db('probe').collection('writes').insertOne({}, options);
      return performance.now() - fromMs < FOLLOWED_MS;
    };
    await this.at(member, (client) => eventually('a prompt majority', () => write(client), PATIENCE_MS));
  }

  /** Waits until every member is back and has everything that the primary has. */
  async whole(): Promise<void> {
    await eventually('a whole replica set', () => this.#isWhole().catch(() => false), PATIENCE_MS);
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
