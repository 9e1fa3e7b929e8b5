/** The relay: every event becomes one delivery for each subscriber, whichever process dies, and is then removed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Database } from '../../scripts/world/database.ts';
import { Receivers } from '../../scripts/world/deliveries.ts';
import { draftRow } from '../../scripts/world/document-row.ts';
import { HAS_EVENTS } from '../data/collection.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { type EventType, eventsUpdate, pendingEvent } from '../data/outbox.ts';
import { collectionsOf, createIndexes, type Store } from '../data/store.ts';
import { now } from '../runtime/clock.ts';
import { relayEvents } from './relay-events.ts';

const database = new Database();
const never = new AbortController().signal;
let store: Store;
let receivers: Receivers;
let queued: string[] = [];
/** Names of the commands that the store has received. */
const commands: string[] = [];

beforeAll(async () => {
  const client = new MongoClient(await database.start(), { monitorCommands: true });
  client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  await client.connect();
  store = collectionsOf(client, database.name);
  await createIndexes(store);
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

beforeEach(async () => {
  receivers = new Receivers(store);
  await receivers.flag();
  queued = [];
});

const relay = () => relayEvents(store, { queued: (id) => queued.push(id), followed: async () => 0 }, never);

/** A document with waiting events. */
function documentWith(...types: EventType[]): DocumentRow {
  const events = types.map((type) => pendingEvent(type, now()));
  const outbox_at = events.at(-1)?.occurred_at ?? null;
  return {
    ...draftRow({ initiator_employee_id: 'x', tenant_id: receivers.tenantId }),
    pending_events: events,
    outbox_at,
  };
}

async function stored(...types: EventType[]): Promise<DocumentRow> {
  const row = documentWith(...types);
  await store.documents.insertOne(row);
  return row;
}

const deliveryIds = async (filter: object) =>
  (await store.deliveries.find(filter, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id).toSorted();
const outboxOf = async (id: string) => {
  const row = await store.documents.findOne({ _id: id });
  return [row?.pending_events, row?.outbox_at];
};

describe('a tenant with many events', () => {
  test('has the events of others queued before most of its own', async () => {
    const greedy = await Promise.all(Array.from({ length: 10 }, () => receivers.endpoint()));
    await store.documents.insertMany(Array.from({ length: 600 }, () => documentWith('document.sent')));
    const modest = receivers;
    const other = new Receivers(store);
    await other.flag();
    const endpoint = await other.endpoint();
    receivers = other;
    await store.documents.insertOne(documentWith('document.sent'));
    await relay();
    // In the first round, where each endpoint is queued once.
    expect(queued.indexOf(endpoint)).toBeLessThanOrEqual(greedy.length);
    expect(queued.filter((id) => id === greedy[0]).length).toBeGreaterThan(3);
    expect(await store.deliveries.countDocuments({ tenant_id: modest.tenantId })).toBe(10 * 600);
  });
});

describe('an event', () => {
  test('that occurs while the flag is off, or without a subscriber, is removed without a delivery', async () => {
    const unheard = await stored('document.sent');
    await relay();
    await receivers.endpoint();
    await receivers.flag(false);
    const row = await stored('document.sent');
    await relay();
    await receivers.flag(true);
    await relay();
    expect(await outboxOf(unheard._id)).toEqual([[], null]);
    expect(await deliveryIds({ tenant_id: receivers.tenantId })).toEqual([]);
    expect(await outboxOf(row._id)).toEqual([[], null]);
  });

  test('that occurred before the flag was switched on is removed without a delivery', async () => {
    const endpoint = await receivers.endpoint();
    const missed = await stored('document.sent');
    const [before] = missed.pending_events;
    const enabled_at = new Date(Number(before?.occurred_at) + 1);
    await receivers.flag(true, { enabled_at });
    const current = documentWith('document.sent');
    const [since] = current.pending_events.map((event) => ({ ...event, occurred_at: enabled_at }));
    await store.documents.insertOne({ ...current, pending_events: since ? [since] : [] });
    await relay();
    expect(await deliveryIds({ tenant_id: receivers.tenantId })).toEqual([`${since?.id}:${endpoint}`]);
    expect(await outboxOf(missed._id)).toEqual([[], null]);
  });

  test('makes the relay look again soon, since the processes that wrote it cannot wake this one', async () => {
    await relay();
    expect(await relay()).toBe(false);
    await stored('document.sent');
    expect(await relay()).toBe(true);
    expect(await relay()).toBe(false);
    const followed = (rows: number) => relayEvents(store, { queued: () => {}, followed: async () => rows }, never);
    expect(await followed(1)).toBe(true);
    expect(await followed(0)).toBe(false);
  });
});

describe('a relay that dies', () => {
  test('before its first write leaves all to the next one', async () => {
    const endpoint = await receivers.endpoint();
    const row = await stored('document.sent');
    await relayEvents(store, { queued: () => {}, followed: async () => 0 }, AbortSignal.abort());
    expect(await outboxOf(row._id)).toEqual([row.pending_events, row.outbox_at]);
    await relay();
    expect(await deliveryIds({ endpoint_id: endpoint })).toHaveLength(1);
  });

  test('between deliveries and removal of the events causes neither a second delivery nor a repeated one', async () => {
    const endpoint = await receivers.endpoint();
    const [first, second] = [await stored('document.sent', 'document.completed'), documentWith('document.sent')];
    await relay();
    const done = { status: 'DELIVERED' as const, next_at: null, attempt_count: 1 };
    await store.deliveries.updateMany({ endpoint_id: endpoint }, { $set: done });
    const { pending_events, outbox_at } = first;
    await store.documents.updateOne({ _id: first._id }, { $set: { pending_events, outbox_at } });
    await store.documents.insertOne(second);
    await relay();
    const rows = await store.deliveries.find({ endpoint_id: endpoint }).toArray();
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['DELIVERED', 'DELIVERED', 'PENDING']);
    expect(await outboxOf(first._id)).toEqual([[], null]);
  });
});

test('concurrent events and relays neither lose nor double a delivery', async () => {
  const endpoint = await receivers.endpoint();
  const documents = await Promise.all(Array.from({ length: 5 }, () => stored('document.sent')));
  const expected = documents.flatMap((row) => row.pending_events.map(({ id }) => `${id}:${endpoint}`));
  let writing = true;
  const write = async () => {
    for (let index = 0; index < 200; index++) {
      const event = pendingEvent('document.completed', now());
      expected.push(`${event.id}:${endpoint}`);
      await store.documents.updateOne({ _id: documents[index % 5]?._id }, eventsUpdate([event]) as object);
    }
    writing = false;
  };
  const relays = Array.from({ length: 3 }, async () => {
    while (writing) await relay();
  });
  await Promise.all([write(), ...relays]);
  await relay();
  expect(await deliveryIds({ endpoint_id: endpoint })).toEqual(expected.toSorted());
  expect(await store.documents.countDocuments(HAS_EVENTS)).toBe(0);
});

test('many rows need few commands, which use their index', async () => {
  const endpoints = [await receivers.endpoint(), await receivers.endpoint()];
  const rows = Array.from({ length: 2_000 }, () => documentWith('document.sent'));
  await store.documents.insertMany(rows);
  commands.length = 0;
  while (await relay());
  expect(await store.deliveries.countDocuments({ endpoint_id: { $in: endpoints } })).toBe(4_000);
  // Four rounds with two inserts each.
  expect(commands.filter((name) => name === 'insert')).toHaveLength(8);
  expect(commands.length).toBeLessThan(50);
  expect(await store.documents.countDocuments(HAS_EVENTS)).toBe(0);
});
