/** The conformance profile of the instance that `npm start` runs: its keys, fixtures and admin commands. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { keyOfScope, type SingleKeyName } from '../../../conformance/profile/schema.ts';
import { type Scope, scopes } from '../../../generated/operations.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { switchFlag } from '../../../handlers/employees/write/switch-flag.ts';
import { writeTestSigners } from '../../testbed/eds/folder.ts';
import { addTrustAnchor } from '../settings/trust-anchors.ts';
import { type DemoName, demoIds } from './demo.ts';
import { ensureArchivedTemplate, ensureArchivedTypes } from './fixtures.ts';
import { ensureKeys, envText, type KeyPlan, parseEnvText, type Secrets } from './key-ring.ts';
import { type DemoOwners, ensureOwners, type OwnerName } from './owners.ts';
import type { WebhookReceiver } from './receiver.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** How many equivalent keys share the requests of a run, because each key has a limit. */
const FULL_KEYS = 8;
const DISPOSABLE_KEYS = 6;

const variable = (name: string) => `CONF_KEY_${name.toUpperCase()}`;
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => variable(`${name}_${i + 1}`));

interface RingEntry extends Pick<KeyPlan, 'state' | 'by_super_admin'> {
  readonly owner: OwnerName;
  readonly scopes?: KeyPlan['scopes'];
}

/** The single keys of the profile that have all scopes unless it is said, by their names there. */
const OTHERS: Readonly<Record<Exclude<SingleKeyName, (typeof keyOfScope)[Scope]>, RingEntry>> = {
  no_scope: { owner: 'full', scopes: [] },
  revoked: { owner: 'full', state: 'revoked' },
  expired: { owner: 'full', state: 'expired' },
  inactive: { owner: 'full', state: 'inactive' },
  owner_removed: { owner: 'removed' },
  restricted_owner: { owner: 'restricted' },
  second_owner: { owner: 'second' },
  second_key_same_owner: { owner: 'full' },
  no_employee_owner: { owner: 'no_employee' },
  fake_super_admin_ingest: { owner: 'full', by_super_admin: false },
  other_tenant: { owner: 'other_tenant' },
  flag_off: { owner: 'flag_off' },
  flag_toggle: { owner: 'flag_toggle' },
  terminated_owner: { owner: 'terminated' },
  narrowable: { owner: 'narrowable' },
  detachable: { owner: 'detachable' },
  hides_first_name: { owner: 'hides_first_name' },
  hides_last_name: { owner: 'hides_last_name' },
  hides_middle_name: { owner: 'hides_middle_name' },
  hides_full_name: { owner: 'hides_full_name' },
  department_owner: { owner: 'department' },
  department_and_self_owner: { owner: 'department_and_self' },
  reports_owner: { owner: 'reports' },
  not_confidential_owner: { owner: 'not_confidential' },
  listed_types_owner: { owner: 'listed_types' },
  load: { owner: 'full' },
};

const RING: readonly (readonly [name: string, entry: RingEntry])[] = [
  ...scopes.map((scope) => [keyOfScope[scope], { owner: 'full', scopes: [scope] }] as const),
  ...Object.entries(OTHERS),
];

const TENANT_OF: Partial<Record<OwnerName, DemoName>> = {
  other_tenant: 'second',
  flag_off: 'flag-off',
  flag_toggle: 'flag-toggle',
};

export function keyPlans(owners: DemoOwners['owners'], tenants: Readonly<Record<DemoName, string>>): KeyPlan[] {
  const plan = (name: string, { owner, ...entry }: RingEntry): KeyPlan => ({
    variable: name,
    tenant_id: tenants[TENANT_OF[owner] ?? 'demo'],
    owner_id: owners[owner],
    scopes,
    ...entry,
  });
  return [
    ...numbered('full', FULL_KEYS).map((name) => plan(name, { owner: 'full' })),
    ...RING.map(([name, entry]) => plan(variable(name), entry)),
    ...numbered('disposable', DISPOSABLE_KEYS).map((name) => plan(name, { owner: 'full' })),
  ];
}

