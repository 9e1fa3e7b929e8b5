/**
 * The rate limit: what a decision costs in one process, how exactly several processes share a bucket, and what sharing
 * it costs a request.
 */
import { rateLimit as limit } from '../../../../generated/rate-limit.ts';
import { memoryRateLimiter } from '../../../../handlers/http/rate.ts';
import type { RunningServer } from '../../../operate/start/server.ts';
import { inTurn } from '../../../testbed/ask.ts';
import { median } from '../../statistics.ts';
import { steadily } from '../../steady-load.ts';
import { Client, load, type TimedAnswer } from '../load.ts';
import { prepare, type Tenant } from '../place.ts';
import { finding, type Row, type Scenario, type ScenarioOptions, withProcesses } from '../scenario.ts';

const VERIFY = '/api_key/_verify';
const CONNECTIONS = 16;
/** Ten times what a key may send, in requests a second. */
const GREEDY = 10 * limit.perSecond;
/** Keys that send so much at the same time. */
const GREEDY_KEYS = 2;

/**
 * The processor time of a decision in the memory of a process, which other work on the machine hardly affects.
 * @param count how many keys take turns
 * @returns the median of batches of decisions, in microseconds
 */
function decisionUs(count: number, batches: number): number {
  const batch = 50_000;
  const limiter = memoryRateLimiter();
  const keys = Array.from({ length: count }, (_, nth) => `key-${nth}`);
  const measured: number[] = [];
  let turn = 0;
  for (let nth = 0; nth < batches; nth++) {
    const before = process.threadCpuUsage();
    for (let one = 0; one < batch; one++) limiter.take(keys[turn++ % keys.length] ?? '');
    const { user, system } = process.threadCpuUsage(before);
    measured.push((user + system) / batch);
  }
  // The first half compiles the code.
  return median(measured.slice(batches >> 1));
}

/** How many requests the bucket of a key admits within a span of seconds. */
export const admissible = (seconds: number): number => limit.burst + limit.perSecond * seconds;

/**
 * How many requests were admitted, in percent of what the bucket may admit. Each was decided at some time between its
 * sending and its answer, so there are two bounds; within them it is 100.
 * @param answers of one key
 */
function share(answers: readonly TimedAnswer[]): number {
  const other = answers.find(({ status }) => status !== 200 && status !== 429);
  if (other !== undefined) throw new Error(`An answer was ${other.status}: ${other.text.slice(0, 500)}`);
  const sent = answers.map(({ sentMs }) => sentMs);
  const answered = answers.map(({ answeredMs }) => answeredMs);
  const least = admissible(Math.max(0, Math.max(...sent) - Math.min(...answered)) / 1000);
  const most = admissible((Math.max(...answered) - Math.min(...sent)) / 1000);
  const count = answers.filter(({ status }) => status === 200).length;
  return (100 * count) / Math.min(Math.max(count, least), most);
}

/** Keys send ten times their limit to several processes in turn. */
async function admitted(options: ScenarioOptions, keys: readonly string[], processes: number): Promise<Row[]> {
  const seconds = options.isQuick ? 2 : 30;
  const settings = Array.from({ length: processes }, () => ({ ROLE: 'api' }));
  return withProcesses(options, settings, async (running) => {
    using ended = new DisposableStack();
    const clients = running.map(({ url }) => ended.use(new Client(url)));
    const ask = (nth: number, key: string) => inTurn(clients, nth).send(VERIFY, { key });
    // The first requests also open connections, with keys that are not measured.
    for (let nth = 0; nth < clients.length; nth++) await ask(nth, keys.at(-1 - nth) ?? '');
    const measured = keys.slice(0, GREEDY_KEYS);
    const all = await Promise.all(measured.map((key) => steadily(GREEDY, seconds, (nth) => ask(nth, key))));
    const label = `${processes} api process${processes === 1 ? '' : 'es'}`;
    return all.map((answers, nth) =>
      finding(`${label}, ten times the limit for ${seconds} s, key ${nth + 1}: admitted`, share(answers), '%', {
        least: 99,
        most: 101,
      }),
    );
  });
}

/** Compares the processor time of a request on a process that keeps buckets in memory with one that shares them. */
async function sharing(options: ScenarioOptions, { keys }: Tenant): Promise<Row[]> {
  const [rounds, seconds] = options.isQuick ? [1, 1] : [5, 3];
  const stores = ['memory', 'shared'] as const;
  const settings = stores.map((RATE_LIMIT_STORE) => ({ ROLE: 'api', RATE_LIMIT_STORE }));
  const own: Record<(typeof stores)[number], number[]> = { memory: [], shared: [] };
  const database: typeof own = { memory: [], shared: [] };
  await withProcesses(options, settings, async (running) => {
    const measure = async ({ url, pid }: RunningServer) => {
      const asked = { url, path: () => VERIFY, keys, connections: CONNECTIONS, seconds };
      return load({ ...asked, pid, databasePid: options.place.pid });
    };
    for (let round = 0; round <= rounds; round++) {
      options.say(`cost of sharing, round ${round} of ${rounds}`);
      for (const [nth, name] of stores.entries()) {
        const { cpuUs, databaseCpuUs } = await measure(running[nth] as RunningServer);
        // The first round compiles the code.
        if (round === 0) continue;
        own[name].push(cpuUs);
        if (databaseCpuUs !== undefined) database[name].push(databaseCpuUs);
      }
    }
  });
  const more = (of: typeof own) => median(of.shared) - median(of.memory);
  return [
    finding('processor time of verifyApiKey, bucket in memory', median(own.memory), 'µs'),
    finding('… more with a shared bucket', more(own), 'µs'),
    ...(database.shared.length > 0 ? [finding('… more of the database with it', more(database), 'µs')] : []),
  ];
}

async function run(options: ScenarioOptions) {
  const tenant = await prepare(options.place.store, 10);
  const batches = options.isQuick ? 4 : 20;
  const found = [10, 1_000, 10_000].map((count) =>
    finding(`a decision in memory, ${count} keys in turn, median`, decisionUs(count, batches), 'µs', { most: 1 }),
  );
  for (const [nth, processes] of [1, 3].entries()) {
    options.say(`${processes} processes`);
    const from = nth * 10;
    found.push(...(await admitted(options, tenant.keys.slice(from, from + 10), processes)));
  }
  return [...found, ...(await sharing(options, tenant))];
}

/** The scenario. */
export const rateLimit: Scenario = {
  name: 'rate-limit',
  about: 'decisions of the rate limit: their cost, and how exact several processes are together',
  seconds: 120,
  run,
};
