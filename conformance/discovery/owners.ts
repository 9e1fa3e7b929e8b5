/**
 * Finds which employees own keys. Only one operation of the interface shows it: a document created with a key names the
 * key's owner as its initiator. So discovery creates one draft for each key. If it is repeated within a day, it gets
 * the same draft again.
 */
import { createHash } from 'node:crypto';
import type { Ask } from '../doctor/ask.ts';
import { NothingFound, type Template, variableOf } from '../doctor/lists.ts';
import type { Profile } from '../profile/profile.ts';
import type { FixtureName, KeyName } from '../profile/schema.ts';
import { type Schema, valuesFor } from '../rules/shared/template-values.ts';
import type { Discovery } from './found.ts';

/** The keys whose owners are fixtures. */
export const owned = [
  ['full', 'owner_employee_id'],
  ['second_owner', 'second_owner_employee_id'],
  ['restricted_owner', 'restricted_owner_employee_id'],
  ['reports_owner', 'reports_owner_employee_id'],
] as const satisfies readonly (readonly [KeyName, FixtureName])[];

/** @param template of which the draft is made @throws NothingFound */
export async function ownerFound(
  ask: Ask,
  { keys, tenant, base_url }: Pick<Profile, 'keys' | 'tenant' | 'base_url'>,
  [key, fixture]: (typeof owned)[number],
  template: Template,
): Promise<Discovery> {
  const mark = createHash('sha256').update(`${base_url} ${tenant.tag} ${key} ${template.id}`);
  const { status, body, brief } = await ask(variableOf({ keys }, key), '/documents', {
    method: 'POST',
    headers: [['Idempotency-Key', `conformance-discover-${mark.digest('hex').slice(0, 32)}`]],
    body: {
      title: `conformance discover: draft of key ${key}`,
      type_id: template.type_id,
      template_id: template.id,
      template_values: valuesFor(template.variable_schema as unknown as Schema, 'required'),
    },
  });
  const { document } = (body ?? {}) as { document?: { initiator_employee_id?: string } };
  const id = document?.initiator_employee_id;
  if (status !== 200 || !id) throw new NothingFound(`no draft can be made with key ${key}: ${brief}`);
  return { fixture, id, how: `initiator of a draft that ${key} made` };
}
