/**
 * `npm test` and `npm run check`: the checks of the project, those that need only Node and are worth their time for every
 * change, or all. They start what they need on free loopback ports and in a temporary folder, run as many steps at once
 * as the machine has room for, end everything that they started, and print a last line that counts all checks.
 */
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commaList, commandLine, exitingWith, misuse, runProgram } from '../../kit/command-line.ts';
import { untilStopped } from '../../kit/ending.ts';
import { findMongod } from '../../kit/mongod-tool.ts';
import { countsProcessorTime, processorSeconds } from '../../kit/processor-time.ts';
import { endPrograms, nodeScript } from '../../kit/program.ts';
import { type FoundTool, needed } from '../../kit/tools.ts';
import { integrationSteps, suiteRunOf } from './integration.ts';
import { loadStep } from './load.ts';
import { mongodbSteps } from './mongodb.ts';
import { joined, judged, type Outcome, once, READER_CORES, runCheck, type Step } from './run.ts';
import { chosenSteps, schedule } from './schedule.ts';
import { mongodDatabase, type ServiceDatabase, serviceDatabase } from './started.ts';
import { toolTestSteps } from './tool-tests.ts';
import { tourStep } from './tour.ts';
import { unitTests } from './unit.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A tool that only reads files and reports by its exit code whether all is well. */
function reader(name: string, about: string, argv: readonly string[], isQuick = true): Step {
  return {
    name,
    about,
    isQuick,
    cores: READER_CORES,
    isPatient: true,
    run: ({ say, niceness }) => runCheck(name, argv, { cwd: root, hear: say, niceness }),
  };
}

const READERS: readonly Step[] = [
  reader('lint', 'style and common mistakes (Biome)', ['node_modules/.bin/biome', 'check', '.']),
  reader('typecheck', 'types (TypeScript)', nodeScript('node_modules/typescript7/bin/tsc', '--noEmit')),
  reader(
    'generate',
    'generated modules are up to date',
    nodeScript('scripts/run.mjs', 'scripts/contract/generate/main.ts', '--check'),
  ),
  reader('lint:contract', 'the contract follows the rules for it', nodeScript('scripts/contract/lint.ts')),
  reader(
    'generators',
    'tools that read the contract accept it; only those that need only Node',
    nodeScript('scripts/run.mjs', 'scripts/contract/generators/main.ts', '--quick'),
    false,
  ),
];

const FAULTS = nodeScript('scripts/lab/main.ts', 'quick', '--quiet');

/** Everything that belongs to one run and ends with it. */
interface Run {
  readonly steps: readonly Step[];
  stop(): Promise<void>;
}

/** @throws Error if the engine is not available */
async function prepareRun({ database: wanted, all: isAll = false }: Flags, scratch: string): Promise<Run> {
  const find = once(() => findMongod((text) => console.log(text)));
  const database = serviceDatabase(wanted, find, scratch);
  if (wanted === 'mongod' || wanted === 'standalone') {
    process.env.MONGOD = needed(await find());
  }
  // The tests inside the steps read this variable.
  process.env.TEST_MONGODB = wanted;
  const real = mongodDatabase('mongod', find, join(scratch, 'mongodb'));
  return {
    steps: steps({ isAll, scratch, database, find, real: isAll && wanted === 'embedded' ? real : undefined }),
    async stop() {
      await Promise.all([database.stop(), real.stop()]);
    },
  };
}

interface Parts {
  readonly isAll: boolean;
  readonly scratch: string;
  readonly database: ServiceDatabase;
  readonly find: () => Promise<FoundTool>;
  /** Absent if all steps run on the one requested database. */
  readonly real: ServiceDatabase | undefined;
}

/** The steps in the order in which they begin when there is room: the longest first. */
function steps({ isAll, scratch, database, find, real }: Parts): readonly Step[] {
  const suiteRun = suiteRunOf(root, scratch, 'conformance');
  const onMongod = real && {
    root,
    scratch,
    find,
    database: real,
    faults: FAULTS,
    real: suiteRunOf(root, scratch, 'mongodb-conformance'),
  };
  const hasReal = async () => onMongod !== undefined && 'path' in (await find());
  const whole = async () => (onMongod !== undefined && (await hasReal()) ? onMongod.real : suiteRun);
  const all: readonly Step[] = [
    unitTests(root, scratch, { isAll, hasReal }),
    ...(onMongod ? mongodbSteps(onMongod) : []),
    ...READERS,
    ...integrationSteps({ root, scratch, database, suiteRun, isAll, whole }),
    tourStep(root, scratch, database),
    {
      name: 'faults',
      about: 'processes that are killed, stopped or without database lose and double nothing (short form)',
      cores: 1,
      run: async ({ say }) => {
        // What does not depend on the engine runs on the real one.
        const argv = (await hasReal()) ? [...FAULTS, '--is-other-engine'] : FAULTS;
        return runCheck('faults', argv, { cwd: root, hear: say });
      },
    },
    ...toolTestSteps(root, scratch),
    // Last, because k6 takes longest to build.
    loadStep(root, scratch, database),
  ];
  return isAll ? all : all.filter(({ isQuick = false }) => isQuick);
}

