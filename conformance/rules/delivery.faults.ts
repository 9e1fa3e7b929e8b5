/** Faults that the rules of delivery*.rules.ts must catch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RECEIVER_TEXT } from '../callbacks/receiver.ts';
import { headerOf } from '../http/exchange.ts';
import {
  after,
  answers,
  counted,
  everything,
  heads,
  jsonBody,
  madeError,
  noted,
  parse,
  put,
  reasonOf,
  setHeader,
  showing,
} from '../mutation/alter.ts';
import {
  alsoTo,
  deliveryFaults,
  endpointsOf,
  envelope,
  eventOf,
  idIn,
  isTest,
  replied,
  signature,
  sizeOf,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import {
  type Alter,
  type AlterDelivery,
  type Fault,
  type FaultRows,
  faultsFor,
  faultsOf,
  inDeliveries,
  type Memory,
  type ProxiedAnswer,
  type ProxiedDelivery,
} from '../mutation/fault.ts';
import { type AnswerKind, answerKinds, isSuccess } from './shared/receiver-answers.ts';

/** The call of `_test` before whose answer 32 interim ones come. */
const AFTER_32 = 3;

/** A delivery that fails, never reaches the receiver, or is not answered in time, counts as accepted. */
const takenAnyway: AlterDelivery = (delivered, forward) => {
  const sent = forward(delivered).then(
    ({ rest }) => {
      rest.resume();
      return 200;
    },
    () => 200,
  );
  // The target itself gives up after ten seconds.
  return Promise.race([sent, sleep(8_000).then(() => 200)]);
};

/** Both at once, so that a slow receiver has not used up its time when the second one comes. */
const doubled: AlterDelivery = async (delivered, forward) => {
  const [first, second] = await Promise.all([forward(delivered), forward(delivered)]);
  second.rest.resume();
  return first;
};

/** A successful answer of the target without any content of its own. */
function ok(body: unknown): ProxiedAnswer {
  const answer = madeError('WEBHOOK_ENDPOINT_DISABLED');
  return { ...answer, status: 200, body: jsonBody(body) };
}

/** What `_test` tells of a kind of answer is the opposite; what is a success is sent again, and a failure is not. */
const ofKind = ({ id, answers: all }: AnswerKind): Fault[] => {
  const succeeds = all.every(isSuccess);
  const broken = { status_code: 0, error: 'connect_error' };
  const fails = all.every((one) => typeof one.outcome !== 'number');
  const wrong = fails ? { status_code: 200, error: '' } : broken;
  const wrongs: FaultRows = {
    'told-wrongly': [
      '_test tells another outcome',
      answers('testWebhookEndpoint', (json) => Object.assign(json, wrong)),
    ],
    [succeeds ? 'sent-again' : 'not-sent-again']: {
      alone: true,
      breaks: succeeds ? 'an event that was taken is sent again' : 'an event that was not taken is not sent again',
      delivery: succeeds ? doubled : takenAnyway,
    },
  };
  return faultsFor(id, wrongs, `where an answer is of ${id},`, (name) => `${id.toLowerCase()}-${name}`);
};

