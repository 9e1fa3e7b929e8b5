/** Every scope that a key can have, and how the keys of the project's own tools begin. */
import type { Scope } from '../../generated/operations.ts';

export const KEY_PREFIX = 'dapi';

/** A record, so that the compiler sees a scope that is missing. */
const scopes: Readonly<Record<Scope, true>> = {
  'employees:read': true,
  'documents:read': true,
  'documents:write': true,
  'webhooks:manage': true,
  'ingest:write': true,
};

export const SCOPES = Object.keys(scopes) as readonly Scope[];
