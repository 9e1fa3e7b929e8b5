// biome-ignore-all format: a table reads best with a fault in a line
/**
 * Faults of a target that delivers: when it delivers, how often, to whom, and how it reads a receiver's answer. Between
 * the two, attempts are dropped, repeated, delayed or made up, and the target gets another answer than the receiver
 * gave.
 */
import { connect } from 'node:net';
import { accepts, acceptsReason, answers, jsonBody, keyOf, madeError, mistaken, parse, reasonOf, stale } from '../alter.ts';
import { sign } from '../callbacks.ts';
import type { Alter, AlterDelivery, Answered, Asked, Delivered, Fault, Memory } from '../fault.ts';

const CREATE = 'createWebhookEndpoint';
const TEST = 'testWebhookEndpoint';
const DELETE = 'deleteWebhookEndpoint';
const DISABLED = 'WEBHOOK_ENDPOINT.DISABLED';
const LIMIT = 'WEBHOOK_ENDPOINT.LIMIT_REACHED';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const ATTEMPTS = 8;

/** An endpoint created by the rule. */
interface Endpoint { id: string; path: string; secret: string; types: string[]; key: string | undefined; gone: boolean; disabled: boolean }

const noted = <T>(memory: Memory, name: string, first: () => T): T => {
  if (!memory.notes.has(name)) memory.notes.set(name, first());
  return memory.notes.get(name) as T;
};
const endpointsOf = (memory: Memory) => noted<Endpoint[]>(memory, 'endpoints', () => []);
const idIn = (asked: Asked): string => UUID.exec(asked.target)?.[0] ?? '';
const eventOf = (delivered: Delivered): { id: string; type: string; data: Record<string, string> } => parse(delivered.body) ?? { id: '', type: '', data: {} };
const isTest = (delivered: Delivered): boolean => eventOf(delivered).type === 'webhook_endpoint.test';
const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Remembers which endpoints the rule creates, and whether they are deleted or disabled. */
const watching = (alter: Alter = (asked, forward) => forward(asked)): Alter => async (asked, forward, memory) => {
  const answer = await alter(asked, forward, memory);
  const endpoint = endpointsOf(memory).find(({ id }) => id === idIn(asked));
  if (asked.operation === CREATE && answer.status === 200) {
    const { webhook_endpoint, secret } = parse(answer.body);
    endpointsOf(memory).push({ id: webhook_endpoint.id, path: new URL(webhook_endpoint.url).pathname, secret, types: webhook_endpoint.event_types, key: keyOf(asked), gone: false, disabled: false });
  }
  if (endpoint && asked.operation === DELETE && answer.status === 200) endpoint.gone = true;
  if (endpoint && asked.operation === TEST && reasonOf(answer) === DISABLED) endpoint.disabled = true;
  return answer;
};
const at = (memory: Memory, { path }: Delivered): Endpoint | undefined => endpointsOf(memory).find((one) => one.path === path);

/** The same event for another endpoint, signed for it. */
const readdressed = (delivered: Delivered, { path, secret }: Pick<Endpoint, 'path' | 'secret'>): Delivered => {
  const next = { ...delivered, path, secret, headers: [...delivered.headers] };
  sign(next);
  return next;
};
/** An event that never happened, with a correct signature. */
const invented = (delivered: Delivered, type: string, data: Record<string, string>): Delivered => {
  const next = { ...delivered, headers: [...delivered.headers], body: jsonBody({ ...eventOf(delivered), id: crypto.randomUUID(), type, data }) };
  sign(next);
  return next;
};

