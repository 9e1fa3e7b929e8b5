/** Reads permission profiles from flags of the command line, and shows them as one line in lists (D-31). */

import { redactionKeys } from '../../../generated/contract.ts';
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import { commaList, invalid, refuse } from '../../kit/command-line.ts';
import { type TenantContext, take, type Values, type ValueType } from './command.ts';
import { kinds, rowsById } from './lookup.ts';
import { withoutUndefined } from './values.ts';

const DOCUMENTS = ['all', 'all_but_confidential', 'own'] as const;

/** A new user sees only their own employee and their own documents. */
export const NARROWEST: PermissionProfile = {
  employees: { all: false, departments: [], reports: false, self: true },
  hidden_fields: [],
  documents: 'own',
  document_types: 'all',
};

/** Reads `all`, `reports`, `self`, `departments:ID,ID` or `none`. @param before the result of the earlier words */
function seenEmployees(text: string, before?: PermissionProfile['employees']): PermissionProfile['employees'] {
  const seen = before ?? { all: false, departments: [], reports: false, self: false };
  if (text === 'all' || text === 'reports' || text === 'self') return { ...seen, [text]: true };
  if (text === 'none') return seen;
  if (!text.startsWith('departments:')) invalid('It must be all, reports, self, none or departments:ID,ID.');
  const departments = [...new Set([...seen.departments, ...commaList(text.slice('departments:'.length))])];
  if (departments.length === 0) invalid('departments: must be followed by ids.');
  return { ...seen, departments };
}

function hiddenFields(text: string): string[] {
  if (text === 'none') return [];
  const fields = commaList(text).sort();
  const unknown = fields.filter((field) => !(redactionKeys as readonly string[]).includes(field));
  if (unknown.length > 0)
    invalid(`${unknown.join(', ')} cannot be hidden. These can: ${redactionKeys.join(', ')}, or none.`);
  return fields;
}

function documents(text: string): PermissionProfile['documents'] {
  return DOCUMENTS.find((known) => known === text) ?? invalid(`It must be ${DOCUMENTS.join(', ')}.`);
}

function documentTypes(text: string): PermissionProfile['document_types'] {
  return text === 'all' ? 'all' : text === 'none' ? [] : commaList(text);
}

const readBy = <T>(placeholder: string, read: ValueType<T>['read']): ValueType<T> => ({ placeholder, read });

export const profileOptions = {
  employees: take.optional(
    readBy('who...', seenEmployees),
    'employees seen: all, reports, self, departments:ID,ID (several), or none',
  ),
  hidden_fields: take.optional(
    readBy('fields', hiddenFields),
    'personal fields hidden, such as persons.iin,persons.phone, or none',
    'hide',
  ),
  documents: take.optional(readBy('which', documents), 'documents seen: all, all_but_confidential or own'),
  document_types: take.optional(readBy('ids', documentTypes), 'document types seen: all, none or ID,ID'),
};

/** Applies the flags to a profile. @throws Failure (refused) for a department or type that the tenant does not have */
export async function profileFrom(
  at: TenantContext,
  base: PermissionProfile,
  flags: Values<typeof profileOptions>,
): Promise<PermissionProfile> {
  const profile: PermissionProfile = { ...base, ...withoutUndefined(flags) };
  await mustExist(at, kinds.department, profile.employees.departments);
  if (profile.document_types !== 'all') await mustExist(at, kinds.document_type, profile.document_types);
  return profile;
}

async function mustExist(
  at: TenantContext,
  kind: (typeof kinds)['department' | 'document_type'],
  ids: readonly string[],
): Promise<void> {
  const known = await rowsById(at, kind.collection, ids);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    refuse(
      `There is no ${kind.noun} ${unknown.join(', ')} in the tenant ${at.tenant.name}. See: settings ${kind.list}`,
    );
}

/** `all; hidden persons.iin; documents own` */
export function profileLine({ employees, hidden_fields, documents, document_types }: PermissionProfile): string {
  const who = employees.all
    ? ['all']
    : [
        ...(employees.departments.length > 0 ? [`${employees.departments.length} departments`] : []),
        ...(employees.reports ? ['reports'] : []),
        ...(employees.self ? ['self'] : []),
      ];
  const parts = [`employees ${who.join(' + ') || 'none'}`, `documents ${documents}`];
  if (hidden_fields.length > 0) parts.push(`hidden ${hidden_fields.join(' ')}`);
  if (document_types !== 'all') parts.push(`${document_types.length} document types`);
  return parts.join('; ');
}
