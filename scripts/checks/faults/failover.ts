/**
 * In every round the primary of a replica set of three hands over, dies, or freezes, or a secondary dies. Meanwhile two
 * servers accept keyed creations of documents, whole flows up to the signature and batches of ingest, and deliver
 * events. Without a primary, every request is refused quickly. Soon after there is a primary again everything works,
 * and nothing that was acknowledged is lost or exists twice.
 */
import { randomOf } from '../../operate/seed/random.ts';
import { eventually } from '../../testbed/eventually.ts';
import { freeze } from '../../testbed/frozen.ts';
import { needed } from '../../testbed/go-tool.ts';
import { findMongod } from '../../testbed/mongod-tool.ts';
import { type Member, ReplicaSet } from '../../testbed/replica-set.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { percentile } from '../statistics.ts';
import { type DocumentsDeployment, deploy, receivingEndpoint } from './deployment.ts';
import { checkFailover, FailoverLoad } from './failover-load.ts';
import { pause } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size, slack } from './suite.ts';
import { isRefused, judged, type SeenAnswer, tookMs, WatchedClient, wrongRefusals } from './watched.ts';

const REFUSED_MS = 4_000;
const WHOLE_MS = 2_000;
const GIVEN_UP_MS = 120_000;
const CALM_MS = 1_000;
/** How far a primary is ahead of its followers when it dies. */
const LAG_MS = 500;

/** One kind of fault, and how it is undone. */
interface Fault {
  /** @returns the members that can say which one is primary, and a function that undoes the fault */
  strike(set: ReplicaSet): Promise<{ readonly among: readonly Member[]; heal(): void }>;
}

const nothing = () => {};

const FAULTS: Readonly<Record<string, Fault>> = {
  'step-down': {
    async strike(set) {
      await set.stepDown(await set.primary());
      return { among: set.members, heal: nothing };
    },
  },
  'killed primary': {
    async strike(set) {
      const primary = await set.primary();
      const followers = set.others(primary);
      // Only the primary has what is written now. If the service acknowledged it, it would be lost.
      await set.follow(followers, false);
      await pause(LAG_MS);
      await set.kill(primary);
      await set.follow(followers, true);
      return { among: followers, heal: () => set.restart(primary) };
    },
  },
  'frozen primary': {
    async strike(set) {
      const primary = await set.primary();
      await freeze(primary.running);
      return { among: set.others(primary), heal: () => primary.running.signal('SIGCONT') };
    },
  },
  'killed secondary': {
    async strike(set) {
      const [secondary] = set.others(await set.primary());
      if (secondary === undefined) throw new Error('The replica set has no secondary.');
      await set.kill(secondary);
      return { among: set.others(secondary), heal: () => set.restart(secondary) };
    },
  },
};

/** What one round measured. */
interface Round {
  readonly electedMs: number;
  readonly followedMs: number;
  readonly wholeMs: number;
  readonly seen: readonly SeenAnswer[];
}

/** Starts a replica set and two servers on it, and runs the suite. */
async function onReplicaSet(options: SuiteOptions): Promise<Result> {
  const set = new ReplicaSet(needed(await findMongod(options.say)), options.size('election-ms'));
  const documents = await deploy(set, receivingEndpoint);
  await using deployment = documents.deployment;
  const servers = [await deployment.start(), await deployment.start(ELSEWHERE)];
  return await run(set, documents, servers, options);
}

/** The second server uses ports of its own. */
const ELSEWHERE = { PORT: '0', STORAGE_PORT: '0' };

