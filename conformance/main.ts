/**
 * `npm run conformance`: judges a running instance by the contract, over HTTP alone. The first word may name a command.
 */
import type { Command } from 'commander';
import { runProgram } from './command-line.ts';
import { diffCommand } from './commands/diff.ts';
import { discoverCommand } from './commands/discover.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { deferredCommand } from './deferred/main.ts';
import { BadState } from './deferred/state.ts';
import { BadSelection } from './engine/selection.ts';
import { BadChoice } from './init/answers.ts';
import { runMain } from './processes/ending.ts';
import { BadProfile } from './profile/profile.ts';
import { BadBaseline } from './report/baseline.ts';
import { BadResults } from './report/read.ts';
import { exitCodes } from './report/results.ts';

const commands: Readonly<Record<string, () => Command>> = {
  diff: diffCommand,
  init: initCommand,
  discover: discoverCommand,
  doctor: doctorCommand,
  report: reportCommand,
  deferred: deferredCommand,
};

/** Errors that the user can fix; their messages say how. */
const mendable = [BadProfile, BadChoice, BadSelection, BadBaseline, BadResults, BadState];

function codeOf(error: unknown): number | undefined {
  return mendable.some((kind) => error instanceof kind) ? exitCodes.badProfile : undefined;
}

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const command = commands[argv[0] ?? ''];
  try {
    return await (command === undefined
      ? runProgram(runCommand(), argv, codeOf)
      : runProgram(command(), argv.slice(1), codeOf));
  } catch (error) {
    const why = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`The suite itself failed: ${why}\n`);
    return exitCodes.harnessFault;
  }
}

if (import.meta.main) await runMain(main);
