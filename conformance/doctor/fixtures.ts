/** Whether the things that the profile names exist, and whether exactly the right owners see them. */
import type { Profile } from '../profile/profile.ts';
import { type FixtureName, type FixtureSchema, fixtureNames, fixtureSchemas, type KeyName } from '../profile/schema.ts';
import { type Ask, type Finding, gap, ok, problem, type Reply } from './ask.ts';

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
const FULLEST_PAGE = 1000;

/** Ids on all pages of a list, or the first reply that is not a page. */
async function idsOf(ask: Ask, variable: string, path: string, rows: string): Promise<Set<string> | Reply> {
  const ids = new Set<string>();
  let token = '';
  for (let page = 0; page < 20; page++) {
    const reply = await ask(
      variable,
      `${path}?limit=${FULLEST_PAGE}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`,
    );
    if (reply.status !== 200) return reply;
    const body = reply.body as Record<string, unknown>;
    for (const row of (body[rows] ?? []) as { id?: string }[]) if (row.id !== undefined) ids.add(row.id);
    token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
    if (token === '') break;
  }
  return ids;
}

const lists = {
  type: ['/document_types', 'document_types'],
  category: ['/document_categories', 'document_categories'],
} as const;

/** Whether a key sees a thing; a text if the answer shows neither: the answer in brief. */
async function finds(
  ask: Ask,
  look: Look,
  variable: string,
  id: string,
  known: Map<string, Set<string> | Reply>,
): Promise<boolean | string> {
  const at = encodeURIComponent(id);
  if (look === 'employee' || look === 'template') {
    const { status, brief } = await ask(variable, `/${look === 'employee' ? 'employees' : 'document_templates'}/${at}`);
    return status === 200 || (status === 404 ? false : brief);
  }
  if (look === 'department') {
    const { status, brief, body } = await ask(variable, `/employees?limit=1&department_id=${at}`);
    return status === 200 ? ((body as { employees?: unknown[] }).employees ?? []).length > 0 : brief;
  }
  const [path, rows] = lists[look];
  const place = `${variable} ${path}`;
  const listed = known.get(place) ?? (await idsOf(ask, variable, path, rows));
  known.set(place, listed);
  return listed instanceof Set ? listed.has(id) : listed.brief;
}

async function checkBig(ask: Ask, { fixtures, keys }: Profile): Promise<Finding[]> {
  const { big } = fixtures;
  const variable = [keys[big?.key ?? 'full']].flat()[0];
  if (!big) return [gap('fixture big', 'not in the profile; rules about large tenants will be UNTESTED.')];
  if (variable === undefined) return [];
  const { status, body, brief } = await ask(variable, '/employees?limit=1&include_total=true');
  const total = Number((body as { total_count?: string } | undefined)?.total_count);
  if (status === 200 && total >= big.employees_at_least * 0.9) return [ok('fixture big', `${total} employees`)];
  return [
    problem(
      'fixture big',
      `key ${big.key} sees ${status === 200 ? total : `(${brief})`} employees, not ${big.employees_at_least}.`,
    ),
  ];
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

export async function checkFixtures(ask: Ask, profile: Profile): Promise<Finding[]> {
  const { fixtures, keys, capabilities } = profile;
  const known = new Map<string, Set<string> | Reply>();
  const found: Finding[] = [];
  for (const { fixture, look, key, mustSee } of expectations) {
    const id = fixtures[fixture];
    const variable = [keys[key]].flat()[0];
    if (id === undefined || variable === undefined) continue;
    if (ADDED.includes(look) && !capabilities.includes('1.5')) continue;
    const about = `fixture ${fixture}`;
    const isSeen = await finds(ask, look, variable, id, known);
    const phrases =
      look === 'department' ? ['finds employees in it', 'finds nobody in it'] : ['sees it', 'does not see it'];
    if (isSeen === mustSee) found.push(ok(about, `key ${key} ${phrases[mustSee ? 0 : 1]}`));
    else if (typeof isSeen === 'string') found.push(problem(about, `cannot be looked up with key ${key}: ${isSeen}.`));
    else
      found.push(
        problem(
          about,
          `key ${key} ${phrases[isSeen ? 0 : 1]}, but must${mustSee ? '' : ' not'}; correct the id (profile.schema.json says what it must be).`,
        ),
      );
  }
  const missing = fixtureNames.filter((name) => fixtures[name] === undefined);
  if (missing.length > 0)
    found.push(gap('fixtures', `not in the profile: ${missing.join(', ')}; rules that need them will be UNTESTED.`));
  return [...found, ...(await checkManager(ask, profile)), ...(await checkBig(ask, profile))];
}
