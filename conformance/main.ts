/**
 * `npm run conformance`: judges a running instance by the contract, over HTTP alone. The first word may name a command.
 */
import type { Command } from 'commander';
import { runProgram } from '../scripts/kit/command-line.ts';
import { runMain } from '../scripts/kit/ending.ts';
import { diffCommand } from './commands/diff.ts';
import { discoverCommand } from './commands/discover.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { deferredCommand } from './deferred/main.ts';
import { exitCodes } from './report/results.ts';

const commands: Readonly<Record<string, () => Command>> = {
  diff: diffCommand,
  init: initCommand,
  discover: discoverCommand,
  doctor: doctorCommand,
  report: reportCommand,
  deferred: deferredCommand,
};

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const command = commands[argv[0] ?? ''];
  try {
    return await (command === undefined ? runProgram(runCommand(), argv) : runProgram(command(), argv.slice(1)));
  } catch (error) {
    const why = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`The suite itself failed: ${why}\n`);
    return exitCodes.harnessFault;
  }
}

if (import.meta.main) await runMain(main);
