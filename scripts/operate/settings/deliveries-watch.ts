/** `settings deliveries list --watch`: the deliveries as they change. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRow } from '../../../handlers/data/collections/deliveries.ts';
import type { Answer } from './command.ts';
import { changeLine, deliveryJson } from './deliveries-shown.ts';

/** The interval between reads, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** The part of a row whose change is shown; a change of its lease is not. */
function stateOf({ status, next_at, attempts }: DeliveryRow): string {
  return JSON.stringify([status, next_at, attempts]);
}

/**
 * The existing rows, oldest first, then every row that is new or has changed, until it is stopped.
 * @param read the deliveries to compare, newest first
 */
export async function* watch(
  read: () => Promise<DeliveryRow[]>,
  isShown: (row: DeliveryRow) => boolean,
  stopped: AbortSignal,
): AsyncGenerator<Answer> {
  let before = new Map<string, string>();
  while (!stopped.aborted) {
    const rows = await read();
    for (const row of rows.toReversed()) {
      if (before.get(row._id) === stateOf(row) || !isShown(row)) continue;
      yield { json: deliveryJson(row), text: changeLine(row) };
    }
    before = new Map(rows.map((row) => [row._id, stateOf(row)]));
    await delay(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
