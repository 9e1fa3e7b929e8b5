/**
 * Finds things that fit a profile's fixtures, using its keys. It reads, and creates at most four drafts (see
 * `ownerOf` of find-fixtures.ts).
 */
import type { LoadedProfile } from '../profile/profile.ts';
import { type FixtureName, fixtureNames } from '../profile/schema.ts';
import { spellingOf } from '../profile/spelling.ts';
import { asker } from './ask.ts';
import { type FoundFixture, finds } from './find-fixtures.ts';
import { listsOf, NothingFound } from './lists.ts';

interface DiscoveryOptions {
  /** Fixtures to look for. */
  wanted: ReadonlySet<string>;
  /** Whether drafts may be created to learn who owns a key. */
  drafts: boolean;
  /** Milliseconds before each request, for a target without a limit. */
  pauseMs?: number;
}

const SHOWN_BY_NOBODY = 'the interface does not show it; ask who administers the tenant, and give it with --set';

/** What is reported for a fixture: something that fits, or why there is nothing. */
export type Discovery = { fixture: FixtureName | 'big' } & (FoundFixture | { missing: string });

/** @returns the wanted fixtures that were found, and for each of the others why not */
export async function discover(
  loaded: LoadedProfile,
  { wanted, drafts, pauseMs }: DiscoveryOptions,
): Promise<Discovery[]> {
  const { profile } = loaded;
  const ask = asker(loaded, pauseMs);
  const known = { ...profile.fixtures };
  const active = spellingOf(profile.values).catalogue_status.ACTIVE;
  const at = { ask, profile, lists: listsOf(ask, profile), active, drafts, known };
  const all: Discovery[] = [];
  for (const [name, find] of Object.entries(finds)) {
    const fixture = name as FixtureName;
    if (!wanted.has(fixture)) continue;
    const found = await find(at, fixture).catch((error: unknown) => {
      if (error instanceof NothingFound) return { missing: error.message };
      throw error;
    });
    if ('value' in found) Object.assign(known, { [fixture]: found.value });
    all.push({ fixture, ...found });
  }
  const others = fixtureNames.filter((name) => wanted.has(name) && !finds[name]);
  return [...all, ...others.map((fixture) => ({ fixture, missing: SHOWN_BY_NOBODY }))];
}
