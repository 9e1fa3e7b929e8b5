/**
 * Processes whose machines have a wrong clock, beside one whose clock is right. The wrong clock is there from the start,
 * then it is set to another wrong time, and in the end it is corrected, while the processes run. At each of these times
 * nobody is refused who kept to the limit, signatures and due times are right, and the difference is reported.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rateLimit } from '../../../generated/contract.ts';
import { eventually } from '../../kit/eventually.ts';
import { ask } from '../../world/ask.ts';
import type { ReceivedEvent } from '../../world/receiver.ts';
import { type RunningServer, ready } from '../../world/server.ts';
import type { TestTenant } from '../../world/tenant.ts';
import { hireEmployees } from '../actors/changes.ts';
import { machineClock } from '../faults/plant.ts';
import { unexpectedLines } from '../judges/logs.ts';
import { type Result, type Scenario, type ScenarioOptions, size } from '../scenario.ts';
import { endLeases, inOwnWorld, type OwnWorld } from '../scene.ts';
import { steadily } from '../steady-load.ts';

/** By how many seconds the clock of the machine is ahead: at the start, and after it was set. */
const CASES = [
  [5, -1_200],
  [1_200, -61],
  [-61, 5],
  [-5, 1_200],
  [61, -5],
  [-1_200, 61],
] as const;
/** Above this, a process is not ready, and above the other one it says so, in seconds. */
const NOT_READY_S = 60;
const LOGGED_S = 1;
/** A process reads the database's clock once a second; on a busy machine that takes a while. */
const NOTICED_MS = 15_000;
/** How far a time may be from this process's clock: it may come late, but not early, in milliseconds. */
const LATE_MS = 4_000;
const EARLY_MS = 1_100;
/** As stated in the contract. */
const FIRST_WAIT_MS = 15_000;
const { perSecond: PER_SECOND, burst: BURST } = rateLimit;
/** Recurring jobs are at most this far ahead. */
const LONGEST_INTERVAL_MS = 600_000;

/** The processes of a case: one on a right machine, and two that share a wrong one. */
interface Crew {
  readonly right: RunningServer;
  readonly wrong: RunningServer;
  readonly worker: RunningServer;
}

/** A tenant with a receiver; others, whose paths begin with `/failing`, always fail. */
interface Scene {
  readonly world: OwnWorld;
  readonly tenant: TestTenant;
  readonly good: { readonly id: string; readonly path: string };
  readonly key: string;
}

const isNear = (atMs: number, meantMs: number) => atMs >= meantMs - LATE_MS && atMs <= meantMs + EARLY_MS;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Sends requests to both in turn for some seconds, and does not wait for answers. @returns their statuses */
function alternately({ right, wrong }: Crew, key: string, perSecond: number, forS: number): Promise<number[]> {
  return steadily(perSecond, forS, async (nth) => {
    const { url } = nth % 2 === 0 ? wrong : right;
    return (await ask('GET', `${url}/developer/v1/api_key/_verify`, key)).status;
  });
}

/** Keys that keep to the limit get no 429, and one that does not gets no more than its tokens. */
async function limitFaults({ tenant }: Scene, crew: Crew): Promise<string[]> {
  const [greedyKey = '', ...keys] = await tenant.keys(5);
  const fromMs = performance.now();
  const innocent = keys.map((key) => alternately(crew, key, 0.7 * PER_SECOND, 2));
  const greedy = await alternately(crew, greedyKey, 6 * PER_SECOND, 1.5);
  const tookMs = performance.now() - fromMs;
  const refused = (await Promise.all(innocent)).flat().filter((status) => status !== 200);
  const admitted = greedy.filter((status) => status === 200).length;
  const most = BURST + (PER_SECOND * tookMs) / 1_000 + 1;
  return [
    ...(refused.length > 0 ? [`${refused.length} requests within the limit got ${[...new Set(refused)]}`] : []),
    ...(admitted > most ? [`${admitted} requests of a greedy key were admitted in ${seconds(tookMs)}`] : []),
  ];
}

