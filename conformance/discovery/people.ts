/** Finds employees and departments that fit fixtures, from the lists that keys of several owners see. */
import { redactionKeys } from '../../generated/personal-data.ts';
import type { Ask } from '../doctor/ask.ts';
import type { Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { type Big, choose, type Discovery, found, missing } from './found.ts';
import { type Walk, walk } from './walk.ts';

type Fields = Readonly<Record<string, unknown>>;
interface EmployeeRow extends Fields {
  id: string;
  status: string;
  person?: Fields;
}

/** What is kept of an employee while choosing: ids and facts, no personal data. */
export interface Card {
  id: string;
  status: string;
  department_id: string;
  organization_id: string;
  manager_id: string;
  /** Has a manager, a department, a job title, and no empty personal field. */
  whole: boolean;
  /** Has no manager, location, personnel number, start date, patronymic or work e-mail. */
  bare: boolean;
}

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export function cardOf(row: EmployeeRow): Card {
  const personal = redactionKeys.map((key) => {
    const [object = '', field = ''] = key.split('.');
    return textOf((object === 'persons' ? row.person : row)?.[field]);
  });
  const has = (name: string) => textOf(row[name]) !== '';
  const lacking = ['manager_id', 'location_id', 'employee_number', 'start_date', 'work_email'];
  return {
    id: row.id,
    status: row.status,
    department_id: textOf(row.department_id),
    organization_id: textOf(row.organization_id),
    manager_id: textOf(row.manager_id),
    whole: personal.every((value) => value !== '') && has('manager_id') && has('department_id') && has('job_title_id'),
    bare: !lacking.some(has) && textOf(row.person?.middle_name) === '',
  };
}

const listed = (ask: Ask, variable: string) => walk(ask, variable, '/employees?expand=person', 'employees', cardOf);

/** What each owner sees; absent if the profile has no such key. */
export interface OwnersSight {
  full: Walk<Card>;
  restricted?: Walk<Card>;
  second?: Walk<Card>;
  other?: Walk<Card>;
}

/** @throws UnreadableList */
export async function seenBy(ask: Ask, { keys }: Pick<Profile, 'keys'>): Promise<OwnersSight> {
  const seen: OwnersSight = { full: await listed(ask, keys.full[0] ?? '') };
  if (keys.restricted_owner) seen.restricted = await listed(ask, keys.restricted_owner);
  if (keys.second_owner) seen.second = await listed(ask, keys.second_owner);
  if (keys.other_tenant) seen.other = await listed(ask, keys.other_tenant);
  return seen;
}

/**
 * Employees in order of preference: those with a department, since bare records loaded in bulk have none; then those
 * who are no other fixture; then active ones; then those that are `better`. Among equals the oldest comes first,
 * because rules and people add new ones all the time. Lists begin with the newest.
 */
function ranked(cards: readonly Card[], taken: ReadonlySet<string>, better: (card: Card) => boolean = () => true) {
  const rank = (card: Card) =>
    (card.department_id === '' ? 8 : 0) +
    (taken.has(card.id) ? 4 : 0) +
    (card.status === ACTIVE ? 0 : 2) +
    (better(card) ? 0 : 1);
  return cards
    .toReversed()
    .sort((a, b) => rank(a) - rank(b))
    .map(({ id }) => id);
}

const noKey = (fixture: FixtureName, key: string) => missing(fixture, `the profile has no key ${key}`);

/** @param owners ids of the employees who own keys; they are chosen last */
export function employeesFound(
  { full, restricted, second, other }: OwnersSight,
  owners: ReadonlySet<string>,
): Discovery[] {
  const taken = new Set(owners);
  const all: Discovery[] = [];
  const add = (one: Discovery) => {
    if ('id' in one) taken.add(one.id);
    all.push(one);
  };
  const inRestricted = new Set(restricted?.rows.map(({ id }) => id));
  const inSecond = new Set(second?.rows.map(({ id }) => id));
  const { rows } = full;

  const shared = rows.filter(({ id }) => inRestricted.has(id));
  const whole = ranked(
    shared.filter((card) => card.whole),
    taken,
    ({ manager_id }) => inRestricted.has(manager_id),
  );
  const wholeHow = 'listed by full and restricted_owner, with a manager and nothing empty';
  const nobodyWhole = `none of ${shared.length} employees whom full and restricted_owner list has a manager, a job title and no empty personal field`;
  add(restricted ? choose('employee_id', whole, wholeHow, nobodyWhole) : noKey('employee_id', 'restricted_owner'));

  const common = shared.filter(({ id }) => inSecond.has(id));
  if (!restricted || !second) add(noKey('employee_common_id', restricted ? 'second_owner' : 'restricted_owner'));
  else
    add(
      choose(
        'employee_common_id',
        ranked(common, taken),
        'listed by full, restricted_owner and second_owner',
        'no employee is listed by all of full, restricted_owner and second_owner',
      ),
    );

  const bare = ranked(
    rows.filter((card) => card.bare),
    taken,
  );
  add(
    choose(
      'employee_without_manager_id',
      bare,
      'listed by full, with none of the fields that may be empty',
      `none of ${rows.length} employees lacks manager, location, number, start date, patronymic and work e-mail all together`,
    ),
  );

  add(hiddenFound(rows, restricted, taken));

  const terminated = rows.filter(({ status }) => status === 'EMPLOYEE_STATUS_TERMINATED');
  add(
    choose('employee_terminated_id', ranked(terminated, taken), 'listed by full as terminated', 'nobody is terminated'),
  );

  return [...all, ...foreignFound(other, taken)];
}

/** One whom `full` sees, and `restricted_owner` does not. */
function hiddenFound(rows: readonly Card[], restricted: Walk<Card> | undefined, taken: ReadonlySet<string>): Discovery {
  const fixture = 'employee_hidden_from_restricted_id';
  if (!restricted) return noKey(fixture, 'restricted_owner');
  if (restricted.cut) return missing(fixture, 'restricted_owner lists more employees than were read');
  const seen = new Set(restricted.rows.map(({ id }) => id));
  const hidden = rows.filter(({ id }) => !seen.has(id));
  return choose(
    fixture,
    ranked(hidden, taken),
    'listed by full, not by restricted_owner',
    'restricted_owner lists everybody whom full lists; give that key an owner who sees less',
  );
}

/** An employee of another tenant, with the department. */
function foreignFound(other: Walk<Card> | undefined, taken: ReadonlySet<string>): Discovery[] {
  const theirs = other?.rows.filter(({ department_id }) => department_id !== '') ?? [];
  const [foreign] = ranked(theirs, taken);
  const place = theirs.find(({ id }) => id === foreign)?.department_id;
  if (foreign !== undefined && place !== undefined) {
    return [
      found('employee_other_tenant_id', foreign, 'listed by other_tenant'),
      found('department_other_tenant_id', place, 'department of that employee'),
    ];
  }
  const why = other ? 'other_tenant lists nobody in a department' : 'the profile has no key other_tenant';
  return [missing('employee_other_tenant_id', why), missing('department_other_tenant_id', why)];
}

const FEWEST = 5;
const MOST = 90;

/**
 * Departments chosen by the number of their employees. The first is one that restricted_owner sees, if such a one fits.
 */
export function departmentsFound({ full, restricted }: OwnersSight): Discovery[] {
  const statuses = new Map<string, string[]>();
  for (const { department_id, status } of full.rows)
    if (department_id !== '') statuses.set(department_id, [...(statuses.get(department_id) ?? []), status]);
  if (full.cut) {
    const why = 'the tenant has more employees than were read, so nobody can say how many a department has';
    return [missing('department_id', why), missing('department_other_id', why)];
  }
  const sized = [...statuses].filter(([, of]) => of.length <= MOST);
  const fits = sized.filter(([, of]) => of.length >= FEWEST && new Set(of).size > 1).map(([id]) => id);
  const familiar = new Set(restricted?.rows.map(({ department_id }) => department_id));
  const [first] = fits.sort((a, b) => Number(familiar.has(b)) - Number(familiar.has(a)));
  const largest = (a: string, b: string) => (statuses.get(b)?.length ?? 0) - (statuses.get(a)?.length ?? 0);
  const others = sized
    .map(([id]) => id)
    .filter((id) => id !== first)
    .sort(largest);
  return [
    choose(
      'department_id',
      first === undefined ? [] : [first, ...fits.filter((id) => id !== first)],
      `${FEWEST} to ${MOST} employees of at least two statuses`,
      `none of ${statuses.size} departments has ${FEWEST} to ${MOST} employees of at least two statuses`,
    ),
    choose('department_other_id', others, `another one with at most ${MOST} employees`, 'there is no second one'),
  ];
}

/** Organizations appear only in the cards of employees. @param owner the employee who owns `full` */
export function organizationFound({ full }: OwnersSight, owner: string | undefined): Discovery {
  const own = full.rows.find(({ id }) => id === owner)?.organization_id;
  // The oldest first: a batch may have created others.
  const all = [...new Set(full.rows.toReversed().map(({ organization_id }) => organization_id))].filter(
    (id) => id !== '',
  );
  const others = all.filter((id) => id !== own);
  const how = others.length > 0 && own !== undefined ? 'of employees, not of the owner of full' : 'of employees';
  return choose('organization_id', others.length > 0 ? others : all, how, 'no employee shows an organization_id');
}

const MORE_THAN = 10_000;

/** Requests totals, which are cheaper than lists. */
export async function bigFound(ask: Ask, { keys }: Pick<Profile, 'keys'>): Promise<Discovery> {
  const counts: string[] = [];
  for (const key of ['full', 'other_tenant'] as const) {
    const variable = [keys[key]].flat()[0];
    if (variable === undefined) continue;
    const { body } = await ask(variable, '/employees?limit=1&include_total=true');
    const total = Number((body as { total_count?: string } | undefined)?.total_count);
    const big: Big = { key, employees_at_least: MORE_THAN + 1 };
    if (total > MORE_THAN) return { fixture: 'big', big, how: `total_count of ${key} is ${total}` };
    counts.push(`${key} counts ${Number.isFinite(total) ? total : 'nothing'}`);
  }
  return missing('big', `no tenant has more than 10,000 employees (${counts.join(', ')})`);
}
