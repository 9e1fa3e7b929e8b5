/** Many rows in one command: what is written, what is not, and that the result names the rows. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { racedStore } from '../../scripts/world/racing-store.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { writeRows } from './bulk.ts';
import { onOutboxFilled, type PendingEvent, pendingEvent } from './outbox.ts';

interface Row {
  _id: string;
  tenant_id: string;
  rev: number;
  title: string;
  list: string[];
  time: Date;
  pending_events: PendingEvent[];
  outbox_at: Date | null;
}

const { store } = await testDeployment();
const time = new Date('2026-03-01T10:00:00.000Z');
const later = new Date('2026-03-02T10:00:00.000Z');
let rows: Collection<Row>;

beforeAll(async () => {
  rows = store.employees as unknown as Collection<Row>;
});

const fresh = (title = 'one'): Row => ({
  _id: randomUUID(),
  tenant_id: 't',
  rev: 1,
  title,
  list: ['a'],
  time,
  pending_events: [],
  outbox_at: null,
});

async function stored(title?: string): Promise<Row> {
  const row = fresh(title);
  await rows.insertOne(row);
  return row;
}

/** A change of the row to another title, at its next revision. */
const retitled = (before: Row) => ({ before, after: { ...before, title: 'two', rev: before.rev + 1 } });
const rowOf = ({ _id }: { _id: string }) => rows.findOne({ _id });
const titles = async (...those: Row[]) => Promise.all(those.map(async (row) => (await rowOf(row))?.title));

describe('writeRows', () => {
  test('writes neither a row that changed meanwhile nor one that exists already, and returns their ids', async () => {
    const [overtaken, changed, taken, gone] = [await stored(), await stored(), await stored('there'), fresh()];
    await rows.updateOne({ _id: overtaken._id }, { $set: { title: 'other' }, $inc: { rev: 1 } });
    const changes = [retitled(overtaken), retitled(changed), { before: null, after: { ...taken, title: 'mine' } }];
    expect(await writeRows(rows, [...changes, retitled(gone)])).toEqual(new Set([overtaken._id, taken._id, gone._id]));
    expect(await titles(overtaken, changed, taken, gone)).toEqual(['other', 'two', 'there', undefined]);
  });

  test('does not write a row of another tenant', async () => {
    const row = await stored();
    expect(await writeRows(rows, [retitled({ ...row, tenant_id: 'u' })])).toEqual(new Set([row._id]));
    expect(await titles(row)).toEqual(['one']);
  });

  test('when the revision stays the same, compares only the fields that the change sets', async () => {
    const [row, moved] = [await stored(), await stored()];
    await rows.updateMany({ _id: { $in: [row._id, moved._id] } }, { $set: { time: later } });
    await rows.updateOne({ _id: moved._id }, { $set: { title: 'other' } });
    const changes = [row, moved].map((before) => ({ before, after: { ...before, title: 'two' } }));
    expect(await writeRows(rows, changes)).toEqual(new Set([moved._id]));
    expect(await rowOf(row)).toMatchObject({ title: 'two', time: later, rev: 1 });
    expect(await titles(moved)).toEqual(['other']);
  });

  test('compares rows without any revision by the fields that the change sets', async () => {
    const row = { _id: randomUUID(), tenant_id: 't', title: 'one', create_time: time, update_time: time };
    await store.locations.insertMany([row, { ...row, _id: 'second' }]);
    await store.locations.updateOne({ _id: 'second' }, { $set: { title: 'other' } });
    const changes = [row, { ...row, _id: 'second' }].map((before) => ({ before, after: { ...before, title: 'two' } }));
    expect(await writeRows(store.locations, changes)).toEqual(new Set(['second']));
    expect(await store.locations.findOne({ _id: row._id })).toMatchObject({ title: 'two' });
  });

  test('writes nothing when nothing changes', async () => {
    const row = fresh();
    expect(await writeRows(rows, [{ before: row, after: { ...row, list: ['a'] } }])).toEqual(new Set());
    expect(await writeRows(rows, [])).toEqual(new Set());
    expect(await rowOf(row)).toBeNull();
  });

  test('reports a row as not written when another process wrote the same revision', async () => {
    const [row, second] = [await stored(), await stored()];
    const raced = racedStore(store, 'employees', 'bulkWrite', () =>
      rows.updateOne({ _id: row._id }, { $set: { title: 'other', rev: 2 } }),
    );
    const written = writeRows(raced.employees as unknown as Collection<Row>, [retitled(row), retitled(second)]);
    expect(await written).toEqual(new Set([row._id]));
    expect(await titles(row, second)).toEqual(['other', 'two']);
  });
});

describe('the outbox', () => {
  test('events that the relay has taken meanwhile do not return', async () => {
    const waiting = pendingEvent('employee.changed', time);
    const row = { ...fresh(), pending_events: [waiting], outbox_at: time };
    await rows.insertOne(row);
    const added = pendingEvent('employee.changed', later);
    const { after } = retitled(row);
    const withEvent = { ...after, pending_events: [waiting, added] };
    const raced = racedStore(store, 'employees', 'bulkWrite', () =>
      rows.updateOne({ _id: row._id }, { $set: { pending_events: [], outbox_at: null } }),
    );
    await writeRows(raced.employees as unknown as Collection<Row>, [{ before: row, after: withEvent }]);
    expect(await rowOf(row)).toMatchObject({ title: 'two', pending_events: [added], outbox_at: time });
  });

  test('a change without events leaves the outbox as it is', async () => {
    const row = { ...(await stored()), pending_events: [pendingEvent('employee.changed', time)], outbox_at: time };
    await writeRows(rows, [retitled(row)]);
    expect(await rowOf(row)).toMatchObject({ title: 'two', pending_events: [], outbox_at: null });
  });

  test('listeners hear of events only after these are written', async () => {
    const heard: (string | undefined)[][] = [];
    const [row, silent] = [await stored(), await stored()];
    let reading = Promise.resolve();
    const unlisten = onOutboxFilled(() => {
      reading = titles(row).then((found) => void heard.push(found));
    });
    await writeRows(rows, [retitled(silent)]);
    expect(heard).toEqual([]);
    const event = pendingEvent('employee.changed', later);
    const { after } = retitled(row);
    await writeRows(rows, [{ before: row, after: { ...after, pending_events: [event], outbox_at: later } }]);
    await reading;
    unlisten();
    expect(heard).toEqual([['two']]);
  });
});
