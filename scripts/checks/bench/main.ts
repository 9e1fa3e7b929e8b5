/**
 * `npm run bench`: what a request costs our server, and what it costs the services that one would write or pick instead.
 * All are measured in turn, round by round, so that other load on the machine affects all of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { runMain } from '../../../conformance/processes/ending.ts';
import { commaList, commandLine, exitingWith, misuse, runProgram, wholeNumber } from '../../command-line.ts';
import { type Contestant, type PeerName, peerNames, startOurs, startPeer } from './contestants.ts';
import { ENGINES, type Engine, type Place, withDatabase } from './database.ts';
import { load, type Measurement } from './load.ts';
import { benchPage } from './page.ts';
import { lossesOf, record } from './released.ts';
import { type BenchReport, figuresOf, line, type ScenarioResult } from './results.ts';
import { namesOf, prepare, type Scenario, scenarios, type Tenant } from './scenarios.ts';

const WARM_UP_SECONDS = 1;

interface Flags {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly employees: number;
  readonly only?: string;
  readonly peers: readonly string[];
  readonly database: Engine;
  readonly against?: string;
  readonly cpuProf?: string;
  readonly quick?: true;
  readonly check?: true;
  readonly record?: true;
  readonly json?: string;
  readonly out: string;
}

/** @throws misuse for a name that is none of a peer */
function peersOf({ peers }: Flags): PeerName[] {
  if (peers.length === 1 && peers[0] === 'none') return [];
  return peers.map((name) => peerNames.find((known) => known === name) ?? misuse(`There is no peer ${name}.`));
}

/** Starts all services on the database, in the order of the table. */
async function startAll(
  place: Place,
  tenant: Tenant,
  flags: Flags & { readonly chosen: readonly PeerName[] },
  into: Map<string, Contestant>,
): Promise<void> {
  into.set('ours', await startOurs(place, { profiles: flags.cpuProf }));
  if (flags.against !== undefined) into.set('other', await startOurs(place, { checkout: flags.against }));
  for (const name of flags.chosen) into.set(name, await startPeer(name, place, tenant.id));
}

interface Bench {
  readonly place: Place;
  readonly tenant: Tenant;
  readonly contestants: ReadonlyMap<string, Contestant>;
  readonly flags: Flags;
  /** Reports that one more measurement has ended. */
  readonly progress: (what: string) => void;
}

/** Measures all services in turn, round by round. */
async function measured({ name, path }: Scenario, bench: Bench): Promise<ScenarioResult> {
  const { place, tenant, contestants, flags, progress } = bench;
  const rounds = new Map<string, Measurement[]>([...contestants.keys()].map((label) => [label, []]));
  for (let round = -1; round < flags.rounds; round++) {
    for (const [label, { url, process: server }] of contestants) {
      const seconds = round < 0 ? WARM_UP_SECONDS : flags.seconds;
      const own = { url, path, keys: tenant.keys, connections: flags.connections, seconds };
      const one = await load({ ...own, pid: server.pid, databasePid: place.pid });
      if (round >= 0) rounds.get(label)?.push(one);
      progress(`${name}, ${label}${round < 0 ? ', warm-up' : ''}`);
    }
  }
  const services = [...rounds].map(([label, all]) => [label, figuresOf(all, rounds.get('ideal'))] as const);
  return { name, services: Object.fromEntries(services) };
}

/** Shows on a terminal what is measured, and how long the rest takes. */
function progressOf(total: number, averageSeconds: number): (what: string) => void {
  let done = 0;
  return (what) => {
    done++;
    if (!process.stderr.isTTY) return;
    const left = Math.ceil(((total - done) * averageSeconds) / 60);
    process.stderr.write(`\r\u001b[K[${done}/${total}] ${what}${done === total ? '\n' : `  ~${left} min left`}`);
  };
}

function show({ name, services }: ScenarioResult): void {
  console.log(`\n${name}`);
  for (const [label, figures] of Object.entries(services)) console.log(line(label, figures));
}

