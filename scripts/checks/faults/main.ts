/**
 * `npm run faults:machine`: tests what the service promises to survive, on real processes that it starts on loopback, and on
 * the database that `--database` or `TEST_MONGODB` names. Exit codes: 0 all promises held, 1 one was broken, 2 wrong
 * usage; a signal ends everything that was started.
 */
import { type Command, Option } from 'commander';
import {
  commandLine,
  EXIT,
  exitingWith,
  invalid,
  refuse,
  runProgram,
  wholeNumber,
} from '../../../conformance/command-line.ts';
import { runMain } from '../../../conformance/processes/ending.ts';
import { findMongod } from '../../testbed/mongod-tool.ts';
import { alerts } from './alerts.ts';
import { away } from './away.ts';
import { clocks } from './clocks.ts';
import { crash } from './crash.ts';
import { deliveries } from './deliveries.ts';
import { failover } from './failover.ts';
import { fair } from './fair.ts';
import { frozen } from './frozen.ts';
import { ingest } from './ingest.ts';
import { raceSuite } from './races.ts';
import { restoring } from './restore.ts';
import { rotation } from './rotate.ts';
import { stop } from './stop.ts';
import type { Suite, SuiteOptions } from './suite.ts';
import { upgrade } from './upgrade.ts';

const suites: readonly Suite[] = [
  crash,
  frozen,
  clocks,
  raceSuite,
  deliveries,
  ingest,
  away,
  failover,
  stop,
  fair,
  upgrade,
  rotation,
  restoring,
  alerts,
];

const SHOWN = 50;

interface CommandOptions {
  readonly seed: string;
  readonly only?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly database: string;
  readonly isOtherEngine?: boolean;
}

const KINDS = ['embedded', 'standalone', 'mongod'];

/**
 * A kind of database, or the address of a deployment. Even with an address, a database that a suite kills is one of its
 * own.
 */
function kindOf(text: string): string {
  if (text === '') return 'embedded';
  if (KINDS.includes(text) || /^mongodb(\+srv)?:\/\//.test(text)) return text;
  return invalid(`It must be ${KINDS.join(', ')} or a connection string.`);
}

/** Makes every database one of this kind. @throws Failure if a real one is requested and none is available */
async function choose({ database, quiet }: CommandOptions): Promise<void> {
  process.env.TEST_MONGODB = database;
  if (database === 'embedded') return;
  const found = await findMongod((text) => quiet || process.stderr.write(`${text}\n`));
  if ('path' in found) process.env.MONGOD = found.path;
  else if (KINDS.includes(database)) refuse(found.missing);
}

/** Runs a suite and prints the result. @returns whether all promises held */
async function runSuite(
  suite: Suite,
  said: CommandOptions,
  isQuick: boolean,
  size: (name: string) => number,
  text: SuiteOptions['text'] = (name) => suite.texts?.find((one) => one.name === name)?.usual ?? '',
): Promise<boolean> {
  const startedAt = performance.now();
  const say = (line: string) => said.quiet || process.stderr.write(`${suite.name}: ${line}\n`);
  const { lines, wrong } = await suite.run({ seed: said.seed, isQuick, say, size, text, only: said.only ?? [] });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (said.json) process.stdout.write(`${JSON.stringify({ suite: suite.name, seconds, lines, wrong })}\n`);
  else {
    const shown = wrong.slice(0, SHOWN).map((what) => `  BROKEN: ${what}`);
    if (wrong.length > SHOWN) shown.push(`  and ${wrong.length - SHOWN} more`);
    process.stdout.write(`${[...lines, ...shown, `${suite.name}: ${seconds} s.`].join('\n')}\n`);
  }
  return wrong.length === 0;
}

/** Runs three suites at a time, since they wait a lot. */
async function runQuick(said: CommandOptions): Promise<boolean> {
  const left = suites.filter(({ inQuick }) => (said.isOtherEngine ? inQuick === 'each engine' : inQuick));
  const lane = async () => {
    let held = true;
    for (let suite = left.shift(); suite !== undefined; suite = left.shift()) {
      const { sizes } = suite;
      held =
        (await runSuite(suite, said, true, (name) => sizes.find((size) => size.name === name)?.quick ?? 0)) && held;
    }
    return held;
  };
  return (await Promise.all([lane(), lane(), lane()])).every((held) => held);
}

function common(command: Command): Command {
  return command
    .option('--seed <text>', 'determines the times and choices', '1')
    .addOption(
      new Option('--database <kind>', 'embedded, or a real one: standalone, mongod (a replica set of one)')
        .argParser(kindOf)
        .default('embedded')
        .env('TEST_MONGODB'),
    )
    .addOption(new Option('--json', 'print one line of JSON for each suite'))
    .addOption(new Option('--quiet', 'say nothing while it runs'));
}

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const about = 'Tests the failures that the service must survive, with its own processes.';
  const program = commandLine('npm run faults:machine --', about);
  for (const suite of suites) {
    const command = common(program.command(suite.name).description(suite.about));
    for (const { name, about, usual } of suite.sizes)
      command.option(`--${name} <N>`, about, wholeNumber(1, 999_999), usual);
    for (const { name, about, usual } of suite.texts ?? []) command.option(`--${name} <text>`, about, usual);
    if (suite.parts) command.addOption(new Option('--only <names...>', 'parts of it').choices(suite.parts));
    const small = suite.sizes.map(({ name, quick }) => `--${name} ${quick}`).join(' ');
    command
      .addHelpText(
        'after',
        `\nExamples:\n  npm run faults:machine -- ${suite.name}\n  npm run faults:machine -- ${suite.name} ${small}`,
      )
      .action(
        exitingWith(async (flags: CommandOptions & Record<string, unknown>) => {
          const size = (name: string) => Number(flags[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())]);
          await choose(flags);
          return (await runSuite(suite, flags, false, size, (name) => String(flags[name]))) ? 0 : 1;
        }),
      );
  }
  const quick = program.command('quick').description('Runs most of the suites in a short form.');
  quick.option('--is-other-engine', 'only those that kill the database: the others have run on another engine');
  common(quick).action(
    exitingWith(async (said: CommandOptions) => {
      await choose(said);
      return (await runQuick(said)) ? 0 : 1;
    }),
  );
  // What a suite cannot do is a sentence for a person.
  return runProgram(program, argv, () => EXIT.refused);
}

if (import.meta.main) await runMain(main);
