/** Finds k6, runs it with a plan, reports its progress, and returns its summary. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Plan } from '../../../load/plan.ts';
import type { ObservedRequests, Summary } from '../../../load/report.ts';
import { Failure } from '../../kit/command-line.ts';
import { RunningProgram } from '../../kit/program.ts';
import { type FoundTool, goTool } from '../../kit/tools.ts';

const OLDEST = 2;
const root = resolve(import.meta.dirname, '../../..');

/** The version in k6's own text, such as `k6 v2.2.0 (go1.26, linux/amd64)`, in two words. */
export function versionIn(output: string): { readonly text: string; readonly major: number } {
  const [version = '', major = '0'] = /\bv(\d+)\.[\w.-]+/.exec(output) ?? [];
  return { text: `k6 ${version}`.trim(), major: Number(major) };
}

/** @returns its version, in two words */
export function k6Version(path: string): { readonly text: string; readonly major: number } {
  return versionIn(execFileSync(path, ['version'], { encoding: 'utf8' }));
}

/** The k6 on the PATH, or the pinned one, built once. @param say is called before something slow */
export async function findK6(say: (text: string) => void): Promise<FoundTool> {
  const found = await goTool(join(root, 'scripts/lab/run/k6'), say);
  if ('missing' in found) return found;
  const { text, major } = k6Version(found.path);
  // Older versions do not know TypeScript, or write a different summary.
  return major >= OLDEST ? found : { missing: `${found.path} is ${text}, and the scenarios need k6 ${OLDEST}` };
}

/** k6's exit code when a threshold was crossed. */
const THRESHOLDS_CROSSED = 99;
/** The exit code of a run that says nothing. */
const HARNESS_FAULT = 4;
const KEPT_PROBLEMS = 100;
const KEPT_OUTPUT = 4_000;

/** k6 could not do its work. This is not a verdict about the target. */
export const harnessFault = (message: string): never => {
  throw new Failure(HARNESS_FAULT, message);
};

/** The beginnings of lines that `load/target.ts` and `load/burst.ts` print. */
const PROBLEM = 'PROBLEM ';
const OBSERVATIONS = 'OBSERVATIONS ';

interface K6Run {
  readonly program: string;
  readonly script: string;
  readonly plan: Plan;
  readonly prepared: object;
  /** Keys; they are passed only through the environment. */
  readonly ring: object;
  /** Called every second with the progress of the run. */
  readonly progress: (line: string) => void;
  readonly stop: AbortSignal;
}

interface K6Result {
  readonly thresholdsHeld: boolean;
  readonly summary: Summary;
  readonly problems: readonly string[];
  readonly observations: ObservedRequests | undefined;
}

/**
 * Runs k6 to its end.
 * @throws Failure when it reports neither that thresholds held nor that they were crossed
 */
export async function runK6({ program, script, plan, prepared, ring, progress, stop }: K6Run): Promise<K6Result> {
  const folder = mkdtempSync(join(tmpdir(), 'load-'));
  const planFile = join(folder, 'plan.json');
  const summaryFile = join(folder, 'summary.json');
  try {
    writeFileSync(planFile, JSON.stringify({ plan, prepared }), { mode: 0o600 });
    // The caller's settings for k6 must not change the meaning of a plan.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('K6_'));
    const env = {
      ...Object.fromEntries(own),
      LOAD_PLAN: planFile,
      LOAD_SUMMARY: summaryFile,
      LOAD_KEYS: JSON.stringify(ring),
      K6_NO_USAGE_REPORT: 'true',
    };
    // Without an address k6 opens no port of its own.
    const argv = ['run', '--no-color', '--log-format', 'raw', '--address', '', script];
    const k6 = new RunningProgram([program, ...argv], { name: 'k6', env, cwd: folder, keptOutput: KEPT_OUTPUT });
    const end = () => k6.signal('SIGINT');
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    const problems: string[] = [];
    let observations: ObservedRequests | undefined;
    k6.lines.on('line', (line) => {
      if (/^running \(/.test(line)) progress(line);
    });
    createInterface({ input: k6.child.stderr as Readable }).on('line', (line) => {
      if (line.startsWith(OBSERVATIONS)) observations = JSON.parse(line.slice(OBSERVATIONS.length));
      if (line.startsWith(PROBLEM) && problems.length < KEPT_PROBLEMS) problems.push(line.slice(PROBLEM.length));
    });
    const code = await k6.ended;
    stop.removeEventListener('abort', end);
    if (stop.aborted) harnessFault('The run was stopped before its end; there is no verdict.');
    if (code !== 0 && code !== THRESHOLDS_CROSSED) harnessFault(k6.endReason);
    const summary = JSON.parse(readFileSync(summaryFile, 'utf8')) as Summary;
    return { thresholdsHeld: code === 0, summary, problems, observations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
