/** What discovery reports for each fixture. */
import { NothingFound } from '../doctor/lists.ts';
import type { Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';

type Big = NonNullable<Profile['fixtures']['big']>;

/** Something that fits, or why there is nothing. */
export type Discovery =
  | { fixture: FixtureName; id: string; how: string }
  | { fixture: 'big'; big: Big; how: string }
  | { fixture: FixtureName | 'big'; missing: string };

/**
 * The first of the candidates.
 * @param candidates the best first
 * @param otherwise why there is none
 * @throws NothingFound
 */
export function choose(
  fixture: FixtureName,
  candidates: readonly string[],
  how: string,
  otherwise: string,
): { fixture: FixtureName; id: string; how: string } {
  const [id] = candidates;
  if (id === undefined) throw new NothingFound(otherwise);
  return { fixture, id, how: candidates.length === 1 ? `${how}; the only one` : `${how}; one of ${candidates.length}` };
}
