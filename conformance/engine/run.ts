/** Runs the selected rules: the coordinator in this process, Jest in another, in two phases. Then joins the results. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { deleteEndpoints } from '../callbacks/delete-endpoints.ts';
import { openCallbacks } from '../callbacks/open.ts';
import { coverageOf, declaredInputs } from '../judge/coverage.ts';
import { limitFactsOf, type MeasuredLimit } from '../judge/limit-facts.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Sighting } from '../judge/seen.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { type Deviation, excuse } from '../report/baseline.ts';
import { countsOf, joined, mustOf, type Results, verdictOf } from '../report/results.ts';
import { rules, rulesDirectory } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { Coordinator } from './coordinator.ts';
import { phasesOf } from './phases.ts';
import { readLines } from './reporter.ts';
import type { Phase, RunFile } from './run-file.ts';

const require = createRequire(import.meta.url);

/** A signal stopped the run early. */
export class RunStopped extends Error {
  constructor() {
    super(
      'The run was stopped before its end; there is no verdict. Its webhook endpoints are deleted, but what a rule was just changing, such as a flag or a name, may be left changed.',
    );
    this.name = 'Stopped';
  }
}

export interface RunOptions {
  loaded: LoadedProfile;
  profilePath: string;
  selected: Rule[];
  record?: string;
  baseline?: readonly Deviation[];
  onProgress?: (rule: string, status: string, reason: string) => void;
  /** Receives Jest's own output if something must be explained. */
  onOutput?: (text: string) => void;
  /** Stops the run at once. */
  stop?: AbortSignal;
}

/**
 * Runs the rules. Those that run alone come second, one at a time.
 * @throws Stopped
 */
export async function runRules(options: RunOptions): Promise<Results> {
  const { loaded, selected } = options;
  const { profile } = loaded;
  const began = Date.now();
  const callbacks = await openCallbacks(
    selected.some(({ needs }) => needs?.callbacks) ? profile.callbacks : { mode: 'none' },
  );
  const coordinator = new Coordinator({
    maxWrites: profile.tenant.max_writes,
    failedAuthPerSecond: profile.values.failed_auth_per_s,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    onCallbacks: async (ask) => callbacks.state?.answer(ask),
    onClock: (moved) => callbacks.receiver?.clockMoved(moved),
  });
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const run: RunFile = {
      profile,
      profile_path: options.profilePath,
      run_id: randomBytes(4).toString('hex'),
      salt: randomBytes(16).toString('hex'),
      link_port: await coordinator.listen(),
      directory,
      phases: phasesOf(selected),
      record: options.record === undefined ? '' : join(directory, 'record'),
      callbacks: callbacks.facts,
      inputs: declaredInputs(),
    };
    const runFile = join(directory, 'run.json');
    writeFileSync(runFile, JSON.stringify(run), { mode: 0o600 });
    const outcomes: Outcome[] = [];
    for (const [index, phase] of run.phases.entries()) {
      outcomes.push(...(await runJest(options, { ...phase, runFile, directory, index }, coordinator)));
    }
    if (options.record !== undefined) collectRecord(directory, options.record);
    return resultsOf(options, run, { outcomes, began, writes: coordinator.writes });
  } finally {
    await deleteEndpoints(coordinator.endpoints.all, loaded);
    await callbacks.close();
    await coordinator.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What happened in a run, besides what its workers have left in its directory. */
interface RunEvents {
  outcomes: readonly Outcome[];
  /** Milliseconds since 1970. */
  began: number;
  writes: number;
}

function resultsOf(options: RunOptions, run: RunFile, { outcomes, began, writes }: RunEvents): Results {
  const { selected } = options;
  const { profile, directory } = run;
  const sightings = readLines<Sighting>(directory, 'seen-');
  const limit = limitFactsOf(profile.limit_probe ?? 'light', readLines<MeasuredLimit>(directory, 'limit-'));
  const today = new Date(began).toISOString().slice(0, 10);
  const { results, problems } = excuse(joined(selected, outcomes, sightings), options.baseline ?? [], today);
  return {
    format_version: 1,
    run_id: run.run_id,
    target: {
      name: profile.name,
      base_url: profile.base_url,
      tenant: profile.tenant.tag,
      capabilities: profile.capabilities,
    },
    started_at: new Date(began).toISOString(),
    duration_ms: Date.now() - began,
    whole: selected.length === rules.filter(({ excluded }) => excluded === undefined).length,
    profile: shownPath(options.profilePath),
    ...verdictOf(results, problems),
    counts: countsOf(results),
    must: mustOf(results),
    exchanges: results.reduce((sum, { exchanges }) => sum + exchanges, 0),
    writes,
    rules: results,
    baseline: problems,
    coverage: coverageOf(sightings, profile.values),
    ...(limit ? { limit } : {}),
    excluded: rules.flatMap(({ id, text, excluded }) =>
      excluded === undefined ? [] : [{ id, text, reason: excluded }],
    ),
  };
}

/**
 * A path for reports, which reveal nothing about the machine: relative if below the working directory, else only the
 * name.
 */
function shownPath(path: string): string {
  const below = relative('', path);
  return below.startsWith('..') || isAbsolute(below) ? basename(path) : below;
}

interface JestPhase extends Phase {
  runFile: string;
  directory: string;
  index: number;
}

async function runJest(
  { loaded, stop, onOutput }: RunOptions,
  phase: JestPhase,
  coordinator: Coordinator,
): Promise<Outcome[]> {
  const phaseFile = join(phase.directory, `phase-${phase.index}.json`);
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js');
  const args = [jest, '--config', join(import.meta.dirname, '../jest.config.js')];
  args.push(phase.workers === 1 ? '--runInBand' : `--maxWorkers=${phase.workers}`);
  args.push('--forceExit', '--runTestsByPath', ...phase.files.map((name) => join(rulesDirectory, name)));
  const child = spawn(process.execPath, args, {
    // Jest also demands a configuration in the working directory, and a run may start in any directory.
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ...loaded.secrets,
      CONF_RUN_FILE: phase.runFile,
      CONF_PHASE: String(phase.index),
      CONF_PHASE_FILE: phaseFile,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that its workers end with it and none is left when the next phase runs.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output = (output + part.toString('utf8')).slice(-20_000);
    });
  }
  const end = async () => {
    // An endpoint whose creation is answered now can be deleted.
    await coordinator.endpoints.stop();
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It has already ended by itself.
    }
  };
  stop?.addEventListener('abort', end);
  if (stop?.aborted) await end();
  await new Promise((resolve) => child.on('close', resolve));
  stop?.removeEventListener('abort', end);
  if (stop?.aborted) throw new RunStopped();
  try {
    return JSON.parse(readFileSync(phaseFile, 'utf8')) as Outcome[];
  } catch {
    onOutput?.(output);
    return [];
  }
}

function collectRecord(directory: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '', { mode: 0o600 });
  for (const name of readdirSync(directory)) {
    if (basename(name).startsWith('record.')) appendFileSync(target, readFileSync(join(directory, name)));
  }
}
