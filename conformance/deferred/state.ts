/**
 * What `deferred begin` stores for `deferred judge`. It holds secrets of endpoints and presigned URLs, so only its owner may read it.
 */
import { readFileSync } from 'node:fs';
import { messageOf, misuse } from '../../scripts/kit/command-line.ts';
import type { Delivery } from '../callbacks/delivery.ts';

/** What the rules of one deferred check need to know when they are judged. */
export interface KeptState {
  /** Milliseconds since 1970. */
  began_at: number;
  /** Why it could not begin, or ''. */
  problem: string;
  data: Record<string, unknown>;
}

export interface State {
  format_version: 2;
  base_url: string;
  kept: Record<string, KeptState>;
  deliveries: Delivery[];
  /** When the suite was listening, in milliseconds since 1970. */
  listened: { from: number; to: number }[];
}

/** @throws Failure naming what is wrong */
export function readState(file: string): State {
  let state: State;
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch (error) {
    return misuse(`${file} cannot be read: ${messageOf(error)}`);
  }
  if (state.format_version !== 2 || !Array.isArray(state.deliveries)) {
    misuse(`${file} was not written by deferred begin of this version; begin again, with another file`);
  }
  return state;
}