/** The number of this attempt at its event, from 1. */
const nth = (memory: Memory, delivered: Delivered): number => {
  const counts = noted(memory, 'attempts', () => new Map<string, number>());
  const name = `${delivered.path} ${eventOf(delivered).id}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.get(name) ?? 1;
};
/** Counts distinct things under a name. @returns how many there are, including this one */
const tally = (memory: Memory, name: string, thing: string): number => noted(memory, `tally ${name}`, () => new Set<string>()).add(thing).size;
const sizeOf = (memory: Memory, name: string): number => noted(memory, `tally ${name}`, () => new Set<string>()).size;

/** Adds further deliveries to what is delivered, each once for each event. */
const besides = (more: (delivered: Delivered, memory: Memory) => Delivered[]): AlterDelivery => async (delivered, forward, memory) => {
  if (!isTest(delivered)) {
    for (const extra of more(delivered, memory)) {
      const name = `${extra.path} ${eventOf(extra).type} ${JSON.stringify(eventOf(extra).data)} ${eventOf(delivered).id}`;
      const before = sizeOf(memory, 'sent');
      if (tally(memory, 'sent', name) > before) (await forward(extra)).rest.resume();
    }
  }
  return forward(delivered);
};

/** Delivers every event also to these endpoints. */
const alsoTo = (which: (one: Endpoint, memory: Memory) => boolean): AlterDelivery =>
  besides((delivered, memory) => endpointsOf(memory).filter((one) => one.path !== delivered.path && which(one, memory)).map((one) => readdressed(delivered, one)));

/** Repeats a failed attempt at once, and drops the next one when it is due. */
const hasty = (attempt: number): AlterDelivery => async (delivered, forward, memory) => {
  const n = nth(memory, delivered);
  if (n === attempt + 1) return 500;
  const reply = await forward(delivered);
  if (n !== attempt || reply.status < 400) return reply;
  reply.rest.resume();
  return forward(delivered);
};

/** A delivery that never reaches the receiver counts as accepted. */
const brokenIsTaken: AlterDelivery = (delivered, forward) => forward(delivered).catch(() => 200);
/** A receiver that has not answered after this time counts as having answered with this status. */
const decidedAfter = (ms: number, status: number): AlterDelivery => (delivered, forward) => Promise.race([forward(delivered), delay(ms).then(() => status)]);

const refusedOf = (which: Asked['operation'], note: string): Alter => async (asked, forward, memory) => {
  const answer = await forward(asked);
  if (asked.operation === which && answer.status >= 400) memory.notes.set(note, idIn(asked));
  return answer;
};
const drafts = (memory: Memory) => noted(memory, 'drafts', () => new Set<string>());
/** Adds one more event when the nth event of a type about an employee arrives. */
const again = (type: string, time: number, as = type): AlterDelivery => besides((delivered, memory) => {
  const { id, type: given, data } = eventOf(delivered);
  return given === type && tally(memory, `${type} ${data.employee_id}`, id) === time ? [invented(delivered, as, data)] : [];
});

const endpoints: readonly Fault[] = [
  { id: 'whk-redirect-visited', rule: 'WHK-5', breaks: 'the place of a redirect is visited, although the redirect is told', delivery: async (one, forward) => { const reply = await forward(one); if (reply.location) (await forward({ ...one, path: new URL(reply.location, 'https://x').pathname })).rest.resume(); return reply; } },
  { id: 'whk-redirect-is-success', rule: 'WHK-5', breaks: '_test tells a redirect as 200', alter: answers(TEST, (json) => { if (json.status_code >= 300 && json.status_code < 400) json.status_code = 200; }) },
  { id: 'whk-test-impatient', rule: 'WHK-16', breaks: '_test waits for five seconds', alter: async (asked, forward) => (asked.operation === TEST ? Promise.race([forward(asked), delay(5_000).then(() => ok({ status_code: 0, error: 'timeout' }))]) : forward(asked)) },
  { id: 'whk-test-too-patient', rule: 'WHK-16', breaks: '_test waits for sixteen seconds', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (parse(answer.body)?.error === 'timeout') { memory.mark(); await delay(6_000); } return answer; } },
  { id: 'whk-timeout-unnamed', rule: 'WHK-16', breaks: 'a timeout is told as a failed connection', alter: answers(TEST, (json) => { if (json.error === 'timeout') json.error = 'connect_error'; }) },
  { id: 'whk-tests-disable', rule: 'WHK-19', breaks: 'twenty failed tests disable an endpoint', alter: async (asked, forward, memory) => { if (asked.operation !== TEST) return forward(asked); if (Number(memory.notes.get('n') ?? 0) >= 20) return madeError('WEBHOOK_ENDPOINT_DISABLED'); const answer = await forward(asked); if (parse(answer.body)?.status_code >= 400) memory.notes.set('n', Number(memory.notes.get('n') ?? 0) + 1); return answer; } },
  { id: 'whk-tests-disable-sending', rule: 'WHK-19', breaks: 'after twenty failed tests no event is sent', delivery: async (one, forward, memory) => { if (isTest(one)) tally(memory, 'tests', eventOf(one).id); return !isTest(one) && sizeOf(memory, 'tests') >= 20 ? 200 : forward(one); } },
  { id: 'whk-limit-unkept', rule: 'WHK-21', breaks: 'endpoints beyond the limit are made', alter: acceptsReason(LIMIT, CREATE) },
  { id: 'whk-limit-counts-deleted', rule: 'WHK-21', breaks: 'deleted endpoints count', alter: async (asked, forward, memory) => { if (asked.operation === CREATE && memory.notes.has('deleted')) return madeError('WEBHOOK_ENDPOINT_LIMIT_REACHED'); const answer = await forward(asked); if (asked.operation === CREATE && reasonOf(answer) === LIMIT) memory.notes.set('full', true); if (asked.operation === DELETE && memory.notes.has('full')) memory.notes.set('deleted', true); return answer; } },
  { id: 'whk-disabled-tested', rule: 'WHK-24', breaks: 'a disabled endpoint is tested', alter: accepts(TEST, (answer) => reasonOf(answer) === DISABLED, { status_code: 200, error: '' }) },
  { id: 'whk-disabled-unknown', rule: 'WHK-24', breaks: 'a disabled endpoint is not found', alter: mistaken(DISABLED, 'WEBHOOK_ENDPOINT_NOT_FOUND', TEST) },
  { id: 'whk-disabled-told', rule: 'WHK-24', breaks: 'a disabled endpoint is still told', alter: watching(), delivery: alsoTo(({ disabled }) => disabled) },
  { id: 'whk-tls-unnamed', rule: 'WHK-25', breaks: 'a failure of TLS is told as one of the connection', alter: answers(TEST, (json) => { if (json.error === 'tls_error') json.error = 'connect_error'; }) },
  { id: 'whk-any-certificate', rule: 'WHK-25', breaks: 'a certificate that nobody trusts is taken', alter: answers(TEST, (json, _asked, memory) => { if (json.error !== 'tls_error') return; const n = Number(memory.notes.get('n') ?? 0) + 1; memory.notes.set('n', n); if (n > 1) Object.assign(json, { status_code: 200, error: '' }); }) },
  { id: 'whk-refused-visited', rule: 'WHK-29', breaks: 'an address is tried before it is refused', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation === CREATE && answer.status === 400) { memory.mark(); await visit(parse(asked.body).url); } return answer; } },
];

/** A successful answer of the target without any content of its own. */
function ok(body: unknown): Answered {
  const answer = madeError('WEBHOOK_ENDPOINT_DISABLED');
  return { ...answer, status: 200, body: jsonBody(body) };
}

async function visit(text: string): Promise<void> {
  const { hostname, port } = new URL(text);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await Promise.race([delay(1_000), new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))]);
  socket.destroy();
}

const events: readonly Fault[] = [
  { id: 'sig-deleted-secret-signs', rule: 'SIG-8', breaks: 'after its endpoint was deleted the old secret goes on signing', alter: watching(), delivery: async (one, forward, memory) => { const old = endpointsOf(memory).find(({ path, gone }) => gone && path === one.path); const next = { ...one, headers: [...one.headers] }; if (old) sign(next, undefined, old.secret); return forward(next); } },
  { id: 'sig-new-secret-waits', rule: 'SIG-8', breaks: 'while the old endpoint is there its secret signs for both', alter: watching(), delivery: async (one, forward, memory) => { const old = endpointsOf(memory).find(({ path, gone }) => !gone && path === one.path); const next = { ...one, headers: [...one.headers] }; if (old) sign(next, undefined, old.secret); return forward(next); } },
  { id: 'evt-unsubscribed', rule: 'EVT-9', breaks: 'an endpoint is told what it did not subscribe', delivery: besides((one) => [invented(one, eventOf(one).type === 'document.sent' ? 'document.signing_started' : 'document.sent', eventOf(one).data)]) },
  { id: 'evt-other-tenant', rule: 'EVT-24', breaks: 'another tenant is told', alter: watching(), delivery: alsoTo(({ key }, memory) => key === memory.key('other_tenant')) },
  { id: 'evt-draft-told', rule: 'EVT-26', breaks: 'a route that is set is told although nothing was sent', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (asked.operation === 'setDocumentRoute') drafts(memory).add(idIn(asked)); if (asked.operation === 'sendDocument') drafts(memory).delete(idIn(asked)); return answer; }, delivery: besides((one, memory) => [...drafts(memory)].map((document_id) => invented(one, 'document.approval_started', { document_id }))) },
  { id: 'evt-refusal-told', rule: 'EVT-30', breaks: 'a rejection that is refused is told', alter: refusedOf('rejectDocument', 'refused'), delivery: besides((one, memory) => (memory.notes.has('refused') && eventOf(one).type === 'document.rejected' ? [invented(one, 'document.rejected', { document_id: memory.notes.get('refused') as string })] : [])) },
  { id: 'evt-new-twice', rule: 'EVT-10', breaks: 'a new employee is told twice', alone: true, delivery: again('employee.changed', 1) },
  { id: 'evt-change-twice', rule: 'EVT-11', breaks: 'a change of a card is told twice', alone: true, delivery: again('employee.changed', 2) },
  { id: 'evt-time-stays', rule: 'EVT-12', breaks: 'update_time stays when the person changes', alone: true, alter: stale('getEmployee') },
  { id: 'evt-person-at-every-change', rule: 'EVT-14', breaks: 'every change of a card is told as one of the person too', alone: true, delivery: again('employee.changed', 2, 'person.changed') },
  { id: 'evt-deleted-twice', rule: 'EVT-13', breaks: 'a deletion is told twice', alone: true, delivery: again('employee.deleted', 1) },
  { id: 'rej-told-twice', rule: 'REJ-19', breaks: 'a rejection is told by two events', delivery: besides((one) => (eventOf(one).type === 'document.rejected' ? [invented(one, 'document.rejected', eventOf(one).data)] : [])) },
];

/** Rules that observe the same deliveries each get their own run, since all of them would find the same fault. */
const sending: readonly Fault[] = ([
  { id: 'dlv-impatient', rule: 'DLV-3', breaks: 'a receiver has five seconds', delivery: decidedAfter(5_000, 500) },
  { id: 'dlv-silence-is-consent', rule: 'DLV-4', breaks: 'a receiver that is silent for too long has taken the event', delivery: decidedAfter(9_400, 200) },
  { id: 'dlv-head-is-enough', rule: 'DLV-4', breaks: 'the head of an answer is enough', delivery: async (one, forward) => (await forward(one)).status },
  { id: 'dlv-no-connection-is-taken', rule: 'DLV-5', breaks: 'a connection that fails ends the attempts', delivery: brokenIsTaken },
  { id: 'dlv-ninth', rule: 'DLV-6', breaks: 'there is a ninth attempt', delivery: async (one, forward, memory) => { if (nth(memory, one) === ATTEMPTS) (await forward(one)).rest.resume(); return forward(one); } },
  { id: 'dlv-seven', rule: 'DLV-6', breaks: 'there are seven attempts', delivery: async (one, forward, memory) => (nth(memory, one) === ATTEMPTS ? 500 : forward(one)) },
  { id: 'dlv-wait-skipped', rule: 'DLV-7', breaks: 'the fourth attempt follows the third at once', delivery: hasty(3) },
  { id: 'dlv-last-at-once', rule: 'DLV-8', breaks: 'the last attempt follows the seventh at once, so they span six hours', delivery: hasty(ATTEMPTS - 1) },
  { id: 'dlv-never-disabled', rule: 'DLV-11', breaks: 'twenty deliveries that failed do not disable', delivery: async (one, forward, memory) => { const nthEvent = tally(memory, one.path, eventOf(one).id); const reply = await forward(one); return nth(memory, one) === ATTEMPTS && nthEvent >= 20 ? 200 : reply; } },
  { id: 'dlv-disabled-early', rule: 'DLV-11', breaks: 'ten deliveries that failed disable', alter: watching(async (asked, forward, memory) => { const one = endpointsOf(memory).find(({ id }) => id === idIn(asked)); return asked.operation === TEST && sizeOf(memory, `lost ${one?.path}`) >= 10 ? madeError('WEBHOOK_ENDPOINT_DISABLED') : forward(asked); }), delivery: async (one, forward, memory) => { const reply = await forward(one); if (nth(memory, one) === ATTEMPTS && reply.status >= 400) tally(memory, `lost ${one.path}`, eventOf(one).id); return reply; } },
  { id: 'dlv-success-does-not-reset', rule: 'DLV-12', breaks: 'a success between failures does not start the count anew', delivery: async (one, forward, memory) => { if (noted(memory, 'taken', () => new Set<string>()).has(`${one.path} ${eventOf(one).id}`)) return 500; const reply = await forward(one); if (reply.status >= 400) { if (nth(memory, one) === ATTEMPTS) tally(memory, `lost ${one.path}`, eventOf(one).id); return reply; } if (sizeOf(memory, `lost ${one.path}`) === 0) return reply; noted(memory, 'taken', () => new Set<string>()).add(`${one.path} ${eventOf(one).id}`); return 500; } },
  { id: 'dlv-late-success-counts', rule: 'DLV-13', breaks: 'deliveries that succeed at the third attempt count as failed', alter: watching(async (asked, forward, memory) => { const one = endpointsOf(memory).find(({ id }) => id === idIn(asked)); return asked.operation === TEST && sizeOf(memory, `late ${one?.path}`) >= 20 ? madeError('WEBHOOK_ENDPOINT_DISABLED') : forward(asked); }), delivery: async (one, forward, memory) => { const reply = await forward(one); if (nth(memory, one) > 1 && reply.status < 300) tally(memory, `late ${one.path}`, eventOf(one).id); return reply; } },
  { id: 'dlv-disabled-told', rule: 'DLV-14', breaks: 'a disabled endpoint is told of new events', alter: watching(), delivery: alsoTo(({ disabled }) => disabled) },
  { id: 'dlv-all-disabled', rule: 'DLV-14', breaks: 'with one endpoint all of the tenant fall silent', alter: watching(), delivery: async (one, forward, memory) => (endpointsOf(memory).some(({ disabled }) => disabled) && eventOf(one).type !== 'document.rejected' ? 200 : forward(one)) },
  { id: 'dlv-downtime-told', rule: 'DLV-15', breaks: 'what was missed is sent once an endpoint is enabled', alter: watching(), delivery: async (one, forward, memory) => { const past = noted(memory, 'past', () => new Map<string, Delivered>()); const me = at(memory, one); const mine = noted(memory, `mine ${one.path}`, () => new Set<string>()); const { id } = eventOf(one); if (me && !isTest(one)) { for (const [event, before] of past) if (event !== id && !mine.has(event)) { mine.add(event); (await forward(readdressed(before, me))).rest.resume(); } past.set(id, one); mine.add(id); } return forward(one); } },
  { id: 'dlv-one-at-a-time', rule: 'DLV-16', breaks: 'a receiver that hangs holds up the others', delivery: async (one, forward, memory) => { const before = memory.notes.get('queue') as Promise<unknown> | undefined; if (before) memory.mark(); const mine = Promise.resolve(before).then(() => forward(one)); memory.notes.set('queue', mine.catch(() => {})); return mine; } },
  { id: 'dlv-redirect-followed', rule: 'DLV-17', breaks: 'a redirect is followed', delivery: async (one, forward) => { const reply = await forward(one); return reply.location ? forward({ ...one, path: new URL(reply.location, 'https://x').pathname }) : reply; } },
  { id: 'dlv-deleted-told', rule: 'DLV-18', breaks: 'what was due when an endpoint was deleted is still sent', alter: watching(), delivery: async (one, forward, memory) => { const due = noted(memory, 'due', () => new Map<string, Delivered>()); for (const gone of eventOf(one).type === 'document.rejected' ? endpointsOf(memory).filter((known) => known.gone) : []) { const late = due.get(gone.path); due.delete(gone.path); if (late) (await forward(late)).rest.resume(); } if (!isTest(one)) due.set(one.path, one); return forward(one); } },
  { id: 'dlv-reset-is-taken', rule: 'DLV-19', breaks: 'a connection that breaks after the request ends the attempts', delivery: brokenIsTaken },
  { id: 'dlv-endless-is-failed', rule: 'DLV-20', breaks: 'an answer that never ends is a failure', delivery: async (one, forward) => { const reply = await forward(one); if (reply.status >= 300) return reply; let size = 0; for await (const part of reply.rest) { size += (part as Buffer).length; if (size > 65_536) return 500; } return reply.status; } },
] satisfies Fault[]).map((fault) => ({ ...fault, alone: true as const }));

export const deliveries: readonly Fault[] = [...endpoints, ...events, ...sending];
