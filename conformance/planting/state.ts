/**
 * What `plant` stores for `harvest`. It holds secrets of endpoints and presigned URLs, so only its owner may read it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Delivery } from '../callbacks/delivery.ts';

/** One planted thing: what its rules need to know when it is harvested. */
export interface Seed {
  /** Milliseconds since 1970. */
  planted_at: number;
  /** Why it could not be planted, or ''. */
  problem: string;
  data: Record<string, unknown>;
}

export interface State {
  format_version: 1;
  base_url: string;
  run_id: string;
  seeds: Record<string, Seed>;
  deliveries: Delivery[];
  /** When the suite was listening, in milliseconds since 1970. */
  listened: { from: number; to: number }[];
}

/** The state file cannot be used. */
export class BadState extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadState';
  }
}

/** @throws BadState naming what is wrong */
export function readState(file: string): State {
  let state: State;
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch (error) {
    throw new BadState(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (state.format_version !== 1 || !Array.isArray(state.deliveries)) {
    throw new BadState(`${file} was not written by plant; plant anew, into another file`);
  }
  return state;
}

/** Writes the file completely or not at all. */
export function writeState(file: string, state: State): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
