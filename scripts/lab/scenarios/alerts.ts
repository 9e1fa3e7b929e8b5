/**
 * Troubles are caused one after the other in a deployment that a Prometheus watches with the rules that operators are given.
 * In each, the alerts that it has to cause fire, and after it they clear; before the first one nothing fires. So that this
 * takes minutes, the windows of the rules and how long an alert waits are shorter than in production by one factor; the
 * thresholds are not.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../kit/eventually.ts';
import { freeze } from '../../kit/frozen.ts';
import { findMongod } from '../../kit/mongod-tool.ts';
import { startAlone } from '../../kit/run-program.ts';
import { needed, onPath } from '../../kit/tools.ts';
import { ask, inTurn } from '../../world/ask.ts';
import type { Deployment } from '../../world/deployment.ts';
import { RunningPrometheus } from '../../world/prometheus.ts';
import type { Manner } from '../../world/receiver.ts';
import { ReplicaSet } from '../../world/replica-set.ts';
import { hireEmployees } from '../actors/changes.ts';
import { machineClock } from '../faults/plant.ts';
import { type Result, type Scenario, type ScenarioOptions, size } from '../scenario.ts';
import { endLeases, inWorld } from '../scene.ts';
import { SteadyLoad } from '../steady-load.ts';

type Env = Readonly<Record<string, string>>;
type World = Deployment<ReplicaSet>;

const ELECTION_MS = 2_000;
/** An alert may wait for a threshold of two minutes, and for its windows. */
const FIRES_MS = 300_000;
const CLEARS_MS = 300_000;
const LOOK_MS = 500;
/** Calls a second by each of the clients. With the greedy one, a key that keeps to its limit is still the smaller part. */
const PER_SECOND = 5;
const GREEDY_PER_SECOND = 60;
/** How many employees are changed a second. */
const CHANGES_PER_SECOND = 2;
const KEYS = 4;
/** More than a receiver takes in the minutes that an alert waits, which answers each after 9 s. */
const SLOW_EVENTS = 500;

/** The text of a rule file, with durations that are shorter by a factor; none is shorter than Prometheus can use. */
function quicker(text: string, factor: number): string {
  const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
  const shorter = (least: number) => (_: string, before: string, number: string, unit: string, after: string) =>
    `${before}${Math.max(least, Math.round((Number(number) * (UNIT_S[unit] ?? 1)) / factor))}s${after}`;
  return text
    .replace(/(\[)(\d+)([smhd])(\])/g, shorter(5))
    .replace(/(\b(?:for|interval|scrape_interval|evaluation_interval): )(\d+)([smhd])()$/gm, shorter(1));
}

/** The processes of the deployment, each with an address of its metrics that a restart keeps. */
class Scene {
  readonly world: World;
  readonly prometheus: RunningPrometheus;
  readonly tenantId: string;
  readonly ingestKey: string;
  /** Of the client that calls too fast, while it does. */
  readonly greedyKey: string;
  greedy: SteadyLoad<unknown> | undefined;
  /** By their names, which begin with their roles: whether each runs. */
  readonly #processes = new Map<string, boolean>();

  constructor(
    world: World,
    prometheus: RunningPrometheus,
    tenantId: string,
    [ingestKey = '', greedyKey = '']: readonly string[],
  ) {
    this.tenantId = tenantId;
    this.world = world;
    this.prometheus = prometheus;
    this.ingestKey = ingestKey;
    this.greedyKey = greedyKey;
  }

  /** Starts a process, or starts it again. Prometheus scrapes it from its first start on. */
  async start(name: string, env: Env = {}): Promise<void> {
    this.#processes.set(name, false);
    await this.#scrape();
    await this.world.run(name, env);
    this.#processes.set(name, true);
  }

