/** Faults that the rules of delivery-clock.rules.ts must catch. */

import { madeError } from '../mutation/alter.ts';
import {
  alsoTo,
  endpointsOf,
  envelope,
  eventOf,
  idIn,
  isTest,
  noted,
  sizeOf,
  tally,
  watching,
} from '../mutation/alter-deliveries.ts';
import type { AlterDelivery, Fault, Memory, ProxiedDelivery } from '../mutation/fault.ts';

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

export const faults: readonly Fault[] = [
  {
    id: 'dlv-ninth',
    rule: 'DLV-6',
    breaks: 'there is a ninth attempt',
    delivery: async (one, forward, memory) => {
      if (nth(memory, one) === ATTEMPTS) (await forward(one)).rest.resume();
      return forward(one);
    },
    alone: true,
  },
  {
    id: 'dlv-seven',
    rule: 'DLV-6',
    breaks: 'there are seven attempts',
    delivery: async (one, forward, memory) => (nth(memory, one) === ATTEMPTS ? 500 : forward(one)),
    alone: true,
  },
  {
    id: 'dlv-wait-skipped',
    rule: 'DLV-7',
    breaks: 'the fourth attempt follows the third at once',
    delivery: hasty(3),
    alone: true,
  },
  {
    id: 'dlv-last-at-once',
    rule: 'DLV-8',
    breaks: 'the last attempt follows the seventh at once, so they span six hours',
    delivery: hasty(ATTEMPTS - 1),
    alone: true,
  },
  {
    id: 'dlv-body-changes',
    rule: 'DLV-9',
    alone: true,
    breaks: 'each attempt has another body',
    delivery: envelope((json) => {
      json.occurred_at = new Date().toISOString();
    }),
  },
  {
    id: 'dlv-success-not-final',
    rule: 'DLV-10',
    alone: true,
    breaks: 'a success does not end the attempts',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      return reply.status < 300 ? 500 : reply;
    },
  },
  {
    id: 'dlv-never-disabled',
    rule: 'DLV-11',
    breaks: 'twenty deliveries that failed do not disable',
    delivery: async (one, forward, memory) => {
      const nthEvent = tally(memory, one.path, eventOf(one).id);
      const reply = await forward(one);
      return nth(memory, one) === ATTEMPTS && nthEvent >= 20 ? 200 : reply;
    },
    alone: true,
  },
  {
    id: 'dlv-disabled-early',
    rule: 'DLV-11',
    breaks: 'ten deliveries that failed disable',
    alter: watching(async (asked, forward, memory) => {
      const one = endpointsOf(memory).find(({ id }) => id === idIn(asked));
      return asked.operation === TEST && sizeOf(memory, `lost ${one?.path}`) >= 10
        ? madeError('WEBHOOK_ENDPOINT_DISABLED')
        : forward(asked);
    }),
    delivery: async (one, forward, memory) => {
      const reply = await forward(one);
      if (nth(memory, one) === ATTEMPTS && reply.status >= 400) tally(memory, `lost ${one.path}`, eventOf(one).id);
      return reply;
    },
    alone: true,
  },
  {
    id: 'dlv-success-does-not-reset',
    rule: 'DLV-12',
    breaks: 'a success between failures does not start the count anew',
    delivery: async (one, forward, memory) => {
      if (noted(memory, 'taken', () => new Set<string>()).has(`${one.path} ${eventOf(one).id}`)) return 500;
      const reply = await forward(one);
      if (reply.status >= 400) {
        if (nth(memory, one) === ATTEMPTS) tally(memory, `lost ${one.path}`, eventOf(one).id);
        return reply;
      }
      if (sizeOf(memory, `lost ${one.path}`) === 0) return reply;
      noted(memory, 'taken', () => new Set<string>()).add(`${one.path} ${eventOf(one).id}`);
      return 500;
    },
    alone: true,
  },
  {
    id: 'dlv-late-success-counts',
    rule: 'DLV-13',
    breaks: 'deliveries that succeed at the third attempt count as failed',
    alter: watching(async (asked, forward, memory) => {
      const one = endpointsOf(memory).find(({ id }) => id === idIn(asked));
      return asked.operation === TEST && sizeOf(memory, `late ${one?.path}`) >= 20
        ? madeError('WEBHOOK_ENDPOINT_DISABLED')
        : forward(asked);
    }),
    delivery: async (one, forward, memory) => {
      const reply = await forward(one);
      if (nth(memory, one) > 1 && reply.status < 300) tally(memory, `late ${one.path}`, eventOf(one).id);
      return reply;
    },
    alone: true,
  },
  {
    id: 'dlv-disabled-told',
    rule: 'DLV-14',
    breaks: 'a disabled endpoint gets new events',
    alter: watching(),
    delivery: alsoTo(({ disabled }) => disabled),
    alone: true,
  },
  {
    id: 'dlv-all-disabled',
    rule: 'DLV-14',
    breaks: 'with one endpoint all of the tenant fall silent',
    alter: watching(),
    delivery: async (one, forward, memory) =>
      endpointsOf(memory).some(({ disabled }) => disabled) && eventOf(one).type !== 'document.rejected'
        ? 200
        : forward(one),
    alone: true,
  },
  {
    id: 'dlv-deleted-told',
    rule: 'DLV-18',
    breaks: 'what was due when an endpoint was deleted is still sent',
    alter: watching(),
    delivery: async (one, forward, memory) => {
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
    alone: true,
  },
];
