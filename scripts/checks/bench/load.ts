/** Creates load over kept-alive connections, and measures what one process spends on it. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { percentile } from '../statistics.ts';

/** The result of a period of load. */
export interface Measurement {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * Processor time of the server per request, in microseconds. Unlike response times, it is meaningful on a busy
   * machine, too.
   */
  readonly cpuUs: number;
  /** The same of the database; undefined if its process is not known. */
  readonly databaseCpuUs: number | undefined;
  /** Resident memory of the server at the end, in bytes (Linux; elsewhere 0). */
  readonly rssBytes: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

export interface LoadOptions {
  readonly url: string;
  readonly path: () => string;
  /** Used in turn, so that no key reaches its limit. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** The process that is measured. */
  readonly pid: number;
  /** The process of the database, if it is known. */
  readonly databasePid?: number | undefined;
}

const TICK_US = 10_000;

/** User and system time that a process has used so far, in microseconds (Linux; elsewhere 0). */
function cpuTimeUs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return 0;
  }
}

const PAGE_BYTES = 4096;

/** The resident memory of a process, in bytes (Linux; elsewhere 0). */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

function once(agent: Agent, url: string, path: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { agent, headers: { 'X-API-Key': key } }, (res) => {
      res.on('data', () => {});
      res.once('end', () => resolve(res.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

/** Creates load for some seconds; each connection sends one request at a time. */
export async function load(options: LoadOptions): Promise<Measurement> {
  const { url, path, keys, connections, seconds, pid, databasePid } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const cpuBefore = cpuTimeUs(pid);
  const databaseBefore = databasePid === undefined ? 0 : cpuTimeUs(databasePid);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let turn = 0;
  async function run(): Promise<void> {
    while (performance.now() < endAt) {
      const sentAt = performance.now();
      const status = await once(agent, url, path(), keys[turn++ % keys.length] ?? '');
      times.push(performance.now() - sentAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: connections }, run));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpu = cpuTimeUs(pid) - cpuBefore;
  const databaseCpu = databasePid === undefined ? undefined : cpuTimeUs(databasePid) - databaseBefore;
  agent.destroy();
  return {
    requests: times.length,
    perSecond: times.length / elapsed,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuUs: cpu / times.length,
    databaseCpuUs: databaseCpu === undefined ? undefined : databaseCpu / times.length,
    rssBytes: residentBytes(pid),
    statuses,
  };
}
