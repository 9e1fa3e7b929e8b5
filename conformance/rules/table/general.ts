/** GEN and PRIV: what holds for the interface as a whole, and what it keeps private. */
import { causesEvents, ofTemplate, type Rule, row, threeOwners } from '../rule.ts';

export const generalRules: readonly Rule[] = [
  row(
    'GEN-1',
    'MUST',
    'Every operation on employees, catalogues, documents and files is served under /developer/v1, and the same path without that prefix is not.',
    'paths',
  ),
  row('GEN-2', 'MUST', 'Every success is exactly 200 and carries a JSON object.', 'responses 200'),
  row('GEN-3', 'MUST', 'Successes and errors alike are application/json.', 'responses'),
  row(
    'GEN-4',
    'MUST',
    'A POST whose body is of another media type, is no JSON, is empty where fields are required, or is no object is refused in the error shape.',
    'requestBody',
    { decisions: ['D-6a'] },
  ),
  row(
    'GEN-5',
    'MUST',
    'Every instant in an answer is RFC 3339 with a zone and exists in the calendar.',
    'format: date-time',
    { decisions: ['D-2'] },
  ),
  row('GEN-6', 'MUST', 'Every date in an answer is empty or a YYYY-MM-DD day that exists.', 'format: date', {
    decisions: ['D-2'],
  }),
  row(
    'GEN-7',
    'MUST',
    'Ids are strings; those of employees, departments and job titles are UUIDs.',
    'Employee, DepartmentRef, JobTitleRef',
  ),
  row('GEN-8', 'MUST', 'Whole numbers that may exceed 53 bits travel as decimal strings.', 'total_count, size_bytes', {
    decisions: ['D-3'],
  }),
  row(
    'GEN-9',
    'MUST',
    'A call runs as the owner of its key: keys of two owners see different employees.',
    'listEmployees',
    { decisions: ['D-31'], needs: { keys: ['restricted_owner'] } },
  ),
  row(
    'GEN-10',
    'MUST',
    'What a key may do is the intersection of its scopes and its owner’s permissions, in all four combinations.',
    'security, listEmployees',
    {
      decisions: ['D-31'],
      needs: {
        keys: ['employees_read', 'no_scope', 'restricted_owner'],
        fixtures: ['employee_hidden_from_restricted_id'],
      },
    },
  ),
  row('GEN-11', 'MUST', 'Nothing that was asked in the whole run was answered with a 5xx.', 'responses'),
  row(
    'GEN-12',
    'MUST',
    'Every exchange of the run fits the contract: a documented status and code, a body of the declared shape, the declared headers.',
    'the whole contract',
    { decisions: ['D-7', 'D-8'] },
  ),
  row(
    'GEN-13',
    'MUST',
    'A path segment that begins with an underscore is an action and is never looked up as an id.',
    'paths',
  ),
  row(
    'GEN-14',
    'MUST',
    'A path that the contract does not know is answered with PATH_NOT_FOUND in the error shape.',
    'PATH_NOT_FOUND',
    { decisions: ['D-5'] },
  ),
  row(
    'GEN-15',
    'MUST',
    'A method that a path does not have is METHOD_NOT_ALLOWED, and Allow names those it has.',
    'METHOD_NOT_ALLOWED',
    { decisions: ['D-5'] },
  ),
  row(
    'GEN-16',
    'MUST',
    'Nothing can be written through the paths of employees; what they show stays as it was.',
    'listEmployees, getEmployee',
    { needs: { fixtures: ['employee_id'] }, tenant: 'quiet' },
  ),
  row('GEN-17', 'MUST', 'So is every operation on ingest and webhook endpoints.', 'paths'),

  row(
    'PRIV-1',
    'MUST',
    'No answer about a document, errors included, holds a name, number, position or contact of any participant.',
    'Document',
    { needs: { ...threeOwners, operations: causesEvents } },
  ),
  row(
    'PRIV-2',
    'MUST',
    'A participant of a route is an id, an employee id, a kind of key and a status, nothing else.',
    'Participant',
    { needs: { ...threeOwners, operations: causesEvents } },
  ),
  row('PRIV-3', 'MUST', 'An expanded manager is an id and a display name, nothing else.', 'ManagerRef'),
  row(
    'PRIV-4',
    'MUST',
    'An expanded department or job title is an id and a title, nothing else.',
    'DepartmentRef, JobTitleRef',
  ),
  row('PRIV-5', 'MUST', 'A delivery of an event carries identifiers only.', 'webhooks', {
    needs: {
      operations: ['createWebhookEndpoint', 'testWebhookEndpoint', ...causesEvents],
      callbacks: true,
      fixtures: [...ofTemplate, 'owner_employee_id'],
    },
  }),
  row('PRIV-6', 'MUST', 'Errors repeat no personal value, no key, and nothing of the server’s inside.', 'Status', {
    decisions: ['D-4'],
  }),
  row(
    'PRIV-7',
    'MUST',
    'Document types, categories and templates hold no personal value of an employee.',
    'listDocumentTypes, listDocumentCategories, listDocumentTemplates',
    { needs: { fixtures: ['employee_id'] } },
  ),
];
