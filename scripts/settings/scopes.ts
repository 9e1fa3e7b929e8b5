/** What the keys made by the project's own tools have in common. */
import type { Scope } from '../../generated/operations.ts';

/** How these keys begin. */
export const KEY_PREFIX = 'dapi';

export const SCOPES: readonly Scope[] = [
  'employees:read',
  'documents:read',
  'documents:write',
  'webhooks:manage',
  'ingest:write',
];
