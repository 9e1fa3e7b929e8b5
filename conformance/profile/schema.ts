/**
 * `profile.schema.json`, the one table of what a profile may name: keys, fixtures and who must see them, admin
 * commands.
 */
import type { Scope } from '../../generated/contract.ts';
import profileSchema from '../profile.schema.json' with { type: 'json' };

type Properties = (typeof profileSchema)['properties'];

export type KeyName = keyof Properties['keys']['properties'];
export type SingleKeyName = Exclude<KeyName, 'full' | 'disposable'>;
export type FixtureName = Exclude<keyof Properties['fixtures']['properties'], 'big'>;
export type AdminCommand = Exclude<keyof Properties['admin']['properties'], 'cwd' | 'runner'>;

export interface FixtureSchema {
  description?: string;
  /** What the id belongs to; absent where no operation shows it. */
  'x-is'?: 'employee' | 'department' | 'template' | 'type' | 'category';
  /** The keys that must see it. */
  'x-seen-by'?: readonly KeyName[];
  /** The keys that must not see it. */
  'x-hidden-from'?: readonly KeyName[];
}

interface KeySchema {
  description?: string;
  items?: { pattern: string; description?: string };
}

export { profileSchema };

const { keys, fixtures } = profileSchema.properties;
export const keySchemas: Readonly<Record<KeyName, KeySchema>> = keys.properties;
/** `big` is no id, but a tenant with many employees. */
export const fixtureSchemas = fixtures.properties as Readonly<Record<FixtureName | 'big', FixtureSchema>>;

export const keyNames = Object.keys(keySchemas) as KeyName[];
/** The keys that have one scope alone. */
export const keyOfScope = {
  'employees:read': 'employees_read',
  'documents:read': 'documents_read',
  'documents:write': 'documents_write',
  'webhooks:manage': 'webhooks_manage',
  'ingest:write': 'ingest_write',
} as const satisfies Readonly<Record<Scope, KeyName>>;

export const fixtureNames = Object.keys(fixtureSchemas).filter((name) => name !== 'big') as FixtureName[];
