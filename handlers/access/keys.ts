/**
 * API keys: `<prefix>_<43 characters base62><6 characters base62 of a CRC-32>` (D-30). The 43 characters carry 256
 * random bits, so storing a plain SHA-256 is safe. With the checksum, a mistyped key is refused without asking the
 * store.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { deserialize } from 'bson';
import { onceForEach, readTogether } from '../data/batched-reads.ts';
import type { ApiKeyRow } from '../data/collections/api_keys.ts';
import type { TenantRow } from '../data/collections/tenants.ts';
import type { UserRow } from '../data/collections/users.ts';
import { anyOf } from '../data/reads.ts';
import type { Store } from '../data/store.ts';
import { nowMs } from '../runtime/clock.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const KEY = new RegExp(`^[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

const checksum = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** A new secret key. @param random 32 bytes; given only where keys must be reproducible (seeded test data) */
export function newKey(prefix: string, random: Uint8Array = randomBytes(32)): string {
  const body = `${prefix}_${base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Whether the text has the form of a key and the right checksum. The key need not exist. */
export function isWellFormedKey(text: string): boolean {
  if (!KEY.test(text)) return false;
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end);
}

/** What is stored instead of the key: its SHA-256, lower-case hex. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What lists show of a key: its prefix and the first characters of its secret. */
export function shownPrefix(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + SHOWN_LENGTH);
}

/** A key with its owner and its tenant. They are read on every request and never kept (D-31). */
export interface Credentials {
  readonly key: ApiKeyRow;
  readonly owner: UserRow;
  readonly tenant: TenantRow;
}

type JoinedKey = ApiKeyRow & { readonly owner: readonly UserRow[]; readonly tenant: readonly TenantRow[] };

const finderOf = onceForEach((store: Store) => readTogether((hashes) => readCredentials(store, hashes)));

/**
 * Looks up a key with its owner and tenant in one round trip, which requests of the same moment share.
 * @returns undefined if the key is unknown, inactive, revoked or expired, or its owner was removed from the tenant
 */
export async function findCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  if (!isWellFormedKey(secret)) return undefined;
  const found = await finderOf(store)(hashKey(secret));
  return found !== undefined && isUsable(found) ? found : undefined;
}

async function readCredentials(store: Store, hashes: readonly string[]): Promise<Map<string, Credentials>> {
  const joined = [
    { $match: { key_hash: anyOf(hashes) } },
    { $lookup: { from: 'users', localField: 'owner_id', foreignField: '_id', as: 'owner' } },
    { $lookup: { from: 'tenants', localField: 'tenant_id', foreignField: '_id', as: 'tenant' } },
  ];
  // As BSON: the driver would decode each row twice, for its events too, and this is on the way of every request.
  const rows = await store.api_keys.aggregate<Uint8Array>(joined, { raw: true }).toArray();
  const found = new Map<string, Credentials>();
  for (const row of rows) {
    const { owner: owners, tenant: tenants, ...key } = deserialize(row) as JoinedKey;
    const [owner] = owners;
    const [tenant] = tenants;
    if (owner !== undefined && tenant !== undefined) found.set(key.key_hash, { key, owner, tenant });
  }
  return found;
}

function isUsable({ key, owner }: Credentials): boolean {
  return (
    key.active &&
    key.revoked_at === null &&
    (key.expires_at === null || key.expires_at.getTime() > nowMs()) &&
    owner.removed_at === null &&
    owner.tenant_id === key.tenant_id
  );
}
