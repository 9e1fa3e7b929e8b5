/** What a tool that reads the contract is asked to do, and what is reported of it. */

/** How far a tool came. */
export interface Report {
  /** Version of the tool. */
  readonly version: string;
  /** What was made, compiled and run, in a few words. */
  readonly made: string;
  readonly compiled: string;
  readonly ran: string;
}

/** A tool is absent, and why; nothing is said of the contract then. */
export interface NotRun {
  readonly missing: string;
}

/** A stage failed: the message says what the tool printed. */
export class StageFailed extends Error {
  override name = 'StageFailed';
}

/** What a tool gets. */
export interface Bench {
  /** An empty folder of its own. */
  readonly folder: string;
  /** File of the contract for generators. */
  readonly json: string;
  /** File of the contract itself. */
  readonly yaml: string;
  /** Where the service is. */
  readonly url: string;
  /** Says what takes time. */
  say(text: string): void;
  /**
   * Runs a program that uses the client, against the service, and compares what it prints with what is true.
   * @returns in a few words, what it did @throws StageFailed where it did not
   */
  judge(program: string, argv: readonly string[], options?: Place): Promise<string>;
}

/** Where a program runs. */
export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One row of the table. */
export interface Generator {
  readonly name: string;
  /** Whether it needs nothing but Node and the installed packages, so that `npm test` runs it. */
  readonly isQuick: boolean;
  /** Whether a client of it is run, for which a service is needed. */
  readonly needsService: boolean;
  run(bench: Bench): Promise<Report | NotRun>;
}