  async kill(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.world.kill(name);
      this.#processes.set(name, false);
    }
  }

  /** Takes it out of the deployment for good. */
  async remove(name: string): Promise<void> {
    await this.kill(name);
    this.#processes.delete(name);
    await this.#scrape();
  }

  /** The address of the nth api process that runs, in turn. */
  api(nth: number): string | undefined {
    const running = [...this.#processes].filter(([name, isRunning]) => isRunning && name.startsWith('api'));
    const [name] = running[nth % Math.max(1, running.length)] ?? [];
    return name && this.world.named(name).url;
  }

  async #scrape(): Promise<void> {
    const places = await Promise.all([...this.#processes.keys()].map((name) => this.world.placeOf(name)));
    const of = (role: string) =>
      places.filter(({ ROLE }) => ROLE === role).map(({ METRICS_PORT }) => `127.0.0.1:${METRICS_PORT}`);
    this.prometheus.scrape({ api: of('api'), worker: of('worker') });
  }
}

/** Something that goes wrong, and the alerts that it has to cause. */
interface Trouble {
  readonly name: string;
  readonly alerts: readonly string[];
  begin(scene: Scene): Promise<unknown>;
  /** What `npm run server -- check` has to tell of it once they fire, where the runbook has it run. */
  readonly told?: RegExp;
  end(scene: Scene): Promise<unknown>;
}

const clockFile = ({ world }: Scene) => join(world.folder, 'clock');
const filesOf = ({ world }: Scene) => world.env.STORAGE_DIR ?? '';

/** Sends a batch, and leaves it to workers. */
async function ingest(scene: Scene): Promise<void> {
  const records = Array.from({ length: 10 }, (_, n) => ({ external_id: `P${n}`, first_name: 'Айгүл' }));
  const body = { payload_type: 'PERSONS', create_missing: true, records };
  await ask('POST', `${scene.api(0)}/developer/v1/ingest/KEDO`, scene.ingestKey, body, {
    'Idempotency-Key': randomUUID(),
  });
}

const receiversAnswer = async ({ world }: Scene, manner: Manner) => world.receiver.manners.set('hook', manner);

/** Starts the members that have ended. */
async function membersReturn({ world: { database } }: Scene): Promise<void> {
  for (const member of database.members) if (member.running.hasEnded) database.restart(member);
  await database.whole();
}

const troubles: readonly Trouble[] = [
  {
    name: 'one api process is killed',
    alerts: ['ProcessAway'],
    begin: (scene) => scene.kill('api-2'),
    end: (scene) => scene.start('api-2'),
  },
  {
    name: 'all api processes are killed',
    alerts: ['ApiAway', 'ProcessAway'],
    begin: (scene) => scene.kill('api-1', 'api-2'),
    end: (scene) => Promise.all([scene.start('api-1'), scene.start('api-2')]),
  },
  {
    name: 'all workers are killed',
    alerts: ['WorkersAway', 'OutboxStalled', 'IngestStalled'],
    begin: async (scene) => {
      await scene.kill('worker-1', 'worker-2');
      await ingest(scene);
    },
    end: async (scene) => {
      await endLeases(scene.world.store);
      await Promise.all([scene.start('worker-1'), scene.start('worker-2')]);
    },
  },
  {
    name: 'the database is away',
    alerts: ['DatabaseAway', 'AvailabilityBudgetBurnsFast'],
    begin: ({ world: { database } }) => Promise.all(database.members.map((member) => database.kill(member))),
    end: membersReturn,
  },
  {
    name: 'a member of the replica set is away',
    alerts: ['DeploymentAtRisk'],
    async begin({ world: { database } }) {
      for (const member of database.others(await database.primary()).slice(1)) await database.kill(member);
    },
    told: /^WARN +database\.members +127\.0\.0\.1:\d+ of 3 members does not answer here/m,
    end: membersReturn,
  },
  {
    name: 'a worker is frozen',
    alerts: ['WorkerIdle', 'ProcessAway'],
    begin: ({ world }) => freeze(world.named('worker-1').process),
    async end(scene) {
      await scene.kill('worker-1');
      await scene.start('worker-1');
    },
  },
  {
    name: 'receivers fail',
    alerts: ['DeliveriesFail'],
    begin: (scene) => receiversAnswer(scene, { status: 500 }),
    end: (scene) => receiversAnswer(scene, { status: 204 }),
  },
  {
    name: 'a receiver is slow, so that its places are taken',
    alerts: ['ReceiverSlow'],
    begin: async (scene) => {
      await receiversAnswer(scene, { status: 204, afterMs: 9_000 });
      await hireEmployees(scene.world.store, scene.tenantId, SLOW_EVENTS);
    },
    end: (scene) => receiversAnswer(scene, { status: 204 }),
  },
  {
    name: 'a client calls faster than its key may',
    alerts: ['CallsRefusedByLimit'],
    begin: async (scene) => {
      scene.greedy = new SteadyLoad(GREEDY_PER_SECOND, (nth) =>
        ask('GET', `${scene.api(nth)}/developer/v1/api_key/_verify`, scene.greedyKey),
      );
    },
    end: async ({ greedy }) => void (await greedy?.end().catch(() => [])),
  },
  {
    name: 'the clock of a machine is two minutes ahead',
    alerts: ['ClockDiffers', 'ClockUnusable'],
    begin: async (scene) => {
      writeFileSync(clockFile(scene), '0');
      await scene.start('api-3', machineClock(clockFile(scene)));
      writeFileSync(clockFile(scene), '120000');
    },
    end: async (scene) => writeFileSync(clockFile(scene), '0'),
  },
  {
    name: 'the folder of the files is no folder',
    alerts: ['StorageFails'],
    begin: async (scene) => {
      renameSync(filesOf(scene), `${filesOf(scene)}.away`);
      writeFileSync(filesOf(scene), '');
    },
    end: async (scene) => {
      rmSync(filesOf(scene));
      renameSync(`${filesOf(scene)}.away`, filesOf(scene));
    },
  },
  {
    name: 'a process has other keys for page tokens',
    alerts: ['ProcessesDisagree'],
    begin: async (scene) => {
      await scene.remove('api-3');
      await scene.start('api-3', {
        PAGE_TOKEN_KEYS: Buffer.from(randomUUID().slice(0, 32)).toString('base64url'),
      });
    },
    end: (scene) => scene.remove('api-3'),
  },
];
const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / 1_000);

