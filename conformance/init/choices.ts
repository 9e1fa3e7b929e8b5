/** What `conformance init` must know. */
import { basename, dirname, relative } from 'node:path';
import type { Callbacks } from '../profile/profile.ts';
import type { AdminCommand } from '../profile/schema.ts';
import type { Answers } from './answers.ts';

export interface Choices {
  name: string;
  base_url: string;
  replicas: string[];
  /** The file that will hold the keys, relative to the profile. */
  env_file: string;
  tenant: string;
  consent_to_writes: boolean;
  consent_to_large_bodies: boolean;
  /** Host of base_url to which load may be sent; '' for none. */
  load_consent: string;
  max_writes: number;
  /** Names of the keys that may be available, such as `full` or `load`; each gets its own variable. */
  keys: string[];
  /** How many equivalent keys `full` may have. */
  full_keys: number;
  /** Additions that the target claims. */
  capabilities: string[];
  /** URL of the control clock; '' for none. */
  clock_url: string;
  callbacks: Callbacks;
  admin: Partial<Record<AdminCommand, string[]>>;
  /** Working directory of those commands, relative to the profile. */
  admin_cwd: string;
  /** Values where the target differs from the example. */
  values: Record<string, unknown>;
}

/** The answers do not make a profile; `problems` are sentences for the person who gave them. */
export class BadChoice extends Error {
  constructor(problems: readonly string[]) {
    super(`No profile was written:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'BadChoice';
  }
}

/** Paths are given relative to the current directory, and written relative to the profile. */
export function choicesOf(answers: Answers, cwd: string): Choices {
  const folder = dirname(answers.out);
  const fromProfile = (path: string | undefined) => (path ? { path: relative(folder, path) } : undefined);
  const { callbacks: mode } = answers;
  const part = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
  return {
    name: answers.name,
    base_url: answers.base_url,
    replicas: answers.replicas,
    env_file: relative(folder, answers.env_file) || basename(answers.env_file),
    tenant: answers.tenant,
    consent_to_writes: answers.writes,
    consent_to_large_bodies: answers.large_bodies ?? false,
    load_consent: answers.load_consent ?? '',
    max_writes: answers.max_writes ?? 5000,
    keys: answers.keys,
    full_keys: answers.full_keys,
    capabilities: answers.capabilities,
    clock_url: answers.clock,
    callbacks: {
      mode,
      ...part('listen', answers.callbacks_listen),
      ...part('url', answers.callbacks_url),
      ...part('command', answers.callbacks_command),
      ...part('certificate', fromProfile(answers.callbacks_certificate)?.path),
      ...part('key', fromProfile(answers.callbacks_key)?.path),
    },
    admin: Object.fromEntries(answers.admin) as Partial<Record<AdminCommand, string[]>>,
    admin_cwd: relative(folder, cwd) || '.',
    values: Object.fromEntries(answers.value),
  };
}
