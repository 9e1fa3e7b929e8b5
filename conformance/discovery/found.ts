/** What discovery reports for each fixture. */
import type { Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';

export type Big = NonNullable<Profile['fixtures']['big']>;

/** Something that fits, or why there is nothing. */
export type Discovery =
  | { fixture: FixtureName; id: string; how: string }
  | { fixture: 'big'; big: Big; how: string }
  | { fixture: FixtureName | 'big'; missing: string };

export const found = (fixture: FixtureName, id: string, how: string): Discovery => ({ fixture, id, how });
export const missing = (fixture: FixtureName | 'big', why: string): Discovery => ({ fixture, missing: why });

/** @param candidates the best first */
export function choose(fixture: FixtureName, candidates: readonly string[], how: string, otherwise: string): Discovery {
  const [id] = candidates;
  if (id === undefined) return missing(fixture, otherwise);
  return found(fixture, id, candidates.length === 1 ? `${how}; the only one` : `${how}; one of ${candidates.length}`);
}
