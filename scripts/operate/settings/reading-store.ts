/** The store as commands get it that only read: so none of them can change something without an entry in the audit log. */
import { Collection, Db } from 'mongodb';

const WRITES = /^(insert|update|replace|delete|bulkWrite|findOneAnd|drop|create|rename|initialize)/;

/** The same store, without writes. */
export function readingStore<Of extends object>(store: Of): Of {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (isOfStore(value)) return readingStore(value);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (typeof name === 'string' && WRITES.test(name))
          throw new Error(
            `A command that only reads has called ${name}. Remove "reads" from it, so that it is audited.`,
          );
        const answer: unknown = value.apply(target, args);
        return isOfStore(answer) ? readingStore(answer) : answer;
      };
    },
  });
}

const isOfStore = (value: unknown): value is Collection | Db => value instanceof Collection || value instanceof Db;
