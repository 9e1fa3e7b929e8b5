/** What a rule needs from the profile. What is missing is known before anything is sent. */
import { type OperationId, operations } from '../../generated/contract.ts';
import { additionOf } from '../http/capability.ts';
import type { ReasonCode } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import type { Rule } from '../rules/rule.ts';
import type { Needs } from './uses.ts';

interface MissingNeed {
  code: ReasonCode;
  reason: string;
}

/** The first thing that the profile lacks for a rule, or undefined. */
export function missingFor(rule: Pick<Rule, 'needs' | 'place'>, profile: Profile): MissingNeed | undefined {
  const { needs = {} } = rule;
  const { keys, fixtures, admin, tenant, clock, replicas } = profile;
  const key = needs.keys?.find((name) => (keys[name]?.length ?? 0) === 0);
  if (key) return { code: 'missing_key', reason: `the profile has no key ${key}` };
  const fixture = needs.fixtures?.find((name) => fixtures[name] === undefined);
  if (fixture) return { code: 'missing_fixture', reason: `the profile has no fixture ${fixture}` };
  if (fixtures.owner_employee_id === undefined && operationsOf(rule).includes('createDocument')) return noInitiator;
  const command = needs.admin?.find((name) => admin[name] === undefined);
  if (command) return { code: 'missing_admin_command', reason: `the profile has no admin command ${command}` };
  if ((needs.admin ?? []).length > 0 && !tenant.consent_to_writes) return noConsent;
  if (needs.clock && clock.mode === 'none')
    return { code: 'missing_clock', reason: 'the profile has no control clock' };
  if (needs.replica && replicas.length === 0)
    return { code: 'missing_replica', reason: 'the profile lists no replicas' };
  if (needs.big && !fixtures.big) return { code: 'missing_fixture', reason: 'the profile has no fixture big' };
  return undefined;
}

/** The owner of a key that belongs to no employee cannot create documents, which is not the target's fault. */
const noInitiator: MissingNeed = {
  code: 'missing_fixture',
  reason: 'the profile has no fixture owner_employee_id, so nobody is known to be able to create documents with full',
};

export const noConsent: MissingNeed = {
  code: 'no_consent_to_writes',
  reason: 'the profile does not consent to writes',
};

const additions = (Object.keys(operations) as OperationId[]).filter((id) => additionOf(id) !== undefined);

/**
 * The operations without which a rule cannot be tried: those that it lists, and those of additions that its place
 * names.
 */
export function operationsOf({ needs, place }: Pick<Rule, 'needs' | 'place'>): OperationId[] {
  const words = new Set(place.split(/\W+/));
  return [...new Set([...(needs?.operations ?? []), ...additions.filter((id) => words.has(id))])];
}

/** The first addition that a rule is about and that the profile does not claim, or undefined. */
export function unclaimed(rule: Pick<Rule, 'needs' | 'place'>, profile: Profile): string | undefined {
  return operationsOf(rule)
    .map(additionOf)
    .find((addition) => addition !== undefined && !profile.capabilities.includes(addition));
}

/** What a rule needs, for people. */
export function needsText(needs: Needs | undefined): string {
  if (!needs) return 'nothing but a key';
  const named = (kind: string, names: readonly string[] = []) => names.map((name) => `${kind} ${name}`);
  const parts = [
    ...named('key', needs.keys),
    ...named('fixture', needs.fixtures),
    ...named('admin', needs.admin),
    ...named('operation', needs.operations),
    needs.clock && 'control clock',
    needs.replica && 'a replica',
    needs.callbacks && 'callbacks',
    needs.big && 'fixture big',
  ];
  return parts.filter(Boolean).join(', ');
}
