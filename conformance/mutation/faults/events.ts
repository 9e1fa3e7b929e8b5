// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in webhook endpoints, signatures and deliveries. */
import { createHmac } from 'node:crypto';
import { RECEIVER_TEXT } from '../../callbacks/receiver.ts';
import { accepts, answers, jsonBody, madeError, parse, permits, refused, refuses, setHeader } from '../alter.ts';
import { sign } from '../callbacks.ts';
import type { AlterDelivery, Delivered, Fault } from '../fault.ts';

const CREATE = 'createWebhookEndpoint';
const TEST = 'testWebhookEndpoint';
const DELETE = 'deleteWebhookEndpoint';
const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';
const ENDPOINT = { webhook_endpoint: { id: UNKNOWN }, secret: 'x' };
const madeUp = accepts(CREATE, (answer) => answer.status === 400, ENDPOINT);

/** Changes the envelope and signs it again, so that nothing else is wrong. */
// biome-ignore lint/suspicious/noExplicitAny: whatever JSON passes.
const envelope = (change: (json: any, delivered: Delivered) => void): AlterDelivery => (delivered, forward) => {
  const next = { ...delivered, headers: [...delivered.headers] };
  const json = parse(delivered.body);
  change(json, delivered);
  next.body = jsonBody(json);
  sign(next);
  return forward(next);
};
const signature = (change: (delivered: Delivered) => void): AlterDelivery => (delivered, forward) => {
  const next = { ...delivered, headers: [...delivered.headers] };
  change(next);
  return forward(next);
};
const swallowed = (type: string): AlterDelivery => async (delivered, forward) => (parse(delivered.body)?.type === type ? 200 : forward(delivered));
const doubled: AlterDelivery = async (delivered, forward) => { await forward(delivered); return forward(delivered); };
const hex = (secret: string, text: Buffer | string) => createHmac('sha256', secret).update(text).digest('hex');
const seconds = () => Math.floor(Date.now() / 1000);

