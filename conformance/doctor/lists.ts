/** What whole lists show to the owners of keys: read once for each key, one request after another, slower than the limit. */
import type { DocumentCategory, DocumentTemplate, DocumentType } from '../../generated/client/types.gen.ts';
import { redactionKeys } from '../../generated/personal-data.ts';
import type { Capability, Profile } from '../profile/profile.ts';
import type { KeyName } from '../profile/schema.ts';
import type { Ask } from './ask.ts';

const FULLEST_PAGE = 1000;
/** Longer lists are not read to the end: a hundred thousand rows are enough to choose from. */
const MOST_PAGES = 100;

/** The rows of a list. */
export interface Walk<Row> {
  rows: Row[];
  /** Whether there are rows that were not read. */
  isCut: boolean;
}

/** Nothing fits, or a list cannot be read; the message says why. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

export type Type = Pick<
  DocumentType,
  'id' | 'status' | 'category_id' | 'template_id' | 'allow_api' | 'allow_upload' | 'confidential'
>;
export type Template = Pick<DocumentTemplate, 'id' | 'status' | 'type_id' | 'version' | 'variable_schema'>;

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
    whole: personal.every((value) => value !== '') && has('manager_id') && has('department_id') && has('job_title_id'),
    bare: !lacking.some(has) && textOf(row.person?.middle_name) === '',
  };
}

/** Reads a list with a key, once. @throws NothingFound if there is no such key, or the list cannot be read */
export type ListOf<Row> = (key: KeyName) => Promise<Walk<Row>>;

type Ring = Pick<Profile, 'keys' | 'capabilities'>;

/** The variable that holds a key, the first of several. */
export const variableOf = ({ keys }: Pick<Profile, 'keys'>, key: KeyName): string | undefined => [keys[key]].flat()[0];

/**
 * @param path with its query, without `limit` and `page_token`
 * @param property the property of a page that holds the rows
 * @param keep returns what to keep of a row; nothing else of the row stays in memory
 * @throws NothingFound
 */
async function walk<Row, Kept>(
  ask: Ask,
  variable: string,
  path: string,
  property: string,
  keep: (row: Row) => Kept,
): Promise<Walk<Kept>> {
  const rows: Kept[] = [];
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=${FULLEST_PAGE}`;
  let token = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const {
      status,
      body: said,
      brief,
    } = await ask(variable, `${start}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`);
    const body = said as Record<string, unknown> | undefined;
    if (status !== 200 || !Array.isArray(body?.[property])) throw new NothingFound(`the list answers ${brief}`);
    for (const row of body[property] as Row[]) rows.push(keep(row));
    token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
    if (token === '') return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

const whole = <Row>(row: Row): Row => row;

/** The lists of a target. Each is read when somebody first needs it. */
export function listsOf(ask: Ask, ring: Ring) {
  function list<Row, Kept>(
    path: string,
    property: string,
    keep: (row: Row) => Kept,
    addition?: Capability,
  ): ListOf<Kept> {
    const known = new Map<string, Promise<Walk<Kept>>>();
    return async (key) => {
      const variable = variableOf(ring, key);
      if (addition !== undefined && !ring.capabilities.includes(addition))
        throw new NothingFound(`the profile does not claim ${addition}`);
      if (variable === undefined) throw new NothingFound(`the profile has no key ${key}`);
      const reading = known.get(variable) ?? walk(ask, variable, path, property, keep);
      known.set(variable, reading);
      return reading;
    };
  }
  return {
    employees: list('/employees?expand=person', 'employees', cardOf),
    type: list('/document_types', 'document_types', whole<Type>, '1.5'),
    category: list('/document_categories', 'document_categories', whole<Pick<DocumentCategory, 'id'>>, '1.5'),
    templates: list('/document_templates', 'document_templates', whole<Template>, '1.5'),
  };
}

export type Lists = ReturnType<typeof listsOf>;

/** How many employees a key's owner sees, and the answer in brief; NaN where the target does not say. */
export async function totalOf(ask: Ask, variable: string): Promise<{ total: number; brief: string }> {
  const { status, body, brief } = await ask(variable, '/employees?limit=1&include_total=true');
  const { total_count } = (body ?? {}) as { total_count?: string };
  return { total: status === 200 ? Number(total_count) : Number.NaN, brief };
}
