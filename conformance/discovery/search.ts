/**
 * Finds rows of lists that fit fixtures: those that the right owners see, and the wrong ones do not, by the profile's
 * schema.
 */
import { type Card, type ListOf, NothingFound, type Template, type Type, type Walk } from '../doctor/lists.ts';
import { type FixtureName, fixtureSchemas, type KeyName } from '../profile/schema.ts';
import { choose, type Discovery } from './found.ts';

export interface Search<Row> {
  fixture: FixtureName;
  /** What a row must be besides seen by the right owners, for people. */
  words?: string;
  fits?: (row: Row) => boolean;
  /** A key whose owner must see it, if the profile has the key. */
  mayLack?: KeyName;
  /** Rows of a lower rank are preferred. @param seen the ids of all rows that the right owners see */
  rank?: (row: Row, seen: ReadonlySet<string>) => number;
  /** The fixture in the row; its id by default. */
  idOf?: (row: Row) => string;
  /** Another fixture, which is taken from the same row. */
  also?: { fixture: FixtureName; idOf: (row: Row) => string; how: string };
}

const idsIn = ({ rows }: Walk<{ id: string }>): Set<string> => new Set(rows.map(({ id }) => id));

/** @throws NothingFound */
export async function searched<Row extends { id: string }>(
  listOf: ListOf<Row>,
  { fixture, words = '', fits = () => true, rank = () => 0, idOf = ({ id }) => id, also, mayLack }: Search<Row>,
): Promise<Discovery[]> {
  const { 'x-seen-by': seenBy = [], 'x-hidden-from': hiddenFrom = [] } = fixtureSchemas[fixture];
  // No owner sees anything of another tenant.
  const isForeign = seenBy.includes('other_tenant');
  const read = async (keys: readonly KeyName[]): Promise<Walk<Row>[]> => {
    const lists: Walk<Row>[] = [];
    for (const key of keys) {
      const list = key === mayLack ? await listOf(key).catch(() => undefined) : await listOf(key);
      if (list !== undefined) lists.push(list);
    }
    return lists;
  };
  const [first, ...others] = await read(seenBy);
  const hidden = await read(isForeign ? [] : hiddenFrom);
  if (hidden.some(({ isCut }) => isCut)) throw new NothingFound(`${hiddenFrom} lists more rows than were read`);
  const [visible, invisible] = [others.map(idsIn), hidden.map(idsIn)];
  const seen = (first?.rows ?? []).filter(
    ({ id }) => visible.every((ids) => ids.has(id)) && !invisible.some((ids) => ids.has(id)),
  );
  if (seen.length === 0 && hidden.length > 0)
    throw new NothingFound(`${hiddenFrom} lists all that ${seenBy} lists; give that key an owner who sees fewer`);
  const ids = new Set(seen.map(({ id }) => id));
  // Among equals the oldest comes first, because rules and people add new ones all the time. Lists begin with the newest.
  const fitting = seen
    .filter(fits)
    .toReversed()
    .toSorted((a, b) => rank(a, ids) - rank(b, ids));
  const listed = `listed by ${seenBy.join(' and ')}${hidden.length > 0 ? `, not by ${hiddenFrom.join(' and ')}` : ''}`;
  const how = words === '' ? listed : `${words}, ${listed}`;
  const none = `none of ${seen.length} ${listed} is ${words || 'there'}`;
  const one = choose(fixture, [...new Set(fitting.map(idOf))], how, none);
  const [best] = fitting;
  return also && best ? [one, { fixture: also.fixture, id: also.idOf(best), how: also.how }] : [one];
}

/**
 * Employees in order of preference: those with a department, since bare records loaded in bulk have none; then those
 * who are no other fixture; then active ones; then those that are `better`.
 */
