/** What the questions of `init` are about. */
import { misuse, withProblems } from '../../scripts/kit/command-line.ts';
import type { Callbacks } from '../profile/profile.ts';

/** The answers by the names of questions; what was not asked is absent. Paths are relative to the current directory. */
export interface Answers {
  base_url: string;
  name: string;
  tenant: string;
  writes: boolean;
  max_writes?: number;
  large_bodies?: boolean;
  load_consent?: string;
  capabilities: string[];
  keys: string[];
  full_keys: number;
  callbacks: Callbacks['mode'];
  callbacks_listen?: string;
  callbacks_certificate?: string;
  callbacks_key?: string;
  callbacks_url?: string;
  callbacks_command?: string[];
  clock: string;
  replicas: string[];
  admin: [name: string, words: string[]][];
  value: [name: string, value: unknown][];
  out: string;
  env_file: string;
}

/** Refuses answers that do not make a profile. @param problems sentences for the person who gave them */
export const noProfile = (problems: readonly string[]): never =>
  misuse(withProblems('No profile was written:', problems));
