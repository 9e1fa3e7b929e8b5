/**
 * `npm run conformance`: judges a running instance by the contract, over HTTP alone. The first word may name a command.
 */
import type { Command } from 'commander';
import { printable, runProgram, standardOutput } from '../scripts/kit/command-line.ts';
import { runMain, untilStopped } from '../scripts/kit/ending.ts';
import { exitCodes } from './report/exit-codes.ts';

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  diff: async () => (await import('./commands/diff.ts')).diffCommand(),
  init: async () => (await import('./commands/init.ts')).initCommand(),
  discover: async () => (await import('./commands/discover.ts')).discoverCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  report: async () => (await import('./commands/report.ts')).reportCommand(),
  deferred: async () => (await import('./deferred/main.ts')).deferredCommand(),
};

/** A run, which can be stopped with its reports from here on: its rules take a second to load. */
async function run(): Promise<Command> {
  untilStopped();
  return (await import('./commands/run.ts')).runCommand();
}

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const command = commands[argv[0] ?? ''];
  try {
    return await runProgram(await (command ?? run)(), command === undefined ? argv : argv.slice(1));
  } catch (error) {
    const why = error instanceof Error ? error.stack : String(error);
    standardOutput.stderr(`The suite itself failed: ${printable(why ?? '')}\n`);
    return exitCodes.harnessFault;
  }
}

if (import.meta.main) await runMain(main);
