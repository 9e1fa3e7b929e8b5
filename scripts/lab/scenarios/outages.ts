/**
 * The database is away for a while, or its replica set loses a member, while clients act. Meanwhile every request is
 * refused quickly, and no process ends. Soon after the database returns everything works again, without help from an
 * operator, and nothing that was acknowledged is lost or exists twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../kit/eventually.ts';
import { freeze } from '../../kit/frozen.ts';
import { findMongod } from '../../kit/mongod-tool.ts';
import { percentile } from '../../kit/statistics.ts';
import { needed } from '../../kit/tools.ts';
import { OwnDatabase, type StartableDatabase } from '../../world/database.ts';
import { type Member, ReplicaSet } from '../../world/replica-set.ts';
import { EVENTS_PATH } from '../actors/document-flow.ts';
import type { SeenAnswer } from '../actors/ledger.ts';
import type { Lanes } from '../actors/load.ts';
import { isRefused, slowestRefusalMs, wrongAnswers, wrongRefusals } from '../judges/answers.ts';
import { type Size, size, slack } from '../scenario.ts';
import type { Scene } from '../scene.ts';
import { type Aftermath, surviving } from '../surviving.ts';

const CALM_MS = 1_000;
/** How far a primary is ahead of its followers when it dies. */
const LAG_MS = 500;

/** When the database was away, by the clock of `performance`: while it goes and comes it may or may not answer. */
interface Absence {
  readonly leavesMs: number;
  /** Absent where it never stopped to answer everybody. */
  readonly goneMs?: number;
  readonly returnsMs: number;
  readonly backMs: number;
}

/** One kind of outage. */
interface Outage<Of extends StartableDatabase> {
  /** Takes the database away and waits until it is back. @returns when, and what undoes the rest of the fault */
  strike(scene: Scene<Of>): Promise<Absence & { heal?(): void }>;
}

/** What one round measured. */
interface Round extends Absence {
  readonly seen: readonly SeenAnswer[];
  /** How long after the return the first of each was there, in milliseconds. */
  readonly againMs: Readonly<Record<'write' | 'delivery' | 'batch', number>>;
}

/** How long a refusal, and the recovery, may take. */
interface OutageLimits {
  readonly refusedMs: number;
  readonly wholeMs: number;
  readonly isDelivered: boolean;
}

/** Waits until each server has acknowledged a write, an event of a change has come, and a new batch is applied. */
async function wholeAgain({ ledger, load, world }: Scene, urls: readonly string[], backMs: number) {
  const fromMs = Date.now() - (performance.now() - backMs);
  const since = async (what: string, at: () => number | undefined) => Math.round((await eventually(what, at)) - backMs);
  const writes = urls.map((url) =>
    since(
      'a write',
      () =>
        ledger.since(backMs).find(({ isWrite, fromMs, origin }) => isWrite && fromMs > backMs && origin === url)?.toMs,
    ),
  );
  const arrived = () => world.receiver.at(EVENTS_PATH).find(({ occurredAtMs }) => occurredAtMs > fromMs)?.atMs;
  const [write, delivery, batch] = await Promise.all([
    Promise.all(writes).then((all) => Math.max(...all)),
    eventually('a delivery', arrived).then((atMs) => Math.round(atMs - fromMs)),
    since('a batch', () => load.applied.find(({ sentMs }) => sentMs > backMs)?.appliedMs),
  ]);
  return { write, delivery, batch };
}

async function oneRound<Of extends StartableDatabase>(
  scene: Scene<Of>,
  outage: Outage<Of>,
  urls: readonly string[],
): Promise<Round> {
  const { ledger } = scene;
  await pause(CALM_MS);
  const from = ledger.seen.length;
  const { heal, ...absence } = await outage.strike(scene);
  const againMs = await wholeAgain(scene, urls, absence.backMs);
  // Long enough for the slowest refusal to arrive.
  await pause(CALM_MS);
  heal?.();
  return { ...absence, againMs, seen: ledger.seen.slice(from) };
}

