/**
 * The database is away for a while under light load, as after a crash. Meanwhile every request is refused quickly, and
 * no process ends. Soon after the database returns everything works again, without help from an operator.
 */
import { LEASE_MS } from '../../../handlers/data/lease.ts';
import { inTurn } from '../../testbed/ask.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { SteadyLoad } from '../steady-load.ts';
import { applied, arrival, type Fleet, faultsIn, hirePatiently, onFleet, pause, sendBatch } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size, slack } from './suite.ts';
import { isRefused, judged, type SeenAnswer, tookMs, WatchedClient, wrongRefusals } from './watched.ts';

const REFUSED_MS = 2_000;
const WHOLE_MS = 5_000;
const KEYS = 8;
const PER_SECOND = 10;
const CALM_MS = 1_000;
const GIVEN_UP_MS = 120_000;

async function run(fleet: Fleet, { size: sizeOf, say }: SuiteOptions): Promise<Result> {
  const [seconds, factor] = [sizeOf('seconds'), sizeOf('slack')];
  const [tenant, other] = [await fleet.tenant(), await fleet.tenant()];
  await fleet.hook(tenant.id, '/hook', 0);
  await hirePatiently(fleet, tenant.id, 50);
  const keys = await tenant.keys(KEYS);
  const otherKey = await other.key();
  const [api, worker] = await Promise.all([fleet.start({ ROLE: 'api' }), fleet.start({ ROLE: 'worker' })]);
  const drained = () => fleet.receiver.received.length >= 50;
  await eventually('the first deliveries', drained, GIVEN_UP_MS);

  const watched = new WatchedClient();
  const load = new SteadyLoad(PER_SECOND, (nth) => {
    const headers = { 'X-API-Key': inTurn(keys, nth) };
    const signal = AbortSignal.timeout(GIVEN_UP_MS);
    return watched.fetch(`${api.url}/developer/v1/employees`, { headers, signal }).catch(() => {});
  });
  await pause(CALM_MS);
  const formerBatch = await post(api.url, otherKey, 2_000);
  const [former] = await hirePatiently(fleet, tenant.id, 1);
  const instants = await takeAway(fleet, watched, seconds, say);
  const { backMs } = instants;
  const since = (work: Promise<unknown>) =>
    work.then(
      () => Math.round(performance.now() - backMs),
      () => Number.POSITIVE_INFINITY,
    );
  const [written] = await hirePatiently(fleet, tenant.id, 1);
  const [deliveredMs, formerDeliveryMs, appliedMs, formerBatchMs] = await Promise.all([
    since(arrival(fleet, written?._id ?? '', GIVEN_UP_MS)),
    since(arrival(fleet, former?._id ?? '', GIVEN_UP_MS)),
    since(post(api.url, keys[0] as string, 10).then((id) => applied(fleet.store, [id], GIVEN_UP_MS))),
    since(applied(fleet.store, [formerBatch], GIVEN_UP_MS)),
  ]);
  await pause(Math.max(CALM_MS, backMs + WHOLE_MS + CALM_MS - performance.now()));
  const isCalm = () => {
    const lately = watched.since(performance.now() - CALM_MS);
    return lately.length > 0 && lately.every(({ status }) => status === 200);
  };
  const becameCalm = await eventually('good answers', isCalm, WHOLE_MS * factor).catch(() => false);
  const wholeMs = Math.min(backMs + WHOLE_MS * factor, performance.now() - CALM_MS);
  await load.end();

  const wrong = judgeAnswers(watched.seen, { ...instants, wholeMs }, factor);
  if (!becameCalm) wrong.push(`not all was answered well for a whole second within ${WHOLE_MS * factor} ms`);
  const limits = { deliveredMs, formerDeliveryMs, appliedMs };
  for (const [what, ms] of Object.entries(limits)) {
    if (ms > WHOLE_MS * factor) wrong.push(`${what} is ${ms}; promised are ${WHOLE_MS}`);
  }
  if (formerBatchMs > LEASE_MS.batch + WHOLE_MS * factor) wrong.push(`the batch under way took ${formerBatchMs} ms`);
  wrong.push(...(await judgeProcesses({ api, worker })));
  const refusals = watched.seen.filter(isRefused);
  const answered = watched.seen.filter(({ status, toMs }) => status === 200 && toMs > backMs);
  const answeredMs = Math.round(Math.min(...answered.map(({ toMs }) => toMs)) - backMs);
  const line =
    `${seconds} s without the database: ${refusals.length} requests refused, the slowest in ` +
    `${Math.max(0, ...refusals.map(tookMs))} ms; after its return the first answer in ${answeredMs} ms, a delivery in ` +
    `${deliveredMs} ms, a batch in ${appliedMs} ms.`;
  return { lines: [line], wrong };
}

