/**
 * Finds things that fit a profile's fixtures, using its keys. It reads, and creates at most four drafts (see
 * owners.ts).
 */
import { asker } from '../doctor/ask.ts';
import { listsOf, NothingFound } from '../doctor/lists.ts';
import type { LoadedProfile, Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { spellingOf } from '../profile/spelling.ts';
import { bigFound, departmentFound, organizationFound, otherDepartmentFound } from './departments.ts';
import type { Discovery } from './found.ts';
import { owned, ownerFound } from './owners.ts';
import {
  employeeSearches,
  foreignTemplate,
  mainTemplate,
  mainType,
  type Search,
  searched,
  typeSearches,
} from './search.ts';

interface DiscoveryOptions {
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
const BEYOND: Partial<Record<FixtureName, string>> = {
  employee_deleted_id: HIDDEN,
  employee_draft_id: HIDDEN,
  department_top_id: TREE,
  department_middle_id: TREE,
  department_bottom_id: TREE,
  department_top_external_id: TREE,
  time_zone_other_tenant: ZONE,
};

/** How some fixtures are found together. @throws NothingFound */
interface Step {
  fixtures: readonly (FixtureName | 'big')[];
  find: () => Promise<readonly Discovery[]>;
}

/** Steps in their order: some need what others have found. @param known the ids so far, which grow */
function stepsOf(loaded: LoadedProfile, { drafts, pauseMs }: DiscoveryOptions, known: Profile['fixtures']): Step[] {
  const { profile } = loaded;
  const { keys, values, tenant } = profile;
  const ask = asker(loaded, pauseMs);
  const lists = listsOf(ask, profile);
  const { ACTIVE: active } = spellingOf(values).catalogue_status;
  const templates = async () => (await lists.templates('full')).rows;
  const step = (fixture: FixtureName | 'big', find: () => Promise<Discovery>): Step => ({
    fixtures: [fixture],
    find: async () => [await find()],
  });
  const ownerStep = (owner: (typeof owned)[number]): Step =>
    step(owner[1], async () => {
      const [key] = owner;
      if (keys[key] === undefined) throw new NothingFound(`the profile has no key ${key}`);
      if (!drafts || !tenant.consent_to_writes)
        throw new NothingFound('only a draft made with that key shows it, and writes are not consented to');
      const template = (await templates()).find(({ id }) => id === known.document_template_id);
      if (template === undefined)
        throw new NothingFound('only a draft shows it, and there is no template to make one from');
      return ownerFound(ask, profile, owner, template);
    });
  const searchStep =
    <Row extends { id: string }>(listOf: Parameters<typeof searched<Row>>[0]) =>
    (search: Search<Row>): Step => ({
      fixtures: [search.fixture, ...(search.also ? [search.also.fixture] : [])],
      find: () => searched(listOf, search),
    });
  const mainTypeId = () => known.document_type_id;
  const everybody = () => lists.employees('full');
  return [
    {
      fixtures: ['document_type_id'],
      find: async () => searched(lists.type, mainType(active, await templates())),
    },
    ...[mainTemplate(active, mainTypeId), foreignTemplate].map(searchStep(lists.templates)),
    ...typeSearches(active, mainTypeId).map(searchStep(lists.type)),
    ...owned.map(ownerStep),
    ...employeeSearches(() => new Set(Object.values(known).map(String))).map(searchStep(lists.employees)),
    step('department_id', async () => {
      const restricted = await lists.employees('restricted_owner').catch(() => undefined);
      return departmentFound(await everybody(), restricted);
    }),
    step('department_other_id', async () => otherDepartmentFound(await everybody(), known.department_id)),
    step('organization_id', async () => organizationFound(await everybody(), known.owner_employee_id)),
    step('big', () => bigFound(ask, profile)),
  ];
}

/** @returns the wanted fixtures that were found, and for each of the others why not */
export async function discover(loaded: LoadedProfile, options: DiscoveryOptions): Promise<Discovery[]> {
  const { wanted } = options;
  const known = { ...loaded.profile.fixtures };
  const all: Discovery[] = [];
  for (const { fixtures, find } of stepsOf(loaded, options, known)) {
    const left = fixtures.filter((name) => wanted.has(name));
    if (left.length === 0) continue;
    const found = await find().catch((error: unknown): Discovery[] => {
      if (!(error instanceof NothingFound)) throw error;
      return left.map((fixture) => ({ fixture, missing: error.message }));
    });
    const added = found.filter(({ fixture }) => wanted.has(fixture));
    for (const one of added) if ('id' in one) known[one.fixture] = one.id;
    all.push(...added);
  }
  const beyond = Object.entries(BEYOND).map(([name, why]) => ({ fixture: name as FixtureName, missing: why }));
  return [...all, ...beyond.filter(({ fixture }) => wanted.has(fixture))];
}