export interface ProfileFacts extends DemoOwners {
  readonly dataDir: string;
  readonly timeZone: string;
  readonly baseUrl: string;
  readonly replicas: readonly string[];
  readonly controlUrl: string | null;
  /** The address at which the suite may receive deliveries. */
  readonly webhookReceiver?: WebhookReceiver | undefined;
}

function adminCommands(
  { dataDir, owners, detachableEmployee }: ProfileFacts,
  tenants: Readonly<Record<DemoName, string>>,
): object {
  // The same Node that runs this: the one that a shell finds may be too old.
  const node = (file: string) => [process.execPath, '--disable-warning=ExperimentalWarning', 'scripts/run.mjs', file];
  const program = (file: string) => [...node(file), '--data', path.resolve(dataDir)];
  const tool = program('scripts/operate/settings/main.ts');
  const signer = path.join(signersDir(dataDir), '{certificate}');
  const sign = (...more: string[]) => [
    ...node('scripts/operate/eds/main.ts'),
    'sign',
    '--certificate',
    signer,
    ...more,
    '--file',
    '{file}',
  ];
  const inTenant = (name: DemoName, ...words: string[]) => [...tool, '--tenant', tenants[name], ...words];
  const inDemo = (...words: string[]) => inTenant('demo', ...words);
  const narrowable = (...words: string[]) => inDemo('users', 'update', owners.narrowable, ...words);
  const detachable = (...words: string[]) => inDemo('users', 'update', owners.detachable, ...words);
  const document = (action: string) => inDemo('documents', action, '{document_id}', '--by', '{employee_id}');
  const flag = (to: string) => [...tool, 'tenants', 'update', tenants['flag-toggle'], '--flag', to];
  return {
    cwd: path.relative(path.resolve(dataDir), ROOT) || '.',
    revoke_key: inDemo('keys', 'revoke', '{prefix}'),
    narrow_owner: narrowable('--employees', 'self', '--hide', 'persons.iin'),
    restore_owner: narrowable('--employees', 'all', 'self', '--hide', 'none'),
    demote_owner: narrowable('--super-admin', 'off'),
    promote_owner: narrowable('--super-admin', 'on'),
    flag_on: flag('on'),
    flag_off: flag('off'),
    apply_employee_changes: inDemo('employees', 'apply', '--file', '{file}'),
    rename_department: inDemo('departments', 'rename', '{department_id}', '{title}'),
    move_department: inDemo('departments', 'move', '{department_id}', '--parent', '{parent_id}'),
    detach_owner: detachable('--employee', 'none', '--documents', 'own'),
    attach_owner: detachable('--employee', detachableEmployee, '--documents', 'all'),
    request_changes: [...document('request-changes'), '--comment', '{comment}'],
    revoke_document: document('revoke'),
    delete_document: document('delete'),
    sign_cms: sign(),
    sign_cms_with: sign('--scheme', '{scheme}'),
    restart: program('scripts/operate/start/restart.ts'),
    disable_webhook_endpoint: inDemo('webhook-endpoints', 'disable', '{endpoint_id}'),
    enable_webhook_endpoint: inDemo('webhook-endpoints', 'enable', '{endpoint_id}'),
    apply_toggle_employee_changes: inTenant('flag-toggle', 'employees', 'apply', '--file', '{file}'),
  };
}

/** The profile as an object. @param values this service's decisions on what the source leaves open */
export function profileOf(facts: ProfileFacts, values: object): object {
  return {
    profile_version: 1,
    name: 'npm start',
    base_url: facts.baseUrl,
    replicas: facts.replicas,
    env_file: path.basename(envFile(facts.dataDir)),
    tenant: { tag: 'demo', consent_to_writes: true, consent_to_large_bodies: true, max_writes: 5000 },
    keys: {
      full: numbered('full', FULL_KEYS),
      ...Object.fromEntries(RING.map(([name]) => [name, variable(name)])),
      disposable: numbered('disposable', DISPOSABLE_KEYS),
    },
    fixtures: facts.fixtures,
    admin: adminCommands(facts, demoIds()),
    clock: facts.controlUrl === null ? { mode: 'none' } : { mode: 'control', url: facts.controlUrl },
    callbacks: callbacksOf(facts),
    capabilities: ['1.3', '1.4', '1.5', '1.6'],
    values: { ...values, time_zone: facts.timeZone },
  };
}

