/** Ways to alter deliveries of events, which faults of several files share. */

import { type Json, jsonBody, keyOf, noted, parse, reasonOf } from './alter.ts';
import { sign } from './callbacks.ts';
import {
  type Alter,
  type AlterDelivery,
  type Fault,
  inDeliveries,
  type Memory,
  type ProxiedDelivery,
  type ProxiedRequest,
  type Reply,
} from './fault.ts';

/** The delivery with a change, and with the signature that it then needs. */
function signed(delivered: ProxiedDelivery, change: Partial<ProxiedDelivery>): ProxiedDelivery {
  const next = { ...delivered, headers: [...delivered.headers], ...change };
  sign(next);
  return next;
}

/** Sends one more event, with its own id, before the present one; once. */
export const alsoReports =
  (when: (json: Json, memory: Memory) => boolean, more: (json: Json, memory: Memory) => Json): AlterDelivery =>
  async (delivered, forward, memory) => {
    const json = parse(delivered.body);
    if (json && !memory.notes.has('extra event sent') && when(json, memory)) {
      memory.notes.set('extra event sent', true);
      await forward(signed(delivered, { body: jsonBody({ ...json, id: crypto.randomUUID(), ...more(json, memory) }) }));
    }
    return forward(delivered);
  };

/** The envelope of a delivery. */
export const eventOf = (delivered: ProxiedDelivery): { id: string; type: string; data: Record<string, string> } =>
  parse(delivered.body) ?? { id: '', type: '', data: {} };

/** Whether a delivery is that of a test. */
export const isTest = (delivered: ProxiedDelivery): boolean => eventOf(delivered).type === 'webhook_endpoint.test';

const tallyOf = (memory: Memory, name: string) => noted(memory, `tally ${name}`, () => new Set<string>());

/** How many distinct things are counted under a name. */
export const sizeOf = (memory: Memory, name: string): number => tallyOf(memory, name).size;

/** Counts distinct things under a name. @returns how many there are, including this one */
export const tally = (memory: Memory, name: string, thing: string): number => tallyOf(memory, name).add(thing).size;

/** Adds further deliveries to what is delivered, each once for each event. */
export const besides =
  (more: (delivered: ProxiedDelivery, memory: Memory) => ProxiedDelivery[]): AlterDelivery =>
  async (delivered, forward, memory) => {
    if (!isTest(delivered)) {
      for (const extra of more(delivered, memory)) {
        const name = `${extra.path} ${eventOf(extra).type} ${JSON.stringify(eventOf(extra).data)} ${eventOf(delivered).id}`;
        const before = sizeOf(memory, 'sent');
        if (tally(memory, 'sent', name) > before) (await forward(extra)).rest.resume();
      }
    }
    return forward(delivered);
  };

/** An event that never happened, with a correct signature. */
export const invented = (delivered: ProxiedDelivery, type: string, data: Record<string, string>): ProxiedDelivery =>
  signed(delivered, { body: jsonBody({ ...eventOf(delivered), id: crypto.randomUUID(), type, data }) });

/** Never sends events of a type, and takes them as accepted. */
export const swallowed =
  (type: string): AlterDelivery =>
  async (delivered, forward) =>
    eventOf(delivered).type === type ? 200 : forward(delivered);

/** An endpoint created by the rule. */
interface Endpoint {
  id: string;
  path: string;
  secret: string;
  types: string[];
  key: string | undefined;
  gone: boolean;
  disabled: boolean;
}

/** The endpoints that the rule has created. */
export const endpointsOf = (memory: Memory) => noted<Endpoint[]>(memory, 'endpoints', () => []);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The first id in the target of a request. */
export const idIn = (asked: ProxiedRequest): string => UUID.exec(asked.target)?.[0] ?? '';

/** Remembers which endpoints the rule creates, and whether they are deleted or disabled. */
export const watching =
  (alter: Alter = (asked, forward) => forward(asked)): Alter =>
  async (asked, forward, memory) => {
    const answer = await alter(asked, forward, memory);
    const endpoint = endpointsOf(memory).find(({ id }) => id === idIn(asked));
    if (asked.operation === 'createWebhookEndpoint' && answer.status === 200) {
      const { webhook_endpoint, secret } = parse(answer.body);
      endpointsOf(memory).push({
        id: webhook_endpoint.id,
        path: new URL(webhook_endpoint.url).pathname,
        secret,
        types: webhook_endpoint.event_types,
        key: keyOf(asked),
        gone: false,
        disabled: false,
      });
    }
    if (endpoint && asked.operation === 'deleteWebhookEndpoint' && answer.status === 200) endpoint.gone = true;
    if (endpoint && asked.operation === 'testWebhookEndpoint' && reasonOf(answer) === 'WEBHOOK_ENDPOINT.DISABLED')
      endpoint.disabled = true;
    return answer;
  };

/** The same event for another endpoint, signed for it. */
export const readdressed = (
  delivered: ProxiedDelivery,
  { path, secret }: Pick<Endpoint, 'path' | 'secret'>,
): ProxiedDelivery => signed(delivered, { path, secret });

/** Delivers every event also to these endpoints. */
export const alsoTo = (which: (one: Endpoint, memory: Memory) => boolean): AlterDelivery =>
  besides((delivered, memory) =>
    endpointsOf(memory)
      .filter((one) => one.path !== delivered.path && which(one, memory))
      .map((one) => readdressed(delivered, one)),
  );

/** Changes what is sent without signing it again. */
export const signature =
  (change: (delivered: ProxiedDelivery, memory: Memory) => void): AlterDelivery =>
  (delivered, forward, memory) => {
    const next = { ...delivered, headers: [...delivered.headers] };
    change(next, memory);
    return forward(next);
  };

/** Changes the envelope and signs it again, so that nothing else is wrong. */
export const envelope =
  (change: (json: Json, delivered: ProxiedDelivery) => void): AlterDelivery =>
  (delivered, forward) => {
    const json = parse(delivered.body);
    change(json, delivered);
    return forward(signed(delivered, { body: jsonBody(json) }));
  };

/** Tells the target something else than the receiver replied. */
export const replied =
  (change: (reply: Reply, delivered: ProxiedDelivery, memory: Memory) => Reply | number): AlterDelivery =>
  async (delivered, forward, memory) =>
    change(await forward(delivered), delivered, memory);

/** An event of this type is never sent. */
export const neverReported = (rule: string, type: string): Fault[] => {
  const row = { id: `evt-lost-${type}`, rule, breaks: `${type} is never sent`, delivery: swallowed(type) };
  return [type.startsWith('document.') ? row : { ...row, alone: true }];
};

/** A fault in deliveries: what it breaks, how it alters them, and what it must see or change in requests. */
export type DeliveryRow = readonly [breaks: string, delivery: AlterDelivery, alter?: Alter];

/** The faults of a table, which disturb other rules: rule → id → fault. */
export const deliveryFaults = (table: Readonly<Record<string, Readonly<Record<string, DeliveryRow>>>>): Fault[] =>
  Object.entries(table).flatMap(([rule, rows]) =>
    Object.entries(rows).map(([id, row]) => ({ id, rule, alone: true, ...inDeliveries(...row) })),
  );
