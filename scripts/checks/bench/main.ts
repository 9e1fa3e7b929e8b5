/**
 * `npm run bench`: what the service costs, and whether it keeps what it promises in numbers. Each scenario works on a
 * database of its own, so that none works on what another has left.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import {
  commaList,
  commandLine,
  exitingWith,
  Failure,
  misuse,
  runProgram,
  wholeNumber,
} from '../../../conformance/command-line.ts';
import { runMain } from '../../../conformance/processes/ending.ts';
import { givenSecret } from '../../operate/settings/connect.ts';
import { largeDocuments, largeEmployees } from '../plans/large-tenants.ts';
import { type PeerName, peerNames } from './contestants.ts';
import { ENGINES, type Engine, openPlace } from './place.ts';
import { lossesOf, record } from './released.ts';
import { benchPage, isMet, type Report, type Result, tableText } from './report.ts';
import type { Scenario, ScenarioOptions, Sizes } from './scenario.ts';
import { creation } from './scenarios/creation.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { growth } from './scenarios/growth.ts';
import { ingest } from './scenarios/ingest.ts';
import { memory } from './scenarios/memory.ts';
import { printing } from './scenarios/printing.ts';
import { processes } from './scenarios/processes.ts';
import { rateLimit } from './scenarios/rate-limit.ts';
import { requests } from './scenarios/requests.ts';
import { start } from './scenarios/start.ts';
import { worstDocuments } from './scenarios/worst-documents.ts';

/** For a large tenant, a command may take long. */
const TIMEOUT_MS = 60 * 60 * 1000;

/** The scenarios by kind; a kind may be named instead of all of its scenarios. */
const kinds: Readonly<Record<string, readonly Scenario[]>> = {
  requests,
  aims: [creation, ingest, deliveries, rateLimit, start, memory, printing],
  plans: [largeEmployees, largeDocuments],
  others: [processes, worstDocuments, growth],
};
const all = Object.values(kinds).flat();

interface Flags extends Sizes {
  readonly only: readonly string[];
  readonly database: Engine;
  readonly peers: readonly string[];
  readonly against?: string;
  readonly keep?: string;
  readonly warm?: true;
  readonly quick?: true;
  readonly cpuProf?: string;
  readonly check?: true;
  readonly record?: true;
  readonly out: string;
}

/** The scenarios of a name: those of a kind, the one that is called so, or else all whose names contain it. */
function named(name: string): readonly Scenario[] {
  const exact = kinds[name] ?? all.filter((one) => one.name === name);
  const found = exact.length > 0 ? exact : all.filter((one) => one.name.includes(name));
  return found.length > 0
    ? found
    : misuse(`There is no scenario ${name}. There are: ${all.map((one) => one.name).join('; ')}.`);
}

/** @throws misuse for a name that is none of a peer */
function peersOf({ peers, check, record }: Flags): PeerName[] {
  const chosen = peers.length === 1 && peers[0] === 'none' ? [] : peers;
  if ((check || record) && !chosen.includes('ideal')) misuse('--check and --record need the peer ideal.');
  return chosen.map((name) => peerNames.find((known) => known === name) ?? misuse(`There is no peer ${name}.`));
}

async function measured(scenario: Scenario, flags: Flags, options: Omit<ScenarioOptions, 'place'>): Promise<Result> {
  const { name, about, needsMongod } = scenario;
  const engine = needsMongod ? 'mongod' : flags.database;
  try {
    await using place = await openPlace({ engine, name: flags.keep, timeoutMs: TIMEOUT_MS });
    return { name, about, rows: await scenario.run({ ...options, place }) };
  } catch (error) {
    // The service may refuse what a scenario asks: on a slow machine, for example. Then the others still count.
    if (!(error instanceof Failure)) throw error;
    return { name, about, rows: [], broke_off: error.message };
  }
}

