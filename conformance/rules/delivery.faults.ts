/** Faults that the rules of delivery.rules.ts must catch. */

import { parse, setHeader } from '../mutation/alter.ts';
import {
  brokenIsTaken,
  delay,
  type Endpoint,
  endpointsOf,
  envelope,
  eventOf,
  isTest,
  noted,
  readdressed,
  watching,
} from '../mutation/alter-deliveries.ts';
import type { AlterDelivery, Fault, Memory, ProxiedDelivery } from '../mutation/fault.ts';

/** A receiver that has not answered after this time counts as having answered with this status. */
const decidedAfter =
  (ms: number, status: number): AlterDelivery =>
  (delivered, forward) =>
    Promise.race([forward(delivered), delay(ms).then(() => status)]);

const at = (memory: Memory, { path }: ProxiedDelivery): Endpoint | undefined =>
  endpointsOf(memory).find((one) => one.path === path);

const doubled: AlterDelivery = async (delivered, forward) => {
  await forward(delivered);
  return forward(delivered);
};

export const faults: readonly Fault[] = [
  {
    id: 'dlv-delivered-twice',
    rule: 'DLV-1',
    alone: true,
    breaks: 'an event that was taken is sent again',
    delivery: doubled,
  },
  {
    id: 'dlv-never-again',
    rule: 'DLV-2',
    alone: true,
    breaks: 'a refused event is not sent again',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      return reply.status >= 400 ? 200 : reply;
    },
  },
  {
    id: 'dlv-impatient',
    rule: 'DLV-3',
    breaks: 'a receiver has five seconds',
    delivery: decidedAfter(5_000, 500),
    alone: true,
  },
  {
    id: 'dlv-silence-is-consent',
    rule: 'DLV-4',
    breaks: 'a receiver that is silent for too long has taken the event',
    delivery: decidedAfter(9_400, 200),
    alone: true,
  },
  {
    id: 'dlv-head-is-enough',
    rule: 'DLV-4',
    breaks: 'the head of an answer is enough',
    delivery: async (one, forward) => (await forward(one)).status,
    alone: true,
  },
  {
    id: 'dlv-downtime-told',
    rule: 'DLV-15',
    breaks: 'what was missed is sent once an endpoint is enabled',
    alter: watching(),
    delivery: async (one, forward, memory) => {
      const past = noted(memory, 'past', () => new Map<string, ProxiedDelivery>());
      const me = at(memory, one);
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
    alone: true,
  },
  {
    id: 'dlv-one-at-a-time',
    rule: 'DLV-16',
    breaks: 'a receiver that hangs holds up the others',
    delivery: async (one, forward, memory) => {
      const before = memory.notes.get('queue') as Promise<unknown> | undefined;
      if (before) memory.mark();
      const mine = Promise.resolve(before).then(() => forward(one));
      memory.notes.set(
        'queue',
        mine.catch(() => {}),
      );
      return mine;
    },
    alone: true,
  },
  {
    id: 'dlv-redirect-followed',
    rule: 'DLV-17',
    breaks: 'a redirect is followed',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      return reply.location ? forward({ ...one, path: new URL(reply.location, 'https://x').pathname }) : reply;
    },
    alone: true,
  },
  {
    id: 'dlv-gone-is-final',
    rule: 'DLV-17',
    alone: true,
    breaks: 'a redirect counts as taken',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      return reply.status >= 300 && reply.status < 400 && reply.location ? 200 : reply;
    },
  },
  {
    id: 'dlv-reset-is-taken',
    rule: 'DLV-19',
    breaks: 'a connection that breaks after the request ends the attempts',
    delivery: brokenIsTaken,
    alone: true,
  },
  {
    id: 'dlv-interim-is-failed',
    rule: 'DLV-21',
    breaks: 'an event is sent again although the receiver took it after interim answers',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      return reply.status === 200 && reply.rest.headers.connection === 'close' ? 500 : reply;
    },
    alone: true,
  },
  {
    id: 'dlv-no-http-is-taken',
    rule: 'DLV-21',
    breaks: 'an answer that is no HTTP counts as taken',
    delivery: brokenIsTaken,
    alone: true,
  },
  {
    id: 'dlv-endless-is-failed',
    rule: 'DLV-20',
    breaks: 'an answer that never ends is a failure',
    delivery: async (one, forward) => {
      const reply = await forward(one);
      if (reply.status >= 300) return reply;
      let size = 0;
      for await (const part of reply.rest) {
        size += (part as Buffer).length;
        if (size > 65_536) return 500;
      }
      return reply.status;
    },
    alone: true,
  },
  {
    id: 'evt-new-id',
    rule: 'EVT-3',
    alone: true,
    breaks: 'each attempt has an id of its own',
    delivery: envelope((json) => {
      json.id = crypto.randomUUID();
    }),
  },
  {
    id: 'sig-once',
    rule: 'SIG-4',
    alone: true,
    breaks: 'a repeat carries the signature of the first attempt',
    delivery: async (one, forward, memory) => {
      const id = `sig ${one.path} ${parse(one.body)?.id}`;
      const found = one.headers.find(([name]) => /^service-signature$/i.test(name))?.[1];
      if (!memory.notes.has(id)) memory.notes.set(id, found);
      const next = { ...one, headers: [...one.headers] };
      setHeader(next, 'Service-Signature', memory.notes.get(id) as string);
      return forward(next);
    },
  },
];
