/** As many requests as a process answers, and the processor time that it spends on them. */
import { prefix } from '../../../generated/contract.ts';
import { refuse } from '../../kit/command-line.ts';
import { processorSeconds } from '../../kit/processor-time.ts';
import { percentile } from '../../kit/statistics.ts';
import { inTurn } from '../../world/ask.ts';
import type { RunningServer } from '../../world/server.ts';
import type { Place } from './measuring.ts';

/** What a process did in some seconds of load. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server per request, in microseconds: meaningful on a busy machine, unlike response times. */
  readonly cpuUs: number;
  /** The same of the database; undefined if its process is not known. */
  readonly databaseCpuUs: number | undefined;
}

/** How a process is loaded. */
interface LoadOptions {
  readonly server: RunningServer;
  readonly place: Place;
  /** The next request, below the prefix. */
  readonly path: () => string;
  /** Used in turn, so that no key reaches its limit. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Creates load for some seconds; each connection sends one request at a time. @throws Failure for other answers than 200 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { server, place, path, keys, connections, seconds } = options;
  const pids = [server.process.pid, place.database.pid ?? []].flat();
  const took: number[] = [];
  const before = pids.map(processorSeconds);
  const startedAt = performance.now();
  let turn = 0;
  async function run(): Promise<void> {
    while (performance.now() < startedAt + seconds * 1_000) {
      const sentMs = performance.now();
      const answer = await fetch(server.url + prefix + path(), { headers: { 'X-API-Key': inTurn(keys, turn++) } });
      await answer.arrayBuffer();
      if (!answer.ok) refuse(`A request was answered ${answer.status}.`);
      took.push(performance.now() - sentMs);
    }
  }
  await Promise.all(Array.from({ length: connections }, run));
  const perSecond = (took.length * 1_000) / (performance.now() - startedAt);
  const [cpuUs = 0, databaseCpuUs] = pids.map(
    (pid, nth) => ((processorSeconds(pid) - (before[nth] ?? 0)) * 1_000_000) / took.length,
  );
  return { perSecond, p50Ms: percentile(took, 0.5), p99Ms: percentile(took, 0.99), cpuUs, databaseCpuUs };
}
