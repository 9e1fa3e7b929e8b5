/** The content of a row of the rule table. */
import type { DecisionId } from '../../generated/decisions.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/profile.ts';

export type Section =
  | 'GEN'
  | 'PRIV'
  | 'AUTH'
  | 'FLAG'
  | 'SCOPE'
  | 'EMP'
  | 'PAGE'
  | 'RED'
  | 'DT'
  | 'LOGIN'
  | 'FILE'
  | 'DOC'
  | 'IDEM'
  | 'DREAD'
  | 'FLOW'
  | 'REJ'
  | 'ING'
  | 'WHK'
  | 'SIG'
  | 'EVT'
  | 'DLV'
  | 'ERR'
  | 'LIM'
  | 'VER'
  | 'X';

/** What must be available. If something is missing, the rule is UNTESTED and the reason says what. */
export interface Needs {
  keys?: readonly KeyName[];
  fixtures?: readonly FixtureName[];
  admin?: readonly AdminCommand[];
  clock?: true;
  replica?: true;
  callbacks?: true;
  /** Needs a tenant with more than 10,000 employees. */
  big?: true;
  /** Operations that may not be built yet; only rules that name one may be UNTESTED for that reason. */
  operations?: readonly OperationId[];
}

export interface Rule {
  id: string;
  section: Section;
  /** SHOULD: the source does not demand it, but good practice does; a violation is a warning. */
  level: 'MUST' | 'SHOULD';
  /** The guarantee, in our own words. */
  text: string;
  /** Where the contract says it: an operation, a component, or a section of its description. */
  place: string;
  decisions: readonly DecisionId[];
  needs?: Needs;
  /**
   * `quiet`: no other rule may change the tenant while this one runs. `changes`: this rule changes it, so no `quiet` or
   * `changes` rule runs beside it.
   */
  tenant?: 'quiet' | 'changes';
  /** Why the suite cannot test the rule on any target. Such rows stay visible and are never run. */
  excluded?: string;
}

export type Extra = Partial<Pick<Rule, 'decisions' | 'needs' | 'tenant' | 'excluded'>>;

/** A row of the table. The section is the part of the id before the hyphen. */
export function row(id: string, level: Rule['level'], text: string, place: string, extra: Extra = {}): Rule {
  return { id, section: id.slice(0, id.indexOf('-')) as Section, level, text, place, decisions: [], ...extra };
}

/** The fixtures from which a document of the profile's template is made. */
export const ofTemplate = ['document_type_id', 'document_template_id'] as const;

/** Without these operations no document causes an event. */
export const causesEvents = ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'] as const;

/** The owners who take part in a document's route, with their employees, and the fixtures of its draft. */
export const threeOwners = {
  keys: ['second_owner', 'restricted_owner'],
  fixtures: [...ofTemplate, 'owner_employee_id', 'second_owner_employee_id', 'restricted_owner_employee_id'],
} as const;

/** Makes MUST rows that need these operations and fixtures besides those in their extras. */
export function needing(operations: readonly OperationId[], fixtures: readonly FixtureName[] = []) {
  return (id: string, text: string, place: string, extra: Extra = {}): Rule =>
    row(id, 'MUST', text, place, {
      ...extra,
      needs: {
        ...extra.needs,
        operations: [...operations, ...(extra.needs?.operations ?? [])],
        fixtures: [...fixtures, ...(extra.needs?.fixtures ?? [])],
      },
    });
}
