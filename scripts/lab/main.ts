/**
 * `npm run lab -- NAME`: tries what the service promises to survive, and measures what it promises in numbers, on real
 * processes that it starts on loopback, and on the database that `--database` or `TEST_MONGODB` names. Exit codes: 0 all
 * promises held, 1 one was broken, 2 wrong usage; otherwise those of a suite. A signal ends everything that was started.
 */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { withTrafficFaults } from '../../conformance/mutation/command.ts';
import { withTopology } from '../../deploy/topology/command.ts';
import {
  commandLine,
  EXIT,
  exitingWith,
  Failure,
  invalid,
  refuse,
  runProgram,
  wholeNumber,
} from '../kit/command-line.ts';
import { runMain } from '../kit/ending.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import { findMongod } from '../kit/mongod-tool.ts';
import { nodeScript } from '../kit/program.ts';
import { copyProject } from '../kit/project-copy.ts';
import { endingOf, LAST_WORDS } from '../kit/run-program.ts';
import { creation } from './bench/scenarios/creation.ts';
import { deliveries as deliverySpeed } from './bench/scenarios/deliveries.ts';
import { growth } from './bench/scenarios/growth.ts';
import { ingest as ingestSpeed } from './bench/scenarios/ingest.ts';
import { memory } from './bench/scenarios/memory.ts';
import { printing } from './bench/scenarios/printing.ts';
import { rateLimit } from './bench/scenarios/rate-limit.ts';
import { requests } from './bench/scenarios/requests.ts';
import { start } from './bench/scenarios/start.ts';
import { withSourceFaults } from './mutations/command.ts';
import { removeFolder, withMutation } from './mutations/copy.ts';
import { largeDocuments, largeEmployees } from './plans/large-tenants.ts';
import { areMet, tableLines } from './report.ts';
import type { Scenario, ScenarioOptions } from './scenario.ts';
import { alerts } from './scenarios/alerts.ts';
import { clocks } from './scenarios/clocks.ts';
import { crash } from './scenarios/crash.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { fair } from './scenarios/fair.ts';
import { firstStart } from './scenarios/first-start.ts';
import { frozen } from './scenarios/frozen.ts';
import { ingest } from './scenarios/ingest.ts';
import { away, failover } from './scenarios/outages.ts';
import { restoring } from './scenarios/restore.ts';
import { rotation } from './scenarios/rotate.ts';
import { stop } from './scenarios/stop.ts';
import { upgrade } from './scenarios/upgrade.ts';

/** Failures that the service survives. */
const failures = [
  crash,
  frozen,
  clocks,
  deliveries,
  ingest,
  away,
  failover,
  stop,
  fair,
  upgrade,
  rotation,
  restoring,
  firstStart,
  alerts,
];
/** What it promises in numbers. */
const aims = [creation, ingestSpeed, deliverySpeed, rateLimit, start, memory, printing];

const scenarios: readonly Scenario[] = [...failures, ...aims, requests, largeEmployees, largeDocuments, growth];

const ROOT = resolve(import.meta.dirname, '../..');
const SHOWN = 50;

interface Flags extends Readonly<Record<string, unknown>> {
  readonly seed: string;
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly planted?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly database: string;
  readonly isOtherEngine?: boolean;
}

const KINDS = ['embedded', 'standalone', 'mongod'];

/**
 * A kind of database, or the address of a deployment. Even with an address, a database that a scenario kills is one of its
 * own.
 */
function kindOf(text: string): string {
  if (text === '') return 'embedded';
  if (KINDS.includes(text) || /^mongodb(\+srv)?:\/\//.test(text)) return text;
  return invalid(`It must be ${KINDS.join(', ')} or a connection string.`);
}

/** Makes every database one of this kind. @throws Failure if a real one is requested and none is available */
async function choose({ database, quiet }: Flags): Promise<void> {
  process.env.TEST_MONGODB = database;
  if (database === 'embedded') return;
  const found = await findMongod((text) => quiet || process.stderr.write(`${text}\n`));
  if ('path' in found) process.env.MONGOD = found.path;
  else if (KINDS.includes(database)) refuse(found.missing);
}

/** The name of an option as commander hands it over. */
const camel = (name: string) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

function optionsOf({ name, sizes = [] }: Scenario, flags: Flags): ScenarioOptions {
  const { seed, only } = flags;
  const isQuick = flags.quick ?? false;
  const size = (wanted: string) => {
    const known = sizes.find((one) => one.name === wanted);
    return Number(flags[camel(wanted)] ?? known?.[isQuick ? 'quick' : 'usual']);
  };
  const text = (wanted: string) => String(flags[camel(wanted)] ?? '');
  const say = (line: string) => flags.quiet || process.stderr.write(`${name}: ${line}\n`);
  const isChosen = (part: string) => only?.includes(part) ?? true;
  return { seed, isQuick, say, size, text, isChosen };
}

/** Runs a scenario and prints the result. @returns whether all promises held */
async function runScenario(scenario: Scenario, flags: Flags): Promise<boolean> {
  const startedAt = performance.now();
  const { lines = [], rows = [], wrong = [] } = await scenario.run(optionsOf(scenario, flags));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (flags.json) process.stdout.write(`${JSON.stringify({ scenario: scenario.name, seconds, lines, rows, wrong })}\n`);
  else {
    const shown = wrong.slice(0, SHOWN).map((what) => `  BROKEN: ${what}`);
    if (wrong.length > SHOWN) shown.push(`  and ${wrong.length - SHOWN} more`);
    process.stdout.write(
      `${[...lines, ...tableLines(rows), ...shown, `${scenario.name}: ${seconds} s.`].join('\n')}\n`,
    );
  }
  return wrong.length === 0 && areMet(rows);
}

/** Runs three scenarios at a time, since they wait a lot. */
async function runQuick(flags: Flags): Promise<boolean> {
  const left = scenarios.filter(({ inQuick }) => (flags.isOtherEngine ? inQuick === 'each engine' : inQuick));
  const lane = async () => {
    let held = true;
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      held = (await runScenario(scenario, { ...flags, quick: true })) && held;
    }
    return held;
  };
  return (await Promise.all([lane(), lane(), lane()])).every((held) => held);
}

