import { readLines } from '../engine/reporter.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Judgement } from '../judge/universal.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { approval, cast, sent, signing } from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

let isSampled = false;

/**
 * Makes enough requests that each of these rules applies to some, even if no other rule runs. Once is enough: each of
 * these rules reads how the exchanges of all rules before it were judged.
 */
async function sample(t: TestContext): Promise<void> {
  if (isSampled) return;
  isSampled = true;
  const full = t.as('full', { spread: true });
  const expand = ['person', 'department', 'job_title', 'manager'];
  // These answers are not checked here; the rules about them report what is wrong.
  const listed = await full.get('/employees', { limit: 20, expand, include_total: true });
  const rows = (listed.json as { employees?: { id?: unknown }[] } | undefined)?.employees;
  // A list begins with the newest employees, who may all lack a manager and most other fields. One of these two has
  // every field, and the other none of those that may be empty.
  const { employee_id, employee_without_manager_id } = t.profile.fixtures;
  const ids = [rows?.[0]?.id ?? UNKNOWN_ID, employee_id, employee_without_manager_id];
  for (const id of ids) if (id !== undefined) await full.get(`/employees/${String(id)}`, { expand });
  await full.get('/employees', { limit: 5 });
  if (t.profile.keys.restricted_owner) await t.as('restricted_owner').get('/employees', { limit: 5, expand });
  for (const path of [
    '/document_types',
    '/document_categories',
    '/document_templates',
    '/documents',
    '/login_methods',
    '/api_key/_verify',
    '/nothing',
  ]) {
    await full.get(path);
  }
  await full.get('/employees', 'limit=0');
  await t.anonymous().verify();
}

/** Reads how every exchange of the run was judged by the rule of this id. */
async function everyExchange(t: TestContext): Promise<void> {
  await sample(t);
  const lines = readLines<{ during: string; judged: Record<string, Judgement> }>(t.run.directory, 'judged-');
  const found = [...lines, { during: t.rule.id, judged: Object.fromEntries(t.judged) }].map(({ during, judged }) => ({
    during,
    judgement: judged[t.rule.id],
  }));
  const occasions = found.reduce((sum, { judgement }) => sum + (judgement?.occasions ?? 0), 0);
  if (occasions === 0) t.untested('not_exercised', 'no exchange of the run was an occasion for it');
  const complaints = found.flatMap(({ during, judgement }) =>
    (judgement?.complaints ?? []).map((complaint) => ({ during, ...complaint })),
  );
  const [first] = complaints;
  if (!first) return;
  const others = [...new Set(complaints.map(({ during, text }) => `${during}: ${text}`))].slice(1, 8);
  const more = others.length > 0 ? `; also ${others.join('; ')}` : '';
  t.shownInstead = { exchange: first.exchange, curl: first.curl };
  t.fail(`${complaints.length} of ${occasions} exchanges: during ${first.during}: ${first.text}${more}`);
}

/** The same for rules about documents, with one that has a route if the profile consents to writes. */
async function everyDocument(t: TestContext): Promise<void> {
  const { full, second, restricted } = cast(t);
  if (t.profile.tenant.consent_to_writes) await sent(t, full, [approval(second), signing(restricted)]);
  await everyExchange(t);
}