/** Waits until none of these alerts fires, or none at all. @returns what still does after too long */
async function untilSilent({ prometheus }: Scene, names?: readonly string[]): Promise<string[]> {
  let last: string[] = [];
  const isSilent = async () => {
    last = (await prometheus.firing()).filter((name) => names === undefined || names.includes(name));
    if (last.length === 0) return true;
    await pause(LOOK_MS);
    return undefined;
  };
  await eventually('silence', isSilent, CLEARS_MS).catch(() => {});
  return [...new Set(last)];
}

/** What `npm run server -- check` says. */
async function checkOf({ world }: Scene): Promise<string> {
  const check = startAlone('handlers/main.ts', ['check'], world.env);
  await check.ended;
  return check.stdout;
}

/** Causes a trouble and ends it. @returns what was seen, and what was expected and not seen */
async function cause(scene: Scene, trouble: Trouble, say: ScenarioOptions['say']): Promise<Result> {
  say(trouble.name);
  await trouble.begin(scene);
  const beganMs = performance.now();
  const firedAfter = new Map<string, number>();
  const haveFired = async () => {
    for (const name of await scene.prometheus.firing())
      if (!firedAfter.has(name)) firedAfter.set(name, seconds(beganMs));
    if (trouble.alerts.every((name) => firedAfter.has(name))) return true;
    await pause(LOOK_MS);
    return undefined;
  };
  await eventually('its alerts', haveFired, FIRES_MS).catch(() => {});
  const isTold = trouble.told?.test(await checkOf(scene)) ?? true;
  await trouble.end(scene);
  const endedMs = performance.now();
  // Others that this trouble caused may look further back, as those about a budget do.
  const left = await untilSilent(scene, trouble.alerts);
  const fired = [...firedAfter].map(([name, afterS]) => `${name} after ${afterS} s`);
  const line = `${trouble.name}: ${fired.join(', ')}; silent ${seconds(endedMs)} s after its end.`;
  say(line);
  const missing = trouble.alerts.filter((name) => !firedAfter.has(name));
  const wrong = [
    ...missing.map((name) => `${trouble.name}: ${name} did not fire`),
    ...(isTold ? [] : [`${trouble.name}: the check does not tell it`]),
    ...left.map((name) => `${trouble.name}: ${name} still fires ${CLEARS_MS / 1_000} s after its end`),
  ];
  return { lines: [line], wrong };
}

