/** What a scenario of the lab is: what it is about, its sizes, and what it finds, beside what is promised. */

/** What a value must not exceed, or must reach, in the unit of the value. Without either it is only shown. */
export interface Bound {
  readonly most?: number;
  readonly least?: number;
}

/** A value that was found. */
export interface Figure {
  /** What distinguishes it from the other figures of its row; `''` if it is the only one. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly aim: Bound;
  /** Null for a value without a bound. */
  readonly met: boolean | null;
}

/** What was found about one thing. */
export interface Row {
  readonly label: string;
  readonly figures: readonly Figure[];
}

/** Compares a value with its bound. A value that is no number, such as a ratio to nothing, keeps no promise. */
export function figure(name: string, value: number, unit: string, aim: Bound = {}): Figure {
  const { most, least } = aim;
  if (most === undefined && least === undefined) return { name, value, unit, aim, met: null };
  // NaN fails every comparison.
  const met = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY);
  return { name, value, unit, aim, met };
}

/** A row with one figure. */
export function finding(label: string, value: number, unit: string, aim: Bound = {}): Row {
  return { label, figures: [figure('', value, unit, aim)] };
}

/** A number that a scenario takes as an option. */
export interface Size {
  readonly name: string;
  readonly about: string;
  readonly usual: number;
  /** The value in the short form. */
  readonly quick: number;
}

export const size = (name: string, about: string, usual: number, quick = usual): Size => ({
  name,
  about,
  usual,
  quick,
});

/** The promised times apply to a machine that does nothing else. */
export const slack = size('slack', 'how many times longer than promised things may take on this machine', 1, 8);

/** A text that a scenario takes as an option; empty by default. */
interface TextOption {
  readonly name: string;
  readonly about: string;
}

export interface ScenarioOptions {
  readonly seed: string;
  /** Whether small numbers are enough, which only show that it works. */
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
  /** The value of one of the scenario's sizes. */
  readonly size: (name: string) => number;
  /** The value of one of the scenario's texts; `''` without one. */
  readonly text: (name: string) => string;
  /** Whether a part of the scenario is to run. */
  readonly isChosen: (part: string) => boolean;
}

/** The result of a scenario. */
export interface Result {
  /** Sentences about what was counted. */
  readonly lines?: readonly string[];
  /** Figures, some of which have a bound. */
  readonly rows?: readonly Row[];
  /** Sentences that each describe a promise that was broken. */
  readonly wrong?: readonly string[];
}

/** A line of the project, and what is planted in its place. */
export interface Defect {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Something that is tried out or measured, on processes of the scenario's own. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** The kind of defect that it is there to find. */
  readonly finds: string;
  /** One of them, which the short form must find; absent where it needs more than one line or another release. */
  readonly defect?: Defect;
  readonly sizes?: readonly Size[];
  readonly texts?: readonly TextOption[];
  /** Parts of the scenario that can be run alone. */
  readonly parts?: readonly string[];
  /**
   * Whether it is part of `quick`; of `quick` on each engine, if it kills the database and so also shows what that
   * loses.
   */
  readonly inQuick?: boolean | 'each engine';
  /** @throws Error when a process does not even start */
  run(options: ScenarioOptions): Promise<Result>;
}
