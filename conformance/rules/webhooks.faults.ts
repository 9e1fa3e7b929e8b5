/** Faults that the rules of webhooks.rules.ts must catch. */

import { connect } from 'node:net';
import { RECEIVER_TEXT } from '../callbacks/receiver.ts';
import {
  accepts,
  acceptsReason,
  answers,
  jsonBody,
  madeError,
  mistaken,
  parse,
  permits,
  reasonOf,
  refused,
  setHeader,
} from '../mutation/alter.ts';
import {
  alsoTo,
  delay,
  endpointsOf,
  envelope,
  eventOf,
  idIn,
  isTest,
  signature,
  sizeOf,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import type { Fault, ProxiedAnswer } from '../mutation/fault.ts';

const TEST = 'testWebhookEndpoint';

/** A successful answer of the target without any content of its own. */
function ok(body: unknown): ProxiedAnswer {
  const answer = madeError('WEBHOOK_ENDPOINT_DISABLED');
  return { ...answer, status: 200, body: jsonBody(body) };
}

const LIMIT = 'WEBHOOK_ENDPOINT.LIMIT_REACHED';

const CREATE = 'createWebhookEndpoint';

const DELETE = 'deleteWebhookEndpoint';

const DISABLED = 'WEBHOOK_ENDPOINT.DISABLED';

async function visit(text: string): Promise<void> {
  const { hostname, port } = new URL(text);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await Promise.race([delay(1_000), new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))]);
  socket.destroy();
}

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'whk-redirect-visited',
    rule: 'WHK-5',
    breaks: 'the place of a redirect is visited, although the redirect is reported',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      if (reply.location)
        (await forward({ ...one, path: new URL(reply.location, 'https://x').pathname })).rest.resume();
      return reply;
    },
  },
  {
    id: 'whk-redirect-is-success',
    rule: 'WHK-5',
    breaks: '_test tells a redirect as 200',
    alter: answers(TEST, (json) => {
      if (json.status_code >= 300 && json.status_code < 400) json.status_code = 200;
    }),
  },
  {
    id: 'whk-deleted-goes-on',
    rule: 'WHK-12',
    breaks: 'a deletion is answered and not done',
    alter: async (asked, forward) => {
      if (asked.operation !== DELETE) return forward(asked);
      const answer = await forward({ ...asked, target: asked.target.replace(/[0-9a-f-]{36}/, UNKNOWN) });
      return { ...answer, status: 200, body: Buffer.from('{}') };
    },
  },
  {
    id: 'whk-status-rounded',
    rule: 'WHK-13',
    breaks: '_test tells 200 for every success',
    alter: answers(TEST, (json) => {
      if (json.status_code > 200 && json.status_code < 300) json.status_code = 200;
    }),
  },
  {
    id: 'whk-failure-is-error',
    rule: 'WHK-13',
    breaks: '_test of a 500 is an error',
    alter: answers(TEST, (json) => {
      if (json.status_code >= 500) json.error = 'failed';
    }),
  },
  {
    id: 'whk-other-tenant',
    rule: 'WHK-14',
    breaks: 'another tenant may test an endpoint',
    alter: permits([TEST, DELETE], 'full', (answer) => answer.status === 404),
  },
  {
    id: 'whk-unknown-400',
    rule: 'WHK-14',
    breaks: 'a malformed id is a wrong argument',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return answer.status === 404 ? madeError('INVALID_ARGUMENT') : answer;
    },
  },
  {
    id: 'whk-not-signed-test',
    rule: 'WHK-15',
    breaks: 'the test is not signed',
    delivery: signature((one) => setHeader(one, 'Service-Signature', undefined)),
  },
  {
    id: 'whk-test-of-other-type',
    rule: 'WHK-15',
    breaks: 'the test is of another type',
    delivery: envelope((json) => {
      json.type = 'document.sent';
    }),
  },
  {
    id: 'whk-test-impatient',
    rule: 'WHK-16',
    breaks: '_test waits for five seconds',
    alter: async (asked, forward) =>
      asked.operation === TEST
        ? Promise.race([forward(asked), delay(5_000).then(() => ok({ status_code: 0, error: 'timeout' }))])
        : forward(asked),
  },
  {
    id: 'whk-test-too-patient',
    rule: 'WHK-16',
    breaks: '_test waits for the head of an answer for sixteen seconds',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (parse(answer.body)?.error !== 'timeout') return answer;
      const status = await Promise.race([memory.notes.get(`head for ${idIn(asked)}`), delay(6_000)]);
      return status === undefined ? answer : ok({ status_code: status, error: '' });
    },
    delivery: async (one, forward, memory) => {
      if (!isTest(one)) return forward(one);
      const reply = forward(one, { outlasts: true });
      const name = `head for ${eventOf(one).data.webhook_endpoint_id}`;
      const status = reply.then(
        (got) => got.status,
        () => undefined,
      );
      memory.notes.set(name, status);
      await reply;
      memory.notes.delete(name);
      return reply;
    },
  },
  {
    id: 'whk-test-head-is-enough',
    rule: 'WHK-16',
    breaks: '_test does not wait for the body of an answer',
    delivery: async (one, forward) => (await forward(one)).status,
  },
  {
    id: 'whk-each-byte-counts',
    rule: 'WHK-16',
    breaks: '_test waits on while bytes of the body come',
    alter: watching(async (asked, forward, memory) => {
      const answer = await forward(asked);
      const isLast = endpointsOf(memory).at(-1)?.id === idIn(asked);
      return asked.operation === TEST && isLast ? ok({ status_code: 200, error: '' }) : answer;
    }),
  },
  {
    id: 'whk-timeout-unnamed',
    rule: 'WHK-16',
    breaks: 'a timeout is reported as a failed connection',
    alter: answers(TEST, (json) => {
      if (json.error === 'timeout') json.error = 'connect_error';
    }),
  },
  {
    id: 'whk-listed',
    rule: 'WHK-17',
    breaks: 'endpoints can be listed',
    alter: accepts((asked) => asked.target.includes('/webhook_endpoints') && asked.method === 'GET', refused, {
      webhook_endpoints: [],
    }),
  },
  {
    id: 'whk-tests-disable',
    rule: 'WHK-19',
    breaks: 'twenty failed tests disable an endpoint',
    alter: async (asked, forward, memory) => {
      if (asked.operation !== TEST) return forward(asked);
      if (Number(memory.notes.get('n') ?? 0) >= 20) return madeError('WEBHOOK_ENDPOINT_DISABLED');
      const answer = await forward(asked);
      if (parse(answer.body)?.status_code >= 400) memory.notes.set('n', Number(memory.notes.get('n') ?? 0) + 1);
      return answer;
    },
  },
  {
    id: 'whk-tests-disable-sending',
    rule: 'WHK-19',
    breaks: 'after twenty failed tests no event is sent',
    delivery: async (one, forward, memory) => {
      if (isTest(one)) tally(memory, 'tests', eventOf(one).id);
      return !isTest(one) && sizeOf(memory, 'tests') >= 20 ? 200 : forward(one);
    },
  },
  {
    id: 'whk-limit-unkept',
    rule: 'WHK-21',
    breaks: 'endpoints beyond the limit are made',
    alter: acceptsReason(LIMIT, CREATE),
  },
  {
    id: 'whk-limit-one-more',
    rule: 'WHK-21',
    breaks: 'one endpoint beyond the limit is made',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== CREATE || reasonOf(answer) !== LIMIT || memory.notes.has('one more')) return answer;
      memory.notes.set('one more', true);
      return memory.successes.get(CREATE) ?? answer;
    },
  },
  {
    id: 'whk-limit-counts-deleted',
    rule: 'WHK-21',
    breaks: 'deleted endpoints count',
    alter: async (asked, forward, memory) => {
      if (asked.operation === CREATE && memory.notes.has('deleted')) return madeError('WEBHOOK_ENDPOINT_LIMIT_REACHED');
      const answer = await forward(asked);
      if (asked.operation === CREATE && reasonOf(answer) === LIMIT) memory.notes.set('full', true);
      if (asked.operation === DELETE && memory.notes.has('full')) memory.notes.set('deleted', true);
      return answer;
    },
  },
  {
    id: 'whk-key-owns',
    rule: 'WHK-22',
    breaks: 'an endpoint belongs to the key that made it',
    alter: async (asked, forward, memory) => {
      const key = asked.headers.find(([name]) => name === 'X-API-Key')?.[1];
      const answer = await forward(asked);
      if (asked.operation === CREATE && !memory.notes.has('key')) memory.notes.set('key', key);
      return asked.operation === TEST && key !== memory.notes.get('key')
        ? madeError('WEBHOOK_ENDPOINT_NOT_FOUND')
        : answer;
    },
  },
  {
    id: 'whk-deleted-twice',
    rule: 'WHK-23',
    breaks: 'a second deletion is a success',
    alter: accepts(DELETE, (answer) => answer.status === 404, {}),
  },
  {
    id: 'whk-deletion-says-more',
    rule: 'WHK-23',
    breaks: 'a deletion answers the endpoint',
    alter: answers(DELETE, (json) => {
      json.id = UNKNOWN;
    }),
  },
  {
    id: 'whk-disabled-tested',
    rule: 'WHK-24',
    breaks: 'a disabled endpoint is tested',
    alter: accepts(TEST, (answer) => reasonOf(answer) === DISABLED, { status_code: 200, error: '' }),
  },
  {
    id: 'whk-disabled-unknown',
    rule: 'WHK-24',
    breaks: 'a disabled endpoint is not found',
    alter: mistaken(DISABLED, 'WEBHOOK_ENDPOINT_NOT_FOUND', TEST),
  },
  {
    id: 'whk-disabled-told',
    rule: 'WHK-24',
    breaks: 'a disabled endpoint still gets events',
    alter: watching(),
    delivery: alsoTo(({ disabled }) => disabled),
  },
  {
    id: 'whk-receiver-shown',
    rule: 'WHK-26',
    breaks: '_test shows what the receiver said',
    alter: answers(TEST, (json) => {
      json.error = RECEIVER_TEXT;
    }),
  },
  {
    id: 'whk-test-any-body',
    rule: 'WHK-27',
    breaks: '_test overlooks an unknown field',
    alter: async (asked, forward) => forward(asked.operation === TEST ? { ...asked, body: Buffer.from('{}') } : asked),
  },
  {
    id: 'whk-refused-visited',
    rule: 'WHK-29',
    breaks: 'an address is tried before it is refused',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation === CREATE && answer.status === 400) {
        memory.mark();
        await visit(parse(asked.body).url);
      }
      return answer;
    },
  },
];