function wrongIn(
  { seen, againMs, leavesMs, goneMs, returnsMs }: Round,
  promised: OutageLimits,
  factor: number,
): string[] {
  // The callers judge these answers: among them are the rate limit and a key that was used before.
  const isUsual = ({ status }: SeenAnswer) => [200, 400, 409, 429].includes(status);
  const isAway = ({ fromMs, toMs }: SeenAnswer) => goneMs !== undefined && fromMs > goneMs && toMs < returnsMs;
  const wrong = wrongAnswers(seen, {
    'refused with the database there': (one) => one.toMs < leavesMs && isRefused(one) && factor === 1,
    'answered without the database': (one) => isAway(one) && !isRefused(one) && one.status !== 429,
    'answered otherwise': (one) => !isUsual(one) && !isRefused(one),
    ...wrongRefusals(promised.refusedMs * factor),
  });
  if (goneMs !== undefined && !seen.some(isAway)) wrong.push('no request was made without the database');
  const { write, ...later } = againMs;
  const limited = promised.isDelivered ? { write, ...later } : { write };
  for (const [what, ms] of Object.entries(limited)) {
    if (ms > promised.wholeMs * factor)
      wrong.push(`the first ${what} came after ${ms} ms; ${promised.wholeMs} are promised`);
  }
  return wrong;
}

function summary(kind: string, rounds: readonly Round[]): string {
  const seen = rounds.flatMap((round) => round.seen);
  const most = (of: (round: Round) => number) => Math.round(Math.max(...rounds.map(of)));
  const writes = rounds.map(({ againMs }) => againMs.write);
  return (
    `${kind}, ${rounds.length} rounds: ${seen.filter(isRefused).length} of ${seen.length} requests refused, the slowest ` +
    `in ${slowestRefusalMs(seen)} ms; back within ${most(({ backMs, leavesMs }) => backMs - leavesMs)} ms; after that a ` +
    `write in ${percentile(writes, 0.5)} ms (at most ${Math.max(...writes)} ms), a delivery within ` +
    `${most(({ againMs }) => againMs.delivery)} ms, a batch within ${most(({ againMs }) => againMs.batch)} ms.`
  );
}

/** Runs rounds of each kind of outage on two processes, to which clients send in turn. */
async function disturbed<Of extends StartableDatabase>(
  scene: Scene<Of>,
  { promised, kinds }: OutagePlan<Of>,
): Promise<Aftermath> {
  const { world, ledger, load, say } = scene;
  const servers = [await world.run('server'), await world.run('other')] as const;
  const urls = servers.map(({ url }) => url);
  ledger.use(...servers);
  load.begin();
  await wholeAgain(scene, urls, performance.now());
  const [wrong, lines]: [string[], string[]] = [[], []];
  const rounds = scene.size('rounds');
  for (const [kind, outage] of Object.entries(kinds)) {
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await oneRound(scene, outage, urls);
      done.push(one);
      wrong.push(...wrongIn(one, promised, scene.size('slack')).map((what) => `${kind}, round ${round}: ${what}`));
      say(`${kind} ${round}: a write ${one.againMs.write} ms after the return`);
    }
    lines.push(summary(kind, done));
  }
  say('waiting until all that was begun is acknowledged');
  const [server, other] = servers;
  return { server, others: { other }, deaths: servers.length * rounds * Object.keys(kinds).length, lines, wrong };
}

/** What is different between the two scenarios. */
interface OutagePlan<Of extends StartableDatabase> {
  readonly lanes: Lanes;
  readonly promised: OutageLimits;
  readonly kinds: Readonly<Record<string, Outage<Of>>>;
}

