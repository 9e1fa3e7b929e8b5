import type { Scope } from '../../../generated/contract.ts';
import { type CollectionDeclaration, newestFirst, query } from '../collection.ts';
import { ERASED, type RowLife } from '../field-life.ts';

/** A key without its secret: only the SHA-256 of the key is kept (D-30). */
export interface ApiKeyRow {
  _id: string;
  tenant_id: string;
  owner_id: string;
  name: string;
  /** The first characters of the secret, for lists. */
  prefix: string;
  /** SHA-256 of the whole key, lower-case hex. */
  key_hash: string;
  scopes: Scope[];
  /** Whether a super-administrator created it: `ingest:write` counts only then (D-31). */
  created_by_super_admin: boolean;
  active: boolean;
  revoked_at: Date | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  create_time: Date;
}

export const apiKeyLife = {
  owner_id: 'copied, kept',
  name: ['copied', ERASED],
  prefix: 'copied, kept',
  key_hash: 'internal, kept',
  scopes: 'copied, kept',
  created_by_super_admin: 'copied, kept',
  active: 'copied, kept',
  revoked_at: 'copied, kept',
  expires_at: 'copied, kept',
  last_used_at: 'copied, kept',
  create_time: 'copied, kept',
} satisfies RowLife<ApiKeyRow>;

export const apiKeys: CollectionDeclaration<ApiKeyRow> = {
  keeps: {
    holds: 'keys without their secrets, also revoked ones',
    until: 'the tenant is deleted',
    because: 'routes and the audit log name them; few for each tenant',
  },
  life: apiKeyLife,
  indexes: [
    {
      key: { key_hash: 1 },
      options: { unique: true },
      serves: [query.aggregate('the key of a request, with its owner and tenant')],
    },
    { key: { tenant_id: 1, ...newestFirst }, serves: [query.find('settings: keys')] },
  ],
};
