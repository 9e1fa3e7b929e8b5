/**
 * `npm run conformance`: judges a running instance by the contract, over HTTP alone. The first word may name a command.
 */
import { CommanderError } from 'commander';
import { diffCommand } from './commands/diff.ts';
import { discoverCommand } from './commands/discover.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { deferred } from './deferred/main.ts';
import { BadState } from './deferred/state.ts';
import { RunStopped } from './engine/run.ts';
import { BadSelection } from './engine/selection.ts';
import { BadChoice } from './init/choices.ts';
import { runMain } from './processes/ending.ts';
import { BadProfile } from './profile/profile.ts';
import { BadBaseline } from './report/baseline.ts';
import { BadResults } from './report/read.ts';
import { exitCodes } from './report/results.ts';

type Command = (argv: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  diff: (argv) => diffCommand(argv.slice(1)),
  init: (argv) => initCommand(argv.slice(1)),
  discover: (argv) => discoverCommand(argv.slice(1)),
  doctor: (argv) => doctorCommand(argv.slice(1)),
  report: (argv) => reportCommand(argv.slice(1)),
  deferred: (argv) => deferred(argv.slice(1)),
};

/** Errors that the user can fix; their messages say how. */
const mendable = [BadProfile, BadChoice, BadSelection, BadBaseline, BadResults, BadState];

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await (commands[argv[0] ?? ''] ?? runCommand)(argv);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.badProfile;
    const isInput = mendable.some((kind) => error instanceof kind);
    const isPlain = isInput || error instanceof RunStopped;
    const why = error instanceof Error ? (isPlain ? error.message : error.stack) : String(error);
    process.stderr.write(`${isPlain ? why : `The suite itself failed: ${why}`}\n`);
    return isInput ? exitCodes.badProfile : exitCodes.harnessFault;
  }
}

if (import.meta.main) await runMain(main);
