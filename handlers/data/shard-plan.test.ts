import { describe, expect, test } from '@jest/globals';
import { shardPlan } from './shard-plan.ts';
import { type CollectionName, declarationOf, SHARDABLE } from './store.ts';

const KEY = { tenant_id: 1, _id: 1 };
const SHARDED = ['employees', 'persons', 'documents', 'files', 'deliveries'];

test('the plan indexes the shard key of each collection that may be sharded, then shards it, a command on each line', () => {
  const key = '{"tenant_id":1,"_id":1}';
  expect(
    shardPlan('hr-1')
      .split('\n')
      .filter((line) => !line.startsWith('// ')),
  ).toEqual([
    ...SHARDED.map((name) => `db.getSiblingDB("hr-1").getCollection("${name}").createIndex(${key});`),
    'sh.enableSharding("hr-1");',
    ...SHARDED.map((name) => `sh.shardCollection("hr-1.${name}", ${key});`),
  ]);
});

describe('a collection that may be sharded', () => {
  const keysOf = (name: CollectionName) =>
    declarationOf(name).indexes.map(({ key, options }) => ({ key: { ...key }, options }));

  test.each(SHARDABLE)('%s has the index of the shard key, with its fields in order', (name) => {
    const keys = keysOf(name).map(({ key }) => Object.entries(key));
    expect(keys).toContainEqual(Object.entries(KEY));
  });

  test.each(SHARDABLE)('%s has only unique indexes that begin with the shard key', (name) => {
    const unique = keysOf(name).filter(({ options }) => options?.unique);
    expect(unique.filter(({ key }) => Object.keys(key).slice(0, 2).join() !== 'tenant_id,_id')).toEqual([]);
  });
});