interface Flags {
  readonly all?: boolean;
  readonly prices?: boolean;
  readonly only?: readonly string[];
  readonly database: string;
  readonly list?: boolean;
}

const ABOUT =
  'Runs the checks of the project: with --all, as npm run check does, every one; else those that need only Node and are worth their time for every change. A step that reads what another one found brings that one with it, and the first word of mongodb/… names all of these.';

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const program = commandLine('npm test --', ABOUT)
    .option('--all', 'every step')
    .option('--only <steps>', 'only these steps, separated by commas', commaList)
    .option(
      '--database <engine>',
      'on which all of it runs: embedded, mongod (a replica set of one real MongoDB), standalone, or mongodb://…; MONGOD names the program. The steps mongodb/… then have nothing to add',
      process.env.TEST_MONGODB || 'embedded',
    )
    .option('--list', 'show only the steps')
    .option('--prices', 'one step after the other, and print the processor seconds of each; only on Linux')
    .action(exitingWith(test));
  return runProgram(program, argv);
}

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm';
const GIB = 2 ** 30;

/**
 * Where the files of a run go: in memory if there is plenty of it, because a disk that several databases sync to makes
 * their requests wait. `TMPDIR` names another folder.
 */
function roomyFolder(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= 8 * GIB) return IN_MEMORY;
  } catch {
    // Other systems have no such folder.
  }
  return tmpdir();
}

async function test(flags: Flags): Promise<number> {
  const { only, list, prices } = flags;
  if (prices && !countsProcessorTime) misuse('--prices reads /proc, which only Linux has.');
  const scratch = mkdtempSync(join(roomyFolder(), 'developer-api-test-'));
  // What the steps start makes its temporary files here too.
  process.env.TMPDIR = join(scratch, 'tmp');
  mkdirSync(process.env.TMPDIR);
  let run: Run | undefined;
  try {
    run = await prepareRun(flags, scratch);
    if (list) {
      for (const { name, about } of run.steps) console.log(`  ${name.padEnd(20)} ${about}`);
      return 0;
    }
    const { chosen, unknown } = chosenSteps(run.steps, only);
    if (unknown.length > 0) misuse(`There is no step ${unknown.join(', ')}; --list names those of this command.`);
    return await runAll(chosen, PATIENCE[flags.all ? 'check' : 'test'], prices);
  } finally {
    await run?.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * How much patient steps leave to others. The more, the less beside programs that are none of ours; but `npm run check`
 * has many steps that judge by time.
 */
const PATIENCE = { test: 3, check: 10 };

/** How many lines of a failure are repeated at the end. */
const SHOWN = 40;

/**
 * @param niceness of patient steps
 * @param isPriced whether the steps run one after the other, and the time that each costs is printed
 */
async function runAll(chosen: readonly Step[], niceness: number, isPriced = false): Promise<number> {
  const outcomes: Outcome[] = [];
  const prices: string[] = [];
  const stop = untilStopped();
  stop.addEventListener('abort', () => void endPrograms());
  for (const step of chosen) step.prepare?.();
  const isLive = chosen.length === 1;
  const finish = async (step: Step) => {
    if (stop.aborted) return;
    const title = `\n=== ${step.name}: ${step.about}\n`;
    let said = '';
    const say = (text: string) => {
      if (isLive) process.stdout.write(text);
      else said += text;
    };
    process.stdout.write(isLive ? title : `    ${step.name} …\n`);
    const startedAt = performance.now();
    const before = processorSeconds();
    const outcome = await step.run({ say, isLive, niceness }).catch((error: Error) => judged(false, error.message));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const verdict = outcome.failures.length === 0 ? `ok in ${seconds} s` : `FAILED in ${seconds} s`;
    prices.push(`${(processorSeconds() - before).toFixed(1).padStart(8)} s  ${step.name}`);
    const isRun = outcome.passed + outcome.failures.length > 0;
    const ending = isRun ? verdict : `DID NOT RUN: ${outcome.notRun}`;
    if (said !== '') process.stdout.write(`${title}${said.trimEnd()}\n`);
    console.log(`--- ${step.name}: ${ending}`);
    const named = (lines: readonly string[] = []) => lines.map((line) => `${step.name}: ${line}`);
    outcomes.push({ ...outcome, failures: named(outcome.failures), notRun: named(outcome.notRun) });
  };
  await schedule(chosen, isPriced ? 'one at a time' : Math.max(2, availableParallelism()), finish);
  if (stop.aborted) {
    console.log(`\nEnded by ${stop.reason}; what was started is stopped.`);
    return 1;
  }
  const { passed, failures, notRun = [] } = joined(outcomes);
  for (const failure of failures) console.log(`\nFAILED ${failure.split('\n').slice(0, SHOWN).join('\n  ')}`);
  if (isPriced) console.log(`\nProcessor seconds:\n${prices.join('\n')}`);
  if (notRun.length > 0) console.log(`\n${notRun.length} did not run:\n  ${notRun.join('\n  ')}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}