/** `t`, `occurred_at` and `Date` of an event that the wrong process sends itself. */
async function testFaults({ world, good, key }: Scene, { wrong }: Crew): Promise<string[]> {
  const before = world.receiver.at(good.path).length;
  const url = `${wrong.url}/developer/v1/webhook_endpoints/${good.id}/_test`;
  const answer = await fetch(url, { method: 'POST', headers: { 'X-API-Key': key } });
  const [event] = world.receiver
    .at(good.path)
    .slice(before)
    .filter(({ type }) => type === 'webhook_endpoint.test');
  if (event === undefined) return [`a test event did not come: ${answer.status} ${await answer.text()}`];
  const dateMs = Date.parse(answer.headers.get('date') ?? '');
  const times = { t: event.signedMs, occurred_at: event.occurredAtMs, Date: dateMs };
  return Object.entries(times)
    .filter(([, atMs]) => !isNear(atMs, event.atMs))
    .map(([name, atMs]) => `${name} of a test event is ${seconds(atMs - event.atMs)} off`);
}

/** A change is delivered by the wrong worker: with a right `t`, and where it fails, again at the right time. */
async function deliveryFaults(scene: Scene, isQuick: boolean): Promise<string[]> {
  const { world, tenant, good } = scene;
  // Nothing else is due there.
  const slot = world.receiver.secrets.size;
  const failing = await world.hook(tenant.id, `/failing/${slot}`, slot);
  const [row] = await hireEmployees(world.store, tenant.id, 1);
  const comes = (path: string, nth = 0) =>
    eventually(`a delivery at ${path}`, () => sentTo(world, path, row?._id ?? '')[nth]);
  const [event, failed] = await Promise.all([comes(good.path), comes(failing.path)]);
  const wrong = [event, failed]
    .filter(({ signedMs, atMs }) => !isNear(signedMs, atMs))
    .map(({ path, signedMs, atMs }) => `t at ${path} is ${seconds(signedMs - atMs)} off`);
  const delivery = { _id: `${failed.id}:${failing.id}`, attempt_count: 1, lease_id: '' };
  const next = await eventually('the result of the attempt', async () => {
    const found = await world.store.deliveries.findOne(delivery);
    return found?.next_at ?? undefined;
  });
  const waitMs = next.getTime() - failed.atMs;
  if (waitMs < FIRST_WAIT_MS - EARLY_MS || waitMs > 1.1 * FIRST_WAIT_MS + LATE_MS)
    wrong.push(`the second attempt is due after ${seconds(waitMs)}`);
  const job = { name: 'deliver', 'data.id': failing.id, nextRunAt: next };
  const isScheduled = async () => (await world.store.db.collection('alarms').findOne(job)) ?? undefined;
  await eventually('its job', isScheduled, NOTICED_MS).catch(() => wrong.push('no job is due with the second attempt'));
  if (isQuick) return wrong;
  const again = await comes(failing.path, 1);
  const lateMs = again.atMs - next.getTime();
  if (lateMs < -EARLY_MS || lateMs > LATE_MS) wrong.push(`the second attempt came ${seconds(lateMs)} late`);
  return wrong;
}

const sentTo = ({ receiver }: OwnWorld, path: string, subject: string): ReceivedEvent[] =>
  receiver.at(path).filter((event) => event.subject === subject);

/** No job is locked or due at a time that another clock shows. */
async function jobFaults({ world }: Scene): Promise<string[]> {
  const jobs = await world.store.db.collection('alarms').find({}).toArray();
  const nowMs = Date.now();
  return jobs.flatMap(({ name, lockedAt, nextRunAt }) => [
    ...(lockedAt?.getTime() > nowMs + EARLY_MS ? [`${name} is locked in ${seconds(lockedAt.getTime() - nowMs)}`] : []),
    ...(nextRunAt?.getTime() > nowMs + LONGEST_INTERVAL_MS + EARLY_MS
      ? [`${name} is due in ${seconds(nextRunAt.getTime() - nowMs)}`]
      : []),
  ]);
}