export function employeeSearches(taken: () => ReadonlySet<string>): Search<Card>[] {
  const rankOf = (card: Card, isWorse = false) =>
    (card.department_id === '' ? 8 : 0) +
    (taken().has(card.id) ? 4 : 0) +
    (card.status === 'EMPLOYEE_STATUS_ACTIVE' ? 0 : 2) +
    (isWorse ? 1 : 0);
  const searches: Search<Card>[] = [
    {
      fixture: 'employee_id',
      words: 'with a manager, a job title and no empty personal field',
      fits: ({ whole }) => whole,
      rank: (card, seen) => rankOf(card, !seen.has(card.manager_id)),
    },
    { fixture: 'employee_common_id' },
    {
      fixture: 'employee_without_manager_id',
      words: 'without manager, location, number, start date, patronymic and work e-mail all together',
      fits: ({ bare }) => bare,
    },
    { fixture: 'employee_hidden_from_restricted_id' },
    {
      fixture: 'employee_terminated_id',
      words: 'terminated',
      fits: ({ status }) => status === 'EMPLOYEE_STATUS_TERMINATED',
    },
    {
      fixture: 'employee_other_tenant_id',
      words: 'in a department',
      fits: ({ department_id }) => department_id !== '',
      also: {
        fixture: 'department_other_tenant_id',
        idOf: ({ department_id }) => department_id,
        how: 'department of that employee',
      },
    },
  ];
  return searches.map((search) => ({ rank: (card) => rankOf(card), ...search }));
}

/** Whether documents of a type are made through the interface, from templates and from uploads. */
const isOpen = (type: Type): boolean => type.allow_api && type.allow_upload;

/**
 * Types that some owners do not see, or that do not take every document, and a category.
 * @param active the target's spelling of the status of a type in use
 * @param main the id of the type that documents are made of
 */
export function typeSearches(active: string, main: () => string | undefined): Search<Type>[] {
  return [
    {
      fixture: 'document_type_hidden_from_restricted_id',
      words: 'active, takes uploads of the interface',
      fits: (type) => type.status === active && isOpen(type),
    },
    {
      fixture: 'document_type_confidential_id',
      words: 'active and confidential, takes uploads of the interface',
      fits: (type) => type.status === active && isOpen(type) && type.confidential,
    },
    {
      fixture: 'document_type_no_api_id',
      words: 'active, with allow_upload, without allow_api',
      fits: (type) => type.status === active && type.allow_upload && !type.allow_api,
    },
    {
      fixture: 'document_type_no_upload_id',
      words: 'active, with allow_api, without allow_upload',
      fits: (type) => type.status === active && type.allow_api && !type.allow_upload,
    },
    {
      fixture: 'document_type_archived_id',
      words: 'archived, with allow_api and allow_upload',
      fits: (type) => type.status !== active && isOpen(type),
    },
    {
      fixture: 'document_category_id',
      words: 'of a type',
      fits: ({ category_id }) => category_id !== '',
      rank: ({ id }) => (id === main() ? 0 : 1),
      idOf: ({ category_id }) => category_id,
    },
  ];
}

const isUsable = ({ status, variable_schema }: Template, active: string): boolean =>
  status === active && (variable_schema.required ?? []).length > 0;

/** The type that documents are made of. @param templates those that `full` sees */
export function mainType(active: string, templates: readonly Template[]): Search<Type> {
  const ofType = ({ id }: Type) => templates.filter((one) => one.type_id === id && isUsable(one, active));
  return {
    fixture: 'document_type_id',
    mayLack: 'restricted_owner',
    words: 'active, takes documents of the interface and uploads, has an active template with a required variable',
    fits: (type) => type.status === active && isOpen(type) && ofType(type).length > 0,
    // Prefer other types to confidential ones, whose documents are hidden from some owners. Prefer a type with a
    // category, which is itself a fixture, and later versions, since rules about versions need several.
    rank: (type) =>
      (type.confidential ? 4 : 0) +
      (type.category_id ? 0 : 2) +
      (ofType(type).some(({ version }) => version > 1) ? 0 : 1),
  };
}

/** The template that documents are made from. @param typeId of the type that they are made of */
export const mainTemplate = (active: string, typeId: () => string | undefined): Search<Template> => ({
  fixture: 'document_template_id',
  words: 'active, of document_type_id, with a required variable',
  fits: (template) => template.type_id === typeId() && isUsable(template, active),
  rank: ({ version }) => (version > 1 ? 0 : 1),
});

/** A template of another tenant, with its type. */
export const foreignTemplate: Search<Template> = {
  fixture: 'document_template_other_tenant_id',
  also: { fixture: 'document_type_other_tenant_id', idOf: ({ type_id }) => type_id, how: 'type of that template' },
};
