/**
 * Two api and two worker processes behind a balancer, which are replaced one by one under load, with the commands of the
 * runbook. No request may fail meanwhile, and every event must arrive exactly once.
 */
import { freePort } from '../../../conformance/processes/ports.ts';
import { randomOf } from '../../operate/seed/random.ts';
import { Balancer, CHECK_MS } from '../../testbed/balancer.ts';
import type { StartableDatabase } from '../../testbed/database.ts';
import { onPath } from '../../testbed/go-tool.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { type PageBlock, pageBlocks, runBlock } from '../page-blocks.ts';
import { type DocumentsDeployment, deploy, EVENTS_PATH, receivingEndpoint } from './deployment.ts';
import { checkFailover, FailoverLoad } from './failover-load.ts';
import { faultsIn, pause } from './fleet.ts';
import { judged, WatchedClient } from './watched.ts';

export const RUNBOOK = 'deploy/RUNBOOK.md';
const MEMBERS = ['api-1', 'worker-1', 'api-2', 'worker-2'] as const;
/** Longer than the balancer needs to notice, also on a busy machine. */
const STOP_DELAY_MS = 5 * CHECK_MS;
/** So few that a busy machine refuses nothing for want of processor time. */
const CREATIONS = 2;
type MemberName = (typeof MEMBERS)[number];

/** The blocks of the runbook that a drill runs, in their order. */
export const drillBlocks = (drill: string): PageBlock[] =>
  pageBlocks(RUNBOOK, 'drill').filter(({ name }) => name === drill);

/** @throws Error if there is no shell of MongoDB, which blocks call */
export function needMongosh(): void {
  if (onPath('mongosh', process.env) === undefined)
    throw new Error('mongosh, the shell of MongoDB, is not on the PATH.');
}

/** How a process is started. */
export interface Release {
  /** What is different from the usual variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another release. */
  readonly checkout?: string;
}

interface MemberPorts {
  readonly PORT: string;
  readonly STORAGE_PORT: string;
}

async function newPorts(): Promise<MemberPorts> {
  return { PORT: String(await freePort()), STORAGE_PORT: String(await freePort()) };
}

const isApi = (name: MemberName) => name.startsWith('api');

export class RollingFleet {
  readonly documents: DocumentsDeployment;
  readonly watched = new WatchedClient();
  readonly load: FailoverLoad;
  readonly balancer: Balancer;
  readonly #files: Balancer;
  readonly #ports: ReadonlyMap<MemberName, MemberPorts>;
  readonly #members = new Map<MemberName, RunningServer>();
  readonly #options: RollingOptions;
  /** What is wrong with processes that were replaced. */
  readonly #wrong: string[] = [];
  #env: Readonly<Record<string, string>> = {};
  #checkout = '';
  replaced = 0;

  private constructor(
    documents: DocumentsDeployment,
    ports: ReadonlyMap<MemberName, MemberPorts>,
    [balancer, files]: readonly [Balancer, Balancer],
    options: RollingOptions,
  ) {
    this.documents = documents;
    this.balancer = balancer;
    this.#files = files;
    this.#ports = ports;
    this.#options = options;
    const { fetch: send } = this.watched;
    this.load = new FailoverLoad({ deployment: documents, random: randomOf(options.seed), send, urls: [balancer.url] });
  }

  /** Starts the database and a receiver, and writes a tenant. No process runs yet. */
  static async open(database: StartableDatabase, options: RollingOptions): Promise<RollingFleet> {
    const documents = await deploy(database, receivingEndpoint);
    const ports = new Map<MemberName, MemberPorts>();
    for (const name of MEMBERS) ports.set(name, await newPorts());
    const apis = [...ports].filter(([name]) => isApi(name)).map(([, each]) => each);
    const listen = (port: keyof MemberPorts) =>
      Balancer.listen(apis.map((each) => ({ port: Number(each[port]), readyPort: Number(each.PORT) })));
    const balancers = [await listen('PORT'), await listen('STORAGE_PORT')] as const;
    for (const each of balancers) documents.deployment.atEnd(() => each.stop());
    return new RollingFleet(documents, ports, balancers, options);
  }

