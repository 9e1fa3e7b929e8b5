/**
 * What a service that does nothing else would do for the measured operations: one look-up of the key, the same queries,
 * and the same answer as ours. No rate limit, no validation, no visibility, no paging tokens.
 */
import type { Server } from 'node:http';
import { type Db, MongoClient } from 'mongodb';
import { hashKey } from '../../../../handlers/access/keys.ts';
import type { EmployeeRow } from '../../../../handlers/data/collections/employees.ts';
import { listenOnLoopback } from '../../../kit/ports.ts';

export const UNKNOWN_KEY = { code: 16, message: 'The key is unknown.', details: [] };

/** The fields of a row that an answer shows. */
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
] as const;

/** A row, as far as these answers read it. */
type Row = Pick<EmployeeRow, '_id' | (typeof SHOWN)[number]>;
/** The row as the contract shows it to an owner from whom nothing is hidden. */
function employeeOf({ _id, ...shown }: Row): object {
  const end_date = shown.status === 'EMPLOYEE_STATUS_TERMINATED' ? shown.end_date : '';
  return { id: _id, ...shown, end_date, redacted_fields: [] };
}

/** How many employees a query asks for. @param query the part of the address after `?` */
export const limitOf = (query: string): number => Number(new URLSearchParams(query).get('limit') ?? 20);

const FIELDS = Object.fromEntries(SHOWN.map((name) => [name, 1]));

/** The answers by the driver alone. Each takes the key, and is undefined if the key is unknown. */
class Answers {
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

  async employees(key: string, limit: number): Promise<object | undefined> {
    if (!(await this.#knows(key))) return undefined;
    const rows = await this.#db
      .collection<Row & { tenant_id: string; listed: boolean }>('employees')
      .find({ tenant_id: this.#tenant, listed: true }, { projection: FIELDS, batchSize: limit + 2 })
      .sort({ create_time: -1, _id: -1 })
      .limit(limit + 1)
      .toArray();
    const employees = rows.slice(0, limit).map(employeeOf);
    return { employees, next_page_token: rows.length > limit ? 'x' : '' };
  }
}

/** The answers on a connection of their own, with as many sockets as our service has. */
export async function connectedAnswers(): Promise<Answers> {
  const { MONGODB_URI = '', MONGODB_DATABASE = '', BENCH_TENANT = '' } = process.env;
  const client = await new MongoClient(MONGODB_URI, { maxPoolSize: 20 }).connect();
  return new Answers(client, MONGODB_DATABASE, BENCH_TENANT);
}

/** Listens, and says so. */
export async function listen(server: Server): Promise<void> {
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}