const endpoints: readonly Fault[] = [
  { id: 'whk-born-disabled', rule: 'WHK-1', breaks: 'a new endpoint is not ACTIVE', alter: answers(CREATE, (json) => { json.webhook_endpoint.status = 'WEBHOOK_ENDPOINT_STATUS_DISABLED'; }) },
  { id: 'whk-http', rule: 'WHK-2', breaks: 'http URLs are accepted', alter: madeUp },
  { id: 'whk-private', rule: 'WHK-3', breaks: 'private addresses are accepted', alter: madeUp },
  { id: 'whk-private-octal', rule: 'WHK-3', breaks: 'a private address in another notation is accepted', alter: accepts(CREATE, (answer, asked) => answer.status === 400 && /0x|\/\/0\d|\/\/\d{6,}/.test(asked.body.toString()), ENDPOINT) },
  { id: 'whk-private-names', rule: 'WHK-4', breaks: 'names that lead nowhere are accepted', alter: madeUp },
  { id: 'whk-unknown-type', rule: 'WHK-6', breaks: 'an unknown event type is accepted', alter: madeUp },
  { id: 'whk-no-types', rule: 'WHK-7', breaks: 'no event types mean all', alter: madeUp },
  { id: 'whk-one-type-lost', rule: 'WHK-8', breaks: 'one event type cannot be subscribed', alter: refuses(CREATE, 'INVALID_ARGUMENT', (asked) => asked.body.includes('person.changed')) },
  { id: 'whk-secret-in-test', rule: 'WHK-9', breaks: '_test repeats the secret', alter: answers([TEST, DELETE], (json, _asked, memory) => { json.secret = parse(memory.successes.get(CREATE)?.body ?? Buffer.from('{}')).secret; }) },
  { id: 'whk-one-secret', rule: 'WHK-10', breaks: 'all endpoints have one secret', alter: answers(CREATE, (json, _asked, memory) => { if (!memory.notes.has('s')) memory.notes.set('s', json.secret); json.secret = memory.notes.get('s'); }) },
  { id: 'whk-short-secret', rule: 'WHK-10', breaks: 'of a secret twelve bytes are random', alter: answers(CREATE, (json) => { json.secret = json.secret.slice(0, 22) + 'A'.repeat(27); }) },
  { id: 'whk-same-url-once', rule: 'WHK-11', breaks: 'a second endpoint at a URL is the first', alter: async (asked, forward, memory) => { const before = memory.successes.get(CREATE); return asked.operation === CREATE && before ? before : forward(asked); } },
  { id: 'whk-deleted-goes-on', rule: 'WHK-12', breaks: 'a deletion is answered and not done', alter: async (asked, forward) => { if (asked.operation !== DELETE) return forward(asked); const answer = await forward({ ...asked, target: asked.target.replace(/[0-9a-f-]{36}/, UNKNOWN) }); return { ...answer, status: 200, body: Buffer.from('{}') }; } },
  { id: 'whk-status-rounded', rule: 'WHK-13', breaks: '_test tells 200 for every success', alter: answers(TEST, (json) => { if (json.status_code > 200 && json.status_code < 300) json.status_code = 200; }) },
  { id: 'whk-failure-is-error', rule: 'WHK-13', breaks: '_test of a 500 is an error', alter: answers(TEST, (json) => { if (json.status_code >= 500) json.error = 'failed'; }) },
  { id: 'whk-other-tenant', rule: 'WHK-14', breaks: 'another tenant may test an endpoint', alter: permits([TEST, DELETE], 'full', (answer) => answer.status === 404) },
  { id: 'whk-unknown-400', rule: 'WHK-14', breaks: 'a malformed id is a wrong argument', alter: async (asked, forward) => { const answer = await forward(asked); return answer.status === 404 ? madeError('INVALID_ARGUMENT') : answer; } },
  { id: 'whk-listed', rule: 'WHK-17', breaks: 'endpoints can be listed', alter: accepts((asked) => asked.target.includes('/webhook_endpoints') && asked.method === 'GET', refused, { webhook_endpoints: [] }) },
  { id: 'whk-any-port', rule: 'WHK-18', breaks: 'low ports are accepted', alter: madeUp },
  { id: 'whk-url-number', rule: 'WHK-20', breaks: 'a URL that is no text is accepted', alter: madeUp },
  { id: 'whk-unknown-field', rule: 'WHK-20', breaks: 'an unknown field is overlooked', alter: accepts(CREATE, (answer, asked) => answer.status === 400 && Object.keys(parse(asked.body) ?? {}).length > 2, ENDPOINT) },
  { id: 'whk-key-owns', rule: 'WHK-22', breaks: 'an endpoint belongs to the key that made it', alter: async (asked, forward, memory) => { const key = asked.headers.find(([name]) => name === 'X-API-Key')?.[1]; const answer = await forward(asked); if (asked.operation === CREATE && !memory.notes.has('key')) memory.notes.set('key', key); return asked.operation === TEST && key !== memory.notes.get('key') ? madeError('WEBHOOK_ENDPOINT_NOT_FOUND') : answer; } },
  { id: 'whk-deleted-twice', rule: 'WHK-23', breaks: 'a second deletion is a success', alter: accepts(DELETE, (answer) => answer.status === 404, {}) },
  { id: 'whk-deletion-says-more', rule: 'WHK-23', breaks: 'a deletion answers the endpoint', alter: answers(DELETE, (json) => { json.id = UNKNOWN; }) },
  { id: 'whk-test-any-body', rule: 'WHK-27', breaks: '_test overlooks an unknown field', alter: async (asked, forward) => forward(asked.operation === TEST ? { ...asked, body: Buffer.from('{}') } : asked) },
  { id: 'whk-public-refused', rule: 'WHK-28', breaks: 'a public address is refused', alter: refuses(CREATE, 'INVALID_ARGUMENT') },
  { id: 'whk-receiver-shown', rule: 'WHK-26', breaks: '_test shows what the receiver said', alter: answers(TEST, (json) => { json.error = RECEIVER_TEXT; }) },
  { id: 'whk-not-signed-test', rule: 'WHK-15', breaks: 'the test is not signed', delivery: signature((one) => setHeader(one, 'Service-Signature', undefined)) },
  { id: 'whk-test-of-other-type', rule: 'WHK-15', breaks: 'the test is of another type', delivery: envelope((json) => { json.type = 'document.sent'; }) },
];

