/**
 * How the fixtures of a profile are found with its keys: what a thing must be, beside being seen by the right owners and
 * not by the wrong ones, which the profile's schema says.
 */
import { createHash } from 'node:crypto';
import type { Profile } from '../profile/profile.ts';
import { type FixtureName, fixtureSchemas, type KeyName } from '../profile/schema.ts';
import { type Schema, valuesFor } from '../rules/shared/template-values.ts';
import type { Ask } from './ask.ts';
import {
  type Card,
  idsSeen,
  type Lists,
  NothingFound,
  type Template,
  type Type,
  totalOf,
  variableOf,
} from './lists.ts';

/** What fixtures are found in. */
export interface Deployment {
  ask: Ask;
  profile: Profile;
  lists: Lists;
  /** The target's spelling of the status of a type or template in use. */
  active: string;
  /** Whether drafts may be created to learn who owns a key. */
  drafts: boolean;
  /** The fixtures so far, which grow. */
  known: Profile['fixtures'];
}

/** Something that fits, and how it was found. */
export interface FoundFixture {
  value: string | NonNullable<Profile['fixtures']['big']>;
  how: string;
}

/** @throws NothingFound */
type Find = (at: Deployment, fixture: FixtureName) => Promise<FoundFixture>;

/** The first of the candidates, of which the best comes first. @param otherwise why there is none @throws NothingFound */
function choose(candidates: readonly string[], how: string, otherwise: string): FoundFixture {
  const [value] = candidates;
  if (value === undefined) throw new NothingFound(otherwise);
  return { value, how: candidates.length === 1 ? `${how}; the only one` : `${how}; one of ${candidates.length}` };
}

interface Search<Row> {
  /** What a row must be besides seen by the right owners, for people. */
  words?: string;
  fits?: (row: Row, at: Deployment) => boolean;
  /** A key whose owner must see it, if the profile has the key. */
  mayLack?: KeyName;
  /** Rows of a lower rank are preferred. @param seen the ids of all rows that the right owners see */
  rank?: (row: Row, at: Deployment, seen: ReadonlySet<string>) => number;
  /** The fixture in the row; its id by default. */
  idOf?: (row: Row) => string;
}

/** Finds a row of a list. */
const among =
  <Row extends { id: string }>(
    look: 'employee' | 'type' | 'template',
    { words = '', fits = () => true, mayLack, rank = () => 0, idOf = ({ id }) => id }: Search<Row> = {},
  ): Find =>
  async (at, fixture) => {
    const { 'x-seen-by': all = [], 'x-hidden-from': hidden = [] } = fixtureSchemas[fixture];
    const seenBy = all.filter((key) => key !== mayLack || variableOf(at.profile, key) !== undefined);
    // No owner sees anything of another tenant.
    const hiddenFrom = seenBy.includes('other_tenant') ? [] : hidden;
    const idsOf = async (keys: readonly KeyName[]) => {
      const found: ReadonlySet<string>[] = [];
      for (const key of keys) found.push(await idsSeen(at.lists, look, key));
      return found;
    };
    const [visible, invisible] = [await idsOf(seenBy), await idsOf(hiddenFrom)];
    const listed = (await at.lists[look](seenBy[0] ?? 'full')) as readonly unknown[] as readonly Row[];
    const seen = listed.filter(
      ({ id }) => visible.every((ids) => ids.has(id)) && !invisible.some((ids) => ids.has(id)),
    );
    if (seen.length === 0 && invisible.length > 0)
      throw new NothingFound(`${hiddenFrom} lists all that ${seenBy} lists; give that key an owner who sees fewer`);
    const ids = new Set(seen.map(({ id }) => id));
    // Among equals the oldest comes first, because rules and people add new ones all the time. Lists begin with the newest.
    const fitting = seen
      .filter((row) => fits(row, at))
      .toReversed()
      .toSorted((a, b) => rank(a, at, ids) - rank(b, at, ids));
    const by = `listed by ${seenBy.join(' and ')}${invisible.length > 0 ? `, not by ${hiddenFrom.join(' and ')}` : ''}`;
    const how = words === '' ? by : `${words}, ${by}`;
    return choose([...new Set(fitting.map(idOf))], how, `none of ${seen.length} ${by} is ${words || 'there'}`);
  };

/** What the row of another fixture names, which the other tenant lists. */
const besideForeign =
  (look: 'employee' | 'template', of: FixtureName, field: 'department_id' | 'type_id'): Find =>
  async ({ lists, known }) => {
    const rows: readonly { id: string; department_id?: string; type_id?: string }[] = await lists[look]('other_tenant');
    const named = rows.flatMap((row) => (row.id === known[of] ? [row[field] ?? ''] : []));
    return choose(named, `${field} of ${of}`, `${of} is not listed by other_tenant`);
  };

