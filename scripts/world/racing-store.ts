/** A store in which another write always comes right before a certain write, as a race causes it sometimes. */
import type { CollectionName, Store } from '../../handlers/data/store.ts';

/** The store where the first call of a method runs `concurrent`, which uses the original store, before it. */
export function racedStore(
  store: Store,
  name: CollectionName,
  method: string,
  concurrent: () => Promise<unknown>,
): Store {
  let isDone = false;
  const collection = new Proxy(store[name], {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== method) return value.bind(target);
      return async (...args: unknown[]) => {
        const isFirst = !isDone;
        isDone = true;
        if (isFirst) await concurrent();
        return value.apply(target, args);
      };
    },
  });
  return { ...store, [name]: collection };
}
