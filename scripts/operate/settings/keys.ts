/** `settings keys`: API keys. The secret is shown when a key is made, and never again. */

import { type Scope, scopes } from '../../../generated/contract.ts';
import { newKey } from '../../../handlers/access/keys.ts';
import type { ApiKeyRow } from '../../../handlers/data/collections/api_keys.ts';
import { MOST_REFUSED_CALLS, type RefusedCallRow } from '../../../handlers/data/collections/refused_calls.ts';
import type { UserRow } from '../../../handlers/data/collections/users.ts';
import { commaList, invalid, refuse } from '../../kit/command-line.ts';
import { keyRow } from '../../world/tenant.ts';
import { type Column, command, type Group, listing, type TenantContext, take, type ValueType } from './command.ts';
import { KEY_PREFIX } from './key-prefix.ts';
import { kinds, row, rowsById, rowsOf } from './lookup.ts';
import { rowShape, same } from './shape.ts';
import { instant, title } from './values.ts';

/** `all`, `none`, or scopes separated by commas. */
const someScopes: ValueType<Scope[]> = {
  placeholder: 'scopes',
  read(text) {
    if (text === 'all') return [...scopes];
    if (text === 'none') return [];
    const given = commaList(text);
    const unknown = given.filter((scope) => !scopes.some((known) => known === scope));
    if (unknown.length > 0) {
      invalid(`${unknown.join(', ')} is no scope. These are: ${scopes.join(', ')}; or all, or none.`);
    }
    return scopes.filter((scope) => given.includes(scope));
  },
};

