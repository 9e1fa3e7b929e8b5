import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { shardPlan } from './shard-plan.ts';
import { type CollectionName, declarationOf, SHARDABLE } from './store.ts';

/** The calls that a shell would make, in order. */
function callsOf(plan: string): unknown[][] {
  const calls: unknown[][] = [];
  const note = (...call: unknown[]) => void calls.push(JSON.parse(JSON.stringify(call)));
  runInNewContext(plan, {
    db: {
      getSiblingDB: (database: string) => ({
        getCollection: (name: string) => ({
          createIndex: (...rest: unknown[]) => note('createIndex', `${database}.${name}`, ...rest),
        }),
      }),
    },
    sh: {
      enableSharding: (...rest: unknown[]) => note('enableSharding', ...rest),
      shardCollection: (...rest: unknown[]) => note('shardCollection', ...rest),
    },
  });
  return calls;
}

const KEY = { tenant_id: 1, _id: 1 };
const SHARDED = ['employees', 'persons', 'documents', 'files', 'deliveries'];

describe('the plan', () => {
  test('indexes the shard key of each collection that may be sharded, then shards it, and does nothing else', () => {
    expect(callsOf(shardPlan('hr-1'))).toEqual([
      ...SHARDED.map((name) => ['createIndex', `hr-1.${name}`, KEY]),
      ['enableSharding', 'hr-1'],
      ...SHARDED.map((name) => ['shardCollection', `hr-1.${name}`, KEY]),
    ]);
  });

  test('has one command on each line, as mongosh reads them', () => {
    const lines = shardPlan('hr').split('\n');
    expect(lines.filter((line) => !/^(\/\/ .*|(db|sh)\..*;)$/.test(line))).toEqual([]);
  });
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