/** The number of this attempt at its event, from 1. */
const nth = (memory: Memory, delivered: ProxiedDelivery): number => {
  const counts = noted(memory, 'attempts', () => new Map<string, number>());
  const name = `${delivered.path} ${eventOf(delivered).id}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.get(name) ?? 1;
};

const ATTEMPTS = 8;

/** Repeats a failed attempt at once, and drops the next one when it is due. */
const hasty =
  (attempt: number): AlterDelivery =>
  async (delivered, forward, memory) => {
    const n = nth(memory, delivered);
    if (n === attempt + 1) return 500;
    const reply = await forward(delivered);
    if (n !== attempt || reply.status < 400) return reply;
    reply.rest.resume();
    return forward(delivered);
  };

/** An endpoint is disabled once so many events are counted for it under a name. */
const disabledAt = (name: string, count: number): Alter =>
  watching(async (asked, forward, memory) => {
    const one = endpointsOf(memory).find(({ id }) => id === idIn(asked));
    return asked.operation === 'testWebhookEndpoint' && sizeOf(memory, `${name} ${one?.path}`) >= count
      ? madeError('WEBHOOK_ENDPOINT_DISABLED')
      : forward(asked);
  });

/** A success does not begin the count of failures anew. @param after how many there were */
const withoutReset =
  (after: (failures: number) => boolean): AlterDelivery =>
  async (one, forward, memory) => {
    const [taken, name] = [noted(memory, 'taken', () => new Set<string>()), `${one.path} ${eventOf(one).id}`];
    if (taken.has(name)) return 500;
    const reply = await forward(one);
    if (reply.status >= 400) {
      if (nth(memory, one) === ATTEMPTS) tally(memory, `lost ${one.path}`, eventOf(one).id);
      return reply;
    }
    if (!after(sizeOf(memory, `lost ${one.path}`))) return reply;
    taken.add(name);
    return 500;
  };

/** Signs with another secret, where one is found. */
const signedWith = (secretOf: (one: ProxiedDelivery, memory: Memory) => string | undefined): AlterDelivery =>
  signature((one, memory) => sign(one, undefined, secretOf(one, memory)));

/** The first endpoint at the place of a delivery that is deleted, or is not. */
const oldOne = ({ path }: ProxiedDelivery, memory: Memory, gone: boolean) =>
  endpointsOf(memory).find((known) => known.path === path && known.gone === gone);

export const faults: readonly Fault[] = [
  ...faultsOf({
    'DLV-21': {
      'whk-many-interim-are-refused': [
        '32 interim answers are too many',
        answers('testWebhookEndpoint', (json, _asked, memory) => {
          if (counted(memory, 'tests') === AFTER_32) Object.assign(json, { status_code: 0, error: 'protocol_error' });
        }),
      ],
    },
    'DLV-2': {
      'whk-receiver-shown': [
        '_test shows what the receiver said',
        heads('testWebhookEndpoint', (answer) => setHeader(answer, 'X-Receiver', RECEIVER_TEXT), everything),
      ],
      'whk-failure-is-error': [
        '_test of a 500 is an error',
        answers('testWebhookEndpoint', (json) => {
          if (json.status_code >= 500) json.error = 'failed';
        }),
      ],
    },
    'DLV-17': {
      'whk-redirect-visited': inDeliveries(
        'the place of a redirect is visited, although the redirect is reported',
        async (one, forward) => {
          const reply = await forward(one);
          if (reply.location)
            (await forward({ ...one, path: new URL(reply.location, 'https://x').pathname })).rest.resume();
          return reply;
        },
      ),
    },
    'DLV-1': {
      'whk-status-rounded': [
        '_test tells 200 for every success',
        answers('testWebhookEndpoint', (json) => {
          if (json.status_code > 200 && json.status_code < 300) json.status_code = 200;
        }),
      ],
    },
    'DLV-3': {
      'whk-test-impatient': [
        '_test waits for five seconds',
        async (asked, forward) =>
          asked.operation === 'testWebhookEndpoint'
            ? Promise.race([forward(asked), sleep(5_000).then(() => ok({ status_code: 0, error: 'timeout' }))])
            : forward(asked),
      ],
    },
    'DLV-4': {
      'whk-test-too-patient': inDeliveries(
        '_test waits for the head of an answer for sixteen seconds',
        async (one, forward, memory) => {
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
        after(everything, async (answer, asked, memory) => {
          if (parse(answer.body)?.error !== 'timeout') return answer;
          const status = await Promise.race([memory.notes.get(`head for ${idIn(asked)}`), sleep(6_000)]);
          return status === undefined ? answer : ok({ status_code: status, error: '' });
        }),
      ),
      'whk-timeout-unnamed': [
        'a timeout is reported as a failed connection',
        showing('testWebhookEndpoint', 'error', (before) => (before === 'timeout' ? 'connect_error' : before)),
      ],
      'whk-each-byte-counts': [
        'one of the receivers that are too late counts as a success',
        answers('testWebhookEndpoint', (json, _asked, memory) => {
          if (json.error === 'timeout' && counted(memory, 'late') === 4)
            Object.assign(json, { status_code: 200, error: '' });
        }),
      ],
    },
    'WHK-25': {
      'whk-tls-unnamed': [
        'a failure of TLS is reported as one of the connection',
        showing('testWebhookEndpoint', 'error', (before) => (before === 'tls_error' ? 'connect_error' : before)),
      ],
      'whk-any-certificate': [
        'a certificate that nobody trusts is taken',
        answers('testWebhookEndpoint', (json, _asked, memory) => {
          if (json.error === 'tls_error' && counted(memory) > 1) Object.assign(json, { status_code: 200, error: '' });
        }),
      ],
    },
    'SIG-8': {
      'sig-one-for-all': inDeliveries(
        'all endpoints are signed for with one secret',
        signedWith((one, memory) => noted(memory, 'secret', () => one.secret)),
      ),
      'sig-deleted-secret-signs': inDeliveries(
        'after its endpoint was deleted the old secret goes on signing',
        signedWith((one, memory) => oldOne(one, memory, true)?.secret),
        watching(),
      ),
      'sig-new-secret-waits': inDeliveries(
        'while the old endpoint is there its secret signs for both',
        signedWith((one, memory) => oldOne(one, memory, false)?.secret),
        watching(),
      ),
    },
  }),
  ...deliveryFaults({
    'EVT-40': {
      'evt-trace-lost': ['deliveries name no trace', signature((one) => setHeader(one, 'traceparent', undefined))],
      'evt-trace-copied': [
        'all attempts have one parent',
        signature((one) => {
          const sent = headerOf(one, 'traceparent');
          if (sent) setHeader(one, 'traceparent', sent.replace(/-[0-9a-f]{16}-/, `-${'1'.repeat(16)}-`));
        }),
      ],
      'evt-trace-invalid': [
        'a trace that is not valid is continued',
        signature((one) => {
          if (!headerOf(one, 'traceparent')) setHeader(one, 'traceparent', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`);
        }),
      ],
    },
    'DLV-3': {
      'dlv-impatient': [
        'a receiver has five seconds',
        (one, forward) => Promise.race([forward(one), sleep(5_000).then(() => 500)]),
      ],
    },
    'DLV-16': {
      'dlv-one-at-a-time': [
        'a receiver that hangs holds up the others',
        async (one, forward, memory) => {
          const before = memory.notes.get('queue') as Promise<unknown> | undefined;
          if (before) memory.mark();
          const mine = Promise.resolve(before).then(() => forward(one));
          memory.notes.set(
            'queue',
            mine.catch(() => {}),
          );
          return mine;
        },
      ],
    },
    'EVT-3': {
      'evt-new-id': ['each attempt has an id of its own', envelope(put('id', () => crypto.randomUUID()))],
    },
    'SIG-4': {
      'sig-once': [
        'a repeat carries the signature of the first attempt',
        signature((one, memory) => {
          const name = `sig ${one.path} ${eventOf(one).id}`;
          setHeader(
            one,
            'Service-Signature',
            noted(memory, name, () => headerOf(one, 'Service-Signature')),
          );
        }),
      ],
    },
    'DLV-6': {
      'dlv-ninth': [
        'there is a ninth attempt',
        async (one, forward, memory) => {
          if (nth(memory, one) === ATTEMPTS) (await forward(one)).rest.resume();
          return forward(one);
        },
      ],
      'dlv-seven': [
        'there are seven attempts',
        async (one, forward, memory) => (nth(memory, one) === ATTEMPTS ? 500 : forward(one)),
      ],
      'dlv-wait-skipped': ['the fourth attempt follows the third at once', hasty(3)],
      'dlv-last-at-once': ['the last attempt follows the seventh at once, so they span six hours', hasty(ATTEMPTS - 1)],
      'dlv-body-changes': [
        'each attempt has another body',
        envelope(put('occurred_at', () => new Date().toISOString())),
      ],
    },
    'DLV-10': {
      'dlv-success-not-final': [
        'a success does not end the attempts',
        replied((reply) => (reply.status < 300 ? 500 : reply)),
      ],
    },
    'DLV-11': {
      'dlv-never-disabled': [
        'twenty deliveries that failed do not disable',
        async (one, forward, memory) => {
          const nthEvent = tally(memory, one.path, eventOf(one).id);
          const reply = await forward(one);
          return nth(memory, one) === ATTEMPTS && nthEvent >= 20 ? 200 : reply;
        },
      ],
      'dlv-disabled-early': [
        'ten deliveries that failed disable',
        replied((reply, one, memory) => {
          if (nth(memory, one) === ATTEMPTS && reply.status >= 400) tally(memory, `lost ${one.path}`, eventOf(one).id);
          return reply;
        }),
        disabledAt('lost', 10),
      ],
      'dlv-success-does-not-reset': [
        'a success between failures does not start the count anew',
        withoutReset((failures) => failures > 1),
      ],
      'dlv-success-does-not-reset-one': [
        'a success after a single failure does not start the count anew',
        withoutReset((failures) => failures === 1),
      ],
      'dlv-late-success-counts': [
        'deliveries that succeed at the third attempt count as failed',
        replied((reply, one, memory) => {
          if (nth(memory, one) > 1 && reply.status < 300) tally(memory, `late ${one.path}`, eventOf(one).id);
          return reply;
        }),
        disabledAt('late', 20),
      ],
      'dlv-test-resets': [
        'a test that succeeds begins the count anew',
        async (one, forward, memory) => {
          if (isTest(one)) memory.notes.set('tested', true);
          return forward(one);
        },
        watching(
          after(everything, (answer, asked, memory) => {
            const isDisabled =
              asked.operation === 'testWebhookEndpoint' && reasonOf(answer) === 'WEBHOOK_ENDPOINT.DISABLED';
            return isDisabled && memory.notes.has('tested')
              ? (memory.successes.get('testWebhookEndpoint') ?? answer)
              : answer;
          }),
        ),
      ],
    },
    'DLV-14': {
      'dlv-disabled-told': ['a disabled endpoint gets new events', alsoTo(({ disabled }) => disabled), watching()],
      'dlv-all-disabled': [
        'with one endpoint all of the tenant fall silent',
        async (one, forward, memory) =>
          endpointsOf(memory).some(({ disabled }) => disabled) && eventOf(one).type !== 'document.rejected'
            ? 200
            : forward(one),
        watching(),
      ],
      'dlv-deleted-told': [
        'what was due when an endpoint was deleted is still sent',
        async (one, forward, memory) => {
          const due = noted(memory, 'due', () => new Map<string, ProxiedDelivery>());
          for (const gone of eventOf(one).type === 'document.rejected'
            ? endpointsOf(memory).filter((known) => known.gone)
            : []) {
            const late = due.get(gone.path);
            due.delete(gone.path);
            if (late) (await forward(late)).rest.resume();
          }
          if (!isTest(one)) due.set(one.path, one);
          return forward(one);
        },
        watching(),
      ],
    },
    'DLV-5': {
      'dlv-no-connection-is-taken': [
        'a connection that fails ends the attempts',
        (one, forward) => forward(one).catch(() => 200),
      ],
    },
  }),
  ...answerKinds.flatMap(ofKind),
];