/** A command that runs scenarios on the chosen database, and whose exit code says whether all promises held. */
function running(command: Command, work: (flags: Flags) => Promise<boolean>): Command {
  return command
    .option('--seed <text>', 'determines the times and choices', '1')
    .addOption(
      new Option('--database <kind>', 'embedded, or a real one: standalone, mongod (a replica set of one)')
        .argParser(kindOf)
        .default('embedded')
        .env('TEST_MONGODB'),
    )
    .option('--json', 'print one line of JSON for each scenario')
    .option('--quiet', 'say nothing while it runs')
    .action(
      exitingWith(async (flags: Flags) => {
        await choose(flags);
        return (await work(flags)) ? 0 : 1;
      }),
    );
}

/** Runs its short form in a copy of the project in which its defect is planted. @returns whether it finds it */
async function findsDefect({ name, defect }: Scenario, { database, only = [] }: Flags): Promise<boolean> {
  if (defect === undefined) return refuse(`${name} has no defect that can be planted by a line.`);
  const folder = temporaryFolder('planted-');
  copyProject(ROOT, folder);
  const words = [
    '--quick',
    '--quiet',
    '--json',
    '--database',
    database,
    ...(only.length > 0 ? ['--only', ...only] : []),
  ];
  const argv = nodeScript('scripts/lab/main.ts', name, ...words);
  const { said } = await withMutation(folder, { id: name, ...defect }, () => endingOf(argv, { cwd: folder }));
  removeFolder(folder);
  const line = said.split('\n').find((one) => one.startsWith('{'));
  if (line === undefined) return refuse(`${name} came to no end: ${said.slice(-LAST_WORDS)}`);
  process.stdout.write(`${line}\n`);
  return JSON.parse(line).wrong.length > 0;
}

function withScenario(program: Command, scenario: Scenario): void {
  const { name, about, finds, sizes = [], texts = [], parts } = scenario;
  const described = program.command(name).summary(about).description(`${about}\nIt finds: ${finds}.`);
  const command = running(described, (flags) =>
    flags.planted ? findsDefect(scenario, flags) : runScenario(scenario, flags),
  );
  const number = wholeNumber(1, 10_000_000);
  for (const one of sizes)
    command.option(`--${one.name} <N>`, `${one.about} (default: ${one.usual}; quick: ${one.quick})`, number);
  for (const one of texts) command.option(`--${one.name} <text>`, one.about);
  if (parts) command.addOption(new Option('--only <names...>', 'parts of it').choices(parts));
  command
    .option('--quick', 'small numbers, to see that all of it works')
    .option('--planted', 'plant a defect in a copy of the project, which the short form must find there');
}

const MARGIN = 17;
const listed = (program: Command) =>
  program.commands.map((command) => {
    const about = command.description().replaceAll('\n', `\n${' '.repeat(MARGIN)}`);
    return `${command.name().padEnd(MARGIN)}${about}\n`;
  });

/** The command line, with every command. */
export function lab(): Command {
  const program = commandLine('npm run lab --', 'Tries what the service promises, with its own processes.');
  program
    .enablePositionalOptions()
    .option('--list', 'say what each command does, and what a scenario finds')
    .action(
      exitingWith(async ({ list }: { readonly list?: boolean }) => {
        if (list) process.stdout.write(listed(program).join(''));
        else program.outputHelp();
        return list ? EXIT.ok : EXIT.usage;
      }),
    );
  for (const scenario of scenarios) withScenario(program, scenario);
  running(program.command('quick').description('Runs most of the scenarios in a short form.'), runQuick).option(
    '--is-other-engine',
    'only those that kill the database: the others have run on another engine',
  );
  const measure = async (flags: Flags) => {
    let held = true;
    for (const scenario of aims) held = (await runScenario(scenario, flags)) && held;
    return held;
  };
  running(
    program.command('aims').description('Measures all that is promised in numbers, one after the other.'),
    measure,
  );
  withTopology(program);
  withTrafficFaults(program);
  withSourceFaults(program);
  return program;
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  // What a scenario cannot do is a sentence for a person.
  return runProgram(lab(), argv, (error) => (error instanceof Failure ? undefined : EXIT.refused));
}

if (import.meta.main) await runMain(main);
