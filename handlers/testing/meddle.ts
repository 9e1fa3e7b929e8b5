/** A store in which something happens right before a write: what a race does now and then, always. */
import type { CollectionName, Store } from '../data/store.ts';

/**
 * The store, whose collection's method is preceded by `deed` when it is called for the first time.
 * @param deed works on the store itself, so that it does not precede itself
 */
export function meddledWith(store: Store, name: CollectionName, method: string, deed: () => Promise<unknown>): Store {
  let isDone = false;
  const collection = new Proxy(store[name], {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== method) return value.bind(target);
      return async (...args: unknown[]) => {
        const isFirst = !isDone;
        isDone = true;
        if (isFirst) await deed();
        return value.apply(target, args);
      };
    },
  });
  return { ...store, [name]: collection };
}