rule({
  id: 'GEN-2',
  level: 'MUST',
  text: 'Every success is exactly 200 and carries a JSON object.',
  place: 'responses 200',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-3',
  level: 'MUST',
  text: 'Successes and errors alike are application/json.',
  place: 'responses',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-5',
  level: 'MUST',
  text: 'Every instant in an answer is RFC 3339 with a zone and exists in the calendar.',
  place: 'format: date-time',
  decisions: ['D-2'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-6',
  level: 'MUST',
  text: 'Every date in an answer is empty or a YYYY-MM-DD day that exists.',
  place: 'format: date',
  decisions: ['D-2'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-7',
  level: 'MUST',
  text: 'Ids are strings; those of employees, departments and job titles are UUIDs.',
  place: 'Employee, DepartmentRef, JobTitleRef',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-8',
  level: 'MUST',
  text: 'Whole numbers that may exceed 53 bits travel as decimal strings.',
  place: 'total_count, size_bytes',
  decisions: ['D-3'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-11',
  level: 'MUST',
  text: 'Nothing that was asked in the whole run was answered with a 5xx.',
  place: 'responses',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'GEN-12',
  level: 'MUST',
  text: 'Every exchange of the run fits the contract: a documented status and code, a body of the declared shape, the declared headers.',
  place: 'the whole contract',
  decisions: ['D-7', 'D-8'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'PRIV-2',
  level: 'MUST',
  text: 'A participant of a route is an id, an employee id, a kind of key and a status, nothing else.',
  place: 'Participant',
  needs: together(need.threeOwners, {
    operations: ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'],
  }),
  runs: 'last',
  check: everyDocument,
});
rule({
  id: 'PRIV-3',
  level: 'MUST',
  text: 'An expanded manager is an id and a display name, nothing else.',
  place: 'ManagerRef',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'PRIV-4',
  level: 'MUST',
  text: 'An expanded department or job title is an id and a title, nothing else.',
  place: 'DepartmentRef, JobTitleRef',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'PRIV-6',
  level: 'MUST',
  text: 'Errors repeat no personal value, no key, and nothing of the server’s inside.',
  place: 'Status',
  decisions: ['D-4'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-7',
  level: 'MUST',
  text: 'A page never holds more rows than its limit.',
  place: 'listEmployees: limit',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-24',
  level: 'MUST',
  text: 'The answer has person if, and only if, the request asks for it.',
  place: 'listEmployees, getEmployee: expand',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-41',
  level: 'MUST',
  text: 'Every status of an employee is one of the eight values of the contract.',
  place: 'Employee',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-43',
  level: 'MUST',
  text: 'No answer has a field for external ids.',
  place: 'Employee',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-45',
  level: 'MUST',
  text: 'end_date is empty unless the employee is terminated.',
  place: 'Employee',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-46',
  level: 'MUST',
  text: 'The id of an expanded object is the one that its field names.',
  place: 'Employee',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-53',
  level: 'SHOULD',
  text: 'No record was changed before it was created.',
  place: 'Employee',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-59',
  level: 'MUST',
  text: 'A full name is ready for display: a part that is empty leaves no blank, neither at an end nor a second one between.',
  place: 'Person, ManagerRef',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'EMP-60',
  level: 'MUST',
  text: 'A full name is the last, first and middle name in this order, wherever all of them show.',
  place: 'Person',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'FLOW-13',
  level: 'MUST',
  text: 'Every document ever shown agrees with itself: its status, its route, its steps and its participants fit together.',
  place: 'Document',
  decisions: ['D-1', 'D-19'],
  needs: together(need.threeOwners, {
    operations: ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'],
  }),
  runs: 'last',
  check: everyDocument,
});
rule({
  id: 'RED-3',
  level: 'MUST',
  text: 'Entries of redacted_fields are object.field in lower case.',
  place: 'Employee: redacted_fields',
  needs: { keys: ['restricted_owner'] },
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'RED-4',
  level: 'MUST',
  text: 'A field that redacted_fields lists is absent: neither null nor empty nor masked.',
  place: 'Employee: redacted_fields',
  needs: { keys: ['restricted_owner'] },
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'RED-5',
  level: 'MUST',
  text: 'A field that redacted_fields does not list is in the answer, and is empty if there is no data.',
  place: 'Employee: redacted_fields',
  decisions: ['D-2'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'RED-8',
  level: 'MUST',
  text: 'redacted_fields is always an array.',
  place: 'Employee: redacted_fields',
  decisions: ['D-2'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-1',
  level: 'MUST',
  text: 'Every error has a code, a message and details: ErrorInfo first, RequestInfo with its X-Request-Id, BadRequest and RetryInfo where they belong, Help with absolute addresses, each once.',
  place: 'Status',
  decisions: ['D-4'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-2',
  level: 'MUST',
  text: 'Every error carries its textual code at the declared place.',
  place: 'Status',
  decisions: ['D-4'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-3',
  level: 'MUST',
  text: 'The codes whose status the contract fixes come with that status.',
  place: 'the catalogue of errors',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-4',
  level: 'MUST',
  text: 'INVALID_ARGUMENT has one status everywhere.',
  place: 'INVALID_ARGUMENT',
  decisions: ['D-5'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-13',
  level: 'MUST',
  text: 'The message of an error is an English sentence.',
  place: 'Status',
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-15',
  level: 'SHOULD',
  text: 'Errors are never HTML, show no stack, and no header names the software.',
  place: 'Status',
  decisions: ['D-4'],
  runs: 'last',
  check: everyExchange,
});
rule({
  id: 'ERR-16',
  level: 'MUST',
  text: 'The number in code belongs to the textual code.',
  place: 'the catalogue of errors',
  decisions: ['D-5'],
  runs: 'last',
  check: everyExchange,
});
