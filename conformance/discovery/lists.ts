/** What lists show to the owners of keys. */
import type { DocumentTemplate, DocumentType } from '../../generated/client/types.gen.ts';
import { redactionKeys } from '../../generated/personal-data.ts';
import type { Ask } from '../doctor/ask.ts';
import { UnreadableList, type Walk, walker } from '../doctor/walk.ts';
import type { Capability, Profile } from '../profile/profile.ts';
import type { KeyName } from '../profile/schema.ts';
import { NothingFound } from './found.ts';

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

export interface Lists {
  employees: ListOf<Card>;
  types: ListOf<Type>;
  templates: ListOf<Template>;
}

/** The lists of a target. Each is read when the first fixture needs it. */
export function listsOf(ask: Ask, { keys, capabilities }: Pick<Profile, 'keys' | 'capabilities'>): Lists {
  function list<Row, Kept>(
    path: string,
    property: string,
    keep: (row: Row) => Kept,
    addition?: Capability,
  ): ListOf<Kept> {
    const read = walker(ask, path, property, keep);
    return async (key) => {
      const [variable] = [keys[key] ?? []].flat();
      if (addition !== undefined && !capabilities.includes(addition))
        throw new NothingFound(`the profile does not claim ${addition}`);
      if (variable === undefined) throw new NothingFound(`the profile has no key ${key}`);
      return read(variable).catch((error: unknown) => {
        throw error instanceof UnreadableList ? new NothingFound(error.message) : error;
      });
    };
  }
  return {
    employees: list('/employees?expand=person', 'employees', cardOf),
    types: list('/document_types', 'document_types', (row: Type) => row, '1.5'),
    templates: list('/document_templates', 'document_templates', (row: Template) => row, '1.5'),
  };
}
