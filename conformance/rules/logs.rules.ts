import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrived, react, received, testHook, urlOf, withHooks } from '../callbacks/hooks.ts';
import { RECEIVER_TEXT } from '../callbacks/receiver.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { headerOf } from '../http/exchange.ts';
import { rulesWith } from './rule.ts';
import { callOf, claimed, newKey } from './shared/calls.ts';
import { type InputSchema, inputsOf } from './shared/contract-inputs.ts';
import { act, cast, create, draft, pdf, postForm, rejection, reserve, templateBody } from './shared/document-calls.ts';
import { waiting } from './shared/event-calls.ts';
import { ext, KEDO, LEDGER, send } from './shared/ingest-calls.ts';
import { withKey } from './shared/keys.ts';

const rule = rulesWith({ place: 'X-Request-Id', runs: 'late' });

/** How long lines may take to reach the logs. */
const WRITTEN_MS = 60_000;
const POLL_MS = 500;
/** The clocks of two machines may differ. */
const EARLIER_MS = 60_000;

/** Texts that nobody else uses, by the place where the suite puts them. */
class Canaries {
  readonly places = new Map<string, string>();

  /** @returns a text of lower-case letters and digits; it fits into a name, a header, a path and a key */
  at(place: string): string {
    const text = `canary${randomBytes(9).toString('hex')}`;
    this.places.set(text, place);
    return text;
  }
}

/** A value of the schema's shape in which every text is a canary, also where the contract wants another type. */
function filled(schema: InputSchema | undefined, at: string, canaries: Canaries): unknown {
  if (schema?.items !== undefined) return [filled(schema.items, `${at}[]`, canaries)];
  if (schema === undefined || (schema.fields.length === 0 && !schema.isOpen)) return canaries.at(at);
  const fields = schema.fields.map(({ name, schema: field }) => [name, filled(field, `${at}.${name}`, canaries)]);
  return {
    ...Object.fromEntries(fields),
    [canaries.at(`the name of a field of ${at}`)]: canaries.at(`${at}, unknown`),
  };
}

const HEADERS = [
  'Cookie',
  'Authorization',
  'Referer',
  'X-Forwarded-For',
  'Accept-Language',
  'tracestate',
  'traceparent',
];

/** One request of each operation, with canaries wherever the contract or HTTP has room for them. */
async function sendEverywhere(t: TestContext, canaries: Canaries): Promise<Answer[]> {
  const full = t.asAny('full');
  const answers: Answer[] = [];
  for (const operation of claimed(t)) {
    const { operationId } = operation;
    const { parameters, body } = inputsOf(operationId);
    const call = callOf(operation, operation.path.includes('{') ? canaries.at(`the path of ${operationId}`) : '');
    const named = (name: string) => canaries.at(`${name} of ${operationId}`);
    const query = parameters.flatMap(({ name, place }) => (place === 'query' ? [[name, named(name)] as const] : []));
    const headers = [...HEADERS, 'Idempotency-Key', named('the name of a header')].map((name) => [name, named(name)]);
    if (operation.method !== 'get') await t.mayWrite();
    const sent = { ...call, headers: { ...call.headers, ...Object.fromEntries(headers) } };
    const unknown = [named('the name of a parameter'), named('a parameter')] as const;
    const whole = { ...sent, body: body && filled(body, operationId, canaries) };
    answers.push(await full.send({ ...whole, query: Object.fromEntries([...query, unknown]) }));
    // Without what the query is refused for, the body is read too.
    if (body !== undefined) answers.push(await full.send(whole));
  }
  const wrong = { 'X-Request-Id': `${canaries.at('an X-Request-Id of a wrong form')}!` };
  const broken = `{"title": "${canaries.at('a body that is no JSON')}`;
  const contentType = `text/${canaries.at('a Content-Type')}`;
  return [
    ...answers,
    await full.verify({ headers: wrong }),
    await withKey(t, canaries.at('a key')),
    await full.post(`/${canaries.at('an unknown path')}`, {}),
    await full.send({ method: 'POST', path: '/documents', raw: broken }),
    await full.send({ method: 'POST', path: '/documents', raw: '{}', contentType }),
  ];
}

/** Requests that are accepted, with canaries in what is stored. */
async function store(t: TestContext, canaries: Canaries): Promise<void> {
  const { full } = cast(t);
  const { api } = full;
  // So that the run knows personal values.
  await api.employees({ limit: 50, expand: ['person', 'manager'] });
  const [title, number] = [canaries.at('a title'), canaries.at('a number')];
  await draft(t, api, { title, number });
  await api.get('/documents', { search: title });
  const template_values = { [canaries.at('a variable')]: canaries.at('the value of a variable') };
  await create(t, api, await templateBody(t, { template_values }), canaries.at('the key of a creation'));
  const open = await waiting(t);
  await act(api, open, '_reject', await rejection(api, open, full.id, canaries.at('a comment')));
  const bytes = pdf(canaries.at('the contents of a file'));
  const { upload } = await reserve(t, api, bytes.length, `${canaries.at('the name of a file')}.pdf`);
  const late = { [canaries.at('a field of a form')]: canaries.at('a value of a form') };
  await postForm(t, upload, bytes, { late, filename: canaries.at('the name in a form') });
  const person = (at: string) => ({
    external_id: ext(t, 'logs'),
    first_name: canaries.at(`a first name${at}`),
    last_name: canaries.at(`a last name${at}`),
    phone: canaries.at(`a phone${at}`),
  });
  const skipped = { external_id: canaries.at('an external id'), iin: canaries.at('an IIN'), birth_date: 'never' };
  await send(
    t,
    api,
    KEDO,
    { payload_type: 'PERSONS', create_missing: true, records: [person(''), skipped] },
    newKey(t),
  );
  const ledger = { Ссылка: canaries.at('a reference'), Наименование: canaries.at('a department') };
  await send(t, api, LEDGER, { payload_type: 'DEPARTMENTS', records: [ledger] }, newKey(t));
}

