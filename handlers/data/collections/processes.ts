import { type CollectionDeclaration, query } from '../collection.ts';

/** A process of the deployment, written by itself every few seconds; see `jobs/process-agreement.ts`. */
export interface ProcessRow {
  _id: string;
  role: 'all' | 'api' | 'worker';
  /** The release that it runs, and the commit if that is known. */
  version: string;
  revision?: string;
  /** Of its machine or container, so that an operator finds it. */
  host: string;
  pid: number;
  start_time: Date;
  seen_time: Date;
  /**
   * By the name of a variable, a keyed digest of what all processes must have in common; of a list of keys, one digest for
   * each key that opens, the one that seals first.
   */
  settings: Readonly<Record<string, readonly string[]>>;
}

export const processes: CollectionDeclaration<ProcessRow> = {
  keeps: {
    holds: 'running processes: role, version, machine, keyed digests of settings',
    forMs: 120_000,
    after: 'the process was last seen',
    by: 'ttl',
  },
  life: {
    role: 'kept',
    version: 'kept',
    revision: 'kept',
    host: 'kept',
    pid: 'kept',
    start_time: 'kept',
    seen_time: 'kept',
    settings: 'kept',
  },
  indexes: [
    { key: { seen_time: 1 }, options: { expireAfterSeconds: 120 }, serves: 'the database removes killed processes' },
  ],
  scans: [
    query.find('every process, and check: what the others have', {
      upTo: 'listed',
      because: 'a deployment has few processes, and all of them are compared',
    }),
  ],
};
