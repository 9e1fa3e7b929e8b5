/** What is planted in a process of the service, so that the product contains no switch for faults. */
import { preloading } from '../../kit/run-program.ts';
import type { Defect } from '../scenario.ts';

/** The variables of a machine whose clock is ahead by as many milliseconds as the file says. */
export const machineClock = (file: string): Readonly<Record<string, string>> => ({
  MACHINE_CLOCK: file,
  ...preloading(new URL('./machine-clock.ts', import.meta.url)),
});

const RELAYED = 'for (let from = 0; from < deliveries.length; from += INSERTED_AT_ONCE) {';
/** Events are taken out of their rows long before they become deliveries, so that a process that dies loses them. */
export const losesEvents: Defect = {
  file: 'handlers/webhooks/relay-events.ts',
  find: RELAYED,
  replace: `await pull(store, collection, rows); await new Promise((next) => setTimeout(next, 5_000)); ${RELAYED}`,
};

/** When and where a process gets a signal; without a point, none is planted. */
interface PlantedSignal {
  readonly point?: string | undefined;
  readonly nth?: number;
  /** By default SIGKILL. */
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
  /** A file that collects the names of the moments that occurred. */
  readonly seenFile?: string;
  /** The collections whose writes are moments, instead of those of documents. */
  readonly collections?: string;
}

/** The variables that plant a signal in a process. */
export function planting(planted: PlantedSignal): Readonly<Record<string, string>> {
  const { point, nth = 1, signal = 'SIGKILL', seenFile, collections } = planted;
  return {
    ...preloading(new URL('./preload.ts', import.meta.url)),
    ...(point !== undefined && { FAULT_POINT: point, FAULT_NTH: String(nth), FAULT_SIGNAL: signal }),
    ...(seenFile !== undefined && { FAULT_SEEN: seenFile }),
    ...(collections !== undefined && { FAULT_COLLECTIONS: collections }),
  };
}