/** Tests and deliveries, with canaries in the address and in what the receiver answers. */
async function deliver(t: TestContext, canaries: Canaries): Promise<void> {
  const route = canaries.at('the path of an endpoint');
  await withHooks(t, [{ route }], async (hook) => {
    const said = canaries.at('what a receiver answers');
    for (const answer of [`HTTP/1.1 503 ${said}\r\nX-Said: ${said}\r\n\r\n${said}`, `${said}\r\n`]) {
      react(t, hook, [{ answer: 'raw', parts: [answer] }]);
      await testHook(t, hook);
    }
    react(t, hook, [{ answer: 302, location: `${urlOf(t, route)}?${said}` }]);
    const id = await waiting(t);
    const { full } = cast(t);
    await act(full.api, id, '_reject', await rejection(full.api, id, full.id));
    await arrived(t, hook, { containing: id });
  });
}

/** Whether there are logs to read, so that nothing is sent for nothing. */
const mayBeRead = (t: TestContext) => t.admin('logs', { since: new Date().toISOString() });

/** The logs of the run, once the line of a last request is among them. */
async function readLogs(t: TestContext): Promise<string> {
  const last = (await t.as('full').verify()).header('x-request-id') ?? '';
  const since = new Date(performance.timeOrigin - EARLIER_MS).toISOString();
  for (const end = performance.now() + WRITTEN_MS; ; await sleep(POLL_MS)) {
    const asked = performance.now();
    const text = await t.admin('logs', { since });
    if (text.includes(last)) return text;
    t.check(
      asked < end,
      'the logs lack a request, although its answer came long ago (do they have a line of each request, as with LOG_LEVEL=info?)',
    );
  }
}

/** Whether a value is long and odd enough that no line of a log has it by chance. */
const isDistinctive = (value: string) => /[^\p{ASCII}]{4}|@|^\+?\d{9,}$/u.test(value);

function mustBeAbsent(t: TestContext, text: string, { places }: Canaries): void {
  const lower = text.toLowerCase();
  const found = [...places].flatMap(([canary, place]) => (lower.includes(canary) ? [place] : []));
  t.equal(found, [], 'what the logs hold of what was sent');
}

rule({
  id: 'PRIV-8',
  text: 'The logs hold nothing of what callers send, no key and no personal value.',
  check: async (t) => {
    const canaries = new Canaries();
    await mayBeRead(t);
    await sendEverywhere(t, canaries);
    await store(t, canaries);
    const text = await readLogs(t);
    mustBeAbsent(t, text, canaries);
    t.check(t.redactor.keys(text) === text, 'the logs hold a key, or a part of one');
    const values = t.redactor.leaksIn(text).filter(isDistinctive);
    t.equal(values.length, 0, 'how many personal values the logs hold');
  },
});

rule({
  id: 'PRIV-10',
  text: 'The logs hold no path and no secret of an endpoint, no signature, and nothing of what receivers answer.',
  place: 'Service-Signature',
  check: async (t) => {
    const canaries = new Canaries();
    await mayBeRead(t);
    await deliver(t, canaries);
    const text = await readLogs(t);
    mustBeAbsent(t, text, canaries);
    t.check(!text.includes(RECEIVER_TEXT), 'the logs hold what a receiver answered');
    const secrets = t.run.madeEndpoints.filter(({ secret }) => secret !== '' && text.includes(secret.slice(6)));
    t.equal(secrets.length, 0, 'how many secrets of endpoints the logs hold');
    const signatures = (await received(t, undefined)).map((one) => headerOf(one, 'Service-Signature')?.split('v1=')[1]);
    const hexadecimal = (text.match(/[0-9a-f]{64,}/g) ?? []).join(' ');
    const held = signatures.filter((v1) => v1 !== undefined && hexadecimal.includes(v1));
    t.equal(held.length, 0, 'how many signatures the logs hold');
  },
});

rule({
  id: 'PRIV-9',
  text: 'Every answer, also an error, has an X-Request-Id of its own, which is found in the logs.',
  decisions: ['D-8'],
  check: async (t) => {
    await mayBeRead(t);
    const answers = await sendEverywhere(t, new Canaries());
    const text = await readLogs(t);
    const ids = answers.map((answer) => answer.header('x-request-id'));
    t.equal(new Set(ids).size, ids.length, 'how many ids the answers have');
    const lost = answers.filter((answer) => !text.includes(answer.header('x-request-id') ?? '(none)'));
    const briefs = lost.map(({ exchange, brief }) => `${exchange.method} ${exchange.operationId}: ${brief}`);
    t.equal(briefs.slice(0, 3), [], `${lost.length} of ${answers.length} answers whose id the logs lack`, lost[0]);
  },
});
