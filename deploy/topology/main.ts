/**
 * `npm run topology`: the whole deployment on this machine without containers, with the files of `deploy/`. Exit codes: 0
 * stopped, or what ran on it found nothing wrong; 1 a part failed, or cannot be had here; 2 wrong usage; otherwise that of
 * the command that ran on it.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { commandLine, exitingWith, runProgram, seconds, wholeNumber } from '../../conformance/command-line.ts';
import { runMain, untilStopped } from '../../conformance/processes/ending.ts';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { endPrograms } from '../../conformance/processes/program.ts';
import { programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import { run } from '../../scripts/testbed/run-program.ts';
import { day, dayText } from './day.ts';
import { type TerminatorKind, terminatorKinds } from './terminator.ts';
import { Topology } from './topology.ts';

interface Flags {
  readonly terminator: TerminatorKind;
  readonly data?: string;
  readonly employees: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

/** Room for the rules about totals that may be estimates. */
const EMPLOYEES = 10_500;
const HALF_AN_HOUR_S = 1_800;
const USUAL_RATE = 16;

/** Adds what each command takes. */
function withFlags(command: Command): Command {
  return command
    .addOption(new Option('--terminator <kind>', 'what ends TLS').choices(terminatorKinds).default('nginx'))
    .option('--data <folder>', 'where everything is kept (default: a temporary folder)')
    .option('--employees <N>', 'employees of the main tenant', wholeNumber(200, 1_000_000), EMPLOYEES)
    .option('--keep', 'leave the folder')
    .option('--json', 'print JSON');
}

/** Starts a topology, does the work on it, and tidies up. @returns the exit code of the work */
async function onTopology(
  flags: Flags,
  work: (topology: Topology, stop: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = untilStopped();
  const folder = resolve(flags.data ?? temporaryFolder('topology-'));
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const topology = new Topology({ terminator: flags.terminator, folder, employees: flags.employees, say });
  const died = topology.parts.died.then((reason) => {
    throw new Error(reason);
  });
  try {
    await Promise.race([topology.start(), once(stop, 'abort'), died]);
    // What runs on it ends before it does.
    return stop.aborted ? 0 : await Promise.race([work(topology, stop), died]);
  } catch (error) {
    if (stop.aborted) return 0;
    say(`The topology has ended: ${(error as Error).message}`);
    return 1;
  } finally {
    await topology.stop();
    await endPrograms();
    if (flags.keep) say(`Kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function shown({ addresses }: Topology, isJson: boolean | undefined): string {
  if (isJson) return JSON.stringify({ event: 'ready', ...addresses });
  const { url, storage_url, api, metrics, mongod, s3, prometheus, authority, profile } = addresses;
  const lines = [
    ['api', url],
    ['files', storage_url],
    ['behind', [...api, s3].join(' ')],
    ['metrics', metrics.map((one) => one.url).join(' ')],
    ['database', mongod.join(' ')],
    ['alerts', prometheus === null ? 'Prometheus is not on the PATH' : `${prometheus}/alerts`],
    ['authority', authority],
    ['check it', `NODE_EXTRA_CA_CERTS=${authority} npm run conformance -- --profile ${profile}`],
    ['load it', `SSL_CERT_FILE=${authority} NODE_EXTRA_CA_CERTS=${authority} npm run load -- day --profile ${profile}`],
  ];
  return [...lines.map(([name = '', value]) => `${name.padEnd(10)} ${value}`), 'Ctrl-C ends it.'].join('\n');
}

function start(flags: Flags): Promise<number> {
  return onTopology(flags, async (topology, stop) => {
    console.log(shown(topology, flags.json));
    await once(stop, 'abort');
    return 0;
  });
}

/** The variables by which the suite and k6 trust the authority of the topology. */
export const trusting = ({ authorityFile }: Topology) => ({
  NODE_EXTRA_CA_CERTS: authorityFile,
  SSL_CERT_FILE: authorityFile,
});

function conformance(more: readonly string[], flags: Flags): Promise<number> {
  return onTopology(flags, async (topology, stop) => {
    const argv = programLine('conformance/main.ts', '--profile', topology.addresses.profile, ...more);
    const hear = (text: string) => void process.stdout.write(text);
    const code = await run(argv, { cwd: ROOT, env: trusting(topology), hear, stop });
    return typeof code === 'number' ? code : 1;
  });
}

interface DayFlags extends Flags {
  readonly duration: number;
  readonly rate: number;
}

function wholeDay({ duration, rate, ...flags }: DayFlags): Promise<number> {
  return onTopology(flags, async (topology, stop) => {
    const options = { durationS: duration, rate, say: topology.options.say, stop };
    const report = await day(topology, options, trusting(topology));
    console.log(flags.json ? JSON.stringify(report) : dayText(report));
    return 0;
  });
}

function program(): Command {
  const about = 'Runs the whole deployment on this machine, without containers, with the files of deploy/.';
  const line = withFlags(commandLine('npm run topology --', about))
    .enablePositionalOptions()
    .action(exitingWith(start));
  withFlags(
    line.command('conformance').description('Start it, run the conformance suite through the terminator, end it.'),
  )
    .argument('[words...]', 'for the suite, after --')
    .passThroughOptions()
    .action(exitingWith(conformance));
  withFlags(line.command('day').description('Start it, load it while one member of each kind is killed, end it.'))
    .option('--duration <time>', 'how long', seconds, HALF_AN_HOUR_S)
    .option('--rate <number>', 'requests a second', wholeNumber(1, 1_000), USUAL_RATE)
    .action(exitingWith(wholeDay));
  return line;
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return runProgram(program(), argv);
}

if (import.meta.main) await runMain(main);
