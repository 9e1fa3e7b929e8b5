/** Personal values that must not appear where they do not belong. */
import type { TestContext } from '../../engine/test-context.ts';

/** A shorter value may be part of other text. */
const SHORTEST = 4;

/** Names, number, position and contacts of these employees, as the full key reads them. */
export async function personalValuesOf(t: TestContext, employeeIds: readonly string[]): Promise<string[]> {
  const full = t.as('full');
  const values: (string | undefined)[] = [];
  for (const id of employeeIds) {
    const { person, job_title, work_email } = await full.employee(id, { expand: ['person', 'job_title'] });
    const { first_name, last_name, middle_name, full_name, iin, phone, personal_email } = t.present(
      person,
      'expand=person gave no person',
    );
    values.push(
      first_name,
      last_name,
      middle_name,
      full_name,
      iin,
      phone,
      personal_email,
      job_title?.title,
      work_email,
    );
  }
  return values.filter((value): value is string => value !== undefined && value.length >= SHORTEST);
}
