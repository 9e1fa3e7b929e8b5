/** What the main process tells its workers: a file named by CONF_RUN_FILE. Keys are never in it; they come by environment. */
import { readFileSync } from 'node:fs';
import type { CallbackFacts } from './callbacks/open.ts';
import type { Profile } from './profile.ts';

export interface RunFile {
  profile: Profile;
  profile_path: string;
  run_id: string;
  salt: string;
  link_port: number;
  /** Where outcomes and judgements of this run are collected. */
  directory: string;
  /** Ids of the rules to run. */
  selected: string[];
  /** Where every exchange is recorded with its bodies, or ''. */
  record: string;
  callbacks: CallbackFacts;
}

let cached: RunFile | undefined;

/** The run that this process works for, or undefined outside a run. */
export function currentRun(): RunFile | undefined {
  const path = process.env.CONF_RUN_FILE;
  if (path === undefined || path === '') return undefined;
  cached ??= JSON.parse(readFileSync(path, 'utf8')) as RunFile;
  return cached;
}
