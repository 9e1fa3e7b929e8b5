/** Whether keys may do what their names say and see what they must, and whether no two variables hold the same key. */
import { type OperationId, type Scope, scopes } from '../../generated/operations.ts';
import { additionOf } from '../http/capability.ts';
import { expectedError } from '../judge/contract.ts';
import type { LoadedProfile, Profile } from '../profile/profile.ts';
import { type FixtureName, type KeyName, keyOfScope } from '../profile/schema.ts';
import { type Ask, type Finding, ok, problem } from './ask.ts';
import { expectation, keyNames } from './keys.ts';

/** A request that only keys with a scope may make. */
interface Probe {
  operation: OperationId;
  target: string;
  /** A body that every target must refuse, so that nothing is created. */
  body?: object;
}

const probes: Readonly<Record<Scope, Probe>> = {
  'employees:read': { operation: 'listEmployees', target: '/employees?limit=1' },
  'documents:read': { operation: 'listDocuments', target: '/documents?limit=1' },
  'documents:write': { operation: 'createDocument', target: '/documents', body: {} },
  'webhooks:manage': { operation: 'createWebhookEndpoint', target: '/webhook_endpoints', body: {} },
  'ingest:write': { operation: 'ingestRecords', target: '/ingest/KEDO', body: {} },
};

/** What a key may do. */
function scopesOf(name: KeyName): readonly Scope[] {
  if (name === 'no_scope') return [];
  const only = scopes.filter((scope) => keyOfScope[scope] === name);
  return only.length > 0 ? only : scopes;
}

/**
 * Statuses that say nothing about scopes: no answer, a key that is refused altogether, no such operation, too many
 * requests.
 */
const SILENT: readonly number[] = [0, 401, 404, 405, 429, 501];

export async function checkScopes(ask: Ask, profile: Profile): Promise<Finding[]> {
  const { capabilities, tenant, values } = profile;
  const refusal = expectedError('SCOPE_INSUFFICIENT', values);
  const usable = scopes.filter((scope) => {
    const { operation, body } = probes[scope];
    const addition = additionOf(operation);
    return (addition === undefined || capabilities.includes(addition)) && (!body || tenant.consent_to_writes);
  });
  const found: Finding[] = [];
  for (const [name, variable] of keyNames(profile)) {
    // A rule tests whether this key may ingest. Disposable keys are left alone.
    if (expectation(name, profile).status !== 200 || name === 'fake_super_admin_ingest' || name === 'disposable')
      continue;
    const must = scopesOf(name);
    const lacking: Scope[] = [];
    const beyond: Scope[] = [];
    for (const scope of usable) {
      const { target, body } = probes[scope];
      const { status, code } = await ask(variable, target, body ? { method: 'POST', body } : {});
      if (SILENT.includes(status)) continue;
      const may = !(status === refusal.status && code === refusal.code);
      if (may !== must.includes(scope)) (may ? beyond : lacking).push(scope);
    }
    const about = `scopes of ${name} (${variable})`;
    const says = [
      ...(lacking.length > 0 ? [`it is refused ${lacking.join(', ')}`] : []),
      ...(beyond.length > 0 ? [`it is let into ${beyond.join(', ')}`] : []),
    ].join(' and ');
    const wanted =
      must.length === 0 ? 'without any scope' : `with ${must.length > 1 ? 'all scopes' : `${must[0]} alone`}`;
    found.push(
      says === ''
        ? ok(about, `are as they must be (${usable.length} of ${scopes.length} looked at)`)
        : problem(about, `${says}; put a key ${wanted} into ${variable}, or see whether the target is at fault.`),
    );
  }
  return found;
}

/** Fields that must be hidden from an owner, and an employee whose card shows it. */
const hiding: readonly {
  key: KeyName;
  fixture: FixtureName;
  hidden: readonly string[];
  /** What else may be hidden; absent if anything may. */
  besides?: readonly string[];
}[] = [
  { key: 'full', fixture: 'employee_id', hidden: [], besides: [] },
  {
    key: 'restricted_owner',
    fixture: 'employee_id',
    hidden: ['employees.work_email', 'persons.iin', 'persons.phone'],
  },
  { key: 'second_owner', fixture: 'employee_common_id', hidden: ['persons.birth_date'] },
  ...(['first_name', 'last_name', 'middle_name', 'full_name'] as const).map((name) => ({
    key: `hides_${name}` as const,
    fixture: 'employee_id' as const,
    hidden: [`persons.${name}`],
    // It contains the others. Whether hiding one hides it too is tested by rules.
    besides: ['persons.full_name'],
  })),
];

export async function checkViews(ask: Ask, { keys, fixtures }: Profile): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { key, fixture, hidden, besides } of hiding) {
    const variable = [keys[key]].flat()[0];
    const id = fixtures[fixture];
    if (variable === undefined || id === undefined) continue;
    const { status, body } = await ask(variable, `/employees/${encodeURIComponent(id)}?expand=person`);
    // Whether the employee is visible at all is checked with the fixtures.
    if (status !== 200) continue;
    const { redacted_fields = [] } = (body as { employee?: { redacted_fields?: string[] } }).employee ?? {};
    const about = `view of ${key}`;
    const beyond = besides ? redacted_fields.filter((field) => ![...hidden, ...besides].includes(field)) : [];
    const shown = hidden.filter((field) => !redacted_fields.includes(field));
    if (shown.length > 0)
      found.push(
        problem(
          about,
          `${shown.join(', ')} must be hidden from its owner, and redacted_fields says otherwise; change the owner's permissions.`,
        ),
      );
    else if (beyond.length > 0)
      found.push(problem(about, `${beyond.join(', ')} must not be hidden from its owner; change his permissions.`));
    else
      found.push(ok(about, hidden.length === 0 ? 'nothing is hidden from its owner' : `${hidden.join(', ')} hidden`));
  }
  const nobody = keys.no_employee_owner;
  if (nobody !== undefined) {
    const { status, body } = await ask(nobody, '/employees?limit=1');
    const rows = (body as { employees?: unknown[] } | undefined)?.employees;
    if (status === 200 && rows !== undefined)
      found.push(
        rows.length === 0
          ? ok('view of no_employee_owner', 'its owner sees nobody')
          : problem(
              'view of no_employee_owner',
              'its owner sees employees, and must see nobody; change his permissions.',
            ),
      );
  }
  return found;
}

/** If two variables hold the same key, the suite exceeds its limit or tests one key in place of another. */
export function checkTwins({ profile, secrets }: LoadedProfile): Finding[] {
  const names = new Map<string, string[]>();
  for (const [, variable] of keyNames(profile)) {
    const secret = secrets[variable] ?? '';
    names.set(secret, [...new Set([...(names.get(secret) ?? []), variable])]);
  }
  return [...names.values()]
    .filter((variables) => variables.length > 1)
    .map((variables) => problem('keys', `${variables.join(' and ')} hold the same key; give each a key of its own.`));
}
