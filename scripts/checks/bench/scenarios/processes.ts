/**
 * What more processes on one database bring: api processes that share the rate limit, with the load spread evenly over
 * them, and worker processes. The client and the database use the same processors, so the machine sets a bound.
 */
import { availableParallelism } from 'node:os';
import type { RunningServer } from '../../../operate/start/server.ts';
import { median } from '../../statistics.ts';
import { type LoadResult, load } from '../load.ts';
import { prepare, type Tenant } from '../place.ts';
import { finding, type Row, type Scenario, type ScenarioOptions, withProcesses } from '../scenario.ts';
import { throughput, withWorkers } from './deliveries.ts';
import { type RequestKind, requestKinds } from './requests.ts';

const API = [1, 2, 4];
const WORKERS = [1, 2];
const MEASURED = ['getEmployee', 'listEmployees limit=100'];
/** Over all processes. */
const CONNECTIONS = 16;

/** What several processes did in the same seconds. */
export interface Together {
  readonly perSecond: number;
  /** Processor time of the service for a request, in microseconds. */
  readonly cpuUs: number;
  /** The same of the database; NaN if its process is not known. */
  readonly databaseCpuUs: number;
}

type Part = Pick<LoadResult, 'requests' | 'perSecond' | 'cpuUs' | 'databaseCpuUs'>;

/** Adds up what each process did. The database worked for all of them, so each part states the whole of its time. */
export function together(parts: readonly Part[]): Together {
  const sum = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0);
  const requests = sum((part) => part.requests);
  const database = sum((part) => (part.databaseCpuUs ?? Number.NaN) * part.requests) / parts.length;
  return {
    perSecond: sum((part) => part.perSecond),
    cpuUs: sum((part) => part.cpuUs * part.requests) / requests,
    databaseCpuUs: database / requests,
  };
}

/** Sends the requests of a scenario to processes at the same time, for some seconds. */
async function spread(
  { place }: ScenarioOptions,
  processes: readonly RunningServer[],
  { keys }: Tenant,
  { path }: RequestKind,
  seconds: number,
): Promise<Together> {
  const count = processes.length;
  const parts = await Promise.all(
    processes.map(({ url, pid }, nth) =>
      load({
        url,
        path,
        seconds,
        pid,
        databasePid: place.pid,
        connections: CONNECTIONS / count,
        keys: keys.filter((_, at) => at % count === nth),
      }),
    ),
  );
  return together(parts);
}

/** Measures 1, 2 and 4 api processes round by round, with each kind of request. */
async function api(options: ScenarioOptions): Promise<Row[]> {
  const { isQuick, say, place } = options;
  const [rounds, seconds, employees] = isQuick ? [1, 0.5, 150] : [7, 2, 1_000];
  const tenant = await prepare(place.store, employees);
  const chosen = requestKinds(tenant).filter(({ name }) => MEASURED.includes(name));
  const all = Array(Math.max(...API)).fill({ ROLE: 'api' });
  return withProcesses(options, all, async (processes) => {
    const found = new Map<string, Together[]>();
    for (let round = 0; round <= rounds; round++) {
      say(`api processes, round ${round} of ${rounds}`);
      for (const scenario of chosen) {
        // The first round compiles the code of all processes.
        for (const count of round === 0 ? [all.length] : API) {
          const one = await spread(options, processes.slice(0, count), tenant, scenario, seconds);
          const label = labelOf(scenario.name, count);
          if (round > 0) found.set(label, [...(found.get(label) ?? []), one]);
        }
      }
    }
    return [...found].flatMap(([label, rows]) => findings(label, rows, place.pid !== undefined));
  });
}

const labelOf = (what: string, count: number) =>
  `${what}, ${count} process${count === 1 ? '' : 'es'} on ${availableParallelism()} processors`;

function findings(label: string, rows: readonly Together[], knowsDatabase: boolean): Row[] {
  const of = (field: keyof Together) => median(rows.map((row) => row[field]));
  return [
    finding(label, of('perSecond'), '/s'),
    finding('… processor time of the service for a request', of('cpuUs'), 'µs'),
    ...(knowsDatabase ? [finding('… of the database', of('databaseCpuUs'), 'µs')] : []),
  ];
}

/** Measures 1 and 2 worker processes in turn. */
async function workers(options: ScenarioOptions): Promise<Row[]> {
  const { isQuick, say, place } = options;
  const [rounds, warmUp, each] = isQuick ? [1, 2, 10] : [3, 50, 500];
  const found = new Map<number, number[]>(WORKERS.map((count) => [count, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const count of WORKERS) {
      say(`${count} of ${Math.max(...WORKERS)} workers, round ${round} of ${rounds}`);
      const perSecond = await withWorkers(options, count, async (sides) => {
        await throughput(place.store, sides, warmUp);
        return throughput(place.store, sides, each);
      });
      found.get(count)?.push(perSecond);
    }
  }
  return [...found].map(([count, rates]) => finding(labelOf('deliveries by workers', count), median(rates), '/s'));
}

/** The scenario. */
export const processes: Scenario = {
  name: 'processes',
  about: `throughput of ${API.join(', ')} api processes and ${WORKERS.join(', ')} workers on one database`,
  seconds: 240,
  run: async (options) => [...(await api(options)), ...(await workers(options))],
};