  async #start(name: MemberName, role: string = isApi(name) ? 'api' : 'worker'): Promise<RunningServer> {
    const { deployment } = this.documents;
    const own = { ROLE: role, ...this.#ports.get(name), STOP_DELAY_MS: String(STOP_DELAY_MS) };
    const env = { STORAGE_URL: this.#files.url, ...this.#env, ...own };
    const server = await deployment.start(env, async () => {}, this.#checkout);
    for (const block of drillBlocks('ready')) await runBlock(block, { URL: server.url });
    await this.#setAside(name, false);
    this.#members.set(name, server);
    return server;
  }

  async #setAside(name: MemberName, isAside: boolean): Promise<void> {
    const { PORT, STORAGE_PORT } = this.#ports.get(name) as MemberPorts;
    this.balancer.setAside(Number(PORT), isAside);
    this.#files.setAside(Number(STORAGE_PORT), isAside);
    if (isAside) await pause(CHECK_MS);
  }

  async #stop(name: MemberName, checkout = this.#checkout): Promise<void> {
    const { process, log } = this.#members.get(name) as RunningServer;
    // The last release has no STOP_DELAY_MS.
    if (checkout !== '') await this.#setAside(name, true);
    for (const block of drillBlocks('stop')) await runBlock(block, { PID: String(process.pid) });
    const code = await process.ended;
    if (code !== 0 || process.stderr !== '') this.#wrong.push(`${name} ended with ${code}: ${process.stderr}`);
    this.#wrong.push(...faultsIn(log()).map((what) => `${name}: ${what}`));
  }

  /** Starts all processes, and the load. */
  async start({ env = {}, checkout = '' }: Release = {}): Promise<void> {
    this.#env = env;
    this.#checkout = checkout;
    await Promise.all(MEMBERS.map((name) => this.#start(name)));
    this.load.begin(CREATIONS);
  }

  /** Replaces every process, one after the other; what is not named stays as it was. */
  async roll({ env, checkout = this.#checkout }: Release): Promise<void> {
    this.#env = { ...this.#env, ...env };
    const former = this.#checkout;
    this.#checkout = checkout;
    for (const name of MEMBERS) {
      await this.#stop(name, former);
      await this.#start(name);
      this.replaced++;
    }
    this.#options.say(`all processes replaced; ${this.watched.seen.length} requests so far`);
  }

  /**
   * Ends the load, waits until everything is delivered and applied, and ends the processes.
   * @returns what is wrong, and a line with the figures
   */
  async end(): Promise<{ readonly line: string; readonly wrong: readonly string[] }> {
    await this.load.end();
    const { seen } = this.watched;
    // The rate limit is not the fault of a restart.
    const failed = seen.filter(({ status }) => status !== 200 && status !== 429);
    const answered = judged(seen, { 'failed requests': (one) => failed.includes(one) });
    for (const name of MEMBERS.slice(1)) await this.#stop(name);
    // One process does what is left; the sweeper is a part of it.
    await this.#stop('api-1');
    const last = await this.#start('api-1', 'all');
    const facts = { servers: [last], faults: 0, say: this.#options.say };
    const { findings } = await checkFailover(this.documents, this.load, facts);
    const { flows, creations, batches } = this.load;
    const came = this.documents.deployment.receiver.at(EVENTS_PATH);
    const events = new Set(came.map(({ id }) => id)).size;
    const line =
      `${this.replaced} processes replaced: ${failed.length} of ${seen.length} requests failed; ` +
      `${flows.length + creations.length} documents, ${batches.length} batches; ${events} events, ` +
      `${came.length - events} of them more than once.`;
    return { line, wrong: [...this.load.wrong, ...answered, ...this.#wrong, ...findings] };
  }
}

interface RollingOptions {
  readonly seed: string;
  readonly say: (line: string) => void;
}
