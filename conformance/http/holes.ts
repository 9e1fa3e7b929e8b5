/** Bodies that break the contract, of which a check may read everything that is right. */
import type { Flaw } from '../judge/contract.ts';
import { atPointer } from './exchange.ts';

/** The place of the property that is missing or wrong. */
const placeOf = ({ at, missing }: Flaw): string => (missing === undefined ? at : `${at}/${missing}`);

/**
 * A copy of a body. Who reads a property that is missing or wrong in it gets no value: `refuse` is called, which throws.
 * @param body an object
 */
export function withHoles<Body>(body: Body, flaws: readonly Flaw[], refuse: (flaws: readonly Flaw[]) => never): Body {
  const copy = structuredClone(body);
  const places = Map.groupBy(
    flaws.filter(({ added }) => added === undefined),
    placeOf,
  );
  // The deepest first: a hole above it cannot be looked into.
  for (const [place, of] of [...places].toSorted(([a], [b]) => b.length - a.length)) {
    const end = place.lastIndexOf('/');
    const holder = atPointer(copy, place.slice(0, Math.max(0, end)));
    if (end < 0 || typeof holder !== 'object' || holder === null) continue;
    const enumerable = of.some(({ missing }) => missing === undefined);
    Object.defineProperty(holder, place.slice(end + 1), { get: () => refuse(of), enumerable, configurable: true });
  }
  return copy;
}
