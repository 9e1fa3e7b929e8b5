/** The meaning of a permission profile (D-31), as pure functions. */
import { reportsOf } from '../data/collections/employees.ts';
import type { PermissionProfile } from '../data/collections/users.ts';
import { anyOf } from '../data/reads.ts';

const NAME_PARTS = ['persons.first_name', 'persons.last_name', 'persons.middle_name'];

/** Every redaction key that the profile hides; a hidden part of the name hides the full name too. */
export function hiddenFields(profile: PermissionProfile): ReadonlySet<string> {
  const hidden = new Set(profile.hidden_fields);
  if (NAME_PARTS.some((part) => hidden.has(part))) hidden.add('persons.full_name');
  return hidden;
}

/**
 * The conditions for the employees that an owner sees who does not see everybody, by department and by the mark
 * `visible_to`. One on `department_id`, even with thousands of departments, is served by the same indexes as a filter.
 * @param employeeId the owner's own, or `''`: then `reports` and `self` see nobody
 * @param subtree ids of the profile's departments with all their sub-departments
 */
export function seenEmployees(profile: PermissionProfile, employeeId: string, subtree: readonly string[]): object[] {
  const ways: object[] = [];
  if (subtree.length > 0) ways.push({ department_id: anyOf(subtree) });
  const reports = profile.employees.reports ? [reportsOf(employeeId)] : [];
  if (employeeId !== '') ways.push({ visible_to: anyOf([employeeId, ...reports]) });
  return ways;
}

/**
 * The conditions for the documents that the owner sees (D-15, D-31): those that any of them finds. Each is served by
 * one index in the order of the list.
 * @param employeeId the owner's own, or `''`
 * @param openTypes the types that are not confidential; needed where the profile sees `all_but_confidential`
 */
export function seenDocuments(
  { documents, document_types: types }: PermissionProfile,
  employeeId: string,
  openTypes: readonly string[],
): object[] {
  const ways: object[] = [];
  if (documents !== 'own') {
    if (types === 'all' && documents === 'all') return [{}];
    const seen = types === 'all' ? openTypes : types.filter((id) => documents === 'all' || openTypes.includes(id));
    if (seen.length > 0) ways.push({ type_id: { $in: seen } });
  }
  if (employeeId !== '') {
    // `visible_to` contains the actors too, so one index serves both branches.
    const either = { $or: [{ actors: employeeId }, { type_id: { $in: types } }] };
    ways.push({ visible_to: employeeId, ...(types !== 'all' && either) });
  }
  return ways;
}
