/**
 * Reads and writes many rows at a time that are asked for one by one. All keys that are asked for in one turn of the
 * event loop, as requests arrive at a busy process, are read by one command, which costs far more than a row. Each read
 * begins after it was asked for.
 */

import { setTimeout } from 'node:timers/promises';
import { serialize } from 'bson';
import type { Collection, Filter, FindOptions } from './store.ts';

/** The largest number of keys in one command: what the database returns in its first batch. */
const MOST_KEYS = 100;

/**
 * Makes a function that reads by one key.
 * @param read reads by up to {@link MOST_KEYS} keys; it may leave keys out. If it throws, all who asked get the error
 */
export function readTogether<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let gathered = new Set<string>();
  let reading: Promise<ReadonlyMap<string, Value>> | undefined;

  function begin(): Promise<ReadonlyMap<string, Value>> {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, Value>>();
    const keys = new Set<string>();
    gathered = keys;
    reading = promise;
    setImmediate(() => {
      // Whoever asks from here on wants what is in the store from here on.
      if (reading === promise) reading = undefined;
      resolve(read([...keys]));
    });
    return promise;
  }

  return async (key) => {
    const found = reading === undefined || gathered.size === MOST_KEYS ? begin() : reading;
    gathered.add(key);
    return (await found).get(key);
  };
}

/** The same for rows by their ids. */
export function rowsTogether<Row extends { _id: string }>(
  collection: Collection<Row>,
  options: FindOptions = {},
): (id: string) => Promise<Row | undefined> {
  return readTogether(async (ids) => {
    const matching = { _id: { $in: ids } } as Filter<Row>;
    const rows = await collection.find(matching, { ...options, batchSize: ids.length + 1 }).toArray();
    return new Map(rows.map((row) => [row._id, row as unknown as Row]));
  });
}

/**
 * The same under conditions: those who ask in one turn under equal conditions, as the database gets them, share one.
 */
export function readTogetherUnder<Condition extends object, Value>(
  read: (condition: Condition, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (condition: Condition, key: string) => Promise<Value | undefined> {
  let ofThisTurn = new Map<string, (key: string) => Promise<Value | undefined>>();

  return (condition, key) => {
    if (ofThisTurn.size === 0) {
      setImmediate(() => {
        ofThisTurn = new Map();
      });
    }
    const bytes = serialize(condition, { ignoreUndefined: false });
    const signature = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const find = ofThisTurn.get(signature) ?? readTogether((keys) => read(condition, keys));
    ofThisTurn.set(signature, find);
    return find(key);
  };
}

/** How long a round gathers at least, counted from the end of the one before it, in milliseconds. */
const GATHER_MS = 5;

/**
 * Makes a function that does one thing of many. What is asked for while a command is under way, or {@link GATHER_MS}
 * after it, is done by the next one: so the busier the process is, the less each thing costs.
 * @param work does up to {@link MOST_KEYS} things, in order. If it throws, all who asked get the error
 */
export function inRounds<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isWorking = false;

  async function rounds(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.slice(0, MOST_KEYS);
      waiting = waiting.slice(MOST_KEYS);
      try {
        const results = await work(round.map(({ item }) => item));
        for (const [at, { resolve }] of round.entries()) resolve(results[at] as Result);
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
      await setTimeout(GATHER_MS);
    }
    isWorking = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isWorking) {
      isWorking = true;
      setImmediate(rounds);
    }
    return promise;
  };
}

/** Makes something once for each key, and forgets it with the key. */
export function onceForEach<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const all = new WeakMap<Key, Made>();
  return (key) => {
    const known = all.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    all.set(key, made);
    return made;
  };
}
