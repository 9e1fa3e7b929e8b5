/** How long rows are kept: each collection states it in its file, the jobs take it from there, and docs/data.md shows it. */

export const DAY_MS = 24 * 60 * 60 * 1000;

/** How long operators can prove what was changed in the settings, and what has left, in milliseconds. */
export const AUDIT_MS = 3 * 365 * DAY_MS;

/** What ends rows by the clock: the database itself (a TTL index), or a recurring job of workers. */
type RetentionMeans = 'ttl' | 'sweep_files' | 'sweep_ingest' | 'prune_deliveries';

/** How long rows of a collection are kept, and by what they end; texts are fragments of sentences for the page. */
export type Retention =
  | {
      readonly holds: string;
      /** In milliseconds, after what {@link after} says. */
      readonly forMs: number;
      readonly after: string;
      readonly by: RetentionMeans;
    }
  | {
      readonly holds: string;
      readonly forMs?: never;
      /** Until when rows stay, which no clock ends. */
      readonly until: string;
      readonly because: string;
    };

/** For how long a collection keeps its rows, in milliseconds. @throws Error where no clock ends them */
export function keptMs({ keeps }: { readonly keeps: Retention }): number {
  if (keeps.forMs === undefined) throw new Error('no clock ends these rows');
  return keeps.forMs;
}