const gone: OutagePlan<OwnDatabase> = {
  lanes: { flows: 1, creations: 2, employees: 1 },
  promised: { refusedMs: 2_000, wholeMs: 5_000, isDelivered: true },
  kinds: {
    'database away': {
      async strike(scene) {
        const { world, ledger } = scene;
        const leavesMs = performance.now();
        await world.database.kill();
        const goneMs = performance.now();
        await pause(scene.size('seconds') * 1_000);
        // However long the machine needs for this: without at least one refusal the outage would prove nothing.
        const isSeen = () => ledger.seen.some((one) => one.fromMs > goneMs && isRefused(one));
        await eventually('a refusal', isSeen).catch(() => {});
        // The database answers before `start` returns, so there are two instants.
        const returnsMs = performance.now();
        await world.database.start();
        return { leavesMs, goneMs, returnsMs, backMs: performance.now() };
      },
    },
  },
};

/** Strikes a replica set, and waits until a majority follows a primary. */
const member = (
  hit: (set: ReplicaSet) => Promise<{ readonly among: readonly Member[]; heal?(): void }>,
): Outage<ReplicaSet> => ({
  async strike({ world: { database: set } }) {
    await set.whole();
    const leavesMs = performance.now();
    const { among, heal } = await hit(set);
    const primary = await set.primary(among);
    const returnsMs = performance.now();
    await set.isFollowed(primary);
    return { leavesMs, returnsMs, backMs: performance.now(), ...(heal && { heal }) };
  },
});

const elected: OutagePlan<ReplicaSet> = {
  lanes: { flows: 2, creations: 10, employees: 3 },
  promised: { refusedMs: 4_000, wholeMs: 2_000, isDelivered: false },
  kinds: {
    'step-down': member(async (set) => {
      await set.stepDown(await set.primary());
      return { among: set.members };
    }),
    'killed primary': member(async (set) => {
      const primary = await set.primary();
      const followers = set.others(primary);
      // Only the primary has what is written now. If the service acknowledged it, it would be lost.
      await set.follow(followers, false);
      await pause(LAG_MS);
      await set.kill(primary);
      await set.follow(followers, true);
      return { among: followers, heal: () => set.restart(primary) };
    }),
    'frozen primary': member(async (set) => {
      const primary = await set.primary();
      await freeze(primary.running);
      return { among: set.others(primary), heal: () => primary.running.signal('SIGCONT') };
    }),
    'killed secondary': member(async (set) => {
      const [secondary] = set.others(await set.primary());
      if (secondary === undefined) throw new Error('The replica set has no secondary.');
      await set.kill(secondary);
      return { among: set.others(secondary), heal: () => set.restart(secondary) };
    }),
  },
};

const rounds = (usual: number, of: string): Size => size('rounds', of, usual, 1);

/** The scenario of a database of one process. */
export const away = surviving({
  name: 'away',
  about:
    'Takes the database away for a while under light load: 503 after a short time, and everything works soon after its return.',
  finds: 'a request that waits for a database that is away, and a process that does not find its way back to it',
  defect: {
    file: 'handlers/data/store.ts',
    find: 'serverSelectionTimeoutMS: reachMs,',
    replace: 'serverSelectionTimeoutMS: 30_000,',
  },
  sizes: [rounds(1, 'how often'), size('seconds', 'how long the database is away', 30, 3), slack],
  inQuick: 'each engine',
  database: () => new OwnDatabase(),
  lanes: gone.lanes,
  disturb: (scene) => disturbed(scene, gone),
});

/** Members of a replica set go away under load. A run takes minutes. */
export const failover = surviving({
  name: 'failover',
  about: 'Starts a replica set of three real MongoDBs, and takes its primary or a secondary away under load.',
  finds: 'a write that is acknowledged before a majority has it',
  defect: { file: 'handlers/data/store.ts', find: "w: 'majority',", replace: 'w: 1,' },
  sizes: [
    rounds(20, 'of each of four kinds of faults'),
    size('election-ms', 'how long members wait for a primary before they elect another', 10_000, 2_000),
    slack,
  ],
  database: async ({ say, size: sizeOf }) => new ReplicaSet(needed(await findMongod(say)), sizeOf('election-ms')),
  lanes: elected.lanes,
  disturb: (scene) => disturbed(scene, elected),
});
