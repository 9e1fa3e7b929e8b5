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
