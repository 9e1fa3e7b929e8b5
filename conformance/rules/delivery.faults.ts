/** Faults that the rules of delivery.rules.ts must catch. */

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
  setHeader,
  showing,
} from '../mutation/alter.ts';
import { deliveryFaults, envelope, eventOf, idIn, isTest, signature } from '../mutation/alter-deliveries.ts';
import {
  type AlterDelivery,
  type Fault,
  type FaultRows,
  faultsFor,
  faultsOf,
  inDeliveries,
  type ProxiedAnswer,
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

const TEST = 'testWebhookEndpoint';

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
    'told-wrongly': ['_test tells another outcome', answers(TEST, (json) => Object.assign(json, wrong))],
    [succeeds ? 'sent-again' : 'not-sent-again']: {
      alone: true,
      breaks: succeeds ? 'an event that was taken is sent again' : 'an event that was not taken is not sent again',
      delivery: succeeds ? doubled : takenAnyway,
    },
  };
  return faultsFor(id, wrongs, `where an answer is of ${id},`, (name) => `${id.toLowerCase()}-${name}`);
};

export const faults: readonly Fault[] = [
  ...faultsOf({
    'DLV-21': {
      'whk-many-interim-are-refused': [
        '32 interim answers are too many',
        answers(TEST, (json, _asked, memory) => {
          if (counted(memory, 'tests') === AFTER_32) Object.assign(json, { status_code: 0, error: 'protocol_error' });
        }),
      ],
    },
    'DLV-2': {
      'whk-receiver-shown': [
        '_test shows what the receiver said',
        heads(TEST, (answer) => setHeader(answer, 'X-Receiver', RECEIVER_TEXT), everything),
      ],
      'whk-failure-is-error': [
        '_test of a 500 is an error',
        answers(TEST, (json) => {
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
        answers(TEST, (json) => {
          if (json.status_code > 200 && json.status_code < 300) json.status_code = 200;
        }),
      ],
    },
    'DLV-3': {
      'whk-test-impatient': [
        '_test waits for five seconds',
        async (asked, forward) =>
          asked.operation === TEST
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
        showing(TEST, 'error', (before) => (before === 'timeout' ? 'connect_error' : before)),
      ],
      'whk-each-byte-counts': [
        'one of the receivers that are too late counts as a success',
        answers(TEST, (json, _asked, memory) => {
          if (json.error === 'timeout' && counted(memory, 'late') === 4)
            Object.assign(json, { status_code: 200, error: '' });
        }),
      ],
    },
  }),
  ...answerKinds.flatMap(ofKind),
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
  }),
];
