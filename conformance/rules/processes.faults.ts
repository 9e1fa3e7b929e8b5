/** Faults that the rules of processes*.rules.ts must catch. */
import { asks, denies, refuses, setHeader } from '../mutation/alter.ts';
import { deliveryFaults, isTest } from '../mutation/alter-deliveries.ts';
import { type Alter, type Fault, faultsOf, type ProxiedAnswer, type ProxiedRequest } from '../mutation/fault.ts';

const forgetting = (asked: ProxiedRequest) => setHeader(asked, 'Idempotency-Key', undefined);

/** An operation finds nothing of another process at the second one. */
const unknownThere = (
  operation: ProxiedRequest['operation'],
  name: 'FILE_NOT_FOUND' | 'WEBHOOK_ENDPOINT_NOT_FOUND',
): Alter => denies((asked) => asked.replica && asked.operation === operation, name);

/** All requests stand in one queue, whoever sends them. */
const inOneQueue: Alter = (asked, forward, memory) => {
  const before = Promise.resolve(memory.notes.get('queue') as Promise<ProxiedAnswer> | undefined);
  if (memory.notes.has('queue')) memory.mark();
  const mine = before.catch(() => {}).then(() => forward(asked));
  memory.notes.set('queue', mine);
  return mine;
};

export const faults: readonly Fault[] = [
  ...faultsOf({
    'GEN-18': {
      'gen-stop-cuts': ['a test that is under way at a stop is refused', refuses('testWebhookEndpoint', 'UNAVAILABLE')],
      'gen-stop-forgets': ['what was made during a stop is made again', asks('createDocument', forgetting)],
    },
    'GEN-19': {
      'gen-place-forgets': [
        'each process knows only its own Idempotency-Keys',
        asks((asked) => asked.replica && asked.operation === 'createDocument', forgetting),
      ],
      'gen-place-uploads': ['each process knows only its own uploads', unknownThere('confirmFile', 'FILE_NOT_FOUND')],
    },
    'GEN-20': {
      'gen-place-endpoints': [
        'each process knows only its own endpoints',
        unknownThere('testWebhookEndpoint', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
      ],
    },
  }),
  ...deliveryFaults({
    'DLV-22': {
      'dlv-stop-repeats': [
        'a delivery that was under way at a stop is made again',
        async (one, forward) => {
          if (!isTest(one)) (await forward(one)).rest.resume();
          return forward(one);
        },
      ],
    },
  }),
  ...['GEN-21', 'GEN-22'].map((rule) => ({
    id: `${rule.toLowerCase()}-one-queue`,
    rule,
    breaks: 'requests are served in the order of their arrival, whoever sends them',
    alter: inOneQueue,
  })),
];
