/**
 * Finds things that fit a profile's fixtures, using its keys. It reads, and creates at most four drafts (see
 * owners.ts).
 */
import { asker } from '../doctor/ask.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { type Catalogues, catalogueFound, cataloguesOf, mainTemplates } from './catalogue.ts';
import { type Discovery, missing } from './found.ts';
import { ownerFixtures, ownersFound } from './owners.ts';
import { bigFound, departmentsFound, employeesFound, type OwnersSight, organizationFound, seenBy } from './people.ts';
import { UnreadableList } from './walk.ts';

export interface DiscoveryOptions {
  /** Fixtures to look for. */
  wanted: ReadonlySet<string>;
  /** Whether drafts may be created to learn who owns a key. */
  drafts: boolean;
  /** Milliseconds before each request, for a target without a limit. */
  pauseMs?: number;
}

/** The interface shows none of these fixtures, by its contract, so no request can find them. */
const HIDDEN = 'the interface shows this to nobody; ask who administers the tenant and give the id with --set';

/** No operation tells which department lies below which, or by what id a source knows one. */
const TREE =
  'the interface does not show how departments lie below each other; ask who administers the tenant and give the value with --set';

/** No operation shows a tenant. */
const ZONE =
  'the interface does not show the time zone of a tenant; ask who administers it and give the name with --set';

/** What no call finds, and the reason. */
const BEYOND = {
  employee_deleted_id: HIDDEN,
  employee_draft_id: HIDDEN,
  department_top_id: TREE,
  department_middle_id: TREE,
  department_bottom_id: TREE,
  department_top_external_id: TREE,
  time_zone_other_tenant: ZONE,
};

/** @returns the wanted fixtures that were found, and for each of the others why not */
export async function discover(
  loaded: LoadedProfile,
  { wanted, drafts, pauseMs }: DiscoveryOptions,
): Promise<Discovery[]> {
  const { profile } = loaded;
  const ask = asker(loaded, pauseMs);
  const has15 = profile.capabilities.includes('1.5');
  const all: Discovery[] = [];

  let catalogues: Catalogues | undefined;
  const catalogueNames = [...wanted].filter((name): name is FixtureName => name.startsWith('document_'));
  if (!has15) all.push(...catalogueNames.map((name) => missing(name, 'the profile does not claim 1.5')));
  else
    try {
      catalogues = await cataloguesOf(ask, profile);
      all.push(...catalogueFound(catalogues));
    } catch (error) {
      if (!(error instanceof UnreadableList)) throw error;
      all.push(...catalogueNames.map((name) => missing(name, error.message)));
    }

  all.push(
    ...(await ownersFound({
      ask,
      profile,
      wanted,
      template: catalogues && mainTemplates(catalogues)[0],
      allowed: drafts && has15 && profile.tenant.consent_to_writes,
    })),
  );
  const known = {
    ...profile.fixtures,
    ...Object.fromEntries(all.flatMap((one) => ('id' in one ? [[one.fixture, one.id]] : []))),
  };
  const owners = new Set(ownerFixtures.flatMap((name) => known[name] ?? []) as string[]);

  let seen: OwnersSight | undefined;
  try {
    seen = await seenBy(ask, profile);
  } catch (error) {
    if (!(error instanceof UnreadableList)) throw error;
    const rest = [...wanted].filter((name) => !all.some(({ fixture }) => fixture === name)) as FixtureName[];
    return [...all, ...rest.map((name) => missing(name, error.message))].filter(({ fixture }) => wanted.has(fixture));
  }
  all.push(
    ...employeesFound(seen, owners),
    ...departmentsFound(seen),
    organizationFound(seen, known.owner_employee_id),
  );
  for (const [name, why] of Object.entries(BEYOND)) all.push(missing(name as FixtureName, why));
  if (wanted.has('big')) all.push(await bigFound(ask, profile));
  return all.filter(({ fixture }) => wanted.has(fixture));
}
