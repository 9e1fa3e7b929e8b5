/** How a command of the settings tool or the seed ends when it does not succeed. */

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

/** What was asked for is not there or not allowed. */
export function refuse(message: string): never {
  throw new Failure(EXIT.refused, message);
}

/** The command line says something impossible. */
export function misuse(message: string): never {
  throw new Failure(EXIT.usage, message);
}
