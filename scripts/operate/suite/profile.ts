/** The conformance profile of a deployment whose test tenants, keys and fixtures were made here. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Callbacks } from '../../../conformance/profile/profile.ts';
import type { AdminCommand } from '../../../conformance/profile/schema.ts';
import { keyVariables, poolKeyVariables } from './key-plans.ts';
import type { PoolTenant, TestOwners } from './owners.ts';
import type { WebhookReceiver } from './receiver.ts';
import type { TenantIds } from './tenant-set.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** How a deployment is reached, and what it has for the suite. */
export interface ProfileFacts extends TestOwners {
  /** Its name in reports, and the name of the main tenant there. */
  readonly name: string;
  readonly tag: string;
  readonly baseUrl: string;
  readonly replicas: readonly string[];
  /** Whether something in front of the service may refuse what is no valid HTTP. */
  readonly hasTerminator: boolean;
  readonly controlUrl: string | null;
  readonly callbacks: Callbacks;
  /** A program that restarts a process of the service and returns when it answers again. */
  readonly restart: readonly string[] | null;
  /** A program that prints log lines of all processes. */
  readonly logs: readonly string[] | null;
  readonly consentToLargeBodies: boolean;
  /** Where the profile is, with the keys and the signers. */
  readonly folder: string;
  /** The folder by which the settings tool finds the database. */
  readonly dataDir: string;
  readonly tenants: TenantIds;
  readonly timeZone: string;
  readonly pool: readonly PoolTenant[];
}

export const profileFile = (folder: string) => path.join(folder, 'conformance.yaml');
export const envFile = (folder: string) => path.join(folder, 'conformance.env');
export const signersDir = (folder: string) => path.join(path.resolve(folder), 'eds');

/** A program of the project with the same Node that runs this: the one that a shell finds may be too old. */
export function programLine(file: string, ...argv: readonly string[]): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', 'scripts/run.mjs', file, ...argv];
}

function adminCommands(facts: ProfileFacts): Partial<Record<AdminCommand | 'runner', readonly string[]>> {
  const { folder, owners, detachableEmployee, tenants, restart, logs } = facts;
  const signer = path.join(signersDir(folder), '{certificate}');
  const sign = (...more: string[]) =>
    programLine('scripts/operate/eds/main.ts', 'sign', '--certificate', signer, ...more, '--file', '{file}');
  const inMain = toolIn(facts, tenants.main);
  const inToggle = toolIn(facts, tenants.flag_toggle);
  const narrowable = (options: string) => inMain(`users update ${owners.narrowable} ${options}`);
  const detachable = (options: string) => inMain(`users update ${owners.detachable} ${options}`);
  const document = (action: string) => inMain(`documents ${action} {document_id} --by {employee_id}`);
  const flag = (to: string) => inToggle(`tenants update ${tenants.flag_toggle} --flag ${to}`);
  return {
    runner: programLine('scripts/operate/suite/runner.ts'),
    revoke_key: inMain('keys revoke {prefix}'),
    narrow_owner: narrowable('--employees self --hide persons.iin'),
    restore_owner: narrowable('--employees all self --hide none'),
    demote_owner: narrowable('--super-admin off'),
    promote_owner: narrowable('--super-admin on'),
    flag_on: flag('on'),
    flag_off: flag('off'),
    rename_department: inMain('departments rename {department_id} {title}'),
    detach_owner: detachable('--employee none --documents own'),
    attach_owner: detachable(`--employee ${detachableEmployee} --documents all`),
    request_changes: [...document('request-changes'), '--comment', '{comment}'],
    revoke_document: document('revoke'),
    delete_document: document('delete'),
    reassign_slot: inMain('documents reassign {document_id} --from {employee_id} --to {to_employee_id}'),
    sign_cms: sign(),
    sign_cms_with: sign('--scheme', '{scheme}'),
    ...(restart && { restart }),
    ...(logs && { logs }),
    disable_webhook_endpoint: inMain('webhook-endpoints disable {endpoint_id}'),
    enable_webhook_endpoint: inMain('webhook-endpoints enable {endpoint_id}'),
    apply_toggle_employee_changes: inToggle('employees apply --file {file}'),
    ...changesOf(facts, tenants.main),
  };
}

/** The settings tool in a tenant. The words of a command have no blanks; what the suite puts in their places may. */
const toolIn = ({ dataDir }: ProfileFacts, tenantId: string) => {
  const tool = programLine('scripts/operate/settings/main.ts', '--data', path.resolve(dataDir), '--tenant', tenantId);
  return (line: string) => [...tool, ...line.split(' ')];
};

/** The commands of rules that change employees, in a tenant of the pool, too. */
function changesOf(facts: ProfileFacts, tenantId: string): Partial<Record<AdminCommand, readonly string[]>> {
  const inTenant = toolIn(facts, tenantId);
  return {
    apply_employee_changes: inTenant('employees apply --file {file}'),
    move_department: inTenant('departments move {department_id} --parent {parent_id}'),
    show_ingest: inTenant('--json ingests show {ingest_request_id} --limit 10000'),
    decide_ingest: inTenant('ingests decide {ingest_request_id} {record} {as}'),
  };
}

const MOST_WRITES = 5_000;

/** The profile as an object. @param values this service's decisions on what the source leaves open */
function profileOf(facts: ProfileFacts, values: object): object {
  const { name, tag, folder, baseUrl, replicas, controlUrl, consentToLargeBodies, fixtures, callbacks } = facts;
  const terminator = facts.hasTerminator ? { terminator: true } : {};
  return {
    profile_version: 1,
    name,
    base_url: baseUrl,
    replicas,
    ...terminator,
    env_file: path.basename(envFile(folder)),
    tenant: {
      tag,
      consent_to_writes: true,
      consent_to_large_bodies: consentToLargeBodies,
      max_writes: MOST_WRITES,
    },
    keys: keyVariables(),
    fixtures,
    admin: { cwd: path.relative(path.resolve(folder), ROOT) || '.', ...adminCommands(facts) },
    pool: facts.pool.map(({ role, tag, fixtures }) => ({
      tag,
      keys: poolKeyVariables(role),
      fixtures,
      admin: changesOf(facts, facts.tenants[role]),
    })),
    clock: controlUrl === null ? { mode: 'none' } : { mode: 'control', url: controlUrl },
    callbacks,
    capabilities: ['1.3', '1.4', '1.5', '1.6'],
    values: { ...values, time_zone: facts.timeZone },
  };
}

/** Deliveries arrive at the receiver, an address that the server allows. Paths of files are relative to the profile. */
export function loopbackCallbacks(receiver: WebhookReceiver | undefined, folder: string): Callbacks {
  if (receiver === undefined) return { mode: 'none' };
  const { host, port, certificate, key } = receiver;
  const relative = (file: string) => path.relative(path.resolve(folder), file);
  return { mode: 'loopback', listen: `${host}:${port}`, certificate: relative(certificate), key: relative(key) };
}

/** The decided values come from the suite's example profile, which is kept in step with its schema. */
function decidedValues(): object {
  return parse(readFileSync(path.join(ROOT, 'conformance/profile.example.yaml'), 'utf8')).values;
}

/** @param by the command that writes it */
export function writeProfile(facts: ProfileFacts, by: string): void {
  const head = `# Written by ${by}; run: npm run conformance -- --profile FILE\n`;
  writeFileSync(profileFile(facts.folder), head + stringify(profileOf(facts, decidedValues()), { lineWidth: 0 }));
}
