/** `settings keys`: API keys. The secret is shown when a key is made, and never again. */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Scope } from '../../generated/operations.ts';
import { hashKey, newKey, shownPrefix } from '../../handlers/access/keys.ts';
import type { ApiKeyRow, UserRow } from '../../handlers/data/store.ts';
import { commaList, instant, shown, titleOf } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { refuse } from './failure.ts';
import { findKey, findUser } from './lookup.ts';
import { KEY_PREFIX, SCOPES } from './scopes.ts';

/** The scopes for a text: `all`, `none`, or scopes separated by commas. */
export function scopesOf(text: string): Scope[] {
  if (text === 'all') return [...SCOPES];
  if (text === 'none') return [];
  const given = commaList(text);
  const unknown = given.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `${unknown.join(', ')} is no scope. These are: ${SCOPES.join(', ')}; or all, or none.`,
    );
  }
  return SCOPES.filter((scope) => given.includes(scope));
}

/** The reason why a key is refused, or `active`. */
export function keyState(key: ApiKeyRow, owner: UserRow | undefined, now: Date): string {
  if (key.revoked_at !== null) return 'revoked';
  if (owner === undefined || owner.removed_at !== null) return 'owner removed';
  if (!key.active) return 'inactive';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

interface Shown {
  readonly key: ApiKeyRow;
  readonly owner: UserRow | undefined;
  readonly state: string;
}

const columns: readonly Column<Shown>[] = [
  ['PREFIX', ({ key }) => key.prefix],
  ['NAME', ({ key }) => key.name],
  ['STATE', ({ state }) => state],
  ['OWNER', ({ owner }) => owner?.label ?? ''],
  ['SCOPES', ({ key }) => key.scopes.join(' ')],
  ['LAST USE', ({ key }) => shown(key.last_used_at)],
  ['EXPIRES', ({ key }) => shown(key.expires_at)],
  ['ID', ({ key }) => key._id],
];

/** What may be shown of a key: everything except its hash. */
function told({ key, owner, state }: Shown): object {
  const { key_hash: _, ...rest } = key;
  return { ...rest, state, owner: owner?.label ?? '' };
}

async function change(at: At, wanted: string, set: Partial<ApiKeyRow>, what: string) {
  const key = await findKey(at, wanted);
  if (key.revoked_at !== null) refuse(`The key ${key.prefix} is revoked; that is for ever. Create another one.`);
  await at.store.api_keys.updateOne({ _id: key._id, tenant_id: key.tenant_id, revoked_at: null }, { $set: set });
  const changed = { ...key, ...set };
  const owner = (await at.store.users.findOne({ _id: key.owner_id, tenant_id: key.tenant_id })) ?? undefined;
  const state = keyState(changed, owner, at.now);
  return { json: told({ key: changed, owner, state }), text: `${what} the key ${key.prefix} (${key.name}): ${state}.` };
}

interface CreateFlags {
  owner: string;
  name: string;
  scopes: Scope[];
  createdBy?: string;
  expires?: Date;
}

/**
 * Refuses a creator who may not create keys (D-30): only a super-administrator may. If nobody is named, the creator is
 * the tenant's only super-administrator.
 * @throws Failure
 */
async function requireCreator(at: At, wanted: string | undefined): Promise<void> {
  if (wanted !== undefined) {
    const user = await findUser(at, wanted);
    if (user.super_admin && user.removed_at === null) return;
    refuse(`${user.label} is no super-administrator of the tenant, and nobody else creates keys.`);
  }
  const among = { tenant_id: at.tenant._id, super_admin: true, removed_at: null };
  const [one, ...others] = await at.store.users.find(among).sort({ label: 1 }).toArray();
  if (one === undefined) refuse('The tenant has no super-administrator, and nobody else creates keys.');
  if (others.length > 0) {
    const labels = [one, ...others].map(({ label }) => label).join(', ');
    refuse(`Say with --created-by which super-administrator creates the key: ${labels}.`);
  }
}

async function createKey(at: At, flags: CreateFlags) {
  const owner = await findUser(at, flags.owner);
  if (owner.removed_at !== null)
    refuse(
      `The user ${owner.label} was removed; its keys do not work. Restore it first: settings users restore ${owner._id}`,
    );
  await requireCreator(at, flags.createdBy);
  const secret = newKey(KEY_PREFIX);
  const key: ApiKeyRow = {
    _id: randomUUID(),
    tenant_id: at.tenant._id,
    owner_id: owner._id,
    name: flags.name,
    prefix: shownPrefix(secret),
    key_hash: hashKey(secret),
    scopes: flags.scopes,
    created_by_super_admin: true,
    active: true,
    revoked_at: null,
    expires_at: flags.expires ?? null,
    last_used_at: null,
    create_time: at.now,
  };
  await at.store.api_keys.insertOne(key);
  const state = keyState(key, owner, at.now);
  const idle = key.scopes.includes('ingest:write') && !owner.super_admin;
  const lines = [
    `Created the key ${key.name} of ${owner.label}. This is the only time that it is shown:`,
    '',
    `  ${secret}`,
    '',
    `Scopes: ${key.scopes.join(', ') || 'none'}.`,
    ...(idle ? ['ingest:write has no effect: it counts only where the owner is a super-administrator too.'] : []),
  ];
  return { json: { ...told({ key, owner, state }), secret }, text: lines.join('\n') };
}

export function keysCommand({ inTenant, list }: Context): Command {
  const keys = group(
    'keys',
    'API keys: make, list, expire, switch off, revoke. A key is named by its id or by the prefix that lists show.',
    [
      'keys create --owner Administrator --name "Payroll export" --scopes employees:read',
      'keys list',
      'keys revoke dapi_4fQz1T',
    ],
  );
  const create = keys
    .command('create')
    .description('Create a key. Its secret is printed once; only a hash of it is stored.')
    .requiredOption('--owner <user>', 'whose permissions the key has: id or label')
    .requiredOption('--name <text>', 'what the key is for', titleOf(200))
    .option('--scopes <scopes>', `${SCOPES.join(', ')}; or all, or none`, scopesOf, [])
    .option('--created-by <user>', "the super-administrator who creates it (default: the tenant's only one)")
    .option('--expires <instant>', 'when it stops working, such as 2026-12-31T23:59:00+05:00', instant)
    .action(inTenant(createKey));
  withExamples(create, [
    'keys create --owner "HR robot" --name "Payroll export" --scopes employees:read,documents:read',
    'keys create --owner Administrator --created-by Administrator --name Loader --scopes ingest:write',
    'keys create --owner "HR robot" --name Trial --scopes all --expires 2026-12-31T23:59:00+05:00 --json',
  ]);
  keys
    .command('list')
    .description('List the keys of the tenant: prefix, scopes, owner, last use, state.')
    .action(
      inTenant(async ({ store, tenant, now }) => {
        const [rows, owners] = await Promise.all([
          store.api_keys.find({ tenant_id: tenant._id }).sort({ create_time: -1, _id: -1 }).toArray(),
          store.users.find({ tenant_id: tenant._id }).toArray(),
        ]);
        const byId = new Map(owners.map((owner) => [owner._id, owner]));
        const all = rows.map((key) => ({
          key,
          owner: byId.get(key.owner_id),
          state: keyState(key, byId.get(key.owner_id), now),
        }));
        return list(all, columns, all.map(told));
      }),
    );
  const expire = keys
    .command('expire')
    .description('Set when a key stops working; a past instant stops it at once.')
    .argument('<key>', 'id or shown prefix')
    .requiredOption('--at <instant>', '"now", or an instant with its zone', instant)
    .action(
      inTenant((at, wanted: string, { at: time }: { at: Date }) =>
        change(at, wanted, { expires_at: time }, 'Set the end of'),
      ),
    );
  withExamples(expire, ['keys expire dapi_4fQz1T --at now', 'keys expire dapi_4fQz1T --at 2026-12-31T23:59:00+05:00']);
  keys
    .command('deactivate')
    .description('Switch a key off; it can be switched on again.')
    .argument('<key>', 'id or shown prefix')
    .action(inTenant((at, wanted: string) => change(at, wanted, { active: false }, 'Switched off')));
  keys
    .command('activate')
    .description('Switch a key on again; its expiry, if it has one, stays.')
    .argument('<key>', 'id or shown prefix')
    .action(inTenant((at, wanted: string) => change(at, wanted, { active: true }, 'Switched on')));
  keys
    .command('revoke')
    .description('Revoke a key for ever; it answers 401 from the next request on.')
    .argument('<key>', 'id or shown prefix')
    .action(
      inTenant(async (at, wanted: string) => {
        const key = await findKey(at, wanted);
        if (key.revoked_at !== null) {
          const owner = (await at.store.users.findOne({ _id: key.owner_id })) ?? undefined;
          return {
            json: told({ key, owner, state: 'revoked' }),
            text: `The key ${key.prefix} (${key.name}) was revoked before.`,
          };
        }
        return change(at, key._id, { revoked_at: at.now }, 'Revoked');
      }),
    );
  return keys;
}
