/** Which fields must be hidden from the owners of keys. */
import type { FixtureName, KeyName } from './schema.ts';

export interface HidingOwner {
  readonly key: KeyName;
  /** An employee whose card shows it, and who has a value in each of these fields. */
  readonly fixture: FixtureName;
  readonly hidden: readonly string[];
  /** Fields that may be hidden, too. If it is absent, every other field may be. */
  readonly besides?: readonly string[];
}

export const hidingOwners: readonly HidingOwner[] = [
  { key: 'full', fixture: 'employee_id', hidden: [], besides: [] },
  {
    key: 'restricted_owner',
    fixture: 'employee_id',
    hidden: ['employees.work_email', 'persons.iin', 'persons.phone'],
  },
  { key: 'second_owner', fixture: 'employee_common_id', hidden: ['persons.birth_date', 'persons.personal_email'] },
  ...(['first_name', 'last_name', 'middle_name', 'full_name'] as const).map((name) => ({
    key: `hides_${name}` as const,
    fixture: 'employee_id' as const,
    hidden: [`persons.${name}`],
    // It contains the others. Whether hiding one hides it too is tested by rules.
    besides: ['persons.full_name'],
  })),
];
