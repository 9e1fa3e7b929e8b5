/** Runs the selected rules: the coordinator in this process, Jest in another, in two phases. Then joins the results. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { deleteEndpoints } from '../callbacks/delete-endpoints.ts';
import { openCallbacks } from '../callbacks/open.ts';
import { inFrontText } from '../http/in-front.ts';
import { coverageOf, declaredInputs } from '../judge/coverage.ts';
import { limitFactsOf, type MeasuredLimit } from '../judge/limit-facts.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Sighting } from '../judge/seen.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { type Deviation, excuse } from '../report/baseline.ts';
import { countsOf, type EarlyEnd, joined, mustOf, type Results, verdictOf } from '../report/results.ts';
import { rules, rulesDirectory } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { Coordinator } from './coordinator.ts';
import { jestConfig } from './jest-config.ts';
import { phasesOf } from './phases.ts';
import { readLines } from './reporter.ts';
import { RunEnd } from './run-end.ts';
import type { Phase, RunFile } from './run-file.ts';

const require = createRequire(import.meta.url);

export interface RunOptions {
  loaded: LoadedProfile;
  profilePath: string;
  selected: Rule[];
  record?: string;
  baseline?: readonly Deviation[];
  /** The page of the docs, to which reports link rules. */
  docs?: string | undefined;
  onProgress?: (rule: string, status: string, reason: string) => void;
  /** Receives Jest's own output if something must be explained. */
  onOutput?: (text: string) => void;
  /** Ends the run early. */
  stop?: AbortSignal;
}

/**
 * Runs the rules. Those that run alone come second, one at a time. A run that ends early, for whatever reason, returns
 * what it has found.
 * @throws BadProfile if deliveries cannot be received at the address of the profile
 */
export async function runRules(options: RunOptions): Promise<Results> {
  const { loaded, selected } = options;
  const { profile } = loaded;
  const began = Date.now();
  const callbacks = await openCallbacks(
    selected.some(({ needs }) => needs?.callbacks) ? profile.callbacks : { mode: 'none' },
  );
  const coordinator: Coordinator = new Coordinator({
    maxWrites: profile.tenant.max_writes,
    failedAuthPerSecond: profile.values.failed_auth_per_s,
    onDone: (done) => end.note(done),
    onCallbacks: async (ask) => callbacks.state?.answer(ask),
    onClock: (moved) => callbacks.receiver?.clockMoved(moved),
  });
  const end = new RunEnd({ ...options, baseUrl: profile.base_url }, coordinator);
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
    try {
      for (const [index, phase] of run.phases.entries()) {
        if (end.early === undefined)
          outcomes.push(...(await runJest(options, { ...phase, runFile, directory, index }, end)));
      }
    } catch (error) {
      end.now('suite_failed', `The suite itself failed: ${error instanceof Error ? error.stack : String(error)}`);
      outcomes.push(...readLines<Outcome>(directory, 'outcomes-'));
    }
    if (options.record !== undefined) collectRecord(directory, options.record);
    const { writes } = coordinator;
    return resultsOf(options, run, {
      outcomes: outcomes.map((one) => end.judged(one)),
      began,
      writes,
      early: end.early,
    });
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
  early: EarlyEnd | undefined;
}

function resultsOf(options: RunOptions, run: RunFile, { outcomes, began, writes, early }: RunEvents): Results {
  const { selected } = options;
  const { profile, directory } = run;
  const sightings = readLines<Sighting>(directory, 'seen-');
  const limit = limitFactsOf(profile.limit_probe ?? 'light', readLines<MeasuredLimit>(directory, 'limit-'));
  const today = new Date(began).toISOString().slice(0, 10);
  const rows = joined(selected, outcomes, sightings, early);
  const { results, problems } = excuse(rows, options.baseline ?? [], today);
  return {
    format_version: 1,
    run_id: run.run_id,
    target: {
      name: profile.name,
      base_url: profile.base_url,
      tenant: profile.tenant.tag,
      capabilities: profile.capabilities,
      ...(profile.terminator ? { terminator: inFrontText() } : {}),
      ...(options.docs === undefined ? {} : { docs: options.docs }),
    },
    started_at: new Date(began).toISOString(),
    duration_ms: Date.now() - began,
    whole: selected.length === rules.filter(({ excluded }) => excluded === undefined).length,
    ...(early ? { unfinished: early } : {}),
    profile: shownPath(options.profilePath),
    ...verdictOf(results, problems, early),
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

/** @returns the outcomes of a phase; if it ends early, those of all phases so far */
async function runJest({ loaded, onOutput }: RunOptions, phase: JestPhase, end: RunEnd): Promise<Outcome[]> {
  const phaseFile = join(phase.directory, `phase-${phase.index}.json`);
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js');
  const args = [jest, '--config', JSON.stringify(jestConfig)];
  args.push(phase.workers === 1 ? '--runInBand' : `--maxWorkers=${phase.workers}`);
  args.push('--forceExit', '--runTestsByPath', ...phase.files.map((name) => join(rulesDirectory, name)));
  const child = spawn(process.execPath, args, {
    // Jest also demands a configuration in the working directory, and a run may start in any directory.
    cwd: jestConfig.rootDir,
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
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It has already ended by itself.
    }
  };
  end.quiet.then(kill);
  const how = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(String(signal ?? code)));
  });
  // A process that was killed has left its workers.
  kill();
  if (end.early === undefined && existsSync(phaseFile)) return JSON.parse(readFileSync(phaseFile, 'utf8')) as Outcome[];
  if (end.early === undefined) {
    onOutput?.(output);
    end.now('suite_failed', `The process that checks the rules ended with ${how}.`);
  }
  return readLines<Outcome>(phase.directory, 'outcomes-');
}

function collectRecord(directory: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '', { mode: 0o600 });
  for (const name of readdirSync(directory)) {
    if (basename(name).startsWith('record.')) appendFileSync(target, readFileSync(join(directory, name)));
  }
}