const signatures: readonly Fault[] = [
  { id: 'sig-upper-case', rule: 'SIG-1', alone: true, breaks: 'v1 is in upper case', delivery: signature((one) => setHeader(one, 'Service-Signature', one.headers.find(([name]) => /^service-signature$/i.test(name))?.[1].replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`))) },
  { id: 'sig-milliseconds', rule: 'SIG-1', alone: true, breaks: 't is in milliseconds', delivery: signature((one) => sign(one, Date.now())) },
  { id: 'sig-body-only', rule: 'SIG-2', alone: true, breaks: 'the body alone is signed', delivery: signature((one) => setHeader(one, 'Service-Signature', `t=${seconds()},v1=${hex(one.secret, one.body)}`)) },
  { id: 'sig-body-written-anew', rule: 'SIG-2', alone: true, breaks: 'the body is written anew after signing', delivery: signature((one) => { one.body = Buffer.from(JSON.stringify(parse(one.body), null, 1)); }) },
  { id: 'sig-secret-cut', rule: 'SIG-2', alone: true, breaks: 'the prefix of the secret is not part of the key', delivery: signature((one) => sign(one, seconds(), one.secret.replace(/^[a-z]+_/, ''))) },
  { id: 'sig-old', rule: 'SIG-3', alone: true, breaks: 't is ten minutes old', delivery: signature((one) => sign(one, seconds() - 600)) },
  { id: 'sig-once', rule: 'SIG-4', alone: true, breaks: 'a repeat carries the signature of the first attempt', delivery: async (one, forward, memory) => { const id = `sig ${one.path} ${parse(one.body)?.id}`; const found = one.headers.find(([name]) => /^service-signature$/i.test(name))?.[1]; if (!memory.notes.has(id)) memory.notes.set(id, found); const next = { ...one, headers: [...one.headers] }; setHeader(next, 'Service-Signature', memory.notes.get(id) as string); return forward(next); } },
  { id: 'sig-line-end', rule: 'SIG-5', breaks: 'a body with a line end is signed', delivery: signature((one) => { const t = seconds(); setHeader(one, 'Service-Signature', `t=${t},v1=${hex(one.secret, `${t}.${one.body}\n`)}`); }) },
  { id: 'sig-one-for-all', rule: 'SIG-6', breaks: 'all endpoints are signed for with one secret', delivery: async (one, forward, memory) => { if (!memory.notes.has('s')) memory.notes.set('s', one.secret); const next = { ...one, headers: [...one.headers] }; sign(next, seconds(), memory.notes.get('s') as string); return forward(next); } },
  { id: 'sig-missing', rule: 'SIG-7', alone: true, breaks: 'deliveries are not signed', delivery: signature((one) => setHeader(one, 'Service-Signature', undefined)) },
];

const told = (rule: string, type: string): Fault[] => [
  { id: `evt-lost-${type}`, rule, breaks: `${type} is never told`, delivery: swallowed(type), ...(type.startsWith('document.') ? {} : { alone: true }) },
];
const events: readonly Fault[] = [
  { id: 'priv-event-title', rule: 'PRIV-5', alone: true, breaks: 'a delivery holds a title', delivery: envelope((json) => { json.data.title = 'x'; }) },
  { id: 'evt-text', rule: 'EVT-1', alone: true, breaks: 'a delivery is text/plain', delivery: signature((one) => setHeader(one, 'Content-Type', 'text/plain')) },
  { id: 'evt-added', rule: 'EVT-2', alone: true, breaks: 'an envelope has a field more', delivery: envelope((json) => { json.version = 1; }) },
  { id: 'evt-time-lost', rule: 'EVT-2', alone: true, breaks: 'an envelope lacks occurred_at', delivery: envelope((json) => { delete json.occurred_at; }) },
  { id: 'evt-new-id', rule: 'EVT-3', alone: true, breaks: 'each attempt has an id of its own', delivery: envelope((json) => { json.id = crypto.randomUUID(); }) },
  { id: 'evt-other-type', rule: 'EVT-4', alone: true, breaks: 'a type that is in no list is delivered', delivery: envelope((json) => { json.type = 'document.changed'; }) },
  { id: 'evt-future', rule: 'EVT-5', breaks: 'occurred_at is in the future', delivery: envelope((json) => { json.occurred_at = new Date(Date.now() + 3_600_000).toISOString(); }) },
  { id: 'evt-employee-says-more', rule: 'EVT-6', alone: true, breaks: 'an employee event says the status', delivery: envelope((json) => { if (json.data.employee_id) json.data.status = 'x'; }) },
  { id: 'evt-document-says-more', rule: 'EVT-7', alone: true, breaks: 'a document event says the status', delivery: envelope((json) => { if (json.data.document_id) json.data.status = 'x'; }) },
  { id: 'evt-person-says-person', rule: 'EVT-8', alone: true, breaks: 'person.changed says the person', delivery: envelope((json) => { if (json.type === 'person.changed') json.data.person_id = json.data.employee_id; }) },
  ...told('EVT-10', 'employee.changed'), ...told('EVT-14', 'person.changed'), ...told('EVT-15', 'document.sent'), ...told('EVT-16', 'document.approval_started'), ...told('EVT-17', 'document.signing_started'),
  ...told('EVT-18', 'document.completed'), ...told('EVT-19', 'document.rejected'), ...told('EVT-20', 'document.change_requested'), ...told('EVT-21', 'document.revoked'), ...told('EVT-22', 'document.deleted'),
  { id: 'evt-one-of-fifty', rule: 'EVT-25', alone: true, breaks: 'one event of many is lost', delivery: async (one, forward, memory) => { const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); return n > 1 && n < 40 ? 200 : forward(one); } },
  { id: 'evt-id-per-endpoint', rule: 'EVT-29', breaks: 'each endpoint is told another id', delivery: envelope((json, { secret }) => { json.id = `${json.id.slice(0, 24)}${hex(secret, 'x').slice(0, 12)}`; }) },
  { id: 'evt-second-endpoint', rule: 'EVT-28', breaks: 'of two endpoints one is told', delivery: async (one, forward, memory) => { if (!memory.notes.has('s')) memory.notes.set('s', one.secret); return one.secret === memory.notes.get('s') ? forward(one) : 200; } },
  { id: 'rej-untold', rule: 'REJ-19', breaks: 'a rejection is told by no event', delivery: swallowed('document.rejected') },
  { id: 'dlv-delivered-twice', rule: 'DLV-1', alone: true, breaks: 'an event that was taken is sent again', delivery: doubled },
  { id: 'dlv-never-again', rule: 'DLV-2', alone: true, breaks: 'a refused event is not sent again', delivery: async (one, forward) => { const reply = await forward(one); return reply.status >= 400 ? 200 : reply; } },
  { id: 'dlv-body-changes', rule: 'DLV-9', alone: true, breaks: 'each attempt has another body', delivery: envelope((json) => { json.occurred_at = new Date().toISOString(); }) },
  { id: 'dlv-gone-is-final', rule: 'DLV-17', alone: true, breaks: 'a redirect counts as taken', delivery: async (one, forward) => { const reply = await forward(one); return reply.status >= 300 && reply.status < 400 && reply.location ? 200 : reply; } },
  { id: 'dlv-success-not-final', rule: 'DLV-10', alone: true, breaks: 'a success does not end the attempts', delivery: async (one, forward) => { const reply = await forward(one); return reply.status < 300 ? 500 : reply; } },
];

export const webhooks: readonly Fault[] = [...endpoints, ...signatures, ...events];