/** Paths of files are relative to the profile's folder. */
function callbacksOf({ webhookReceiver: receiver, dataDir }: ProfileFacts): object {
  if (receiver === undefined) return { mode: 'none' };
  const { host, port, certificate, key } = receiver;
  const relative = (file: string) => path.relative(path.resolve(dataDir), file);
  return {
    mode: 'loopback',
    listen: `${host}:${port}`,
    certificate: relative(certificate),
    key: relative(key),
  };
}

export function profileFile(dataDir: string): string {
  return path.join(dataDir, 'conformance.yaml');
}

const signersDir = (dataDir: string) => path.join(path.resolve(dataDir), 'eds');

const TEST_CA = 'Conformance: test CA, not a real one';

/** Makes certificates for the owners who sign in the suite, and makes the demo tenant accept their authority. */
async function ensureSigners(store: Store, dataDir: string, { fixtures }: DemoOwners, now: Date): Promise<void> {
  const tenant_id = demoIds().demo;
  const iinOf = async (fixture: unknown) => {
    const employee = await store.employees.findOne({ _id: String(fixture), tenant_id });
    return (await store.persons.findOne({ _id: employee?.person_id ?? '', tenant_id }))?.iin ?? '';
  };
  const restricted = await iinOf(fixtures.restricted_owner_employee_id);
  const second = await iinOf(fixtures.second_owner_employee_id);
  const { ca } = await writeTestSigners(signersDir(dataDir), { restricted, second }, now);
  // Anchors from earlier folders are removed, because they would only accumulate.
  const certificate = Buffer.from(ca).toString('base64');
  await store.trust_anchors.deleteMany({ tenant_id, title: TEST_CA, certificate: { $ne: certificate } });
  await addTrustAnchor(store, tenant_id, { title: TEST_CA, der: ca }, now);
}

export function envFile(dataDir: string): string {
  return path.join(dataDir, 'conformance.env');
}

/** The decided values come from the suite's example profile, which is kept in step with its schema. */
export function decidedValues(): object {
  return parse(readFileSync(path.join(ROOT, 'conformance/profile.example.yaml'), 'utf8')).values;
}

export function writeProfile(facts: ProfileFacts): void {
  const head = '# Written by npm start for its own instance; run: npm run conformance -- --profile FILE\n';
  writeFileSync(profileFile(facts.dataDir), head + stringify(profileOf(facts, decidedValues()), { lineWidth: 0 }));
}

/** Far from the first tenant's zone, for two different days, and west of it: the latest day is the first tenant's. */
const OTHER_TIME_ZONE = 'America/Phoenix';

/** Restores the tenants' flags, which an interrupted run may have left changed. */
async function ensureFlags(store: Store, tenants: Readonly<Record<DemoName, string>>, now: Date): Promise<void> {
  const wanted = { [tenants['flag-off']]: false, [tenants['flag-toggle']]: true };
  for (const tenant of await store.tenants.find({ _id: { $in: Object.keys(wanted) } }).toArray()) {
    await switchFlag(store, tenant, wanted[tenant._id] ?? true, now);
  }
}

/** Makes or repairs what the profile refers to. @returns the secrets, too, by the names of their variables */
export async function ensureConformance(
  store: Store,
  dataDir: string,
  now: Date,
): Promise<DemoOwners & { secrets: Secrets; timeZone: string }> {
  const tenants = demoIds();
  const { time_zone: timeZone = 'UTC' } = (await store.tenants.findOne({ _id: tenants.demo })) ?? {};
  await ensureFlags(store, tenants, now);
  await store.tenants.updateOne({ _id: tenants.second }, { $set: { time_zone: OTHER_TIME_ZONE } });
  await ensureArchivedTypes(store, tenants.demo);
  await ensureArchivedTemplate(store, tenants.demo);
  const ensured = await ensureOwners(store, tenants, now);
  await ensureSigners(store, dataDir, ensured, now);
  const file = envFile(dataDir);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const secrets = await ensureKeys(store, keyPlans(ensured.owners, tenants), parseEnvText(before), now);
  const after = envText(secrets);
  if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  return { ...ensured, secrets, timeZone };
}
