/** What a permission profile means (D-31), as pure functions. */
import { type PermissionProfile, reportsOf } from './store.ts';

const NAME_PARTS = ['persons.first_name', 'persons.last_name', 'persons.middle_name'];

/** Every redaction key that the profile hides; a hidden part of the name hides the full name too. */
export function hiddenFields(profile: PermissionProfile): ReadonlySet<string> {
  const hidden = new Set(profile.hidden_fields);
  if (NAME_PARTS.some((part) => hidden.has(part))) hidden.add('persons.full_name');
  return hidden;
}

/**
 * The marks (`visible_to`) under which the owner finds employees, when the profile does not see everybody.
 * @param employeeId the owner's own employee, or `''`: then `reports` and `self` see nobody
 * @param subtree ids of the profile's departments with all their sub-departments
 */
export function employeeMarks(profile: PermissionProfile, employeeId: string, subtree: readonly string[]): string[] {
  const marks = [...subtree];
  if (employeeId !== '') {
    marks.push(employeeId);
    if (profile.employees.reports) marks.push(reportsOf(employeeId));
  }
  return marks;
}

/**
 * The condition under which the owner sees documents (D-15, D-31); undefined when that is none at all.
 * @param employeeId the owner's own employee, or `''`
 * @param confidentialTypes ids of the tenant's confidential types; needed where the profile sees `all_but_confidential`
 */
export function seenDocuments(
  { documents, document_types: types }: PermissionProfile,
  employeeId: string,
  confidentialTypes: readonly string[],
): object | undefined {
  const ways: object[] = [];
  if (employeeId !== '') {
    if (types === 'all') ways.push({ visible_to: employeeId });
    else ways.push({ actors: employeeId }, { visible_to: employeeId, type_id: { $in: types } });
  }
  if (documents !== 'own') {
    const hidden = documents === 'all' ? [] : confidentialTypes;
    if (types !== 'all') ways.push({ type_id: { $in: types.filter((id) => !hidden.includes(id)) } });
    else if (hidden.length > 0) ways.push({ type_id: { $nin: hidden } });
    else return {};
  }
  const [only] = ways;
  return ways.length > 1 ? { $or: ways } : only;
}
