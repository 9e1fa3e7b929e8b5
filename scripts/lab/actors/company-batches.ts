/** Batches of an invented company: everything is created, and then some of it is changed. */

/** The content of one request. */
export interface BatchOf {
  readonly payload_type: string;
  readonly records: Record<string, string | null>[];
}

const list = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

/** @param count how many employees; each has its own person */
export function batchesOf(count: number): BatchOf[] {
  const departments = Math.max(2, Math.round(count / 100));
  return [
    { payload_type: 'ORGANIZATIONS', records: list(3, (n) => ({ external_id: `O${n}`, title: `Филиал ${n}` })) },
    { payload_type: 'JOB_TITLES', records: list(5, (n) => ({ external_id: `J${n}`, title: `Должность ${n}` })) },
    {
      payload_type: 'DEPARTMENTS',
      // Children come before their parents.
      records: list(departments, (n) => ({
        external_id: `D${n}`,
        title: `Отдел ${n}`,
        external_organization_id: `O${n % 3}`,
        external_parent_id: n === departments - 1 ? '' : `D${Math.min(departments - 1, 2 * n + 1)}`,
      })),
    },
    {
      payload_type: 'PERSONS',
      records: list(count, (n) => ({
        external_id: `P${n}`,
        first_name: 'Айгүл',
        last_name: `Сейітова-${n}`,
        birth_date: '1990-01-31',
        phone: '+77000000001',
        email: `p${n}@example.com`,
        gender: 'F',
      })),
    },
    {
      payload_type: 'EMPLOYEES',
      records: list(count, (n) => ({
        external_id: `E${n}`,
        number: `${n}`,
        admission_date: '2024-01-01',
        external_person_id: `P${n}`,
        external_organization_id: `O${n % 3}`,
        external_department_id: `D${n % departments}`,
        external_job_title_id: `J${n % 5}`,
        available_vacation_day_count: '24',
      })),
    },
    {
      payload_type: 'PERSONS',
      records: list(Math.ceil(count / 2), (n) => ({
        external_id: `P${2 * n}`,
        ...(n % 2 === 0 ? { last_name: `Омарова-${n}` } : { phone: null }),
      })),
    },
    {
      payload_type: 'EMPLOYEES',
      records: list(Math.ceil(count / 3), (n) => ({
        external_id: `E${3 * n}`,
        ...(n % 2 === 0
          ? { left_date: '2025-01-31' }
          : { external_department_id: `D${n % departments}`, number: null }),
        // A reference that is unknown leaves the employee's as it is; the rest of the record is applied.
        ...(n % 50 === 49 && { external_job_title_id: 'J-unknown' }),
      })),
    },
  ];
}

/**
 * How many events the batches make, calculated from the rules (D-29) and not counted from what arrives: one for each
 * creation, one for each change of a person or an employee, and one more for each new name.
 */
export function eventsOf(count: number): number {
  const persons = Math.ceil(count / 2);
  const employees = Math.ceil(count / 3);
  // Every second of these persons gets another name.
  return count + persons + Math.ceil(persons / 2) + employees;
}