/** What clients, the application and external systems do all the time. */
function ordinaryLoad(scene: Scene, keys: readonly string[]): SteadyLoad<unknown>[] {
  const { world, tenantId } = scene;
  const url = (nth: number, path: string) => `${scene.api(nth)}/developer/v1${path}`;
  const key = (nth: number) => inTurn(keys, nth);
  const file = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 1_000 };
  return [
    new SteadyLoad(PER_SECOND, (nth) => ask('GET', url(nth, '/employees?limit=10'), key(nth))),
    new SteadyLoad(CHANGES_PER_SECOND, () => hireEmployees(world.store, tenantId, 1)),
    // It asks storage for a file that is not there.
    new SteadyLoad(1, async (nth) => {
      const { body } = await ask('POST', url(nth, '/files'), key(nth), file);
      await ask('POST', url(nth, `/files/${body.file.id}/_confirm`), key(nth), {});
    }),
  ];
}

async function run(world: World, { size: sizeOf, say, isChosen }: ScenarioOptions): Promise<Result> {
  if (onPath('prometheus', process.env) === undefined) throw new Error('prometheus is not on the PATH.');
  const change = (text: string) => quicker(text, sizeOf('quicker'));
  const prometheus = await RunningPrometheus.start(join(world.folder, 'prometheus'), {}, change);
  say(`Prometheus: ${prometheus.url}`);
  const tenant = await world.tenant();
  const scene = new Scene(world, prometheus, tenant.id, await tenant.keys(2));
  await world.hook(tenant.id, '/hook', 0);
  const keys = await tenant.keys(KEYS);
  await Promise.all(['api-1', 'api-2', 'worker-1', 'worker-2'].map((name) => scene.start(name)));
  const loads = ordinaryLoad(scene, keys);
  await pause(1_000 * sizeOf('calm'));
  const before = await untilSilent(scene);
  const wrong = before.map((name) => `${name} fires before the first trouble`);
  const lines: string[] = [];
  for (const trouble of troubles.filter(({ name }) => isChosen(name))) {
    const seen = await cause(scene, trouble, say);
    lines.push(...(seen.lines ?? []));
    wrong.push(...(seen.wrong ?? []));
  }
  await Promise.allSettled(loads.map((load) => load.end()));
  await prometheus.process.stop();
  return { lines, wrong };
}

/** The alerts of deploy/monitoring under a real Prometheus. A run takes minutes. */
export const alerts: Scenario = {
  name: 'alerts',
  about: 'Causes troubles under a Prometheus with the rules of deploy/monitoring: alerts fire, and clear at the end.',
  finds: 'an alert that does not fire in the trouble that it is for, or that does not clear',
  defect: {
    file: 'deploy/monitoring/alerts.yml',
    find: 'expr: up{job="developer-api"} == 0',
    replace: 'expr: up{job="developer-api"} == 2',
  },
  sizes: [
    size('quicker', 'by how much the windows of the rules are shorter than in production', 15),
    size('calm', 'seconds before the first trouble', 40),
  ],
  parts: troubles.map(({ name }) => name),
  run: inWorld(async ({ say }) => new ReplicaSet(needed(await findMongod(say)), ELECTION_MS), run),
};
