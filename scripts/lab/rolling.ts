/**
 * Two api and two worker processes behind a balancer, which are replaced one by one under load, with the commands of the
 * runbook. No request may fail meanwhile.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PageBlock, pageBlocks, runBlock } from '../kit/page-blocks.ts';
import { onPath } from '../kit/tools.ts';
import { type Balancer, balanced, CHECK_MS } from '../world/balancer.ts';
import type { RunningServer } from '../world/server.ts';
import { isFailed, wrongAnswers } from './judges/answers.ts';
import { endedBadly } from './judges/logs.ts';
import type { Scene } from './scene.ts';
import type { Aftermath } from './surviving.ts';

export const RUNBOOK = 'deploy/RUNBOOK.md';
const MEMBERS = ['api-1', 'worker-1', 'api-2', 'worker-2'] as const;
/** Longer than the balancer needs to notice, also on a busy machine. */
const STOP_DELAY_MS = 5 * CHECK_MS;
/** So few creations that a busy machine refuses nothing for want of processor time. */
export const ROLLING_LANES = { flows: 2, creations: 2, employees: 3 };
type MemberName = (typeof MEMBERS)[number];

/** The blocks of the runbook that a drill runs, in their order. */
export const drillBlocks = (drill: string): PageBlock[] =>
  pageBlocks(RUNBOOK, 'drill').filter(({ name }) => name === drill);

/** Runs the blocks of a drill, in their order. @param after further commands of each @returns what they said */
export async function runDrill(drill: string, env: Readonly<Record<string, string>>, after = ''): Promise<string> {
  let said = '';
  for (const block of drillBlocks(drill)) said += await runBlock({ ...block, script: block.script + after }, env);
  return said;
}

/** @throws Error if there is no shell of MongoDB, which blocks call */
export function needMongosh(): void {
  if (onPath('mongosh', process.env) === undefined)
    throw new Error('mongosh, the shell of MongoDB, is not on the PATH.');
}

/** How a process is started. */
interface Release {
  /** What is different from the usual variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another release. */
  readonly checkout?: string;
}

export class RollingProcesses {
  readonly url: string;
  readonly #scene: Scene;
  readonly #balancers: Readonly<Record<'PORT' | 'STORAGE_PORT', Balancer>>;
  /** What is wrong with processes that were replaced. */
  readonly #wrong: string[] = [];
  #env: Readonly<Record<string, string>> = {};
  #checkout = '';
  #replaced = 0;

  private constructor(scene: Scene, balancers: Readonly<Record<'PORT' | 'STORAGE_PORT', Balancer>>) {
    this.#scene = scene;
    this.#balancers = balancers;
    this.url = balancers.PORT.url;
  }

  /** Starts all processes, and the load. */
  static async start(scene: Scene, { env = {}, checkout = '' }: Release = {}): Promise<RollingProcesses> {
    const { world, ledger, load } = scene;
    const apis = await Promise.all(MEMBERS.filter((name) => name.startsWith('api')).map((name) => world.placeOf(name)));
    const before = (port: 'PORT' | 'STORAGE_PORT') =>
      balanced(apis.map((place) => ({ port: Number(place[port]), readyPort: Number(place.PORT) })));
    const balancers = { PORT: await before('PORT'), STORAGE_PORT: await before('STORAGE_PORT') };
    world.atEnd(() => Promise.all(Object.values(balancers).map((balancer) => balancer.stop())));
    const made = new RollingProcesses(scene, balancers);
    made.#env = env;
    made.#checkout = checkout;
    await Promise.all(MEMBERS.map((name) => made.#start(name)));
    ledger.use({ url: balancers.PORT.url, storageUrl: balancers.STORAGE_PORT.url });
    load.begin();
    return made;
  }

  async #start(name: MemberName, more: Release['env'] = {}): Promise<RunningServer> {
    const own = { STOP_DELAY_MS: String(STOP_DELAY_MS), ...more };
    const env = { STORAGE_URL: this.#balancers.STORAGE_PORT.url, ...this.#env, ...own };
    const script = join(this.#checkout, 'handlers/main.ts');
    const server = await this.#scene.world.run(name, env, async () => {}, script);
    await runDrill('ready', { URL: server.url });
    await this.#setAside(name, false);
    return server;
  }

  async #setAside(name: MemberName, isAside: boolean): Promise<void> {
    const place = await this.#scene.world.placeOf(name);
    for (const port of ['PORT', 'STORAGE_PORT'] as const) this.#balancers[port].setAside(Number(place[port]), isAside);
    if (isAside) await pause(CHECK_MS);
  }

  async #stop(name: MemberName, checkout = this.#checkout): Promise<void> {
    const server = this.#scene.world.named(name);
    // The last release has no STOP_DELAY_MS.
    if (checkout !== '') await this.#setAside(name, true);
    await runDrill('stop', { PID: String(server.process.pid) });
    // A second signal would end it at once.
    await server.process.ended;
    this.#wrong.push(...(await endedBadly(name, server)));
  }

  /** Replaces every process, one after the other; what is not named stays as it was. */
  async roll({ env, checkout = this.#checkout }: Release): Promise<void> {
    this.#env = { ...this.#env, ...env };
    const former = this.#checkout;
    this.#checkout = checkout;
    for (const name of MEMBERS) {
      await this.#stop(name, former);
      await this.#start(name);
      this.#replaced++;
    }
    this.#scene.say(`all processes replaced; ${this.#scene.ledger.seen.length} requests so far`);
  }

  /** Ends the load and all processes but one, which does what is left. */
  async end(lines: readonly string[], wrong: readonly string[]): Promise<Aftermath> {
    const { load, ledger } = this.#scene;
    await load.end();
    const { seen } = ledger;
    const failed = wrongAnswers(seen, { 'failed requests': isFailed });
    for (const name of MEMBERS.slice(1)) await this.#stop(name);
    // The sweeper is a part of it.
    await this.#stop('api-1');
    const server = await this.#start('api-1', { ROLE: 'all' });
    const line = `${this.#replaced} processes replaced: ${seen.filter(isFailed).length} of ${seen.length} requests failed;`;
    return { server, deaths: 0, lines: [...lines, line], wrong: [...wrong, ...failed, ...this.#wrong] };
  }
}
