import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import type { TitledRow } from './collection.ts';
import { ofTenant } from './of-tenant.ts';

const { store } = await testDeployment();
const [own, other] = [randomUUID(), randomUUID()];

const at = new Date('2026-03-02T05:00:00Z');
const row = (tenant_id: string, title: string): TitledRow => ({
  _id: randomUUID(),
  tenant_id,
  title,
  create_time: at,
  update_time: at,
});
const titlesOf = async (tenant_id: string) =>
  (await store.locations.find({ tenant_id }).sort({ title: 1 }).toArray()).map(({ title }) => title);

test('finds, changes and removes only rows of the tenant', async () => {
  const [mine, theirs] = [row(own, 'a'), row(other, 'a')];
  await store.locations.insertMany([mine, theirs]);
  const rows = ofTenant(store.locations, own);
  expect((await rows.find({}).toArray()).map(({ _id }) => _id)).toEqual([mine._id]);
  expect(await rows.findOne({ _id: theirs._id })).toBeNull();
  expect(await rows.findOneAndUpdate({ _id: theirs._id }, { $set: { title: 'x' } }, {})).toBeNull();
  expect(await rows.updateOne({ _id: theirs._id }, { $set: { title: 'x' } })).toMatchObject({ matchedCount: 0 });
  expect(await rows.updateMany({}, { $set: { title: 'b' } })).toMatchObject({ matchedCount: 1 });
  expect(await rows.deleteOne({ _id: theirs._id })).toMatchObject({ deletedCount: 0 });
  const update = { $set: { title: 'c' } };
  await rows.bulkWrite([{ updateMany: { filter: {}, update } }, { deleteOne: { filter: { _id: theirs._id } } }]);
  expect(await titlesOf(own)).toEqual(['c']);
  expect(await rows.deleteMany({})).toMatchObject({ deletedCount: 1 });
  expect(await titlesOf(other)).toEqual(['a']);
});

test('refuses a filter that names another tenant, and a row of another one', async () => {
  const rows = ofTenant(store.locations, own);
  const filter = { tenant_id: other };
  expect(() => rows.find(filter)).toThrow('another tenant');
  expect(() => rows.deleteMany({ tenant_id: { $in: [own, other] } })).toThrow('another tenant');
  expect(() => rows.bulkWrite([{ deleteMany: { filter } }])).toThrow('another tenant');
  expect(() => rows.bulkWrite([{ insertOne: { document: row(other, 'd') } }])).toThrow('another tenant');
  expect(() => rows.insertOne(row(other, 'd'))).toThrow('another tenant');
  expect(() => rows.insertMany([row(own, 'd'), row(other, 'd')])).toThrow('another tenant');
  expect(await titlesOf(own)).toEqual([]);
  await rows.insertMany([row(own, 'e')]);
  expect(await titlesOf(own)).toEqual(['e']);
});
