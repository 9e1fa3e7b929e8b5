/** What a request costs our server, another checkout of it, and the services that one would write instead. */
import { join, resolve } from 'node:path';
import { commaList, misuse } from '../../../kit/command-line.ts';
import { residentMib } from '../../../kit/processor-time.ts';
import { median } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import type { RunningServer } from '../../../world/server.ts';
import { figure, type Row, type Scenario, size } from '../../scenario.ts';
import { type LoadResult, load } from '../load.ts';
import { inRounds, type Measuring, measuring, type Place, prepare, startMeasured, type Tenant } from '../measuring.ts';

/** The services besides ours, in the order of the table. */
export const peerNames = ['ideal', 'express'] as const;
type PeerName = (typeof peerNames)[number];

/** Starts a service to compare with. @param tenant the id of the tenant whose employees it lists */
export const startPeer = (place: Place, name: PeerName, tenant: string): Promise<RunningServer> =>
  startMeasured(place, { BENCH_TENANT: tenant, NODE_ENV: 'production' }, `scripts/lab/bench/peers/${name}.ts`);

/** One kind of request. */
interface RequestKind {
  readonly name: string;
  /** Whether only our service is asked: the others have no expansions. */
  readonly isOurs?: true;
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
    { name: 'listEmployees limit=100, all expanded', path: () => `/employees?limit=100&${all}`, isOurs: true },
  ];
}

type Contestants = ReadonlyMap<string, RunningServer>;

/** Starts all services on the database, in the order of the table. */
async function startAll({ place, text }: Measuring, tenant: Tenant): Promise<Contestants> {
  const [profiles, against] = [text('cpu-prof'), text('against')];
  const inMemory = { RATE_LIMIT_STORE: 'memory' };
  const NODE_OPTIONS = profiles === '' ? '' : `--cpu-prof --cpu-prof-dir=${resolve(profiles)}`;
  const all = new Map([['ours', await startMeasured(place, { ...inMemory, NODE_OPTIONS })]]);
  const other = join(resolve(against), 'handlers/main.ts');
  if (against !== '') all.set('other', await startMeasured(place, inMemory, other));
  for (const name of peersOf(text('peers'))) all.set(name, await startPeer(place, name, tenant.id));
  return all;
}

/**
 * How much a service does with the same processor time as another; above 1 it does more. The median of the rounds' ratios:
 * the two are measured one after the other, so other load on the machine affects both.
 */
function ratioTo(others: readonly LoadResult[], own: readonly LoadResult[]): number {
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
function figuresOf(own: readonly LoadResult[], of: (label: string) => readonly LoadResult[]) {
  const figures = FIGURES.flatMap(([name, field, unit]) => {
    const values = own.map((one) => one[field]).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [figure(name, median(values), unit)];
  });
  const ratios = ['ideal', 'other'].flatMap((name) =>
    of(name).length === 0 ? [] : [figure(`of ${name}`, ratioTo(of(name), own), '×')],
  );
  return [...figures, ...ratios];
}

/** @throws Failure for a name that is none of a peer */
const peersOf = (text: string): PeerName[] =>
  commaList(text === 'none' ? '' : text || peerNames.join()).map(
    (name) => peerNames.find((known) => known === name) ?? misuse(`There is no peer ${name}.`),
  );

async function run(options: Measuring): Promise<Row[]> {
  const { place, isChosen, say, size: sizeOf } = options;
  const [seconds, connections] = [sizeOf('seconds'), sizeOf('connections')];
  const tenant = await prepare(place.store, sizeOf('employees'));
  const contestants = await startAll(options, tenant);
  const rows: Row[] = [];
  for (const { name, path, isOurs } of requestKinds(tenant)) {
    if (!isChosen(name)) continue;
    const asked = [...contestants].filter(([label]) => !isOurs || ['ours', 'other'].includes(label));
    const works = asked.map(([label, server]) => {
      const work = (isWarmUp: boolean) =>
        load({ server, place, path, keys: tenant.keys, connections, seconds: isWarmUp ? seconds / 2 : seconds });
      return [label, work] as const;
    });
    const found = await inRounds(Object.fromEntries(works), sizeOf('rounds'), say);
    for (const [label, server] of asked) {
      const memory = figure('memory', residentMib(server.process.pid), 'MiB');
      rows.push({ label: `${name}: ${label}`, figures: [...figuresOf(found(label), found), memory] });
    }
  }
  // A process writes its profile when it ends by itself.
  for (const { process } of contestants.values()) await process.stop();
  return rows;
}

/** The scenario. */
export const requests: Scenario = {
  name: 'requests',
  about: 'What requests of five kinds cost, in the service and beside it; the rows are services.',
  finds: 'an operation that costs more than before (--against), or more than what one would write instead',
  sizes: [
    size('rounds', 'how often each is measured; the median counts', 5, 2),
    size('seconds', 'how long each measurement takes', 4, 1),
    size('connections', 'concurrent requests', 16),
    size('employees', 'of the tenant', 3_000, 150),
  ],
  texts: [
    { name: 'peers', about: 'services beside ours, separated by commas, or none; by default all' },
    { name: 'against', about: 'the folder of another checkout, whose requests are measured too' },
    { name: 'cpu-prof', about: 'the folder for CPU profiles of our server' },
  ],
  parts: requestKinds({ employeeIds: [] }).map(({ name }) => name),
  run: measuring(run),
};
