/**
 * How the first and the last day of work change an employee's status (D-29), on the tenant's day: ACCEPTED becomes
 * ACTIVE on the first day; any status except a draft becomes TERMINATED on the day after the last day; and TERMINATED
 * becomes ACTIVE when the last day is cleared or moved ahead. People set and end all other statuses.
 */
import type { EmployeeRow, StoredEmployeeStatus } from '../../data/collections/employees.ts';
import { dayAfter } from '../../runtime/day.ts';

/** The dates of an employment; `''` where one is unset. */
export type Dates = Pick<EmployeeRow, 'start_date' | 'end_date'>;

const hasEnded = ({ end_date }: Dates, today: string) => end_date !== '' && end_date < today;

/** The status of an employee created without one. */
export function statusAtCreation(dates: Dates, today: string): StoredEmployeeStatus {
  if (hasEnded(dates, today)) return 'EMPLOYEE_STATUS_TERMINATED';
  return dates.start_date > today ? 'EMPLOYEE_STATUS_ACCEPTED' : 'EMPLOYEE_STATUS_ACTIVE';
}

/** The status that the present dates imply today; used by the daily pass. */
export function statusToday(status: StoredEmployeeStatus, dates: Dates, today: string): StoredEmployeeStatus {
  if (status === 'CREATED') return status;
  if (hasEnded(dates, today)) return 'EMPLOYEE_STATUS_TERMINATED';
  const hasBegun = dates.start_date !== '' && dates.start_date <= today;
  return status === 'EMPLOYEE_STATUS_ACCEPTED' && hasBegun ? 'EMPLOYEE_STATUS_ACTIVE' : status;
}

/** The status after a change that does not give one: without a change of the dates the old one. */
export function statusAfterChange(
  before: Dates & Pick<EmployeeRow, 'status'>,
  after: Dates,
  today: string,
): StoredEmployeeStatus {
  const { status, start_date, end_date } = before;
  if (after.start_date === start_date && after.end_date === end_date) return status;
  const isBack = status === 'EMPLOYEE_STATUS_TERMINATED' && after.end_date !== end_date && !hasEnded(after, today);
  return isBack ? 'EMPLOYEE_STATUS_ACTIVE' : statusToday(status, after, today);
}

/** The first day on which {@link statusToday} gives another status; `''` when it never will. */
export function statusDueOn(row: Dates & Pick<EmployeeRow, 'status' | 'deleted_at'>): string {
  const { status, start_date, end_date, deleted_at } = row;
  if (deleted_at !== null || status === 'CREATED' || status === 'EMPLOYEE_STATUS_TERMINATED') return '';
  const ended = end_date === '' ? '' : dayAfter(end_date);
  if (status !== 'EMPLOYEE_STATUS_ACCEPTED' || start_date === '') return ended;
  return ended === '' || start_date < ended ? start_date : ended;
}