/** Shows on a terminal what is done, and about how long the rest takes. @param later seconds of the scenarios after it */
function progressOf({ name, seconds }: Scenario, later: number): (what: string) => void {
  const startedAt = performance.now();
  return (what) => {
    if (!process.stderr.isTTY) return;
    const own = Math.max(0, seconds - (performance.now() - startedAt) / 1000);
    process.stderr.write(`\r\u001b[K${name}: ${what}  ~${Math.ceil((own + later) / 60)} min left`);
  };
}

async function bench(flags: Flags): Promise<number> {
  const chosen = [...new Set(flags.only.flatMap(named))];
  const { quick: isQuick = false, warm: isWarm = false, cpuProf: profiles, out } = flags;
  const options = { ...flags, peers: peersOf(flags), isQuick, isWarm, profiles };
  const [load_before = 0] = loadavg();
  const results: Result[] = [];
  for (const [nth, scenario] of chosen.entries()) {
    const later = chosen.slice(nth + 1).reduce((sum, { seconds }) => sum + seconds, 0);
    const result = await measured(scenario, flags, { ...options, say: progressOf(scenario, later) });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    console.log(tableText(result));
    results.push(result);
  }
  const report: Report = {
    format_version: 2,
    made_at: new Date().toISOString(),
    engine: givenSecret(process.env, 'MONGODB_URI') ? 'MONGODB_URI' : flags.database,
    node: process.version,
    processors: availableParallelism(),
    load_before,
    quick: isQuick,
    scenarios: results,
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, 'bench.html'), benchPage(report));
  console.log(`\nThe page: ${join(out, 'bench.html')}`);
  if (flags.record) record(report);
  const losses = flags.check ? lossesOf(report) : [];
  for (const loss of losses) console.log(`SLOWER than released: ${loss}`);
  return losses.length === 0 && results.every(isMet) ? 0 : 1;
}

const listOf = (kind: string, scenarios: readonly Scenario[]) =>
  [`  ${kind}:`, ...scenarios.map(({ name, about }) => `    ${name.padEnd(38)}${about}`)].join('\n');

const NOTES = `
Scenarios, by kind:
${Object.entries(kinds)
  .map(([kind, scenarios]) => listOf(kind, scenarios))
  .join('\n')}

The database is MONGODB_URI; without it one is started for each scenario, and removed afterwards.

Exit codes: 0 measured, and all aims are met; 1 an aim is not met, a scenario broke off or --check found a loss; 2 wrong
usage

Examples:
  npm run bench
  npm run bench -- --only aims --database mongod
  npm run bench -- --peers none --against ../before --only getEmployee
  npm run bench -- --peers ideal --database mongod --check
  npm run bench -- --only large-employees --employees 1000000 --warm --rounds 100`;

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const count = wholeNumber(1, 10_000_000);
  const program = commandLine('npm run bench --', 'Measures what the service costs, and what it promises in numbers.')
    .option('--only <names>', 'scenarios or kinds of them, separated by commas', commaList, ['requests'])
    .addOption(new Option('--database <engine>', 'what is started').choices(ENGINES).default('embedded'))
    .option('--peers <names>', `services beside ours: ${peerNames.join(', ')}; or none`, commaList, [...peerNames])
    .option('--against <folder>', 'another checkout of the project, whose requests are measured too')
    .option('--rounds <N>', 'how often each measurement is repeated; the median counts', count)
    .option('--seconds <N>', 'how long each measurement of requests takes', count)
    .option('--connections <N>', 'concurrent requests', count)
    .option('--employees <N>', 'size of the tenant', count)
    .option('--documents <N>', 'how many documents a large tenant has', count)
    .option('--keep <name>', 'keeps the data of a large tenant in this database of MONGODB_URI, for further runs')
    .option('--warm', 'lets the database keep its plans of lists of employees between measurements')
    .option('--cpu-prof <folder>', "writes CPU profiles of our server there (open them in a browser's developer tools)")
    .option('--quick', 'small numbers, to see that all of it works')
    .option('--check', 'fail if an operation lost 10 % against its released ratio to ideal')
    .option('--record', 'keep these ratios as the released ones')
    .option('--out <folder>', 'where figures and page are written', 'reports/bench')
    .addHelpText('after', NOTES)
    .action(exitingWith(bench));
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
