/** What lists show to the owners of keys: each is read once for each key, whole, slower than the limit. */
import type { DocumentCategory, DocumentTemplate, DocumentType } from '../../generated/client/types.gen.ts';
import { redactionKeys } from '../../generated/contract.ts';
import type { Profile } from '../profile/profile.ts';
import type { FixtureSchema, KeyName } from '../profile/schema.ts';
import type { Ask } from './ask.ts';

const FULLEST_PAGE = 1000;
/** A list that has more pages does not end. */
const MOST_PAGES = 2000;

/** Nothing fits, or a list cannot be read; the message says why. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/** What a fixture may be. */
export type Look = NonNullable<FixtureSchema['x-is']>;

export type Type = Pick<
  DocumentType,
  'id' | 'status' | 'category_id' | 'template_id' | 'allow_api' | 'allow_upload' | 'confidential'
>;
export type Template = Pick<DocumentTemplate, 'id' | 'status' | 'type_id' | 'version' | 'variable_schema'>;

type Fields = Readonly<Record<string, unknown>>;
interface EmployeeRow extends Fields {
  id: string;
  status: string;
  redacted_fields?: readonly string[];
  person?: Fields;
}

/** What is kept of an employee: ids and facts, no personal data. */
export interface Card {
  id: string;
  status: string;
  department_id: string;
  organization_id: string;
  manager_id: string;
  redacted_fields: readonly string[];
  /** Has a manager, a department, a job title, and no empty personal field. */
  whole: boolean;
  /** Has no manager, location, personnel number, start date, patronymic or work e-mail. */
  bare: boolean;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function cardOf(row: EmployeeRow): Card {
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
    redacted_fields: row.redacted_fields ?? [],
    whole: personal.every((value) => value !== '') && has('manager_id') && has('department_id') && has('job_title_id'),
    bare: !lacking.some(has) && textOf(row.person?.middle_name) === '',
  };
}

/** The rows of a list that a key's owner sees. @throws NothingFound if there is no such key, or the list cannot be read */
type ListOf<Row> = (key: KeyName) => Promise<readonly Row[]>;

/** The variable that holds a key, the first of several. */
export const variableOf = ({ keys }: Pick<Profile, 'keys'>, key: KeyName): string | undefined => [keys[key]].flat()[0];

/** Reads a list. @param path with its query, without `limit` and `page_token`; @param property what holds the rows */
async function walk(ask: Ask, variable: string, path: string, property: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  let token = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const next = token && `&page_token=${encodeURIComponent(token)}`;
    const { status, body, brief } = await ask(variable, `${path}limit=${FULLEST_PAGE}${next}`);
    const { [property]: found, next_page_token } = (body ?? {}) as Record<string, unknown>;
    if (status !== 200 || !Array.isArray(found)) throw new NothingFound(`the list answers ${brief}`);
    for (const row of found) rows.push(property === 'employees' ? cardOf(row) : row);
    token = textOf(next_page_token);
    if (token === '') return rows;
  }
  throw new NothingFound(`the list has more than ${MOST_PAGES} pages`);
}

/** The lists of a target. Each is read when somebody first needs it. */
export function listsOf(ask: Ask, profile: Pick<Profile, 'keys' | 'capabilities'>) {
  function list<Row>(path: string, property: string): ListOf<Row> {
    const known = new Map<string, Promise<unknown[]>>();
    return async (key) => {
      const variable = variableOf(profile, key);
      if (property !== 'employees' && !profile.capabilities.includes('1.5'))
        throw new NothingFound('the profile does not claim 1.5');
      if (variable === undefined) throw new NothingFound(`the profile has no key ${key}`);
      const reading = known.get(variable) ?? walk(ask, variable, path, property);
      known.set(variable, reading);
      return (await reading) as Row[];
    };
  }
  return {
    employee: list<Card>('/employees?expand=person&', 'employees'),
    type: list<Type>('/document_types?', 'document_types'),
    category: list<Pick<DocumentCategory, 'id'>>('/document_categories?', 'document_categories'),
    template: list<Template>('/document_templates?', 'document_templates'),
  };
}

export type Lists = ReturnType<typeof listsOf>;

/** The ids of what a key's owner sees of a kind; departments show in the cards of employees. @throws NothingFound */
export async function idsSeen(lists: Lists, look: Look, key: KeyName): Promise<ReadonlySet<string>> {
  if (look === 'department') return new Set((await lists.employee(key)).map(({ department_id }) => department_id));
  const rows: readonly { id: string }[] = await lists[look](key);
  return new Set(rows.map(({ id }) => id));
}

/** How many employees a key's owner sees, and the answer in brief; NaN where the target does not say. */
export async function totalOf(ask: Ask, variable: string): Promise<{ total: number; brief: string }> {
  const { status, body, brief } = await ask(variable, '/employees?limit=1&include_total=true');
  const { total_count } = (body ?? {}) as { total_count?: string };
  return { total: status === 200 ? Number(total_count) : Number.NaN, brief };
}
