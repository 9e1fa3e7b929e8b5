/** Whether keys may do what their names say and see what they must, and whether no two variables hold the same key. */
import { type OperationId, type Scope, scopes } from '../../generated/contract.ts';
import { additionOf } from '../http/capability.ts';
import { expectedError } from '../judge/contract.ts';
import { hidingOwners } from '../profile/hidden-fields.ts';
import { type LoadedProfile, namedKeys, type Profile } from '../profile/profile.ts';
import { type KeyName, keyOfScope } from '../profile/schema.ts';
import { type Ask, type Finding, judged, problem } from './ask.ts';
import { expectation } from './keys.ts';
import type { Lists } from './lists.ts';

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
  for (const [name, variable] of namedKeys(profile.keys)) {
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
      lacking.length > 0 && `it is refused ${lacking.join(', ')}`,
      beyond.length > 0 && `it is let into ${beyond.join(', ')}`,
    ];
    const wrong = says.filter(Boolean).join(' and ');
    const wanted =
      must.length === 0 ? 'without any scope' : `with ${must.length > 1 ? 'all scopes' : `${must[0]} alone`}`;
    const advice = `; put a key ${wanted} into ${variable}, or see whether the target is at fault.`;
    const fine = `are as they must be (${usable.length} of ${scopes.length} looked at)`;
    found.push(judged(about, wrong && `${wrong}${advice}`, fine));
  }
  return found;
}

/** Whether owners see of employees, by the list, what they must. @param lists what cannot be read is checked elsewhere */
export async function checkViews({ employee }: Lists, { keys, fixtures }: Profile): Promise<Finding[]> {
  const found: Finding[] = [];
  const cardsOf = (key: KeyName) => employee(key).catch(() => undefined);
  for (const { key, fixture, hidden, besides } of hidingOwners) {
    const card = (await cardsOf(key))?.find(({ id }) => id === fixtures[fixture]);
    // Whether the employee is visible at all is checked with the fixtures.
    if (card === undefined) continue;
    const beyond = besides ? card.redacted_fields.filter((field) => ![...hidden, ...besides].includes(field)) : [];
    const shown = hidden.filter((field) => !card.redacted_fields.includes(field));
    const tooMuch =
      shown.length > 0 &&
      `${shown.join(', ')} must be hidden from its owner, and redacted_fields says otherwise; change the owner's permissions.`;
    const tooLittle =
      beyond.length > 0 && `${beyond.join(', ')} must not be hidden from its owner; change his permissions.`;
    const fine = hidden.length === 0 ? 'nothing is hidden from its owner' : `${hidden.join(', ')} hidden`;
    found.push(judged(`view of ${key}`, tooMuch || tooLittle || '', fine));
  }
  const all = keys.no_employee_owner === undefined ? undefined : await cardsOf('no_employee_owner');
  if (all === undefined) return found;
  const complaint = 'its owner sees employees, and must see nobody; change his permissions.';
  return [...found, judged('view of no_employee_owner', all.length > 0 ? complaint : '', 'its owner sees nobody')];
}

/** If two variables hold the same key, the suite exceeds its limit or tests one key in place of another. */
export function checkTwins({ profile, secrets }: LoadedProfile): Finding[] {
  const variables = new Set(namedKeys(profile.keys).map(([, variable]) => variable));
  return [...Map.groupBy(variables, (variable) => secrets[variable]).values()]
    .filter(({ length }) => length > 1)
    .map((same) => problem('keys', `${same.join(' and ')} hold the same key; give each a key of its own.`));
}
