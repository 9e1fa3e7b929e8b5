/** `settings deliveries list --watch`: prints deliveries as they change. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRow } from '../../handlers/data/store.ts';
import type { Surroundings } from './context.ts';
import { changeLine, deliveryTold } from './deliveries-shown.ts';

/** The interval between reads, in milliseconds. */
const LOOK_EVERY_MS = 500;

export interface Watched {
  /** The deliveries to compare, newest first. */
  read(): Promise<DeliveryRow[]>;
  isShown(row: DeliveryRow): boolean;
  /** Print one line of JSON for each change, for scripts. */
  readonly json: boolean;
}

/** The part of a row whose change is shown; a change of its lease is not. */
function stateOf({ status, next_at, attempts }: DeliveryRow): string {
  return JSON.stringify([status, next_at, attempts]);
}

/** Prints the existing rows, oldest first, then every row that is new or has changed, until it is stopped. */
export async function watch({ stdout, untilStopped }: Surroundings, { read, isShown, json }: Watched): Promise<void> {
  const stopped = untilStopped?.() ?? new AbortController().signal;
  let before = new Map<string, string>();
  while (!stopped.aborted) {
    const rows = await read();
    for (const row of rows.toReversed()) {
      if (before.get(row._id) === stateOf(row) || !isShown(row)) continue;
      stdout(`${json ? JSON.stringify(deliveryTold(row)) : changeLine(row)}\n`);
    }
    before = new Map(rows.map((row) => [row._id, stateOf(row)]));
    await delay(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