/**
 * Employees in order of preference: those with a department, since bare records loaded in bulk have none; then those
 * who are no other fixture; then active ones; then those that are not worse.
 */
const rankOf = (card: Card, { known }: Deployment, isWorse = false): number =>
  (card.department_id === '' ? 8 : 0) +
  (Object.values(known).includes(card.id) ? 4 : 0) +
  (card.status === 'EMPLOYEE_STATUS_ACTIVE' ? 0 : 2) +
  (isWorse ? 1 : 0);

const employee = (search: Search<Card> = {}): Find =>
  among('employee', { rank: (card, at) => rankOf(card, at), ...search });

/** Whether documents of a type are made through the interface, from templates and from uploads. */
const isOpen = (type: Type): boolean => type.allow_api && type.allow_upload;

/** A type in use that some owners do not see, or that does not take every document. */
const activeType = (words: string, fits: (type: Type) => boolean): Find =>
  among<Type>('type', { words, fits: (type, { active }) => type.status === active && fits(type) });

const isUsable = ({ status, variable_schema }: Template, { active }: Deployment): boolean =>
  status === active && (variable_schema.required ?? []).length > 0;

/** The type that documents are made of. */
const mainType: Find = async (at, fixture) => {
  const usable = (await at.lists.template('full')).filter((template) => isUsable(template, at));
  const ofType = ({ id }: Type) => usable.filter(({ type_id }) => type_id === id);
  const find = among<Type>('type', {
    mayLack: 'restricted_owner',
    words: 'active, takes documents of the interface and uploads, has an active template with a required variable',
    fits: (type) => type.status === at.active && isOpen(type) && ofType(type).length > 0,
    // Prefer other types to confidential ones, whose documents are hidden from some owners. Prefer a type with a
    // category, which is itself a fixture, and later versions, since rules about versions need several.
    rank: (type) =>
      (type.confidential ? 4 : 0) +
      (type.category_id ? 0 : 2) +
      (ofType(type).some(({ version }) => version > 1) ? 0 : 1),
  });
  return find(at, fixture);
};

/**
 * The employee who owns a key. Only one operation of the interface shows it: a document created with a key names the
 * key's owner as its initiator. So a draft is created, the same one if this is repeated within a day.
 */
const ownerOf =
  (key: KeyName): Find =>
  async ({ ask, lists, profile, drafts, known }) => {
    const { tenant, base_url } = profile;
    const variable = variableOf(profile, key);
    if (variable === undefined) throw new NothingFound(`the profile has no key ${key}`);
    if (!drafts || !tenant.consent_to_writes)
      throw new NothingFound('only a draft made with that key shows it, and writes are not consented to');
    const template = (await lists.template('full')).find(({ id }) => id === known.document_template_id);
    if (template === undefined)
      throw new NothingFound('only a draft shows it, and there is no template to make one from');
    const mark = createHash('sha256').update(`${base_url} ${tenant.tag} ${key} ${template.id}`);
    const { status, body, brief } = await ask(variable, '/documents', {
      method: 'POST',
      headers: [['Idempotency-Key', `conformance-discover-${mark.digest('hex').slice(0, 32)}`]],
      body: {
        title: `conformance discover: draft of key ${key}`,
        type_id: template.type_id,
        template_id: template.id,
        template_values: valuesFor(template.variable_schema as unknown as Schema, 'required'),
      },
    });
    const { document } = (body ?? {}) as { document?: { initiator_employee_id?: string } };
    const value = document?.initiator_employee_id;
    if (status !== 200 || !value) throw new NothingFound(`no draft can be made with key ${key}: ${brief}`);
    return { value, how: `initiator of a draft that ${key} made` };
  };

const FEWEST = 5;
const MOST = 90;

/** The statuses of the employees of each department, of those that are not too large. */
async function departmentsIn({ lists }: Deployment): Promise<[id: string, statuses: string[]][]> {
  const groups = Map.groupBy(await lists.employee('full'), ({ department_id }) => department_id);
  groups.delete('');
  const all = [...groups].map(([id, cards]): [string, string[]] => [id, cards.map(({ status }) => status)]);
  return all.filter(([, statuses]) => statuses.length <= MOST);
}

/** A department chosen by the number of its employees; one that restricted_owner sees, if such a one fits. */
const department: Find = async (at) => {
  const all = await departmentsIn(at);
  const familiar = await idsSeen(at.lists, 'department', 'restricted_owner').catch(() => new Set<string>());
  const fits = all.filter(([, statuses]) => statuses.length >= FEWEST && new Set(statuses).size > 1);
  const ids = fits.map(([id]) => id).toSorted((a, b) => Number(familiar.has(b)) - Number(familiar.has(a)));
  const words = `${FEWEST} to ${MOST} employees of at least two statuses`;
  return choose(ids, words, `no department has ${words}`);
};

