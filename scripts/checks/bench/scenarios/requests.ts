/** What a request costs our server, another checkout of it, and the services that one would write instead. */

import type { RunningServer } from '../../../operate/start/server.ts';
import { inTurn } from '../../../testbed/ask.ts';
import { median } from '../../statistics.ts';
import { startOurs, startPeer } from '../contestants.ts';
import { type LoadResult, load, residentBytes } from '../load.ts';
import { prepare, type Tenant } from '../place.ts';
import { figure, type Row, type Scenario, type ScenarioOptions } from '../scenario.ts';

const WARM_UP_SECONDS = 2;
const CONNECTIONS = 16;
const EMPLOYEES = 3_000;

/** One kind of request. */
export interface RequestKind {
  readonly name: string;
  /** The next request, below the prefix. */
  readonly path: () => string;
}

/** What is measured, in the order of the table. */
export function requestKinds({ employeeIds }: Pick<Tenant, 'employeeIds'>): readonly RequestKind[] {
  let turn = 0;
  const all = 'expand=person&expand=department&expand=job_title&expand=manager';
  return [
    { name: 'verifyApiKey', path: () => '/api_key/_verify' },
    { name: 'getEmployee', path: () => `/employees/${inTurn(employeeIds, turn++)}` },
    { name: 'listEmployees limit=100', path: () => '/employees?limit=100' },
    { name: 'listEmployees limit=1000', path: () => '/employees?limit=1000' },
    { name: 'listEmployees limit=100, all expanded', path: () => `/employees?limit=100&${all}` },
  ];
}

/** Starts all services on the database, in the order of the table. */
async function startAll(options: ScenarioOptions, tenant: Tenant, into: Map<string, RunningServer>): Promise<void> {
  const { place, profiles, peers, against } = options;
  into.set('ours', await startOurs(place, { profiles }));
  if (against !== undefined) into.set('other', await startOurs(place, { checkout: against }));
  for (const name of peers) into.set(name, await startPeer(name, place, tenant.id));
}

/** Measures all services in turn, round by round, so that other load on the machine affects all of them. */
async function measured(
  { path }: RequestKind,
  keys: readonly string[],
  contestants: ReadonlyMap<string, RunningServer>,
  options: ScenarioOptions,
): Promise<ReadonlyMap<string, LoadResult[]>> {
  const { place, say, isQuick, connections = CONNECTIONS } = options;
  const { rounds = isQuick ? 2 : 5, seconds = isQuick ? 1 : 4 } = options;
  const found = new Map<string, LoadResult[]>([...contestants.keys()].map((label) => [label, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [label, { url, pid }] of contestants) {
      say(round === 0 ? `${label}, warm-up` : `${label}, round ${round} of ${rounds}`);
      const forSeconds = round > 0 ? seconds : isQuick ? 0.5 : WARM_UP_SECONDS;
      const pids = { pid, databasePid: place.pid };
      const one = await load({ url, path, keys, connections, seconds: forSeconds, ...pids });
      if (round > 0) found.get(label)?.push(one);
    }
  }
  return found;
}

/**
 * How much a service does with the same processor time as another; above 1 it does more. The median of the rounds' ratios:
 * the two are measured one after the other, so other load on the machine affects both.
 */
export function ratioTo(others: readonly LoadResult[], own: readonly LoadResult[]): number {
  return median(own.map(({ cpuUs }, round) => (others[round]?.cpuUs ?? Number.NaN) / cpuUs));
}

const FIGURES = [
  ['requests', 'perSecond', '/s'],
  ['p50', 'p50Ms', 'ms'],
  ['p99', 'p99Ms', 'ms'],
  ['processor', 'cpuUs', 'µs'],
  ['database', 'databaseCpuUs', 'µs'],
] as const;

/** The medians of the rounds of one service. */
function rowOf(
  label: string,
  own: readonly LoadResult[],
  all: ReadonlyMap<string, readonly LoadResult[]>,
  rss: number,
): Row {
  const [ideal, other] = [all.get('ideal'), all.get('other')];
  const figures = FIGURES.flatMap(([name, field, unit]) => {
    const values = own.map((one) => one[field]).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [figure(name, median(values), unit)];
  });
  figures.push(figure('memory', rss / 2 ** 20, 'MB'));
  if (ideal !== undefined) figures.push(figure('of ideal', ratioTo(ideal, own), '×'));
  if (other !== undefined) figures.push(figure('of other', ratioTo(other, own), '×'));
  return { label, figures };
}

async function run(name: string, options: ScenarioOptions): Promise<Row[]> {
  const contestants = new Map<string, RunningServer>();
  try {
    const tenant = await prepare(options.place.store, options.employees ?? (options.isQuick ? 150 : EMPLOYEES));
    await startAll(options, tenant, contestants);
    const [kind] = requestKinds(tenant).filter((one) => one.name === name);
    if (kind === undefined) throw new Error(`there are no requests called ${name}`);
    const found = await measured(kind, tenant.keys, contestants, options);
    return [...found].map(([label, own]) => {
      const pid = contestants.get(label)?.pid ?? 0;
      return rowOf(label, own, found, residentBytes(pid));
    });
  } finally {
    for (const server of contestants.values()) await server.stop();
  }
}

/** A scenario for each kind of request. */
export const requests: readonly Scenario[] = requestKinds({ employeeIds: [] }).map(({ name }) => ({
  name,
  about: 'what a request costs, in the service and beside it; the rows are services',
  seconds: 100,
  run: (options) => run(name, options),
}));
