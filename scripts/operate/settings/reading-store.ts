/** The store as commands get it that only read: so none of them can change something without an entry in the audit log. */
import type { Store } from '../../../handlers/data/store.ts';

const WRITES = /^(insert|update|replace|delete|bulkWrite|findOneAnd|drop|create|rename|initialize)/;

const refusal = (name: string) => () => {
  throw new Error(`A command that only reads has called ${name}. Remove "reads" from it, so that it is audited.`);
};

/** The same store, without writes. */
export function readingStore(store: Store): Store {
  const reading = <Of extends object>(of: Of): Of =>
    new Proxy(of, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (typeof name === 'string' && WRITES.test(name)) return refusal(name);
        return (value as (...args: unknown[]) => unknown).bind(target);
      },
    });
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'collection')
        return (...args: Parameters<typeof target.collection>) => reading(target.collection(...args));
      return reading(target)[name as keyof typeof target];
    },
  });
  return new Proxy(store, {
    get(target, name) {
      if (name === 'db') return db;
      const value = Reflect.get(target, name) as unknown;
      const isCollection = typeof value === 'object' && value !== null && 'collectionName' in value;
      return isCollection ? reading(value) : value;
    },
  });
}
