/** What became of a mutation, as a file of results keeps it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../conformance/report/replace-file.ts';
import type { Planned } from './mutation.ts';

/** `unclear`: the run said nothing; `does_not_start`: the service did not, so the suite could not be run. */
export type State = 'caught' | 'survived' | 'does_not_start' | 'unclear' | 'not_run';

/** What the suite, or the unit tests, made of a mutation. */
export interface Side {
  readonly state: State;
  /** The rule or the test that found it first. */
  readonly by?: string;
  readonly reason?: string;
  /** Rules that warned, which counts as nothing found. */
  readonly warned?: readonly string[];
  /** What failed once, and not again or without the mutation too; it counts as nothing found. */
  readonly unsteady?: readonly string[];
}

export interface Verdict {
  readonly id: string;
  /** Of the mutation and its file: a change of either makes the verdict void. */
  readonly fingerprint: string;
  readonly suite: Side;
  readonly unit: Side;
  readonly seconds: number;
}

/** A mutation with its verdict. */
export interface Tried {
  readonly mutation: Planned;
  readonly verdict: Verdict;
}

export type Ending = 'suite' | 'unit' | 'does_not_start' | 'unclear' | 'survived';

/** In which column of the report it stands. */
export function endingOf({ suite, unit }: Pick<Verdict, 'suite' | 'unit'>): Ending {
  if (suite.state === 'caught') return 'suite';
  if (unit.state === 'caught') return 'unit';
  if (suite.state === 'does_not_start') return 'does_not_start';
  return suite.state === 'survived' && unit.state === 'survived' ? 'survived' : 'unclear';
}

/** Whether somebody has to look at it: nothing found it, and the catalogue does not say why nothing needs to. */
export function isOpen({ mutation, verdict }: Tried): boolean {
  return ['survived', 'unclear'].includes(endingOf(verdict)) && mutation.reason === undefined;
}

export function fingerprintOf(root: string, { file, find, replace }: Planned): string {
  const parts = [readFileSync(join(root, file), 'utf8'), find, replace];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The verdicts of earlier runs and of this one: a file for each mutation, so that an interrupted run is resumed. */
export class Verdicts {
  readonly #folder: string;

  constructor(out: string) {
    this.#folder = join(out, 'verdicts');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** The verdict of an earlier run; undefined if there is none, or if the mutation or its file is another one now. */
  of(mutation: Planned, root: string): Verdict | undefined {
    const name = `${mutation.id}.json`;
    if (!existsSync(join(this.#folder, name))) return undefined;
    const found = this.#read(name);
    return found.fingerprint === fingerprintOf(root, mutation) ? found : undefined;
  }

  #read(name: string): Verdict {
    return JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as Verdict;
  }

  keep(verdict: Verdict): void {
    replaceFile(join(this.#folder, `${verdict.id}.json`), `${JSON.stringify(verdict, null, 2)}\n`);
  }
}
