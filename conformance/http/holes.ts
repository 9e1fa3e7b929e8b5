/** Bodies that break the contract, of which a check may read everything that is right. */
import { type Flaw, holderOf } from '../judge/contract.ts';

/**
 * A copy of a body. Who reads a property that is missing or wrong in it gets no value: `refuse` is called, which throws.
 * @param body an object
 */
export function withHoles<Body>(body: Body, flaws: readonly Flaw[], refuse: (flaws: readonly Flaw[]) => never): Body {
  const copy = structuredClone(body);
  const places = Map.groupBy(
    flaws.filter(({ is }) => is !== 'added'),
    ({ at }) => at,
  );
  // The deepest first: a hole above it cannot be looked into.
  for (const [at, of] of [...places].toSorted(([a], [b]) => b.length - a.length)) {
    const [holder, name] = holderOf(copy, at);
    const enumerable = of.some(({ is }) => is === 'wrong');
    if (holder) Object.defineProperty(holder, name, { get: () => refuse(of), enumerable, configurable: true });
  }
  return copy;
}
