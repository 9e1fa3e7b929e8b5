import type { DecisionId } from '../../generated/contract.ts';
import { bytesOf, type Delivery, type MadeEndpoint } from '../callbacks/delivery.ts';
import { arrived, EVENT_TYPES, envelopeOf, observer, received, testHook } from '../callbacks/hooks.ts';
import { oncePerRun } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { unvaried } from '../report/shown-values.ts';
import { rule } from './rule.ts';
import { applyChanges, UNKNOWN_ID } from './shared/calls.ts';
import { approval, cast, sent, signing } from './shared/document-calls.ts';
import {
  ageComplaint,
  dataComplaint,
  envelopeComplaint,
  formComplaint,
  occurrenceComplaint,
  rejected,
  signatureComplaint,
} from './shared/event-calls.ts';

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

/** How many kinds of complaints a reason names. */
const MOST_KINDS = 8;

/** Reads how every exchange of the run was judged by the rule of this id. @returns how many there were */
async function everyExchange(t: TestContext): Promise<number> {
  // In a run of these rules alone each makes its own, so that a fault of each can be planted at the same time.
  const isAlone = t.run.judgements.every(({ during }) => during in everyPromise);
  const { by, failure } = await sampled(t, isAlone ? t.rule.id : 'of all');
  const own = { during: t.rule.id, judged: t.judged };
  if (by === t && failure !== undefined) throw failure.error;
  // What the rule has found itself stands first: only that says whether a fault of its own was found.
  const all = new Map(
    [own, { during: by.rule.id, judged: by.judged }, ...t.run.judgements].map((one) => [one.during, one]),
  );
  const found = [...all.values()].map(({ during, judged }) => ({ during, judgement: judged.get(t.rule.id) }));
  const occasions = found.reduce((sum, { judgement }) => sum + (judgement?.occasions ?? 0), 0);
  if (occasions === 0) t.untested('not_exercised', 'no exchange of the run was an occasion for it');
  const wrong = found.flatMap(({ during, judgement }) =>
    (judgement?.complaints ?? []).map((complaint) => ({ during, ...complaint })),
  );
  const parts = wrong.flatMap(({ text, ...one }) => text.split('; ').map((part) => ({ ...one, text: part })));
  const kinds = [...Map.groupBy(parts, ({ text }) => unvaried(text)).values()].toSorted(
    (a, b) => timesOf(b) - timesOf(a),
  );
  const [first] = kinds[0] ?? [];
  if (!first) return occasions;
  const named = kinds.filter(([one], at) => at < MOST_KINDS || one?.during === t.rule.id);
  const said = named.map((same) => `${same[0]?.text} (${timesOf(same)}, during ${same[0]?.during})`);
  t.shownInstead = { exchange: first.exchange, curl: first.curl };
  t.fail(`${timesOf(wrong)} of ${occasions} exchanges: ${said.join('; ')}`, undefined, { what: unvaried(first.text) });
}

const timesOf = (complaints: readonly { times: number }[]) => complaints.reduce((sum, { times }) => sum + times, 0);

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
    'D-5',
    'D-33',
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

/** All deliveries of the run, with the endpoints on their route; there is at least a test and an event. */
async function everything(t: TestContext) {
  const hook = await observer(t);
  (await testHook(t, hook)).ok('testWebhookEndpoint');
  await arrived(t, hook, { containing: await rejected(t), type: 'document.rejected' });
  const at = Map.groupBy(t.run.madeEndpoints, ({ route }) => route);
  return (await received(t, undefined)).flatMap((one) => {
    const known = at.get(one.route);
    return known === undefined ? [] : [[one, known] as const];
  });
}

/** Judges each delivery to which the rule applies; there must be one. The first few complaints are reported. */
async function all(
  t: TestContext,
  complaint: (delivery: Delivery, endpoints: MadeEndpoint[]) => string,
  concerned: (delivery: Delivery) => boolean = () => true,
): Promise<void> {
  const deliveries = (await everything(t)).filter(([one]) => concerned(one));
  if (deliveries.length === 0) t.untested('not_exercised', 'no delivery of the run was an occasion for it');
  const found = deliveries.flatMap(([one, endpoints]) => {
    const text = complaint(one, endpoints);
    return text === '' ? [] : [`delivery ${one.n} to ${one.route}: ${text}`];
  });
  t.equal(found.slice(0, 3), [], `${found.length} of ${deliveries.length} deliveries`);
}

function typeComplaint(one: Delivery): string {
  const { type } = envelopeOf(one);
  const isKnown = type === 'webhook_endpoint.test' || EVENT_TYPES.some((name) => name === type);
  return isKnown ? '' : `the type ${String(type).slice(0, 60)} is not in the list`;
}

rule({
  id: 'EVT-1',
  text: 'A delivery is an HTTP POST of JSON, an envelope of exactly id, type, occurred_at and data, of a type that the contract lists or of the test.',
  place: 'webhooks, WebhookEventType',
  runs: 'late',
  check: (t) => all(t, (one) => formComplaint(one) || envelopeComplaint(one) || typeComplaint(one)),
});

rule({
  id: 'EVT-6',
  text: 'A delivery carries identifiers only, of what has occurred: employee events say employee_id, document events document_id, and nothing else.',
  place: 'webhooks, EmployeeEventData, DocumentEventData',
  runs: 'late',
  check: async (t, full) => {
    const hook = await observer(t);
    const id = t.fixture('employee_id');
    const { employee_number = '' } = await full.employee(id);
    // The number is changed and put back, so that even a run of this rule alone has such events.
    for (const [n, number] of [`V-${t.run_id}`, employee_number].entries()) {
      await applyChanges(t, String(n), [{ op: 'update', id, employee: { employee_number: number } }]);
    }
    await arrived(t, hook, { containing: id, type: 'employee.changed' });
    const complaint = (one: Delivery) =>
      dataComplaint(one) ||
      (one.clock_was_moved ? '' : occurrenceComplaint(one)) ||
      (t.redactor.leaksIn(bytesOf(one).toString('utf8')).length === 0 ? '' : 'it holds a personal value');
    for (const events of [/^(employee|person)\./, /^document\./, /^webhook_endpoint\./])
      await all(t, complaint, (one) => events.test(envelopeOf(one).type ?? ''));
  },
});

function headerComplaint(one: Delivery): string {
  const header = one.headers.filter(([name]) => name.toLowerCase() === 'service-signature').map(([, value]) => value);
  const [only = '(none)'] = header;
  return header.length === 1 && /^t=\d{10},v1=[0-9a-f]{64}$/.test(only) ? '' : `Service-Signature is ${header}`;
}

/** Two endpoints may have the same URL; then either secret may have signed. */
const signedByOne = (one: Delivery, endpoints: MadeEndpoint[]): string => {
  const complaints = endpoints.map(({ secret }) => signatureComplaint(one, secret));
  return complaints.find((text) => text !== '' && complaints.every((other) => other !== '')) ?? '';
};

rule({
  id: 'SIG-2',
  text: 'Every delivery, a test and a repeat too, has one Service-Signature: t=<ten digits>,v1=<64 lower-case hexadecimal digits>. v1 is the HMAC-SHA256 of t, a dot and the raw bytes of the body, keyed with the whole secret; t is the time of the attempt, never more than five minutes from its arrival.',
  decisions: ['D-24', 'D-27'],
  place: 'Service-Signature',
  runs: 'late',
  check: (t) =>
    all(
      t,
      (one, endpoints) =>
        headerComplaint(one) || signedByOne(one, endpoints) || (one.clock_moved ? '' : ageComplaint(one)),
    ),
});
