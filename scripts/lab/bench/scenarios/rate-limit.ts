/**
 * The rate limit: what a decision costs in one process, and what it costs a request that several processes share a
 * bucket. How exact it is, the suite judges (LIM).
 */
import { memoryRateLimiter } from '../../../../handlers/http/rate.ts';
import { median } from '../../../kit/statistics.ts';
import { finding, type Row, type Scenario } from '../../scenario.ts';
import { load } from '../load.ts';
import { inRounds, type Measuring, measuring, prepare, startMeasured, type Tenant } from '../measuring.ts';

const VERIFY = '/api_key/_verify';
const CONNECTIONS = 16;
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

/** Compares the processor time of a request on a process that keeps buckets in memory with one that shares them. */
async function sharing({ place, say, isQuick }: Measuring, { keys }: Tenant): Promise<Row[]> {
  const [rounds, seconds] = isQuick ? [1, 1] : [5, 3];
  const asking = async (RATE_LIMIT_STORE: string) => {
    const server = await startMeasured(place, { ROLE: 'api', RATE_LIMIT_STORE });
    return () => load({ server, place, path: () => VERIFY, keys, connections: CONNECTIONS, seconds });
  };
  const works = { memory: await asking('memory'), shared: await asking('shared') };
  const found = await inRounds(works, rounds, say);
  const own = (name: keyof typeof works) => median(found(name).map(({ cpuUs }) => cpuUs));
  const database = (name: keyof typeof works) =>
    median(found(name).flatMap(({ databaseCpuUs }) => databaseCpuUs ?? []));
  return [
    finding('processor time of verifyApiKey, bucket in memory', own('memory'), 'µs'),
    finding('… more with a shared bucket', own('shared') - own('memory'), 'µs'),
    ...(place.database.pid === undefined
      ? []
      : [finding('… more of the database with it', database('shared') - database('memory'), 'µs')]),
  ];
}

async function run(options: Measuring) {
  const tenant = await prepare(options.place.store, 10);
  const batches = options.isQuick ? 4 : 20;
  const found = [10, 1_000, 10_000].map((count) =>
    finding(`a decision in memory, ${count} keys in turn, median`, decisionUs(count, batches), 'µs', { most: 1 }),
  );
  return [...found, ...(await sharing(options, tenant))];
}

/** The scenario. */
export const rateLimit: Scenario = {
  name: 'rate-limit',
  about: 'decisions of the rate limit: their cost, in memory and shared',
  finds: 'a limit that costs much',
  run: measuring(run),
};
