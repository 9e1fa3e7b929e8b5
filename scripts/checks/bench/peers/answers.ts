/**
 * What a service that does nothing else would do for the measured operations: one look-up of the key, the same queries,
 * and the same answer as ours. No rate limit, no validation, no visibility, no paging tokens.
 */
import type { Db, MongoClient } from 'mongodb';
import { hashKey } from '../../../../handlers/access/keys.ts';
import type { EmployeeRow } from '../../../../handlers/data/collections/employees.ts';
import type { PersonRow as StoredPerson } from '../../../../handlers/data/collections/persons.ts';

export const UNKNOWN_KEY = { code: 16, message: 'The key is unknown.', details: [] };

/** The fields of a row that an answer shows, with those by which it is expanded. */
const SHOWN = [
  'status',
  'organization_id',
  'department_id',
  'job_title_id',
  'manager_id',
  'location_id',
  'employee_number',
  'start_date',
  'end_date',
  'create_time',
  'update_time',
  'work_email',
  'person_id',
] as const;

/** A row, as far as these answers read it. */
type Row = Pick<EmployeeRow, '_id' | (typeof SHOWN)[number]>;
const PERSON_SHOWN = [
  'first_name',
  'last_name',
  'middle_name',
  'birth_date',
  'iin',
  'personal_email',
  'phone',
] as const;
type PersonRow = Pick<StoredPerson, '_id' | (typeof PERSON_SHOWN)[number]>;

interface TitledRow {
  readonly _id: string;
  readonly title: string;
}

/** Rows that the answer is expanded by, by their ids. */
interface RelatedRows {
  readonly departments?: ReadonlyMap<string, TitledRow>;
  readonly jobTitles?: ReadonlyMap<string, TitledRow>;
  readonly persons?: ReadonlyMap<string, PersonRow>;
  /** The person of a manager, by the manager's employee id. */
  readonly managers?: ReadonlyMap<string, PersonRow>;
}

const fullName = ({ last_name, first_name, middle_name }: PersonRow) =>
  [last_name, first_name, middle_name].filter((part) => part !== '').join(' ');

/** The row as the contract shows it to an owner from whom nothing is hidden. */
function employeeOf(row: Row, { departments, jobTitles, persons, managers }: RelatedRows = {}): object {
  const { _id, person_id, ...shown } = row;
  const department = departments?.get(row.department_id);
  const jobTitle = jobTitles?.get(row.job_title_id);
  const manager = managers?.get(row.manager_id);
  const person = persons?.get(person_id);
  return {
    id: _id,
    ...shown,
    end_date: row.status === 'EMPLOYEE_STATUS_TERMINATED' ? row.end_date : '',
    redacted_fields: [],
    ...(department && { department: { id: department._id, title: department.title } }),
    ...(jobTitle && { job_title: { id: jobTitle._id, title: jobTitle.title } }),
    ...(manager && { manager: { id: row.manager_id, full_name: fullName(manager) } }),
    ...(person && { person: personOf(person) }),
  };
}

function personOf(person: PersonRow): object {
  const { _id: _, ...shown } = person;
  return { ...shown, full_name: fullName(person) };
}

interface WantedExpansions {
  readonly limit: number;
  readonly expand: readonly string[];
}

/** @param query the part of the address after `?` */
export function wantedOf(query: string): WantedExpansions {
  const given = new URLSearchParams(query);
  return { limit: Number(given.get('limit') ?? 20), expand: given.getAll('expand') };
}

const FIELDS = Object.fromEntries(SHOWN.map((name) => [name, 1]));
const PERSON_FIELDS = Object.fromEntries(PERSON_SHOWN.map((name) => [name, 1]));

/** The answers by the driver alone. Each takes the key, and is undefined if the key is unknown. */
export class Answers {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(client: MongoClient, database: string, tenant: string) {
    this.#db = client.db(database);
    this.#tenant = tenant;
  }

  async #knows(key: string): Promise<boolean> {
    return (await this.#db.collection('api_keys').findOne({ key_hash: hashKey(key) })) !== null;
  }

  async verify(key: string): Promise<object | undefined> {
    return (await this.#knows(key)) ? {} : undefined;
  }

  async employee(key: string, id: string): Promise<object | undefined> {
    if (!(await this.#knows(key))) return undefined;
    const filter = { _id: id, tenant_id: this.#tenant, listed: true };
    const row = await this.#db.collection<Row>('employees').findOne(filter, { projection: FIELDS });
    return row === null ? undefined : { employee: employeeOf(row) };
  }

  async employees(key: string, { limit, expand }: WantedExpansions): Promise<object | undefined> {
    if (!(await this.#knows(key))) return undefined;
    const rows = await this.#db
      .collection<Row & { tenant_id: string; listed: boolean }>('employees')
      .find({ tenant_id: this.#tenant, listed: true }, { projection: FIELDS, batchSize: limit + 2 })
      .sort({ create_time: -1, _id: -1 })
      .limit(limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    const related = expand.length === 0 ? {} : await this.#related(page);
    return { employees: page.map((row) => employeeOf(row, related)), next_page_token: rows.length > limit ? 'x' : '' };
  }

  /** All four expansions, in four queries. */
  async #related(rows: readonly Row[]): Promise<RelatedRows> {
    const byId = async <T extends { _id: string }>(name: string, ids: readonly string[], projection: object) => {
      const filter = { _id: { $in: [...new Set(ids)] }, tenant_id: this.#tenant };
      const found = await this.#db
        .collection<{ _id: string; tenant_id: string }>(name)
        .find(filter, { projection })
        .toArray();
      return new Map(found.map((row) => [row._id, row as unknown as T]));
    };
    const idsOf = (field: 'department_id' | 'job_title_id' | 'manager_id') => rows.map((row) => row[field]);
    const [departments, jobTitles, managing] = await Promise.all([
      byId<TitledRow>('departments', idsOf('department_id'), { title: 1 }),
      byId<TitledRow>('job_titles', idsOf('job_title_id'), { title: 1 }),
      byId<Row>('employees', idsOf('manager_id'), { person_id: 1 }),
    ]);
    const ids = [...rows, ...managing.values()].map((row) => row.person_id);
    const persons = await byId<PersonRow>('persons', ids, PERSON_FIELDS);
    const managers = new Map<string, PersonRow>();
    for (const [id, { person_id }] of managing) {
      const person = persons.get(person_id);
      if (person !== undefined) managers.set(id, person);
    }
    return { departments, jobTitles, persons, managers };
  }
}
