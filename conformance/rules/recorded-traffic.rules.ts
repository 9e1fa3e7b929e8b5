import type { DecisionId } from '../../generated/contract.ts';
import { oncePerRun } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { approval, cast, sent, signing } from './shared/document-calls.ts';

/**
 * Makes enough requests that each of these rules applies to some, even if no other rule runs. Once is enough: each of
 * these rules reads how the exchanges of all rules before it were judged.
 */
async function sample(t: TestContext): Promise<void> {
  // Each answer is welcome, also that the target lacks the operation.
  t.uses.isOverOperations = true;
  const full = t.asAny('full');
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
  if (t.has('restricted_owner')) await t.as('restricted_owner').get('/employees', { limit: 5, expand });
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
  const browser = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' };
  for (const api of [full, t.anonymous()]) await api.send({ method: 'OPTIONS', path: '/employees', headers: browser });
  await t.anonymous().verify();
}

/** How the exchanges of a sample were judged. If it failed, that is the finding of the rule that made it alone. */
const sampled = oncePerRun(async (t, _name: string) => {
  const failure = await sample(t).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  return { by: t, failure };
});

/** Reads how every exchange of the run was judged by the rule of this id. @returns how many there were */
async function everyExchange(t: TestContext): Promise<number> {
  // In a run of these rules alone each makes its own, so that a fault of each can be planted at the same time.
  const isAlone = t.run.judgements.every(({ during }) => during in everyPromise);
  const { by, failure } = await sampled(t, isAlone ? t.rule.id : 'of all');
  const own = { during: t.rule.id, judged: t.judged };
  if (by === t && failure !== undefined) throw failure.error;
  const all = new Map(
    [...t.run.judgements, { during: by.rule.id, judged: by.judged }, own].map((one) => [one.during, one.judged]),
  );
  const found = [...all].map(([during, judged]) => ({ during, judgement: judged.get(t.rule.id) }));
  const occasions = found.reduce((sum, { judgement }) => sum + (judgement?.occasions ?? 0), 0);
  if (occasions === 0) t.untested('not_exercised', 'no exchange of the run was an occasion for it');
  const complaints = found.flatMap(({ during, judgement }) =>
    (judgement?.complaints ?? []).map((complaint) => ({ during, ...complaint })),
  );
  const [first] = complaints;
  if (!first) return occasions;
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

/** The most requests that may have to be sent again because the target was not available, of all exchanges. */
const MOST_UNAVAILABLE = 0.02;

/** The same, and whether the target was not available too often. */
async function everyAvailability(t: TestContext): Promise<void> {
  const occasions = await everyExchange(t);
  const { unavailable } = t.run;
  if (unavailable === 0) return;
  const said = `${unavailable} of ${occasions} exchanges were answered 503 UNAVAILABLE with Retry-After`;
  t.notes.push(said);
  t.check(unavailable <= Math.max(1, MOST_UNAVAILABLE * occasions), said);
}

/** The promises about every exchange, by the ids of their checks in judge/: the place in the contract, the text, and decisions. */
type EveryPromise = readonly [place: string, text: string, ...decisions: DecisionId[]];

const everyPromise: Readonly<Record<string, EveryPromise>> = {
  'GEN-11': [
    'responses',
    'Nothing that was asked in the whole run was answered with a 5xx, except for 503 to a tenant that asks for more than its share, and one request in fifty that may be sent again after Retry-After.',
  ],
  'GEN-12': [
    'the whole contract',
    'Every exchange of the run fits the contract: success is 200, else the status and code are documented, with their number; a JSON body of the declared shape, as application/json; ids as declared; the declared headers with values of their form, so that no answer may be cached, and none that invites a browser of another origin.',
    'D-5',
    'D-6a',
    'D-7',
    'D-8',
  ],
  'GEN-23': [
    'responses',
    'Typed clients can read every answer: its days and instants exist, 64-bit numbers are decimal strings, each value is among those that the types of Python, .NET, Go, Java and PostgreSQL hold, and no object has a name twice.',
    'D-2',
    'D-3',
  ],
  'PRIV-1': [
    'Document, listDocumentTypes, listDocumentCategories, listDocumentTemplates',
    'No answer about a document, a document type, a category or a template holds a name, number or contact of anybody.',
  ],
  'PRIV-2': [
    'Participant, ManagerRef, DepartmentRef, JobTitleRef',
    'A participant of a route is an id, an employee id, a kind of key and a status, an expanded manager an id and a display name, and an expanded department or job title an id and a title, nothing else; no answer has a field for external ids.',
  ],
  'PRIV-6': [
    'Status',
    'Errors repeat no personal value and no key, are never HTML, and show no stack and nothing else of the server’s inside.',
    'D-4',
  ],
  'EMP-7': ['limit of every list', 'A page never holds more rows than its limit.'],
  'EMP-24': [
    'listEmployees, getEmployee: expand',
    'An employee has an expanded object only if the request asks for it, and a person always then.',
  ],
  'EMP-45': ['Employee', 'end_date is empty unless the employee is terminated.'],
  'EMP-46': ['Employee', 'The id of an expanded object is the one that its field names.'],
  'EMP-53': ['Employee', 'No record was changed before it was created.'],
  'EMP-59': [
    'Person, ManagerRef',
    'A full name is ready for display: the last, first and middle name in this order, wherever all of them show; a part that is empty leaves no blank, neither at an end nor a second one between.',
  ],
  'FLOW-13': [
    'Document',
    'Every document ever shown agrees with itself: its status, its route, its steps and its participants fit together. It holds no placeholder, except for a route that was never set.',
    'D-1',
    'D-19',
  ],
  'RED-4': [
    'Employee: redacted_fields',
    'A field that redacted_fields lists is absent: neither null nor empty nor masked. One that it does not list is in the answer, and is empty if there is no data.',
    'D-2',
  ],
  'ERR-1': [
    'Status',
    'Every error has a code, a message that is an English sentence, and details: ErrorInfo first, RequestInfo with its X-Request-Id, BadRequest and RetryInfo where they belong, Help with absolute addresses, each once.',
    'D-4',
  ],
  'ERR-3': ['the catalogue of errors', 'The codes whose status the contract fixes come with that status.'],
  'ERR-15': ['Status', 'No header of an error names the software.', 'D-4'],
};

/** Good practice, which the source does not demand. */
const SHOULD = ['EMP-53', 'ERR-15'];
/** What is checked besides {@link everyExchange}. */
const CHECKS: Readonly<Record<string, (t: TestContext) => Promise<unknown>>> = {
  'GEN-11': everyAvailability,
  'PRIV-2': everyDocument,
  'FLOW-13': everyDocument,
};

for (const [id, [place, text, ...decisions]] of Object.entries(everyPromise)) {
  rule({
    id,
    ...(SHOULD.includes(id) ? { level: 'SHOULD' } : {}),
    text,
    place,
    decisions,
    family: 'every exchange',
    runs: 'last',
    check: async (t) => void (await (CHECKS[id] ?? everyExchange)(t)),
  });
}
