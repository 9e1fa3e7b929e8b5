/** Whether the things that the profile names exist, and whether exactly the right owners see them. */
import type { Profile } from '../profile/profile.ts';
import { type FixtureName, fixtureNames, fixtureSchemas, type KeyName } from '../profile/schema.ts';
import { type Ask, type Finding, gap, judged, ok } from './ask.ts';
import { idsSeen, type Lists, type Look, NothingFound, totalOf, variableOf } from './lists.ts';

/** Things that exist since 1.5: not looked for if the profile does not claim 1.5. */
const ADDED: readonly Look[] = ['template', 'type', 'category'];

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
async function checkManager({ employee }: Lists, { fixtures }: Profile): Promise<Finding[]> {
  const { second_owner_employee_id: second, owner_employee_id: owner } = fixtures;
  if (second === undefined || owner === undefined) return [];
  // Whether the employee is visible at all, and the list, is checked for each fixture.
  const card = (await employee('full').catch(() => [])).find(({ id }) => id === second);
  if (card === undefined) return [];
  const about = 'fixture second_owner_employee_id';
  return [
    card.manager_id === owner
      ? ok(about, 'owner_employee_id is the manager')
      : gap(about, 'owner_employee_id is not the manager; a rule about managers will be UNTESTED.'),
  ];
}

/** Whether a key's owner sees the thing if, and only if, he must. No operation shows some things, such as an organization. */
async function checkSight(lists: Lists, fixture: FixtureName, look: Look, key: KeyName, id: string): Promise<Finding> {
  const mustSee = fixtureSchemas[fixture]['x-seen-by']?.includes(key) === true;
  const [sees, seesNot] =
    look === 'department' ? ['finds employees in it', 'finds nobody in it'] : ['sees it', 'does not see it'];
  const complaint = await idsSeen(lists, look, key).then(
    (ids) => {
      if (ids.has(id) === mustSee) return '';
      const wrong = mustSee ? `${seesNot}, but must` : `${sees}, but must not`;
      return `key ${key} ${wrong}; correct the id (profile.schema.json says what it must be).`;
    },
    (error: unknown) => {
      if (error instanceof NothingFound) return `cannot be looked up with key ${key}: ${error.message}.`;
      throw error;
    },
  );
  return judged(`fixture ${fixture}`, complaint, `key ${key} ${mustSee ? sees : seesNot}`);
}

/** What is wrong with the fixtures of the profile. */
export async function checkFixtures(ask: Ask, lists: Lists, profile: Profile): Promise<Finding[]> {
  const { fixtures, capabilities } = profile;
  const found: Finding[] = [];
  for (const fixture of fixtureNames) {
    const { 'x-is': look, 'x-seen-by': seenBy = [], 'x-hidden-from': hiddenFrom = [] } = fixtureSchemas[fixture];
    const id = fixtures[fixture];
    if (id === undefined || look === undefined || (ADDED.includes(look) && !capabilities.includes('1.5'))) continue;
    for (const key of [...seenBy, ...hiddenFrom])
      if (variableOf(profile, key) !== undefined) found.push(await checkSight(lists, fixture, look, key, id));
  }
  const missing = fixtureNames.filter((name) => fixtures[name] === undefined);
  if (missing.length > 0)
    found.push(gap('fixtures', `not in the profile: ${missing.join(', ')}; rules that need them will be UNTESTED.`));
  return [...found, ...(await checkManager(lists, profile)), ...(await checkBig(ask, profile))];
}