/** The reason why a key is refused, or `active`. */
function keyState(key: ApiKeyRow, owner: UserRow | undefined, now: Date): string {
  if (key.revoked_at !== null) return 'revoked';
  if (owner === undefined || owner.removed_at !== null) return 'owner removed';
  if (!key.active) return 'inactive';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

interface ShownKey extends ApiKeyRow {
  readonly state: string;
  /** The label of the user. */
  readonly owner: string;
}

const columns: readonly Column<ShownKey>[] = [
  ['PREFIX', 'prefix', 'id'],
  ['NAME', 'name'],
  ['STATE', 'state'],
  ['OWNER', 'owner'],
  ['SCOPES', 'scopes'],
  ['LAST USE', 'last_used_at'],
  ['EXPIRES', 'expires_at'],
  ['ID', '_id', 'id'],
];

const json = rowShape(
  'name',
  'prefix',
  'scopes',
  'owner_id',
  'created_by_super_admin',
  'active',
  'revoked_at',
  'expires_at',
  'last_used_at',
  'create_time',
  'state',
  'owner',
);

const shownKey = (key: ApiKeyRow, owner: UserRow | undefined, now: Date): ShownKey => ({
  ...key,
  state: keyState(key, owner, now),
  owner: owner?.label ?? '',
});

async function seen(at: TenantContext, key: ApiKeyRow): Promise<ShownKey> {
  const [owner] = await rowsOf(at, 'users', { _id: key.owner_id });
  return shownKey(key, owner, at.now);
}

/** @param what the beginning of the sentence that says what was done */
async function change(at: TenantContext, key: ApiKeyRow, set: Partial<ApiKeyRow>, what: string) {
  if (key.revoked_at !== null) refuse(`The key ${key.prefix} is revoked; that is for ever. Create another one.`);
  await at.store.api_keys.updateOne({ _id: key._id, tenant_id: key.tenant_id, revoked_at: null }, { $set: set });
  const changed = await seen(at, { ...key, ...set });
  return { of: changed, text: `${what} the key ${key.prefix} (${key.name}): ${changed.state}.` };
}

/** Only a super-administrator creates keys (D-30): the given one, or else the tenant's only one. @throws Failure */
async function requireCreator(at: TenantContext, user: UserRow | undefined): Promise<void> {
  if (user !== undefined) {
    if (user.super_admin && user.removed_at === null) return;
    refuse(`${user.label} is no super-administrator of the tenant, and nobody else creates keys.`);
  }
  const among = { super_admin: true, removed_at: null };
  const [one, ...others] = await rowsOf(at, 'users', among, { sort: { label: 1 } });
  if (one === undefined) refuse('The tenant has no super-administrator, and nobody else creates keys.');
  if (others.length > 0) {
    const labels = [one, ...others].map(({ label }) => label).join(', ');
    refuse(`Say with --created-by which super-administrator creates the key: ${labels}.`);
  }
}

const key = take.argument(row(kinds.key));

const refusalColumns: readonly Column<RefusedCallRow>[] = [
  ['LAST', 'at'],
  ['TIMES', 'times'],
  ['OPERATION', 'operation_id'],
  ['STATUS', 'status'],
  ['ERROR', 'error'],
  ['WHY', ({ message, fields }) => message || fields.map((f) => `${f.field} ${f.description}`).join('; ')],
  ['REQUEST', 'request_id'],
];

export const keys: Group = {
  about: 'API keys: create, list, expire, switch off, revoke. Name a key by its id or by the prefix that lists show.',
  examples: [
    'keys create --owner Administrator --name "Payroll export" --scopes employees:read',
    'keys list',
    'keys revoke dapi_4fQz1T',
  ],
  commands: {
    create: command({
      about: 'Create a key. Its secret is printed once; only a hash of it is stored.',
      json: { ...json, ...same('secret') },
      takes: {
        owner: take.required(row(kinds.user), 'the user whose permissions the key has: id or label'),
        name: take.required(title('text', 200), 'what the key is for'),
        scopes: take.defaulting(someScopes, `${scopes.join(', ')}; or all, or none`, []),
        createdBy: take.optional(
          row(kinds.user),
          "the super-administrator who creates it (default: the tenant's only one)",
        ),
        expires: take.optional(instant, 'when it stops working, such as 2026-12-31T23:59:00+05:00'),
      },
      examples: [
        'keys create --owner "HR robot" --name "Payroll export" --scopes employees:read,documents:read',
        'keys create --owner Administrator --created-by Administrator --name Loader --scopes ingest:write',
        'keys create --owner "HR robot" --name Trial --scopes all --expires 2026-12-31T23:59:00+05:00 --json',
      ],
      async run(at, { owner, name, scopes, createdBy, expires }) {
        if (owner.removed_at !== null)
          refuse(
            `The user ${owner.label} was removed; its keys do not work. Restore it first: settings users restore ${owner._id}`,
          );
        await requireCreator(at, createdBy);
        const secret = newKey(KEY_PREFIX);
        const own = { tenant_id: at.tenant._id, owner_id: owner._id, create_time: at.now };
        const key = keyRow(secret, { ...own, name, scopes, expires_at: expires ?? null });
        await at.store.api_keys.insertOne(key);
        const idle = scopes.includes('ingest:write') && !owner.super_admin;
        const lines = [
          `Created the key ${name} of ${owner.label}. This is the only time that it is shown:`,
          '',
          `  ${secret}`,
          '',
          `Scopes: ${scopes.join(', ') || 'none'}.`,
          ...(idle ? ['ingest:write has no effect: it counts only where the owner is a super-administrator too.'] : []),
        ];
        return { of: { ...shownKey(key, owner, at.now), secret }, text: lines.join('\n') };
      },
    }),
    list: command({
      about: 'List the keys of the tenant: prefix, scopes, owner, last use, state.',
      reads: true,
      json,
      async run(at) {
        const rows = await rowsOf(at, 'api_keys', {}, { sort: { create_time: -1, _id: -1 } });
        const ids = rows.map(({ owner_id }) => owner_id);
        const owners = await rowsById(at, 'users', ids);
        const all = rows.map((key) => shownKey(key, owners.get(key.owner_id), at.now));
        return listing(all, columns);
      },
    }),
    refusals: command({
      about: 'List which calls of a key were refused in the last 24 hours, and why: the newest first.',
      reads: true,
      json: same('at', 'times', 'operation_id', 'status', 'error', 'message', 'fields', 'request_id'),
      takes: { key },
      examples: ['keys refusals dapi_4fQz1T', 'keys refusals dapi_4fQz1T --json'],
      note: 'Equal refusals of an hour are one line. No value that was sent is kept, nor a name that the contract does not know.',
      async run(at, { key }) {
        const options = { sort: { at: -1 }, limit: MOST_REFUSED_CALLS } as const;
        return listing(await rowsOf(at, 'refused_calls', { api_key_id: key._id }, options), refusalColumns);
      },
    }),
    expire: command({
      about: 'Set when a key stops working; a past instant stops it immediately.',
      json,
      takes: { key, at: take.required(instant, '"now", or an instant with its zone') },
      examples: ['keys expire dapi_4fQz1T --at now', 'keys expire dapi_4fQz1T --at 2026-12-31T23:59:00+05:00'],
      run: (at, { key, at: time }) => change(at, key, { expires_at: time }, 'Set the end of'),
    }),
    deactivate: command({
      about: 'Switch a key off; it can be switched on again.',
      json,
      takes: { key },
      run: (at, { key }) => change(at, key, { active: false }, 'Switched off'),
    }),
    activate: command({
      about: 'Switch a key on again; its expiry, if it has one, does not change.',
      json,
      takes: { key },
      run: (at, { key }) => change(at, key, { active: true }, 'Switched on'),
    }),
    revoke: command({
      about: 'Revoke a key permanently; it gets 401 from the next request on.',
      json,
      takes: { key },
      async run(at, { key }) {
        if (key.revoked_at === null) return change(at, key, { revoked_at: at.now }, 'Revoked');
        return { of: await seen(at, key), text: `The key ${key.prefix} (${key.name}) was revoked before.` };
      },
    }),
  },
};
