import { type CollectionDeclaration, leavingScans, query } from '../collection.ts';
import { AUDIT_MS } from '../retention.ts';

/**
 * A change of the settings, or an export. It is written before the change, as BEGUN, and ended after it: so there is
 * never a change without an entry. An entry that stays BEGUN is of a tool that was killed; what it names may be changed.
 * It holds ids and names of fields, never values: neither personal data nor secrets.
 */
export interface AuditEntryRow {
  _id: string;
  /** `''` for a command about all tenants. It stays after the tenant is deleted. */
  tenant_id: string;
  /** Such as `keys revoke`. */
  command: string;
  /** Whom `--as` names; otherwise the user of the operating system. */
  operator: string;
  os_user: string;
  host: string;
  pid: number;
  /** Ids of the rows that the command was given, by the names of its arguments and options. */
  about: Record<string, string>;
  /** Ids of the rows that its answer shows, at most {@link MOST_RESULTS}. */
  results: string[];
  /** Names of the options that were given. */
  fields: string[];
  outcome: 'BEGUN' | 'DONE' | 'REFUSED' | 'FAILED';
  at: Date;
  ended_at: Date | null;
}

/** The most ids of results that an entry holds. */
export const MOST_RESULTS = 100;

export const auditEntries: CollectionDeclaration<AuditEntryRow> = {
  keeps: {
    holds: 'who changed or exported what in the settings: ids and names of fields',
    forMs: AUDIT_MS,
    after: 'the change',
    by: 'ttl',
  },
  life: {
    command: 'copied, kept',
    // Who gave a command is somebody else.
    operator: 'internal, kept',
    os_user: 'internal, kept',
    host: 'internal, kept',
    pid: 'internal, kept',
    about: 'copied, kept',
    results: 'copied, kept',
    fields: 'copied, kept',
    outcome: 'copied, kept',
    at: 'copied, kept',
    ended_at: 'copied, kept',
  },
  indexes: [
    {
      key: { at: 1 },
      options: { expireAfterSeconds: AUDIT_MS / 1000 },
      serves: [
        query.find('settings: the audit log', {
          upTo: 'listed',
          because: 'entries of other tenants are passed over',
        }),
      ],
    },
  ],
  scans: leavingScans,
};
