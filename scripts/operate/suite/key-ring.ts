/** The keys of the conformance profile: made once, kept in an environment file, and repaired if they no longer fit. */
import { isDeepStrictEqual } from 'node:util';
import type { Scope } from '../../../generated/contract.ts';
import { hashKey, newKey } from '../../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../../handlers/data/collections/api_keys.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { keyRow } from '../../world/tenant.ts';
import { KEY_PREFIX } from '../settings/key-prefix.ts';

/** A key that must exist. Its secret is stored under the name `variable`. */
export interface KeyPlan {
  readonly variable: string;
  readonly tenant_id: string;
  readonly owner_id: string;
  readonly scopes: readonly Scope[];
  readonly state?: 'active' | 'revoked' | 'expired' | 'inactive';
  /** Whether the key counts as made by a super-administrator; true by default. */
  readonly by_super_admin?: boolean;
}

export type Secrets = Readonly<Record<string, string>>;

export function envText(secrets: Secrets): string {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  return `# Keys of invented tenants for the conformance suite. They open nothing else.\n${lines.join('\n')}\n`;
}

const LONG_AGO_MS = 30 * 86_400_000;
/** A key that has just expired shows whether its very time counts, and not only the day. */
const JUST_MS = 60_000;

function rowOf(plan: KeyPlan, secret: string, now: Date): ApiKeyRow {
  const past = new Date(now.getTime() - LONG_AGO_MS);
  const { state = 'active' } = plan;
  return keyRow(secret, {
    tenant_id: plan.tenant_id,
    owner_id: plan.owner_id,
    name: `Conformance: ${plan.variable.replace('CONF_KEY_', '').toLowerCase().replaceAll('_', ' ')}`,
    scopes: [...plan.scopes],
    created_by_super_admin: plan.by_super_admin ?? true,
    active: state !== 'inactive',
    revoked_at: state === 'revoked' ? past : null,
    expires_at: state === 'expired' ? new Date(now.getTime() - JUST_MS) : null,
    create_time: new Date(now.getTime() - LONG_AGO_MS - 1),
  });
}

function fits(row: ApiKeyRow, wanted: ApiKeyRow): boolean {
  const comparable = (key: ApiKeyRow) => [
    key.tenant_id,
    key.owner_id,
    key.scopes,
    key.created_by_super_admin,
    key.active,
    key.revoked_at !== null,
    key.expires_at !== null,
  ];
  return isDeepStrictEqual(comparable(row), comparable(wanted));
}

/**
 * Makes keys that are missing or no longer fit. A secret whose key is missing is used: a run that was interrupted between
 * the two has kept it.
 * @param known secrets of an earlier run
 * @param keep stores the secrets; called before a key with a new one exists, so that no key remains that nobody knows
 * @returns the secrets of all plans, by the names of their variables
 */
export async function ensureKeys(
  store: Store,
  plans: readonly KeyPlan[],
  known: Readonly<NodeJS.Dict<string>>,
  keep: (secrets: Secrets) => void,
  now: Date,
): Promise<Secrets> {
  const hashes = plans.flatMap(({ variable }) => known[variable] ?? []).map(hashKey);
  const rows = await store.api_keys.find({ key_hash: { $in: hashes } }).toArray();
  const byHash = new Map(rows.map((row) => [row.key_hash, row]));
  const secrets: Record<string, string> = {};
  const fresh: ApiKeyRow[] = [];
  for (const plan of plans) {
    const secret = known[plan.variable] ?? newKey(KEY_PREFIX);
    const row = byHash.get(hashKey(secret));
    if (row !== undefined && fits(row, rowOf(plan, secret, now))) {
      secrets[plan.variable] = secret;
      continue;
    }
    // The old key, if there is one, is no longer used.
    if (row) await store.api_keys.updateOne({ _id: row._id, revoked_at: null }, { $set: { revoked_at: now } });
    const made = row ? newKey(KEY_PREFIX) : secret;
    secrets[plan.variable] = made;
    fresh.push(rowOf(plan, made, now));
  }
  keep(secrets);
  if (fresh.length > 0) await store.api_keys.insertMany(fresh);
  return secrets;
}
