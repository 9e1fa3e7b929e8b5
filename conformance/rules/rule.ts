/** What a row of the rule table holds. */
import type { DecisionId } from '../../generated/decisions.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile.ts';

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

/** What must be at hand; where something is missing the rule is UNTESTED with the reason. */
export interface Needs {
  keys?: readonly KeyName[];
  fixtures?: readonly FixtureName[];
  admin?: readonly AdminCommand[];
  clock?: true;
  replica?: true;
  callbacks?: true;
  /** The tenant with more than 10,000 employees. */
  big?: true;
  /** Operations that may not be built yet; only rules that name one may be UNTESTED for that reason. */
  operations?: readonly OperationId[];
}

export interface Rule {
  id: string;
  section: Section;
  /** SHOULD: what the source does not demand but good practice does; a violation is a warning. */
  level: 'MUST' | 'SHOULD';
  /** The guarantee, in our own words. */
  text: string;
  /** Where the contract says so: an operation, a component, or a section of its description. */
  place: string;
  decisions: readonly DecisionId[];
  needs?: Needs;
  /** `quiet`: nothing of ours may change the tenant meanwhile. `changes`: changes it, so runs alone. */
  tenant?: 'quiet' | 'changes';
  /** Why the suite cannot test it on any target; such rows stay visible and are never run. */
  excluded?: string;
}

export type Extra = Partial<Pick<Rule, 'decisions' | 'needs' | 'tenant' | 'excluded'>>;

/** A row of the table. The section is the part of the id before the hyphen. */
export function row(id: string, level: Rule['level'], text: string, place: string, extra: Extra = {}): Rule {
  return { id, section: id.slice(0, id.indexOf('-')) as Section, level, text, place, decisions: [], ...extra };
}

/** What a document from the profile's template is made of. */
export const ofTemplate = ['document_type_id', 'document_template_id'] as const;

/** Without these no document causes an event. */
export const causesEvents = ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'] as const;

/** The owners who take part in a document's way, with their employees, and what its draft is made of. */
export const threeOwners = {
  keys: ['second_owner', 'restricted_owner'],
  fixtures: [...ofTemplate, 'owner_employee_id', 'second_owner_employee_id', 'restricted_owner_employee_id'],
} as const;

/** Makes MUST rows that need these operations and fixtures beside what their extras need. */
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
