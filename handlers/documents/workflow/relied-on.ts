/**
 * What creation and routes refuse for what the store says. Later writes rely on it: `relied-on.long.test.ts` has for each
 * what they do when it has changed, and compiles only if it has that for each.
 */
import type { Violation } from '../../answers/errors.ts';

/** What a refusal says of the field. */
const says = {
  type_seen: "is not a document type that the key's owner sees",
  type_active: 'is an archived document type',
  type_for_api: 'is a document type without allow_api',
  type_for_upload: 'is a document type without allow_upload',
  template_of_type: 'is not a template of this document type',
  template_active: 'is an archived template',
  template_version: 'is not a version of this template',
  organization: 'is not an organisation of the tenant',
  subject_seen: "is not an employee whom the key's owner sees",
  participant_there:
    'must be an employee whom the initiator sees, or the manager of the initiator, and who is not terminated',
  participant_once: 'must not stand twice in one step',
} as const;

export type RefusedFor = keyof typeof says;

/** The refusal of a field for what the store says. Nothing else is one: the private field tells it from a violation. */
export class Refusal implements Violation {
  readonly field: string;
  readonly description: string;
  readonly #check: RefusedFor;

  constructor(check: RefusedFor, field: string) {
    this.#check = check;
    this.field = field;
    this.description = says[this.#check];
  }
}
