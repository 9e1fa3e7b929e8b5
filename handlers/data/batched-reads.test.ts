import { Session } from 'node:inspector/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { inRounds, readTogether, readTogetherUnder } from './batched-reads.ts';

/** A store of rows, and the keys of each command that reads them. */
class Rows {
  readonly commands: (readonly string[])[] = [];
  readonly rows = new Map<string, string>();

  readonly read = async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    this.commands.push(keys);
    return new Map(keys.flatMap((key) => (this.rows.has(key) ? [[key, this.rows.get(key) as string]] : [])));
  };
}

test('what is asked in one turn is read by one command, and each gets the value of its key', async () => {
  const rows = new Rows();
  rows.rows.set('a', 'A').set('b', 'B');
  const find = readTogether(rows.read);
  expect(await Promise.all(['a', 'missing', 'b', 'a'].map(find))).toEqual(['A', undefined, 'B', 'A']);
  expect(rows.commands).toEqual([['a', 'missing', 'b']]);
});

test('who asks after a read has begun gets what is in the store then', async () => {
  const rows = new Rows();
  rows.rows.set('a', 'old');
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const find = readTogether(async (keys) => {
    const found = await rows.read(keys);
    begun.resolve();
    await answered.promise;
    return found;
  });
  const before = find('a');
  await begun.promise;
  rows.rows.set('a', 'new');
  const after = find('a');
  await turn();
  answered.resolve();
  expect([await before, await after]).toEqual(['old', 'new']);
});

test('a command reads by at most a hundred keys', async () => {
  const rows = new Rows();
  const find = readTogether(rows.read);
  const keys = Array.from({ length: 250 }, (_, nth) => String(nth));
  await Promise.all(keys.map(find));
  expect(rows.commands.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(rows.commands.flat()).toEqual(keys);
});

test('a failed read fails for all who asked, and not for the next', async () => {
  const rows = new Rows();
  let isAway = true;
  const find = readTogether((keys) => (isAway ? Promise.reject(new Error('away')) : rows.read(keys)));
  const [one, other] = await Promise.allSettled([find('a'), find('b')]);
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await find('a')).toBeUndefined();
});

test('under conditions, one command answers those of one turn with equal conditions, and nobody else', async () => {
  const commands: [object, readonly string[]][] = [];
  const find = readTogetherUnder(async (condition: object, keys) => {
    commands.push([condition, keys]);
    return new Map(keys.map((key) => [key, condition]));
  });
  const conditions = [
    { tenant: 'a' },
    { tenant: 'b' },
    { tenant: 'a', listed: true },
    { tenant: 'a', at: '1970-01-01T00:00:00.000Z' },
    { tenant: 'a', at: new Date(0) },
    { tenant: 'a', at: undefined },
  ];
  const asked = conditions.flatMap((condition) => ['x', 'y'].map((key) => find({ ...condition }, key)));
  expect(await Promise.all(asked)).toEqual(conditions.flatMap((condition) => [condition, condition]));
  expect(commands).toEqual(conditions.map((condition) => [condition, ['x', 'y']]));
  await find({ tenant: 'a' }, 'x');
  expect(commands.slice(conditions.length)).toEqual([[{ tenant: 'a' }, ['x']]]);
});

test('conditions are forgotten after their turn', async () => {
  const find = readTogetherUnder(async () => new Map<string, string>());
  const ask = async () => {
    const condition = { tenant: 'a' };
    await find(condition, 'x');
    return new WeakRef(condition);
  };
  const condition = await ask();
  await turn();
  const inspector = new Session();
  inspector.connect();
  await inspector.post('HeapProfiler.collectGarbage');
  inspector.disconnect();
  expect(condition.deref()).toBeUndefined();
});

/** Work in rounds that the test ends, and the items of each. */
class Rounds {
  readonly begun: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];

  readonly work = (items: readonly number[]): Promise<readonly string[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const end = (error?: Error) => (error ? reject(error) : resolve(items.map(String)));
    this.begun.push({ items, end });
    return promise;
  };

  begins(count: number) {
    return eventually('a round', () => (this.begun.length === count ? this.begun[count - 1] : undefined));
  }
}

test('what is asked while a round is under way is done by the next one, at most a hundred at a time', async () => {
  const rounds = new Rounds();
  const ask = inRounds(rounds.work);
  const first = [ask(-1), ask(-2)];
  const one = await rounds.begins(1);
  const later = Array.from({ length: 150 }, (_, nth) => ask(nth));
  await turn();
  expect(rounds.begun.map(({ items }) => items)).toEqual([[-1, -2]]);
  one.end();
  (await rounds.begins(2)).end();
  (await rounds.begins(3)).end();
  expect(rounds.begun.map(({ items }) => items.length)).toEqual([2, 100, 50]);
  expect(await Promise.all(first)).toEqual(['-1', '-2']);
  expect(await Promise.all(later)).toEqual(later.map((_, nth) => String(nth)));
});

test('a round that fails does so for its own items, and the next one is made', async () => {
  const rounds = new Rounds();
  const ask = inRounds(rounds.work);
  const failing = Promise.allSettled([ask(1), ask(2)]);
  const one = await rounds.begins(1);
  const next = ask(3);
  one.end(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  (await rounds.begins(2)).end();
  expect(await next).toBe('3');
  const last = ask(4);
  (await rounds.begins(3)).end();
  expect(await last).toBe('4');
});
