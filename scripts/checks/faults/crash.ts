/**
 * The server is killed with SIGKILL, at named moments around its writes and answers and at random times. The database
 * is killed with it. At that time documents are made from templates and uploads, sent, approved and signed, many at
 * once. Everything that was acknowledged must exist exactly once; everything else must be safe to request again.
 */

import { randomOf } from '../../operate/seed/random.ts';
import { inTurn } from '../../testbed/ask.ts';
import { OwnDatabase } from '../../testbed/database.ts';
import { hasDied } from '../../testbed/deployment.ts';
import { check, sentencesOf } from './check.ts';
import { deploy, planting } from './deployment.ts';
import { DocumentLoad, momentsOf } from './document-load.ts';
import { endLeases } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

const LONGEST_CYCLE_MS = 4_000;
const MOST_STEPS = 12;

/**
 * Ends a database at once when the server is gone or has acknowledged this many steps. So the last acknowledged steps
 * had no time to be written, except the time that the service itself took for it.
 */
function killAfter(database: OwnDatabase, steps: number) {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let left = steps;
  let killing: Promise<void> | undefined;
  const now = () => {
    killing ??= database.kill().then(resolve);
    return killing;
  };
  const onStep = (what: 'acknowledged' | 'gone') => {
    if (what === 'acknowledged' && --left > 0) return;
    now().catch(() => {});
  };
  return { done, now, onStep };
}

/** @throws BrokenPromise when an answer shows that the service breaks a promise */
async function run({ size: sizeOf, seed, say }: SuiteOptions): Promise<Result> {
  const cycles = sizeOf('cycles');
  const random = randomOf(seed);
  const database = new OwnDatabase();
  const documents = await deploy(database);
  await using deployment = documents.deployment;
  const load = new DocumentLoad(documents, random);
  const reached = new Set<string>();
  const moments = await momentsOf(documents, load);
  say(`${moments.length} moments are known; ${load.all.length} documents were made without a fault`);

  for (let cycle = 0; cycle < cycles; cycle++) {
    const point = cycle % 2 === 0 ? inTurn(moments, cycle / 2) : undefined;
    const server = await deployment.start(point === undefined ? {} : planting({ point, nth: random.between(1, 3) }));
    await endLeases(documents.store);
    const kill = killAfter(database, point === undefined ? random.between(1, MOST_STEPS) : Number.POSITIVE_INFINITY);
    const running = load.run(server, { beginning: true, forMs: LONGEST_CYCLE_MS, onStep: kill.onStep });
    await Promise.race([running, kill.done, new Promise((resolve) => setTimeout(resolve, LONGEST_CYCLE_MS).unref())]);
    await kill.now();
    const isReached = point !== undefined && (await hasDied(server));
    await server.process.stop('SIGKILL');
    await running.catch((error: Error) => {
      for (const line of server.log().filter(({ level }) => Number(level) >= 50)) say(JSON.stringify(line));
      throw error;
    });
    await database.start();
    if (isReached) reached.add(point);
    say(`cycle ${cycle + 1} of ${cycles}: died at ${isReached ? point : 'a random time'}`);
  }

  const last = await deployment.start();
  await endLeases(documents.store);
  await load.run(last);
  const findings = await check(documents, last, load.all);
  await last.process.stop();
  const acknowledged = load.all.reduce((sum, flow) => sum + flow.acknowledged.size, 0);
  const repeats = load.all.reduce((sum, flow) => sum + flow.repeats, 0);
  const counts = Object.entries(findings).map(([kind, those]) => `${those.length} ${kind}`);
  const line =
    `${cycles} kills of server and database (${reached.size} of ${moments.length} moments reached): ` +
    `${load.all.length} documents, ${acknowledged} steps acknowledged, ${repeats} asked for again; ${counts.join(', ')}.`;
  return { lines: [line], wrong: sentencesOf(findings) };
}

/** The suite. */
export const crash: Suite = {
  name: 'crash',
  about: 'Kills server and database at named moments and at random times while documents are made and signed.',
  sizes: [size('cycles', 'how often', 100, 6)],
  inQuick: 'each engine',
  run,
};
