/** How a command of the settings tool or the seed ends when it does not succeed. */

import { type Command, CommanderError } from 'commander';
import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb';

export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure with a sentence for a person: what, where, what to do. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * How a command ends after an error: its exit code and what it says.
 * @returns null for an error that nobody foresaw
 */
export function ending(error: unknown): { code: ExitCode; message: string } | null {
  // Commander has said what is wrong already.
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: '' };
  if (error instanceof Failure) return { code: error.exitCode, message: error.message };
  if (isOutage(error)) {
    const message = `The database went away: ${(error as Error).message}. Repeat the command when it runs again.`;
    return { code: EXIT.unreachable, message };
  }
  if (error instanceof MongoError) return { code: EXIT.refused, message: `The database refused: ${error.message}` };
  return null;
}

/**
 * Runs one command line.
 * @param argv without the program's own name
 * @returns the exit code; what ended it without success is said on `stderr`
 */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  stderr: (text: string) => void,
): Promise<ExitCode> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const end = ending(error);
    if (end === null) throw error;
    if (end.message) stderr(`${end.message}\n`);
    return end.code;
  }
}

/** Aborted when somebody asks the process to end: Ctrl-C, or SIGTERM. */
export function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

/** Whether the connection failed, and not what was asked. */
export function isOutage(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) return isOutage(error.errorResponse);
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** What was asked for is not there or not allowed. */
export function refuse(message: string): never {
  throw new Failure(EXIT.refused, message);
}

/** The command line says something impossible. */
export function misuse(message: string): never {
  throw new Failure(EXIT.usage, message);
}
