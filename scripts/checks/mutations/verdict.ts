/** The result of trying a mutation, as a file keeps it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../conformance/report/replace-file.ts';
import type { PlannedMutation } from './mutation.ts';

/** `unclear`: the run gave no result; `does_not_start`: the service did not start, so the suite could not run. */
export type State = 'caught' | 'survived' | 'does_not_start' | 'unclear' | 'not_run';

/** The result of the suite, or of the unit tests, with a mutation. */
export interface Side {
  readonly state: State;
  /** The rule or the test that found it first. */
  readonly by?: string;
  readonly reason?: string;
  /** Rules that only warned; this does not count as finding the mutation. */
  readonly warned?: readonly string[];
  /** What failed only once, or fails without the mutation too; this does not count as finding the mutation. */
  readonly unsteady?: readonly string[];
}

export interface Verdict {
  readonly id: string;
  /** A digest of the mutation and its file: after a change of either, the verdict no longer counts. */
  readonly fingerprint: string;
  readonly suite: Side;
  readonly unit: Side;
  readonly seconds: number;
}

/** A mutation with its verdict. */
export interface TriedMutation {
  readonly mutation: PlannedMutation;
  readonly verdict: Verdict;
}

export type Ending = 'suite' | 'unit' | 'does_not_start' | 'unclear' | 'survived';

/** The column of the report to which it belongs. */
export function endingOf({ suite, unit }: Pick<Verdict, 'suite' | 'unit'>): Ending {
  if (suite.state === 'caught') return 'suite';
  if (unit.state === 'caught') return 'unit';
  if (suite.state === 'does_not_start') return 'does_not_start';
  return suite.state === 'survived' && unit.state === 'survived' ? 'survived' : 'unclear';
}

/** Whether somebody has to look at it: nothing found it, and the catalogue gives no reason why nothing has to. */
export function isOpen({ mutation, verdict }: TriedMutation): boolean {
  return ['survived', 'unclear'].includes(endingOf(verdict)) && mutation.reason === undefined;
}

export function fingerprintOf(root: string, { file, find, replace }: PlannedMutation): string {
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

  /** The verdict of an earlier run; undefined if there is none, or if the mutation or its file has changed since. */
  of(mutation: PlannedMutation, root: string): Verdict | undefined {
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
