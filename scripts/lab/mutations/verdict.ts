/** The result of trying a mutation, as a file keeps it, and the report of all. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultReport, ReportedFault } from '../../../conformance/mutation/report.ts';
import { replaceFile } from '../../../conformance/report/replace-file.ts';
import { areaOf, type Mutation } from './mutation.ts';

/** `unclear`: the run gave no result; `does_not_start`: the service did not start, so the suite could not run. */
type State = 'caught' | 'survived' | 'does_not_start' | 'unclear' | 'not_run';

/** The result of the suite, or of the unit tests, with a mutation. */
export interface Side {
  readonly state: State;
  /** The rule, or the file of tests, that found it. */
  readonly by?: string;
  readonly reason?: string;
  /** What failed only once, or fails without the mutation too; this does not count as finding the mutation. */
  readonly unsteady?: readonly string[];
}

export interface Verdict {
  readonly id: string;
  /** A digest of the mutation and its file: after a change of either, the verdict no longer counts. */
  readonly fingerprint: string;
  readonly suite: Side;
  readonly unit: Side;
}

function fingerprintOf(root: string, { file, find, replace }: Mutation): string {
  const parts = [readFileSync(join(root, file), 'utf8'), find, replace];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The verdicts of earlier runs and of this one: a file for each mutation, so that an interrupted run is resumed. */
export type Verdicts = ReturnType<typeof verdictsIn>;

/** @param root the project that is mutated */
export function verdictsIn(out: string, root: string) {
  const folder = join(out, 'verdicts');
  mkdirSync(folder, { recursive: true });
  const fileOf = ({ id }: Mutation) => join(folder, `${id}.json`);

  /** What is known of it; nothing has run if the mutation or its file has changed since. */
  function of(mutation: Mutation): Verdict {
    const file = fileOf(mutation);
    const fingerprint = fingerprintOf(root, mutation);
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Verdict) : undefined;
    if (known?.fingerprint === fingerprint) return known;
    return { id: mutation.id, fingerprint, suite: { state: 'not_run' }, unit: { state: 'not_run' } };
  }

  return {
    of,
    keep(mutation: Mutation, name: 'suite' | 'unit', side: Side): void {
      const verdict = { ...of(mutation), [name]: side };
      replaceFile(
        fileOf(mutation),
        `${JSON.stringify(verdict, null, 2)}
`,
      );
    },
    forget: (mutation: Mutation): void => rmSync(fileOf(mutation), { force: true }),
  };
}

const NOT_STARTED = 'the service does not start with it';

/** The verdict in words. */
function wordOf({ suite, unit }: Verdict): string {
  if (suite.state === 'caught') return 'caught by the suite';
  if (unit.state === 'caught') return 'caught by unit tests';
  if (suite.state === 'does_not_start') return 'does not start';
  return suite.state === 'unclear' || unit.state === 'unclear' ? 'unclear' : 'survived';
}

function told({ state, by, reason, unsteady = [] }: Side): string {
  const seen =
    state === 'caught' ? `${by}: ${reason}` : [state.replaceAll('_', ' '), reason].filter(Boolean).join(', ');
  return unsteady.length > 0 && state !== 'caught' ? `${seen}; failed once: ${unsteady.join(', ')}` : seen;
}

function rowOf(mutation: Mutation, verdict: Verdict): ReportedFault {
  const reason = verdict.suite.state === 'does_not_start' ? NOT_STARTED : mutation.reason;
  return {
    id: mutation.id,
    part: areaOf(mutation),
    place: mutation.file,
    breaks: mutation.effect,
    verdict: wordOf(verdict),
    isFound: verdict.suite.state === 'caught' || verdict.unit.state === 'caught',
    said: `Suite: ${told(verdict.suite)}. Unit tests: ${told(verdict.unit)}.`,
    ...(reason !== undefined && { reason }),
  };
}

/** @param misfits what does not fit the source, and why */
export function reportOf(
  planned: readonly Mutation[],
  verdicts: Verdicts,
  misfits: ReadonlyMap<string, string>,
  began: number,
): FaultReport {
  const fitting = planned.filter(({ id }) => !misfits.has(id));
  const isTried = ({ suite, unit }: Verdict) => suite.state !== 'not_run' || unit.state !== 'not_run';
  const tried = fitting.map((one) => ({ one, verdict: verdicts.of(one) })).filter(({ verdict }) => isTried(verdict));
  const names = new Set(tried.map(({ one }) => one.id));
  return {
    format_version: 2,
    title: 'Faults in the source',
    how: 'Each is one fault in the source of the service. What failed only once, or fails without it too, has not found it.',
    started_at: new Date(began).toISOString(),
    duration_ms: Date.now() - began,
    whole: tried.length === planned.length,
    faults: tried.map(({ one, verdict }) => rowOf(one, verdict)),
    controls: [],
    without: planned
      .filter(({ id }) => !names.has(id))
      .map(({ id }) => ({ name: id, reason: misfits.get(id) ?? 'not tried yet' })),
  };
}