/** Readiness says a large difference, and the log any change of it, once. @param changes how many there were so far */
async function reportFaults({ wrong, worker }: Crew, aheadS: number, changes: number): Promise<string[]> {
  const isReady = Math.abs(aheadS) <= NOT_READY_S;
  const event = Math.abs(aheadS) > LOGGED_S ? 'clock_differs' : 'clock_agrees';
  const meant = `${isReady ? 200 : 503} ${event} ${changes}`;
  const faults: string[] = [];
  for (const server of [wrong, worker]) {
    let said = '';
    const isReported = async () => {
      const answer = await fetch(`${server.url}/readyz`);
      const text = await answer.text();
      const lines = server.log().filter((line) => String(line.event).startsWith('clock_'));
      said = `${answer.status} ${lines.at(-1)?.event} ${lines.length}`;
      if (!isReady && !/The clock of this machine is \d+\.\d s (ahead of|behind) the database's/.test(text))
        said += text;
      return said === meant;
    };
    await eventually('its report', isReported, NOTICED_MS).catch(() => faults.push(`it reports ${said}, not ${meant}`));
  }
  return faults;
}

/** Starts a crew on a wrong machine, sets its clock twice, and looks each time. */
async function runCase(scene: Scene, aheadS: readonly number[], options: ScenarioOptions): Promise<string[]> {
  const { world } = scene;
  const file = join(world.folder, 'clock');
  const setClock = (s: number) => writeFileSync(file, String(1_000 * s));
  const env = machineClock(file);
  const isPrepared = (server: RunningServer) =>
    eventually('its start', () => server.log().some(({ event }) => event === 'ready'));
  const start = (ROLE: string) => world.start({ ...env, ROLE }, isPrepared);
  setClock(aheadS[0] ?? 0);
  const [right, wrong, worker] = await Promise.all([world.start({ ROLE: 'api' }), start('api'), start('worker')]);
  const crew: Crew = { right, wrong, worker };
  const broken: string[] = [];
  for (const [nth, s] of aheadS.entries()) {
    setClock(s);
    const faults = await reportFaults(crew, s, nth + 1);
    const looks = [limitFaults(scene, crew), testFaults(scene, crew), deliveryFaults(scene, options.isQuick)];
    faults.push(...(await Promise.all(looks)).flat(), ...(await jobFaults(scene)));
    const when = nth === 0 ? 'from the start' : 'set while it runs';
    broken.push(...faults.map((what) => `a clock ${s} s ahead, ${when}: ${what}`));
    options.say(`a clock ${s} s ahead, ${when}: ${faults.length} faults`);
  }
  await ready(wrong);
  for (const server of [right, wrong, worker]) {
    broken.push(...unexpectedLines(server));
    await world.kill(server);
  }
  await endLeases(world.store);
  return broken;
}

async function run(world: OwnWorld, options: ScenarioOptions): Promise<Result> {
  const tenant = await world.tenant();
  const good = await world.hook(tenant.id, '/good', 0);
  world.receiver.manners.set('failing', { status: 500 });
  const scene: Scene = { world, tenant, good, key: await tenant.key() };
  const cases = CASES.slice(0, options.size('cases'));
  const wrong: string[] = [];
  for (const aheadS of cases) wrong.push(...(await runCase(scene, [...aheadS, 0], options)));
  wrong.push(...new Set(world.receiver.wrong));
  const line = `${cases.length} machines with a wrong clock, each set to another wrong time and corrected; ${wrong.length} faults.`;
  return { lines: [line], wrong };
}

/** The scenario. */
export const clocks: Scenario = {
  name: 'clocks',
  about: 'Machines with wrong clocks, which are set while processes run: limits, signatures and due times stay right.',
  finds: 'a process that counts, signs or schedules by the clock of its machine',
  defect: {
    file: 'handlers/runtime/clock.ts',
    find: 'if (epochMs === undefined) return Date.now();',
    replace: 'return Date.now();',
  },
  sizes: [size('cases', 'how many of them', CASES.length, 1)],
  inQuick: true,
  run: inOwnWorld(run),
};
