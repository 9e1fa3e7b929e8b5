/**
 * Finds which employees own keys. Only one operation of the interface shows it: a document created with a key names the
 * key's owner as its initiator. So discovery creates one draft for each key. If it is repeated within a day, it gets
 * the same draft again.
 */
import { createHash } from 'node:crypto';
import type { Ask } from '../doctor/ask.ts';
import type { Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { type Schema, valuesFor } from '../rules/shared/template-values.ts';
import type { Template } from './catalogue.ts';
import { type Discovery, found, missing } from './found.ts';

const owned = [
  ['full', 'owner_employee_id'],
  ['second_owner', 'second_owner_employee_id'],
  ['restricted_owner', 'restricted_owner_employee_id'],
  ['reports_owner', 'reports_owner_employee_id'],
] as const;

export const ownerFixtures: readonly FixtureName[] = owned.map(([, fixture]) => fixture);

export interface OwnerSearch {
  ask: Ask;
  profile: Pick<Profile, 'keys' | 'tenant' | 'base_url'>;
  /** Which of {@link ownerFixtures} are wanted. */
  wanted: ReadonlySet<string>;
  /** The template of the drafts; undefined if there is none. */
  template: Template | undefined;
  /** Whether drafts may be created. */
  allowed: boolean;
}

export async function ownersFound({ ask, profile, wanted, template, allowed }: OwnerSearch): Promise<Discovery[]> {
  const all: Discovery[] = [];
  for (const [key, fixture] of owned) {
    const variable = [profile.keys[key]].flat()[0];
    if (!wanted.has(fixture)) continue;
    if (variable === undefined) all.push(missing(fixture, `the profile has no key ${key}`));
    else if (!allowed)
      all.push(missing(fixture, 'only a draft made with that key shows it, and writes are not consented to'));
    else if (!template) all.push(missing(fixture, 'only a draft shows it, and there is no template to make one from'));
    else {
      const mark = createHash('sha256').update(`${profile.base_url} ${profile.tenant.tag} ${key} ${template.id}`);
      const { status, body, brief } = await ask(variable, '/documents', {
        method: 'POST',
        headers: [['Idempotency-Key', `conformance-discover-${mark.digest('hex').slice(0, 32)}`]],
        body: {
          title: `conformance discover: draft of key ${key}`,
          type_id: template.type_id,
          template_id: template.id,
          template_values: valuesFor(template.variable_schema as unknown as Schema, 'required'),
        },
      });
      const id = (body as { document?: { initiator_employee_id?: string } } | undefined)?.document
        ?.initiator_employee_id;
      all.push(
        status === 200 && id
          ? found(fixture, id, `initiator of a draft that ${key} made`)
          : missing(fixture, `no draft can be made with key ${key}: ${brief}`),
      );
    }
  }
  return all;
}