async function run(
  set: ReplicaSet,
  deployed: DocumentsDeployment,
  servers: readonly RunningServer[],
  { size: sizeOf, seed, say }: SuiteOptions,
): Promise<Result> {
  const rounds = sizeOf('rounds');
  const watched = new WatchedClient();
  const urls = servers.map(({ url }) => url);
  const load = new FailoverLoad({ deployment: deployed, random: randomOf(seed), send: watched.fetch, urls });
  load.begin();
  await wholeAgain(watched, urls, performance.now());
  const wrong: string[] = [];
  const lines: string[] = [];
  for (const [kind, fault] of Object.entries(FAULTS)) {
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await oneRound(set, fault, watched, urls);
      done.push(one);
      wrong.push(...judge(one, sizeOf('slack')).map((what) => `${kind}, round ${round}: ${what}`));
      const { electedMs, followedMs, wholeMs } = one;
      say(`${kind} ${round}: a primary in ${electedMs} ms, followed ${followedMs} ms later, whole after ${wholeMs} ms`);
    }
    lines.push(summary(kind, done));
  }
  say('waiting until all that was begun is acknowledged');
  await load.end();
  wrong.push(...load.wrong);
  const facts = { servers, faults: rounds * Object.keys(FAULTS).length, say };
  const { repeated, findings } = await checkFailover(deployed, load, facts);
  wrong.push(...findings);
  const documents = load.flows.length + load.creations.length;
  const signed = load.flows.filter(({ acknowledged }) => acknowledged.has('sign')).length;
  lines.push(
    `Elections after ${sizeOf('election-ms')} ms; ${documents} documents, ${signed} of them signed, ` +
      `${load.batches.length} batches, ${deployed.deployment.receiver.received.length} deliveries, ${repeated} events ` +
      'more than once.',
  );
  return { lines, wrong };
}

async function oneRound(
  set: ReplicaSet,
  fault: Fault,
  watched: WatchedClient,
  urls: readonly string[],
): Promise<Round> {
  await set.whole();
  await pause(CALM_MS);
  const from = watched.seen.length;
  const struckMs = performance.now();
  const { among, heal } = await fault.strike(set);
  const primary = await set.writable(among);
  const electedMs = performance.now();
  await set.isFollowed(primary);
  const followedMs = performance.now();
  const wholeMs = await wholeAgain(watched, urls, followedMs);
  // Long enough for the slowest refusal to arrive.
  await pause(CALM_MS);
  heal();
  await set.whole();
  return {
    electedMs: Math.round(electedMs - struckMs),
    followedMs: Math.round(followedMs - electedMs),
    wholeMs,
    seen: watched.seen.slice(from),
  };
}

/** Waits until each server has acknowledged a write. @returns how long that took from then on, in milliseconds */
async function wholeAgain(watched: WatchedClient, urls: readonly string[], sinceMs: number): Promise<number> {
  const first = (url: string) => watched.since(sinceMs).find(({ isWrite, origin }) => isWrite && origin === url)?.toMs;
  const times = await eventually(
    'a write at each server',
    () => {
      const found = urls.map(first);
      return found.every((ms) => ms !== undefined) ? found : undefined;
    },
    GIVEN_UP_MS,
  );
  return Math.round(Math.max(...times) - sinceMs);
}

function judge({ wholeMs, seen }: Round, slack: number): string[] {
  // The callers judge these answers: among them are the rate limit and a key that was used before.
  const isUsual = ({ status }: SeenAnswer) => [200, 400, 409, 429].includes(status);
  const wrong = judged(seen, {
    'answered otherwise': (one) => !isUsual(one) && !isRefused(one),
    ...wrongRefusals(REFUSED_MS * slack),
  });
  if (wholeMs > WHOLE_MS * slack)
    wrong.push(`whole ${wholeMs} ms after a majority followed a primary; ${WHOLE_MS} are promised`);
  return wrong;
}

function summary(kind: string, rounds: readonly Round[]): string {
  const seen = rounds.flatMap((round) => round.seen);
  const refused = seen.filter(isRefused);
  const most = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const wholeMs = rounds.map((round) => round.wholeMs);
  return (
    `${kind}, ${rounds.length} rounds: ${refused.length} of ${seen.length} requests refused, the slowest in ` +
    `${Math.max(0, ...refused.map(tookMs))} ms; a primary within ${most((round) => round.electedMs)} ms, followed by a ` +
    `majority within ${most((round) => round.followedMs)} ms, whole ${percentile(wholeMs, 0.5)} ms after that (at most ` +
    `${Math.max(...wholeMs)} ms).`
  );
}

/** The suite. */
export const failover: Suite = {
  name: 'failover',
  about: 'Starts a replica set of three real MongoDBs, and takes its primary or a secondary away under load.',
  sizes: [
    size('rounds', 'of each of four kinds of faults', 20, 1),
    size('election-ms', 'how long members wait for a primary before they elect another', 10_000, 2_000),
    slack,
  ],
  // It takes minutes.
  inQuick: false,
  run: onReplicaSet,
};
