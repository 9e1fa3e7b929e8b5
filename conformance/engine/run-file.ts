/**
 * What the main process passes to its workers: a file named by CONF_RUN_FILE. It never holds keys; they come by
 * environment variables.
 */
import { readFileSync } from 'node:fs';
import type { CallbackFacts } from '../callbacks/open.ts';
import type { InputNames } from '../judge/inputs.ts';
import type { Profile } from '../profile/profile.ts';

/** Rules that one Jest process runs. */
export interface Phase {
  /** Their ids. */
  rules: string[];
  /** The files that hold them, in the order in which they begin. */
  files: string[];
  /** How many files run at the same time. */
  workers: number;
}

export interface RunFile {
  profile: Profile;
  profile_path: string;
  run_id: string;
  salt: string;
  link_port: number;
  /** Where outcomes and judgements of this run are collected. */
  directory: string;
  phases: Phase[];
  /** Where every exchange is recorded with its bodies; '' for nowhere. */
  record: string;
  callbacks: CallbackFacts;
  /** What the operations of the contract take. */
  inputs: InputNames;
}

let cached: RunFile | undefined;

/** The run to which this process belongs, or undefined outside a run. */
export function currentRun(): RunFile | undefined {
  const path = process.env.CONF_RUN_FILE;
  if (path === undefined || path === '') return undefined;
  cached ??= JSON.parse(readFileSync(path, 'utf8')) as RunFile;
  return cached;
}

/** The phase to which this process belongs; CONF_PHASE is its place in the list. */
export function currentPhase(): Phase | undefined {
  return currentRun()?.phases[Number(process.env.CONF_PHASE)];
}
