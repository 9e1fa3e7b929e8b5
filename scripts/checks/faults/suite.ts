/** What a fault suite consists of. */

/** A number that a suite takes as an option. */
export interface Size {
  readonly name: string;
  readonly about: string;
  readonly usual: number;
  /** The value that `quick` uses. */
  readonly quick: number;
}

/** A text that a suite takes as an option. */
export interface TextOption {
  readonly name: string;
  readonly about: string;
  readonly usual: string;
}

export interface SuiteOptions {
  readonly seed: string;
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
  /** The value of one of the suite's sizes. */
  readonly size: (name: string) => number;
  /** The value of one of the suite's texts. */
  readonly text: (name: string) => string;
  /** The parts of the suite to run; all if none is named. */
  readonly only: readonly string[];
}

/** The result of a suite. */
export interface Result {
  /** Lines about the measurements. */
  readonly lines: readonly string[];
  /** Sentences that each describe a promise that was broken. */
  readonly wrong: readonly string[];
}

/** A promise of the service that is tried out, on processes of the suite's own. */
export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly sizes: readonly Size[];
  readonly texts?: readonly TextOption[];
  /** Parts of the suite that can be run alone. */
  readonly parts?: readonly string[];
  /**
   * Whether the suite is part of `quick`; of `quick` on each engine, if it kills the database and so also shows what that
   * loses.
   */
  readonly inQuick: boolean | 'each engine';
  /** @throws Error when a process does not even start */
  run(options: SuiteOptions): Promise<Result>;
}

export const size = (name: string, about: string, usual: number, quick = usual): Size => ({
  name,
  about,
  usual,
  quick,
});

/** The promised times apply to a machine that does nothing else. */
export const slack = size('slack', 'how many times longer than promised things may take on this machine', 1, 8);
