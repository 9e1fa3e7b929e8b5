/** Reads permission profiles from flags of the command line, and shows them as one line in lists (D-31). */

import { commaList, invalid, refuse } from '../../../conformance/command-line.ts';
import { redactionKeys } from '../../../generated/personal-data.ts';
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import { type TenantContext, take, type Values, type ValueType } from './command.ts';

const DOCUMENTS = ['all', 'all_but_confidential', 'own'] as const;

/** A new user sees only their own employee and their own documents. */
export const NARROWEST: PermissionProfile = {
  employees: { all: false, departments: [], reports: false, self: true },
  hidden_fields: [],
  documents: 'own',
  document_types: 'all',
};

/** Reads `all`, `reports`, `self`, `departments:ID,ID` or `none`. @param before the result of the earlier words */
export function seenEmployees(text: string, before?: PermissionProfile['employees']): PermissionProfile['employees'] {
  const seen = before ?? { all: false, departments: [], reports: false, self: false };
  if (text === 'all' || text === 'reports' || text === 'self') return { ...seen, [text]: true };
  if (text === 'none') return seen;
  if (!text.startsWith('departments:')) invalid('It must be all, reports, self, none or departments:ID,ID.');
  const departments = [...new Set([...seen.departments, ...commaList(text.slice('departments:'.length))])];
  if (departments.length === 0) invalid('departments: must be followed by ids.');
  return { ...seen, departments };
}

export function hiddenFields(text: string): string[] {
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

function fieldsOf(value: unknown, names: readonly string[], where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) invalid(`${where} must be an object.`);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) invalid(`${where} has no field ${unknown.join(', ')}; its fields are ${names.join(', ')}.`);
  return value as Record<string, unknown>;
}

function texts(value: unknown, where: string): string[] {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    invalid(`${where} must be a list of texts.`);
  return value as string[];
}

/** A profile, or a part of one, as JSON. Fields that are left out stay unchanged. */
export function profileJson(text: string): Partial<PermissionProfile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    invalid('It must be JSON, such as {"employees":{"all":true},"hidden_fields":["persons.iin"]}.');
  }
  const given = fieldsOf(value, ['employees', 'hidden_fields', 'documents', 'document_types'], 'The profile');
  const profile: Partial<PermissionProfile> = {};
  if (given.employees !== undefined) {
    const seen = fieldsOf(given.employees, ['all', 'departments', 'reports', 'self'], 'employees');
    const flag = (name: string) => {
      const on = seen[name] ?? false;
      return typeof on === 'boolean' ? on : invalid(`employees.${name} must be true or false.`);
    };
    const departments = [...new Set(texts(seen.departments ?? [], 'employees.departments'))];
    profile.employees = { all: flag('all'), departments, reports: flag('reports'), self: flag('self') };
  }
  if (given.hidden_fields !== undefined) {
    const fields = texts(given.hidden_fields, 'hidden_fields');
    profile.hidden_fields = fields.length === 0 ? [] : hiddenFields(fields.join(','));
  }
  if (given.documents !== undefined) profile.documents = documents(String(given.documents));
  const types = given.document_types;
  if (types !== undefined)
    profile.document_types = types === 'all' ? 'all' : [...new Set(texts(types, 'document_types'))];
  return profile;
}

const readBy = <T>(placeholder: string, read: ValueType<T>['read']): ValueType<T> => ({ placeholder, read });

export const profileOptions = {
  employees: take.optional(
    readBy('who...', seenEmployees),
    'employees seen: all, reports, self, departments:ID,ID (several), or none',
  ),
  hide: take.optional(
    readBy('fields', hiddenFields),
    'personal fields hidden, such as persons.iin,persons.phone, or none',
  ),
  documents: take.optional(readBy('which', documents), 'documents seen: all, all_but_confidential or own'),
  documentTypes: take.optional(readBy('ids', documentTypes), 'document types seen: all, none or ID,ID'),
  profile: take.optional(
    readBy('JSON', profileJson),
    'the profile, or a part of it, as JSON; the other flags come on top',
  ),
};

/** Applies the flags to a profile. @throws Failure (refused) for a department or type that the tenant does not have */
export async function profileFrom(
  at: TenantContext,
  base: PermissionProfile,
  flags: Values<typeof profileOptions>,
): Promise<PermissionProfile> {
  const profile: PermissionProfile = {
    ...base,
    ...flags.profile,
    ...(flags.employees && { employees: flags.employees }),
    ...(flags.hide && { hidden_fields: flags.hide }),
    ...(flags.documents && { documents: flags.documents }),
    ...(flags.documentTypes && { document_types: flags.documentTypes }),
  };
  await mustExist(at, 'departments', profile.employees.departments, 'department', 'departments list');
  if (profile.document_types !== 'all') {
    await mustExist(at, 'document_types', profile.document_types, 'document type', 'document-types list');
  }
  return profile;
}

async function mustExist(
  { store, tenant }: TenantContext,
  collection: 'departments' | 'document_types',
  ids: readonly string[],
  noun: string,
  list: string,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await store.db
    .collection<{ _id: string }>(collection)
    .find({ _id: { $in: [...ids] }, tenant_id: tenant._id }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(rows.map(({ _id }) => _id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    refuse(`There is no ${noun} ${unknown.join(', ')} in the tenant ${tenant.name}. See: settings ${list}`);
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
