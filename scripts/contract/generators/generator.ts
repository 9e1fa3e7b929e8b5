/** What a tool that reads the contract has to do, and what is reported about it. */

/** The results of a tool's stages. */
export interface Report {
  /** Version of the tool. */
  readonly version: string;
  /** What was made, compiled and run, in a few words each. */
  readonly made: string;
  readonly compiled: string;
  readonly ran: string;
}

/** A tool is not available, and why. This says nothing about the contract. */
export class ToolMissing extends Error {
  override name = 'ToolMissing';
}

/** A stage failed. The message is the tool's output. */
export class StageFailed extends Error {
  override name = 'StageFailed';
}

/** What a tool gets for its work. */
export interface Bench {
  /** An empty folder of its own. */
  readonly folder: string;
  /** The file of the contract for generators. */
  readonly json: string;
  /** The file of the contract itself. */
  readonly yaml: string;
  /** The base URL of the service. */
  readonly url: string;
  /** Reports that something takes time. */
  say(text: string): void;
  /**
   * Runs a program that uses the client against the service, and compares what it prints with the truth.
   * @returns what it did, in a few words @throws StageFailed if it did not
   */
  judge(program: string, argv: readonly string[], options?: Place): Promise<string>;
}

/** The folder and environment in which a program runs. */
export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One row of the table. */
export interface Generator {
  readonly name: string;
  /** Whether it needs only Node, npm and no service, so that `npm run check` runs it. */
  readonly isQuick: boolean;
  /** Whether its client is run, which needs a service. */
  readonly needsService: boolean;
  run(bench: Bench): Promise<Report>;
}
