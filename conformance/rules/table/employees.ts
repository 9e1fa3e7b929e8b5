/** EMP and RED: employees, their filters and expansions, and which of their fields are hidden. */
import { type Rule, row } from '../rule.ts';

const list = 'listEmployees';
const both = 'listEmployees, getEmployee';

export const employeeRules: readonly Rule[] = [
  row('EMP-1', 'MUST', 'The list holds employees of the key’s tenant only.', list, {
    needs: { keys: ['other_tenant'], fixtures: ['employee_other_tenant_id'] },
  }),
  row('EMP-2', 'MUST', 'The list is newest first, one total order over all pages.', list, { decisions: ['D-11'] }),
  row('EMP-3', 'MUST', 'Without limit a page has 100 employees.', `${list}: limit`),
  row('EMP-4', 'MUST', 'limit=1000 is accepted and honoured.', `${list}: limit`),
  row('EMP-5', 'MUST', 'A limit above 1000 is treated as the target declares.', `${list}: limit`, {
    decisions: ['D-9'],
  }),
  row(
    'EMP-6',
    'MUST',
    'A limit that is no plain decimal integer from 1 to 2147483647, or is given twice, is INVALID_ARGUMENT.',
    `${list}: limit`,
    { decisions: ['D-9', 'D-12'] },
  ),
  row('EMP-7', 'MUST', 'A page never holds more rows than its limit.', `${list}: limit`),
  row('EMP-8', 'MUST', 'status filters exactly.', `${list}: status`),
  row('EMP-9', 'MUST', 'Repeated status values are a union.', `${list}: status`, {
    decisions: ['D-12'],
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('EMP-10', 'MUST', 'An unknown status is INVALID_ARGUMENT.', `${list}: status`),
  row('EMP-11', 'MUST', 'The draft state is no value of the status filter.', `${list}: status`),
  row('EMP-12', 'MUST', 'Values joined by a comma are one unknown value.', `${list}: status, expand`),
  row('EMP-13', 'MUST', 'department_id filters exactly.', `${list}: department_id`, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('EMP-14', 'MUST', 'Repeated department_id values are a union.', `${list}: department_id`, {
    needs: { fixtures: ['department_id', 'department_other_id'] },
    tenant: 'quiet',
  }),
  row(
    'EMP-15',
    'MUST',
    'A department that does not exist, is another tenant’s, or is no id is treated as the target declares.',
    `${list}: department_id`,
    { decisions: ['D-12'], needs: { fixtures: ['department_other_tenant_id'] } },
  ),
  row('EMP-16', 'MUST', 'Different filters are an intersection.', `${list}: status, department_id`, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row(
    'EMP-17',
    'MUST',
    'updated_since includes the very millisecond and excludes the one before it.',
    `${list}: updated_since`,
    { needs: { fixtures: ['department_id'] }, tenant: 'quiet' },
  ),
  row('EMP-18', 'MUST', 'The same instant in any zone and spelling is the same filter.', `${list}: updated_since`, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('EMP-19', 'MUST', 'A raw + in an offset is INVALID_ARGUMENT, never a wrong result.', `${list}: updated_since`),
  row('EMP-20', 'MUST', 'What is no RFC 3339 instant with a zone is INVALID_ARGUMENT.', `${list}: updated_since`, {
    decisions: ['D-12'],
  }),
  row('EMP-21', 'MUST', 'An instant in the future gives an empty list.', `${list}: updated_since`),
  row(
    'EMP-22',
    'MUST',
    'A change of the card moves update_time and is found by updated_since.',
    `${list}: updated_since`,
    { needs: { admin: ['apply_employee_changes'], fixtures: ['employee_id'] }, tenant: 'changes' },
  ),
  row(
    'EMP-23',
    'MUST',
    'A rename of a department or of a manager does not move update_time of the employees (of other related objects: ING-59).',
    `${list}: updated_since`,
    {
      needs: { admin: ['rename_department', 'apply_employee_changes'], fixtures: ['department_id', 'employee_id'] },
      tenant: 'changes',
    },
  ),
  row('EMP-24', 'MUST', 'person is there exactly when it was asked for.', `${both}: expand`),
  row('EMP-25', 'MUST', 'department is there exactly when it was asked for.', `${both}: expand`, {
    needs: { fixtures: ['employee_id'] },
    tenant: 'quiet',
  }),
  row('EMP-26', 'MUST', 'job_title is there exactly when it was asked for.', `${both}: expand`, {
    needs: { fixtures: ['employee_id'] },
    tenant: 'quiet',
  }),
  row('EMP-27', 'MUST', 'manager is there exactly when it was asked for.', `${both}: expand`, {
    needs: { fixtures: ['employee_id'] },
    tenant: 'quiet',
  }),
  row(
    'EMP-28',
    'MUST',
    'Several expansions may be asked for by repeating the parameter, a duplicate counts as declared.',
    `${both}: expand`,
    { decisions: ['D-12'], needs: { fixtures: ['employee_id'] } },
  ),
  row('EMP-29', 'MUST', 'An unknown expansion is INVALID_ARGUMENT.', `${both}: expand`, {
    needs: { fixtures: ['employee_id'] },
  }),
  row('EMP-30', 'MUST', 'Expansions do not nest.', `${both}: expand`),
  row(
    'EMP-31',
    'MUST',
    'An unknown parameter, also in the forms with brackets and operators, is INVALID_ARGUMENT.',
    list,
    { decisions: ['D-12'] },
  ),
  row('EMP-32', 'MUST', 'There is no filter for external ids.', list),
  row('EMP-33', 'MUST', 'total_count is absent unless asked for.', `${list}: include_total`),
  row('EMP-34', 'MUST', 'With include_total=true total_count is a decimal string.', `${list}: include_total`),
  row('EMP-35', 'MUST', 'Up to the declared number total_count is exact.', `${list}: include_total`, {
    decisions: ['D-13'],
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('EMP-36', 'MUST', 'total_count depends on the filters, not on limit or page.', `${list}: include_total`, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row(
    'EMP-37',
    'MUST',
    'include_total is true or false; anything else is INVALID_ARGUMENT.',
    `${list}: include_total`,
    { decisions: ['D-12'] },
  ),
  row(
    'EMP-38',
    'MUST',
    'Above the declared number total_count is an estimate within the declared tolerance.',
    `${list}: include_total`,
    { decisions: ['D-13'], needs: { big: true }, tenant: 'quiet' },
  ),
  row('EMP-39', 'MUST', 'Employees in draft are never shown, in lists or by id.', both, {
    needs: { fixtures: ['employee_draft_id'] },
  }),
  row('EMP-40', 'MUST', 'A deleted employee leaves the list and the read at once.', both, {
    needs: { admin: ['apply_employee_changes'], fixtures: ['department_id'] },
    tenant: 'changes',
  }),
  row('EMP-41', 'MUST', 'Every status is one of the eight values.', 'Employee'),
  row('EMP-42', 'MUST', 'The placeholder as a filter is treated as the target declares.', `${list}: status`, {
    decisions: ['D-1'],
  }),
  row('EMP-43', 'MUST', 'No answer has a field for external ids.', 'Employee'),
  row('EMP-44', 'MUST', 'What has no value is there and empty.', 'Employee', {
    decisions: ['D-2'],
    needs: { fixtures: ['employee_without_manager_id'] },
  }),
  row('EMP-45', 'MUST', 'end_date is empty unless the employee is terminated.', 'Employee'),
  row('EMP-46', 'MUST', 'The id of an expanded object is the one that its field names.', 'Employee'),
  row('EMP-47', 'MUST', 'Where there is no manager, the expansion is as the target declares.', 'ManagerRef', {
    decisions: ['D-2'],
    needs: { fixtures: ['employee_without_manager_id'] },
  }),
  row('EMP-48', 'MUST', 'One employee read by id equals the same employee in the list.', both, {
    decisions: ['D-14'],
    tenant: 'quiet',
  }),
  row('EMP-49', 'MUST', 'A deleted employee is 404 EMPLOYEE_NOT_FOUND.', 'getEmployee', {
    needs: { fixtures: ['employee_deleted_id'] },
  }),
  row('EMP-50', 'MUST', 'An employee of another tenant is 404 EMPLOYEE_NOT_FOUND.', 'getEmployee', {
    needs: { fixtures: ['employee_other_tenant_id'] },
  }),
  row(
    'EMP-51',
    'MUST',
    'An unknown id is 404; what is no UUID is treated as the target declares, however odd it is.',
    'getEmployee',
    { decisions: ['D-14'] },
  ),
  row('EMP-52', 'MUST', 'The id of an employee survives a change of everything else.', 'Employee', {
    needs: { admin: ['apply_employee_changes'], fixtures: ['department_id'] },
    tenant: 'changes',
  }),
  row('EMP-53', 'SHOULD', 'No record was changed before it was created.', 'Employee'),
  row(
    'EMP-54',
    'MUST',
    'An employee whom the owner may not see is 404, with the same body as one who does not exist.',
    'getEmployee',
    {
      decisions: ['D-5'],
      needs: {
        keys: ['restricted_owner'],
        fixtures: [
          'employee_hidden_from_restricted_id',
          'employee_other_tenant_id',
          'employee_deleted_id',
          'employee_draft_id',
        ],
      },
    },
  ),
  row('EMP-55', 'MUST', 'Digits below the millisecond count as the target declares.', `${list}: updated_since`, {
    decisions: ['D-12'],
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row(
    'EMP-56',
    'MUST',
    'More than 100 values of a parameter, or an empty value, are INVALID_ARGUMENT; a query beyond bounds is refused, never served.',
    list,
    { decisions: ['D-12'] },
  ),
  row('EMP-57', 'MUST', 'An id in upper case is treated as the target declares.', 'getEmployee', {
    decisions: ['D-14'],
    needs: { fixtures: ['employee_id'] },
  }),
];

export const redactionRules: readonly Rule[] = [
  row(
    'RED-1',
    'MUST',
    'To an owner who may not see the IIN it is absent, and redacted_fields lists persons.iin.',
    both,
    { needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] } },
  ),
  row('RED-2', 'MUST', 'To an owner who may see it, it is there and not listed.', both, {
    needs: { fixtures: ['employee_id'] },
  }),
  row('RED-3', 'MUST', 'Entries of redacted_fields are object.field in lower case.', 'Employee: redacted_fields', {
    needs: { keys: ['restricted_owner'] },
  }),
  row(
    'RED-4',
    'MUST',
    'What is listed as hidden is absent, neither null nor empty nor masked.',
    'Employee: redacted_fields',
    { needs: { keys: ['restricted_owner'] } },
  ),
  row(
    'RED-5',
    'MUST',
    'What is not listed as hidden is there, empty where there is no data.',
    'Employee: redacted_fields',
    { decisions: ['D-2'] },
  ),
  row('RED-6', 'MUST', 'List and single read hide the same.', both, {
    needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  }),
  row('RED-7', 'MUST', 'A hidden value shows nowhere in the answer, whichever expansions are asked for.', both, {
    needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  }),
  row('RED-8', 'MUST', 'redacted_fields is always an array.', 'Employee: redacted_fields', { decisions: ['D-2'] }),
  row(
    'RED-9',
    'MUST',
    'What is listed as hidden follows from the owner’s permissions and what was asked for, not from the row.',
    'Employee: redacted_fields',
    { decisions: ['D-31'], needs: { keys: ['restricted_owner'] } },
  ),
  row(
    'RED-10',
    'MUST',
    'The same employee read by owners with different rights differs in the hidden fields only.',
    both,
    { needs: { keys: ['restricted_owner', 'second_owner'], fixtures: ['employee_common_id'] }, tenant: 'quiet' },
  ),
  row('RED-11', 'MUST', 'Only keys of objects that were asked for are listed, sorted.', 'Employee: redacted_fields', {
    decisions: ['D-31'],
    needs: { keys: ['restricted_owner'], fixtures: ['employee_id'] },
  }),
  row('RED-12', 'MUST', 'Filters, totals and order do not reveal rows that the owner may not see.', list, {
    decisions: ['D-13', 'D-31'],
    needs: { keys: ['restricted_owner', 'no_employee_owner'], fixtures: ['employee_hidden_from_restricted_id'] },
    tenant: 'quiet',
  }),
];
