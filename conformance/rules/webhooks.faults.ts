/** Faults that the rules of webhooks*.rules.ts must catch. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accepts,
  after,
  answers,
  counted,
  everything,
  madeError,
  noted,
  parse,
  pretends,
  put,
  reasonOf,
  setHeader,
} from '../mutation/alter.ts';
import {
  alsoTo,
  endpointsOf,
  envelope,
  eventOf,
  isTest,
  readdressed,
  signature,
  sizeOf,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import { faultsOf, inDeliveries, type ProxiedDelivery } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const LIMIT = 'WEBHOOK_ENDPOINT.LIMIT_REACHED';

/** The refusal after a deletion that is about the first creation while an endpoint is disabled. */
const WHILE_DISABLED = 8;

async function visit(text: string): Promise<void> {
  const { hostname, port } = new URL(text);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await Promise.race([sleep(1_000), new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))]);
  socket.destroy();
}

export const faults = faultsOf({
  'WHK-23': {
    'whk-deleted-goes-on': [
      'a deletion is answered and not done',
      async (asked, forward) => {
        if (asked.operation !== 'deleteWebhookEndpoint') return forward(asked);
        const answer = await forward({ ...asked, target: asked.target.replace(/[0-9a-f-]{36}/, UNKNOWN_ID) });
        return { ...answer, status: 200, body: Buffer.from('{}') };
      },
    ],
  },
  'WHK-15': {
    'whk-not-signed-test': inDeliveries(
      'the test is not signed',
      signature((one) => setHeader(one, 'Service-Signature', undefined)),
    ),
    'whk-test-of-other-type': inDeliveries('the test is of another type', envelope(put('type', 'document.sent'))),
  },
  'WHK-19': {
    'whk-tests-disable': [
      'twenty failed tests disable an endpoint',
      async (asked, forward, memory) => {
        if (asked.operation !== 'testWebhookEndpoint') return forward(asked);
        if (Number(memory.notes.get('n') ?? 0) >= 20) return madeError('WEBHOOK_ENDPOINT_DISABLED');
        const answer = await forward(asked);
        if (parse(answer.body)?.status_code >= 400) counted(memory);
        return answer;
      },
    ],
    'whk-tests-disable-sending': inDeliveries(
      'after twenty failed tests no event is sent',
      async (one, forward, memory) => {
        if (isTest(one)) tally(memory, 'tests', eventOf(one).id);
        return !isTest(one) && sizeOf(memory, 'tests') >= 20 ? 200 : forward(one);
      },
    ),
  },
  'WHK-21': {
    'whk-limit-one-more': [
      'one endpoint beyond the limit is made',
      accepts('createWebhookEndpoint', (answer, _asked, memory) => reasonOf(answer) === LIMIT && counted(memory) === 1),
    ],
    'whk-limit-counts-deleted': [
      'deleted endpoints count',
      async (asked, forward, memory) => {
        if (asked.operation === 'createWebhookEndpoint' && memory.notes.has('deleted'))
          return madeError('WEBHOOK_ENDPOINT_LIMIT_REACHED');
        const answer = await forward(asked);
        if (asked.operation === 'createWebhookEndpoint' && reasonOf(answer) === LIMIT) memory.notes.set('full', true);
        if (asked.operation === 'deleteWebhookEndpoint' && memory.notes.has('full')) memory.notes.set('deleted', true);
        return answer;
      },
    ],
    'whk-limit-without-disabled': [
      'disabled endpoints do not count',
      after(everything, (answer, asked, memory) => {
        if (asked.operation === 'deleteWebhookEndpoint') memory.notes.set('refused', 0);
        if (asked.operation !== 'createWebhookEndpoint' || reasonOf(answer) !== LIMIT || !memory.notes.has('refused'))
          return answer;
        const n = Number(memory.notes.get('refused')) + 1;
        memory.notes.set('refused', n);
        return n === WHILE_DISABLED ? (memory.successes.get('createWebhookEndpoint') ?? answer) : answer;
      }),
    ],
  },
  'WHK-22': {
    'whk-key-owns': [
      'an endpoint belongs to the key that made it',
      async (asked, forward, memory) => {
        const key = asked.headers.find(([name]) => name === 'X-API-Key')?.[1];
        const answer = await forward(asked);
        if (asked.operation === 'createWebhookEndpoint' && !memory.notes.has('key')) memory.notes.set('key', key);
        return asked.operation === 'testWebhookEndpoint' && key !== memory.notes.get('key')
          ? madeError('WEBHOOK_ENDPOINT_NOT_FOUND')
          : answer;
      },
    ],
  },
  'WHK-24': {
    'dlv-downtime-told': inDeliveries(
      'what was missed is sent once an endpoint is enabled',
      async (one, forward, memory) => {
        const past = noted(memory, 'past', () => new Map<string, ProxiedDelivery>());
        const me = endpointsOf(memory).find(({ path }) => path === one.path);
        const mine = noted(memory, `mine ${one.path}`, () => new Set<string>());
        const { id } = eventOf(one);
        if (me && !isTest(one)) {
          for (const [event, before] of past)
            if (event !== id && !mine.has(event)) {
              mine.add(event);
              (await forward(readdressed(before, me))).rest.resume();
            }
          past.set(id, one);
          mine.add(id);
        }
        return forward(one);
      },
      watching(),
    ),
    'whk-disabled-told': inDeliveries(
      'a disabled endpoint still gets events',
      alsoTo(({ disabled }) => disabled),
      watching(),
    ),
  },
  'WHK-29': {
    'whk-refused-visited': [
      'an address is tried before it is refused',
      after(everything, async (answer, asked, memory) => {
        if (asked.operation === 'createWebhookEndpoint' && answer.status === 400) {
          memory.mark();
          await visit(parse(asked.body).url);
        }
        return answer;
      }),
    ],
  },
  'WHK-32': {
    'whk-each-test-twice': inDeliveries(
      'a test event is sent again on the connection that brought it',
      async (one, forward) => {
        if (isTest(one)) (await forward(one)).rest.resume();
        return forward(one);
      },
    ),
  },
  'WHK-10': {
    'whk-one-secret': [
      'all endpoints have one secret',
      answers('createWebhookEndpoint', (json, _asked, memory) =>
        put('secret', (secret) => noted(memory, 's', () => secret))(json),
      ),
    ],
    'whk-same-url-once': ['a second endpoint at a URL is the first', pretends('createWebhookEndpoint')],
  },
});