/** The largest of the other departments. */
const otherDepartment: Find = async (at) => {
  const others = (await departmentsIn(at)).filter(([id]) => id !== at.known.department_id);
  const ids = others.toSorted(([, a], [, b]) => b.length - a.length).map(([id]) => id);
  return choose(ids, `another one with at most ${MOST} employees`, 'there is no second one');
};

/** Organizations appear only in the cards of employees: one that is not the owner's, if there is any. */
const organization: Find = async ({ lists, known }) => {
  const cards = await lists.employee('full');
  const own = cards.find(({ id }) => id === known.owner_employee_id)?.organization_id;
  // The oldest first: a batch may have created others.
  const all = new Set(cards.toReversed().map(({ organization_id }) => organization_id));
  all.delete('');
  const others = [...all].filter((id) => id !== own);
  const how = others.length > 0 && own !== undefined ? 'of employees, not of the owner of full' : 'of employees';
  return choose(others.length > 0 ? others : [...all], how, 'no employee shows an organization_id');
};

const MORE_THAN = 10_000;

/** A large tenant, by its total, which is cheaper than its list. */
const big: Find = async ({ ask, profile }) => {
  const counts: string[] = [];
  for (const key of ['full', 'other_tenant'] as const) {
    const variable = variableOf(profile, key);
    if (variable === undefined) continue;
    const { total } = await totalOf(ask, variable);
    const value = { key, employees_at_least: MORE_THAN + 1 };
    if (total > MORE_THAN) return { value, how: `total_count of ${key} is ${total}` };
    counts.push(`${key} counts ${Number.isFinite(total) ? total : 'nothing'}`);
  }
  throw new NothingFound(`no tenant has more than 10,000 employees (${counts.join(', ')})`);
};

/** What requests find, in an order in which some need what others have found. No operation shows the other fixtures. */
export const finds: Readonly<Partial<Record<FixtureName | 'big', Find>>> = {
  document_type_id: mainType,
  document_template_id: among<Template>('template', {
    words: 'active, of document_type_id, with a required variable',
    fits: (template, at) => template.type_id === at.known.document_type_id && isUsable(template, at),
    rank: ({ version }) => (version > 1 ? 0 : 1),
  }),
  document_template_other_tenant_id: among('template'),
  document_type_other_tenant_id: besideForeign('template', 'document_template_other_tenant_id', 'type_id'),
  document_type_hidden_from_restricted_id: activeType('active, takes uploads of the interface', isOpen),
  document_type_confidential_id: activeType(
    'active and confidential, takes uploads of the interface',
    (type) => isOpen(type) && type.confidential,
  ),
  document_type_no_api_id: activeType(
    'active, with allow_upload, without allow_api',
    (type) => type.allow_upload && !type.allow_api,
  ),
  document_type_no_upload_id: activeType(
    'active, with allow_api, without allow_upload',
    (type) => type.allow_api && !type.allow_upload,
  ),
  document_type_archived_id: among<Type>('type', {
    words: 'archived, with allow_api and allow_upload',
    fits: (type, { active }) => type.status !== active && isOpen(type),
  }),
  document_category_id: among<Type>('type', {
    words: 'of a type',
    fits: ({ category_id }) => category_id !== '',
    rank: ({ id }, { known }) => (id === known.document_type_id ? 0 : 1),
    idOf: ({ category_id }) => category_id,
  }),
  owner_employee_id: ownerOf('full'),
  second_owner_employee_id: ownerOf('second_owner'),
  restricted_owner_employee_id: ownerOf('restricted_owner'),
  reports_owner_employee_id: ownerOf('reports_owner'),
  employee_id: employee({
    words: 'with a manager, a job title and no empty personal field',
    fits: ({ whole }) => whole,
    rank: (card, at, seen) => rankOf(card, at, !seen.has(card.manager_id)),
  }),
  employee_common_id: employee(),
  employee_without_manager_id: employee({
    words: 'without manager, location, number, start date, patronymic and work e-mail all together',
    fits: ({ bare }) => bare,
  }),
  employee_hidden_from_restricted_id: employee(),
  employee_terminated_id: employee({
    words: 'terminated',
    fits: ({ status }) => status === 'EMPLOYEE_STATUS_TERMINATED',
  }),
  employee_other_tenant_id: employee({
    words: 'in a department',
    fits: ({ department_id }) => department_id !== '',
  }),
  department_other_tenant_id: besideForeign('employee', 'employee_other_tenant_id', 'department_id'),
  department_id: department,
  department_other_id: otherDepartment,
  organization_id: organization,
  big,
};
