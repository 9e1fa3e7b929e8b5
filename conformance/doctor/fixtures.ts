/** Whether the things that the profile names exist, and whether exactly the right owners see them. */
import type { Profile } from '../profile/profile.ts';
import { type FixtureName, type FixtureSchema, fixtureNames, fixtureSchemas, type KeyName } from '../profile/schema.ts';
import { type Ask, type Finding, gap, judged, ok } from './ask.ts';
import { type ListOf, type Lists, listsOf, type NothingFound, totalOf, variableOf } from './lists.ts';

type Look = NonNullable<FixtureSchema['x-is']>;

interface Expectation {
  fixture: FixtureName;
  look: Look;
  key: KeyName;
  /** Whether this key must see it; otherwise it must not. */
  mustSee: boolean;
}

/**
 * Which keys must and must not see each fixture, by the profile's schema. No operation shows an organization, so the
 * doctor does not look for it.
 */
const expectations = fixtureNames.flatMap((fixture): Expectation[] => {
  const { 'x-is': look, 'x-seen-by': seenBy = [], 'x-hidden-from': hiddenFrom = [] } = fixtureSchemas[fixture];
  if (look === undefined) return [];
  const expect = (mustSee: boolean) => (key: KeyName) => ({ fixture, look, key, mustSee });
  return [...seenBy.map(expect(true)), ...hiddenFrom.map(expect(false))];
});

/** Things that exist since 1.5: not looked for if the profile does not claim 1.5. */
const ADDED: readonly Look[] = ['template', 'type', 'category'];

/** Whether a key sees a thing; a text if the answer shows neither: the answer in brief. */
async function finds(ask: Ask, { look, key }: Expectation, variable: string, id: string, lists: Lists) {
  // No operation reads these one by one.
  if (look === 'type' || look === 'category') {
    const read: ListOf<{ id: string }> = lists[look];
    return read(key).then(
      ({ rows }) => rows.some((row) => row.id === id),
      (error: NothingFound) => error.message,
    );
  }
  const paths = {
    employee: '/employees/',
    template: '/document_templates/',
    department: '/employees?limit=1&department_id=',
  };
  const { status, brief, body } = await ask(variable, `${paths[look]}${encodeURIComponent(id)}`);
  if (status !== 200) return status === 404 && look !== 'department' ? false : brief;
  return look !== 'department' || ((body as { employees?: unknown[] }).employees ?? []).length > 0;
}

async function checkBig(ask: Ask, { fixtures, keys }: Profile): Promise<Finding[]> {
  const { big } = fixtures;
  const variable = variableOf({ keys }, big?.key ?? 'full');
  if (!big) return [gap('fixture big', 'not in the profile; rules about large tenants will be UNTESTED.')];
  if (variable === undefined) return [];
  const { total, brief } = await totalOf(ask, variable);
  const isLarge = total >= big.employees_at_least * 0.9;
  const seen = Number.isNaN(total) ? `(${brief})` : total;
  const complaint = `key ${big.key} sees ${seen} employees, not ${big.employees_at_least}.`;
  return [judged('fixture big', isLarge ? '' : complaint, `${total} employees`)];
}

/** One owner must be the manager of another; otherwise the rights of managers cannot be tested. */
async function checkManager(ask: Ask, { fixtures, keys }: Profile): Promise<Finding[]> {
  const { second_owner_employee_id: second, owner_employee_id: owner } = fixtures;
  if (second === undefined || owner === undefined) return [];
  const { status, body } = await ask(keys.full[0], `/employees/${encodeURIComponent(second)}`);
  const manager = (body as { employee?: { manager_id?: string } } | undefined)?.employee?.manager_id;
  // Whether the employee is visible at all is checked by the expectations.
  if (status !== 200) return [];
  const about = 'fixture second_owner_employee_id';
  return [
    manager === owner
      ? ok(about, 'owner_employee_id is the manager')
      : gap(about, 'owner_employee_id is not the manager; a rule about managers will be UNTESTED.'),
  ];
}

/** What is wrong with the fixtures of the profile. */
export async function checkFixtures(ask: Ask, profile: Profile): Promise<Finding[]> {
  const { fixtures, capabilities } = profile;
  const lists = listsOf(ask, profile);
  const found: Finding[] = [];
  for (const expectation of expectations) {
    const { fixture, look, key, mustSee } = expectation;
    const id = fixtures[fixture];
    const variable = variableOf(profile, key);
    if (id === undefined || variable === undefined) continue;
    if (ADDED.includes(look) && !capabilities.includes('1.5')) continue;
    const about = `fixture ${fixture}`;
    const isSeen = await finds(ask, expectation, variable, id, lists);
    const phrases =
      look === 'department' ? ['finds employees in it', 'finds nobody in it'] : ['sees it', 'does not see it'];
    const complaint =
      typeof isSeen === 'string'
        ? `cannot be looked up with key ${key}: ${isSeen}.`
        : `key ${key} ${phrases[isSeen ? 0 : 1]}, but must${mustSee ? '' : ' not'}; correct the id (profile.schema.json says what it must be).`;
    found.push(judged(about, isSeen === mustSee ? '' : complaint, `key ${key} ${phrases[mustSee ? 0 : 1]}`));
  }
  const missing = fixtureNames.filter((name) => fixtures[name] === undefined);
  if (missing.length > 0)
    found.push(gap('fixtures', `not in the profile: ${missing.join(', ')}; rules that need them will be UNTESTED.`));
  return [...found, ...(await checkManager(ask, profile)), ...(await checkBig(ask, profile))];
}