async function bench(given: Flags): Promise<number> {
  if ((given.check || given.record) && !given.peers.includes('ideal'))
    misuse('--check and --record need the peer ideal.');
  const names = namesOf(given.only ?? '');
  if (names.length === 0) misuse(`No operation is called ${given.only}; they are ${namesOf('').join('; ')}.`);
  const flags = { ...given, ...(given.quick && { rounds: 2, seconds: 1 }), chosen: peersOf(given) };
  let report: BenchReport | undefined;
  await withDatabase({ engine: flags.database }, async (place) => {
    const contestants = new Map<string, Contestant>();
    try {
      const tenant = await prepare(place.store, flags.employees);
      await startAll(place, tenant, flags, contestants);
      const chosen = scenarios(tenant).filter(({ name }) => names.includes(name));
      const total = chosen.length * contestants.size * (flags.rounds + 1);
      const progress = progressOf(total, flags.seconds);
      const results: ScenarioResult[] = [];
      for (const scenario of chosen) {
        const result = await measured(scenario, { place, tenant, contestants, flags, progress });
        show(result);
        results.push(result);
      }
      report = {
        ...{ format_version: 1, made_at: new Date().toISOString(), node: process.version },
        ...{ engine: place.pid === undefined ? 'MONGODB_URI' : flags.database, processors: availableParallelism() },
        ...{ employees: flags.employees, rounds: flags.rounds, seconds: flags.seconds, connections: flags.connections },
        scenarios: results,
      };
    } finally {
      for (const { process: server } of contestants.values()) await server.stop();
    }
  });
  if (report === undefined) return 1;
  mkdirSync(flags.out, { recursive: true });
  const data = `${JSON.stringify(report, null, 2)}\n`;
  writeFileSync(join(flags.out, 'bench.json'), data);
  writeFileSync(join(flags.out, 'bench.html'), benchPage(report));
  if (flags.json !== undefined) writeFileSync(flags.json, data);
  console.log(
    `\n× is the ratio to ideal by processor time; more is better. The page: ${join(flags.out, 'bench.html')}`,
  );
  const unexpected = report.scenarios
    .flatMap(({ services }) => Object.values(services))
    .some((one) => one.unexpected > 0);
  if (flags.record) record(report);
  const losses = flags.check ? lossesOf(report) : [];
  for (const loss of losses) console.log(`SLOWER than released: ${loss}`);
  return unexpected || losses.length > 0 ? 1 : 0;
}

const NOTES = `
The database is MONGODB_URI; without it one is started, and removed afterwards. Processor time is that of one process.

Exit codes: 0 measured, 1 an answer was not 200 or --check found a loss, 2 wrong usage

Examples:
  npm run bench
  npm run bench -- --database mongod --only listEmployees
  npm run bench -- --peers none --against ../before
  npm run bench -- --peers ideal --database mongod --check`;

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const count = wholeNumber(1, 1_000_000);
  const about = 'Measures what a request costs our server, and services that one would write or pick instead.';
  const program = commandLine('npm run bench --', about)
    .option('--seconds <N>', 'how long each measurement takes', count, 4)
    .option('--rounds <N>', 'how often each is repeated; the median counts', count, 5)
    .option('--connections <N>', 'concurrent requests', count, 16)
    .option('--employees <N>', 'size of the tenant', count, 3000)
    .option('--only <text>', 'only the operation of this name, or those whose name contains the text')
    .option('--peers <names>', `of ${peerNames.join(', ')}; or none`, commaList, peerNames)
    .addOption(new Option('--database <engine>', 'what is started').choices(ENGINES).default('embedded'))
    .option('--against <folder>', 'another checkout of the project, measured too')
    .option('--cpu-prof <folder>', "writes a CPU profile of our server there (open it in a browser's developer tools)")
    .option('--quick', 'two rounds of a second, to see that all of it works')
    .option('--check', 'fail if an operation lost 10 % against its released ratio to ideal')
    .option('--record', 'keep these ratios as the released ones')
    .option('--json <file>', 'write the figures to this file too')
    .option('--out <folder>', 'where figures and page are written', 'reports/bench')
    .addHelpText('after', NOTES)
    .action(exitingWith(bench));
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
