import type { CollectionDeclaration } from '../collection.ts';

/** The rate limit of one key, or of a peer's failed authentications. */
export interface RateLimitRow {
  /** The key's id, or `peer:` and the address. */
  _id: string;
  /** The theoretical arrival time (GCRA), in milliseconds since the epoch by the database's clock. */
  tat: number;
  /** When the latest decision was made. */
  at: number;
  /** How many tokens it got. */
  granted: number;
  expires_at: Date;
}

export const rateLimits: CollectionDeclaration<RateLimitRow> = {
  keeps: {
    holds: 'rate limits of keys, and of addresses whose authentication failed',
    forMs: 60_000,
    after: 'the bucket is full again',
    by: 'ttl',
  },
  life: {
    tat: 'kept',
    at: 'kept',
    granted: 'kept',
    expires_at: 'kept',
  },
  indexes: [
    { key: { expires_at: 1 }, options: { expireAfterSeconds: 60 }, serves: 'the database removes idle buckets' },
  ],
};
