/** What `conformance init` must know. */
import type { AdminCommand, Callbacks } from '../profile.ts';

export interface Wishes {
  name: string;
  base_url: string;
  replicas: string[];
  /** Where the keys will stand, relative to the profile. */
  env_file: string;
  tenant: string;
  consent_to_writes: boolean;
  consent_to_large_bodies: boolean;
  /** Host of base_url where load may be sent; '' for none. */
  load_consent: string;
  max_writes: number;
  /** Names of the keys that may be at hand, such as `full` or `load`; each gets a variable of its own. */
  keys: string[];
  /** How many equivalent keys `full` may have. */
  full_keys: number;
  /** Additions that the target claims. */
  capabilities: string[];
  /** Where the control clock listens; '' for none. */
  clock_url: string;
  callbacks: Callbacks;
  admin: Partial<Record<AdminCommand, string[]>>;
  /** Working directory of those commands, relative to the profile. */
  admin_cwd: string;
  /** What the target decides otherwise than the example. */
  values: Record<string, unknown>;
}

/** No profile can be made of what was said; `problems` are sentences for the person who said it. */
export class BadWish extends Error {
  constructor(problems: readonly string[]) {
    super(`No profile was written:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'BadWish';
  }
}
