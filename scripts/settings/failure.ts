/** How a command of the settings tool or the seed ends when it fails. */
import { type Command, CommanderError } from 'commander';
import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb';

export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure whose message is for a person: what went wrong, where, and what to do. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * How a command ends after an error: its exit code and its message.
 * @returns null for an unexpected error
 */
export function ending(error: unknown): { code: ExitCode; message: string } | null {
  // Commander has already printed what is wrong.
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
 * @returns the exit code; the reason for a failure is written to `stderr`
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

/** Aborted when the process is asked to end: by Ctrl-C or SIGTERM. */
export function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

/** Whether the connection failed, rather than the request. */
export function isOutage(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) return isOutage(error.errorResponse);
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** Ends the command because the requested thing does not exist or is not allowed. */
export function refuse(message: string): never {
  throw new Failure(EXIT.refused, message);
}

/** Ends the command because its command line is invalid. */
export function misuse(message: string): never {
  throw new Failure(EXIT.usage, message);
}
