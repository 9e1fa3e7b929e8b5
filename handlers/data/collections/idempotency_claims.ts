import { type CollectionDeclaration, leavingScans } from '../collection.ts';
import type { LeasedRow } from '../lease.ts';
import { DAY_MS } from '../retention.ts';

/** A claim on an Idempotency-Key (`_id` is a digest of key, operation and header); see `idempotency.ts`. Attempts lease it. */
export interface IdempotencyClaimRow extends LeasedRow {
  tenant_id: string;
  /** SHA-256 of the body's canonical JSON. */
  fingerprint: string;
  /** The id of the created object. The claim fixes it, so that every attempt creates the same object. */
  resource_id: string;
  state: 'RUNNING' | 'DONE';
  expires_at: Date;
  create_time: Date;
}

export const idempotencyClaims: CollectionDeclaration<IdempotencyClaimRow> = {
  keeps: { holds: 'digests of Idempotency-Keys and bodies', forMs: 25 * (DAY_MS / 24), after: 'the claim', by: 'ttl' },
  life: {
    fingerprint: 'kept',
    resource_id: 'kept',
    state: 'kept',
    expires_at: 'kept',
    create_time: 'kept',
    lease_id: 'kept',
    lease_until: 'kept',
  },
  indexes: [
    {
      key: { expires_at: 1 },
      options: { expireAfterSeconds: 3_600 },
      serves: 'the database removes claims whose time is over',
    },
  ],
  scans: leavingScans,
};