/** Takes the database away until at least one request was refused. @returns when it went and came */
async function takeAway(
  { database }: Fleet,
  watched: WatchedClient,
  seconds: number,
  say: SuiteOptions['say'],
): Promise<Omit<Outage, 'wholeMs'>> {
  const leavesMs = performance.now();
  await database.kill();
  const goneMs = performance.now();
  say('the database is away');
  await pause(seconds * 1_000);
  // However long the machine needs for this: without at least one refusal the outage would prove nothing.
  const isSeen = () => watched.seen.some((one) => one.fromMs > goneMs && isRefused(one));
  await eventually('a refusal', isSeen, GIVEN_UP_MS).catch(() => {});
  // The database answers before `start` returns, so there are two instants.
  const returnsMs = performance.now();
  await database.start();
  const backMs = performance.now();
  say('the database is back');
  return { leavesMs, goneMs, returnsMs, backMs };
}

/** Whether the processes lived through the outage, and end well. */
async function judgeProcesses(servers: Readonly<Record<string, RunningServer>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, { process, log }] of Object.entries(servers)) {
    if (process.hasEnded || process.stderr !== '') wrong.push(`the ${name} process ended or complained`);
    else if ((await process.stop()) !== 0) wrong.push(`the ${name} process did not stop well`);
    wrong.push(...faultsIn(log()));
  }
  return wrong;
}

/** When the database went away and came back, and from when on everything must be well. */
interface Outage {
  /**
   * Between `leavesMs` and `goneMs`, and again between `returnsMs` and `backMs`, the database may or may not have
   * answered.
   */
  readonly leavesMs: number;
  readonly goneMs: number;
  readonly returnsMs: number;
  readonly backMs: number;
  readonly wholeMs: number;
}

function judgeAnswers(seen: readonly SeenAnswer[], outage: Outage, slack: number): string[] {
  const { leavesMs, goneMs, returnsMs, wholeMs } = outage;
  const isCalm = ({ fromMs, toMs }: SeenAnswer) => toMs < leavesMs || fromMs > wholeMs;
  const isAway = ({ fromMs, toMs }: SeenAnswer) => fromMs > goneMs && toMs < returnsMs;
  const isGood = ({ status }: SeenAnswer) => status === 200;
  // On a machine that is too busy to keep the promised times, the database may seem silent for too long although it is
  // there.
  const isExcused = (one: SeenAnswer) => slack > 1 && isRefused(one);
  const wrong = judged(seen, {
    'answered with the database there': (one) => isCalm(one) && !isGood(one) && !isExcused(one),
    'answered without the database': (one) => isAway(one) && !isRefused(one),
    'answered while it came and went': (one) => !isGood(one) && !isRefused(one),
    ...wrongRefusals(REFUSED_MS * slack),
  });
  if (!seen.some(isAway)) wrong.push('no request was made without the database');
  return wrong;
}

/** Sends a batch until it is accepted. @returns the request's id */
function post(url: string, key: string, count: number): Promise<string> {
  const records = Array.from({ length: count }, (_, n) => ({ external_id: `P${n}`, first_name: 'Айгүл' }));
  return sendBatch(() => url, { payload_type: 'PERSONS', records, key, withinMs: GIVEN_UP_MS });
}

/** The suite. */
export const away: Suite = {
  name: 'away',
  about:
    'Takes the database away for a while under light load: 503 after a short time, and everything works soon after its return.',
  sizes: [size('seconds', 'how long the database is away', 30, 3), slack],
  inQuick: 'each engine',
  run: onFleet(run),
};
