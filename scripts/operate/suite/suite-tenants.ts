/** What the conformance suite needs in the database of a deployment: owners, keys and fixtures in its test tenants. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Store } from '../../../handlers/data/store.ts';
import { switchFlag } from '../../../handlers/employees/write/tenant-flag.ts';
import { writeTestSigners } from '../../world/eds/folder.ts';
import { addTrustAnchor } from '../settings/trust-anchors.ts';
import { ensureArchivedTemplate, ensureArchivedTypes } from './fixtures.ts';
import { keyPlans, poolKeyPlans } from './key-plans.ts';
import { ensureKeys, envText, type Secrets } from './key-ring.ts';
import { ensureOwners, type PoolTenant, type TestOwners } from './owners.ts';
import { envFile, signersDir } from './profile.ts';
import { idsOf, poolRoles, type TenantIds, type TenantSet } from './tenant-set.ts';

const TEST_CA = 'Conformance: test CA, not a real one';

/** Makes certificates for the owners who sign in the suite, and makes the main tenant accept their authority. */
async function ensureSigners(
  store: Store,
  folder: string,
  tenant_id: string,
  { fixtures }: TestOwners,
  now: Date,
): Promise<void> {
  const iinOf = async (fixture: unknown) => {
    const employee = await store.employees.findOne({ _id: String(fixture), tenant_id });
    return (await store.persons.findOne({ _id: employee?.person_id ?? '', tenant_id }))?.iin ?? '';
  };
  const restricted = await iinOf(fixtures.restricted_owner_employee_id);
  const second = await iinOf(fixtures.second_owner_employee_id);
  const { ca } = await writeTestSigners(signersDir(folder), { restricted, second }, now);
  // Anchors from earlier folders are removed, because they would only accumulate.
  const certificate = Buffer.from(ca).toString('base64');
  await store.trust_anchors.deleteMany({ tenant_id, title: TEST_CA, certificate: { $ne: certificate } });
  await addTrustAnchor(store, tenant_id, { title: TEST_CA, der: ca }, now);
}

/** Far from the first tenant's zone, for two different days, and west of it: the latest day is the first tenant's. */
const OTHER_TIME_ZONE = 'America/Phoenix';

/** Restores the tenants' flags, which an interrupted run may have left changed. */
async function ensureFlags(store: Store, tenants: TenantIds, now: Date): Promise<void> {
  const wanted = { [tenants.flag_off]: false, [tenants.flag_toggle]: true };
  for (const tenant of await store.tenants.find({ _id: { $in: Object.keys(wanted) } }).toArray()) {
    await switchFlag(store, tenant, wanted[tenant._id] ?? true, now);
  }
}

export type SuiteTenants = Awaited<ReturnType<typeof ensureSuiteTenants>>;

/** Makes or repairs owners and fixtures of the pool. */
async function ensurePool(store: Store, { names }: TenantSet, tenants: TenantIds, time_zone: string, now: Date) {
  const pool: PoolTenant[] = [];
  for (const role of poolRoles) {
    await store.tenants.updateOne({ _id: tenants[role] }, { $set: { time_zone } });
    const ensured = await ensureOwners(store, { ...tenants, main: tenants[role] }, now);
    pool.push({ ...ensured, role, tag: names[role] });
  }
  return pool;
}

/**
 * Makes or repairs what the profile refers to, in tenants that exist. The folder gets the signers, and the file with the
 * keys (mode 0600).
 */
export async function ensureSuiteTenants(store: Store, set: TenantSet, folder: string, now: Date) {
  const tenants = idsOf(set);
  /** Of the main tenant, and of those that are like it. */
  const { time_zone: timeZone = 'UTC' } = (await store.tenants.findOne({ _id: tenants.main })) ?? {};
  await ensureFlags(store, tenants, now);
  await store.tenants.updateOne({ _id: tenants.other }, { $set: { time_zone: OTHER_TIME_ZONE } });
  await ensureArchivedTypes(store, tenants.main);
  await ensureArchivedTemplate(store, tenants.main);
  const ensured = await ensureOwners(store, tenants, now);
  await ensureSigners(store, folder, tenants.main, ensured, now);
  const file = envFile(folder);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const keep = (secrets: Secrets) => {
    const after = envText(secrets);
    if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  };
  const pool = await ensurePool(store, set, tenants, timeZone, now);
  const plans = [
    ...keyPlans(ensured.owners, tenants),
    ...pool.flatMap(({ role, owners }) => poolKeyPlans(role, owners, tenants)),
  ];
  const secrets = await ensureKeys(store, plans, parseEnv(before), keep, now);
  const employees = await store.employees.countDocuments({ tenant_id: tenants.main, listed: true });
  return { ...ensured, tenants, secrets, timeZone, pool, employees };
}
