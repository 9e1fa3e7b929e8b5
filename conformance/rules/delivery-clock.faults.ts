/** Faults that the rules of delivery-clock.rules.ts must catch. */

import { after, everything, madeError, noted, put, reasonOf } from '../mutation/alter.ts';
import {
  alsoTo,
  deliveryFaults,
  endpointsOf,
  envelope,
  eventOf,
  idIn,
  isTest,
  replied,
  sizeOf,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import type { Alter, AlterDelivery, Fault, Memory, ProxiedDelivery } from '../mutation/fault.ts';

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

const TEST = 'testWebhookEndpoint';

/** An endpoint is disabled once so many events are counted for it under a name. */
const disabledAt = (name: string, count: number): Alter =>
  watching(async (asked, forward, memory) => {
    const one = endpointsOf(memory).find(({ id }) => id === idIn(asked));
    return asked.operation === TEST && sizeOf(memory, `${name} ${one?.path}`) >= count
      ? madeError('WEBHOOK_ENDPOINT_DISABLED')
      : forward(asked);
  });

export const faults: readonly Fault[] = deliveryFaults({
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
    'dlv-body-changes': ['each attempt has another body', envelope(put('occurred_at', () => new Date().toISOString()))],
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
      async (one, forward, memory) => {
        const [taken, name] = [noted(memory, 'taken', () => new Set<string>()), `${one.path} ${eventOf(one).id}`];
        if (taken.has(name)) return 500;
        const reply = await forward(one);
        if (reply.status >= 400) {
          if (nth(memory, one) === ATTEMPTS) tally(memory, `lost ${one.path}`, eventOf(one).id);
          return reply;
        }
        if (sizeOf(memory, `lost ${one.path}`) === 0) return reply;
        taken.add(name);
        return 500;
      },
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
          const isDisabled = asked.operation === TEST && reasonOf(answer) === 'WEBHOOK_ENDPOINT.DISABLED';
          return isDisabled && memory.notes.has('tested') ? (memory.successes.get(TEST) ?? answer) : answer;
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
});
