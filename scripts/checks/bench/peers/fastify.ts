/**
 * What a Node user would pick: Fastify, with its own validation of requests and serializers for answers, and Mongoose
 * with lean queries.
 */
import fastify from 'fastify';
import mongoose from 'mongoose';
import { prefix } from '../../../../generated/operations.ts';
import { hashKey } from '../../../../handlers/access/keys.ts';
import {
  employeeOf,
  PERSON_SHOWN,
  type PersonRow,
  personsOf,
  type Related,
  type Row,
  SHOWN,
  type Titled,
  UNKNOWN_KEY,
} from './answers.ts';
import { ready, surroundings } from './serve.ts';

const { uri, database, tenant } = surroundings();
await mongoose.connect(uri, { dbName: database, maxPoolSize: 20, autoIndex: false, autoCreate: false });

const text = { type: String };
const titled = new mongoose.Schema({ _id: text, tenant_id: text, title: text });
const ApiKey = mongoose.model(
  'ApiKey',
  new mongoose.Schema({ _id: text, key_hash: text, scopes: [String] }),
  'api_keys',
);
const Department = mongoose.model('Department', titled, 'departments');
const JobTitle = mongoose.model('JobTitle', titled, 'job_titles');
const dates = { create_time: Date, update_time: Date };
const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const Employee = mongoose.model(
  'Employee',
  new mongoose.Schema({ _id: text, tenant_id: text, listed: Boolean, ...texts(SHOWN), ...dates }),
  'employees',
);
const Person = mongoose.model(
  'Person',
  new mongoose.Schema({ _id: text, tenant_id: text, ...texts(PERSON_SHOWN) }),
  'persons',
);

const string = { type: 'string' } as const;
const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, string]));
const reference = { type: 'object', properties: strings(['id', 'title']) } as const;
const employeeSchema = {
  type: 'object',
  properties: {
    ...strings(['id', ...SHOWN.filter((name) => name !== 'person_id')]),
    redacted_fields: { type: 'array', items: string },
    department: reference,
    job_title: reference,
    manager: { type: 'object', properties: strings(['id', 'full_name']) },
    person: { type: 'object', properties: strings([...PERSON_SHOWN, 'full_name']) },
  },
};
const expandSchema = { type: 'array', items: { enum: ['person', 'department', 'job_title', 'manager'] } };

const app = fastify({ ajv: { customOptions: { coerceTypes: 'array' } } });

app.addHook('onRequest', async (request, reply) => {
  const found = await ApiKey.findOne({ key_hash: hashKey(String(request.headers['x-api-key'])) }).lean();
  if (found === null) return reply.code(401).send(UNKNOWN_KEY);
});

app.get(`${prefix}/api_key/_verify`, async () => ({}));

app.get<{ Params: { id: string } }>(
  `${prefix}/employees/:id`,
  { schema: { response: { 200: { type: 'object', properties: { employee: employeeSchema } } } } },
  async ({ params }, reply) => {
    const row = await Employee.findOne({ _id: params.id, tenant_id: tenant, listed: true }, SHOWN.join(' ')).lean();
    if (row === null) return reply.code(404).send({ code: 5, message: 'not found' });
    return { employee: employeeOf(row as unknown as Row) };
  },
);

const listSchema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20 }, expand: expandSchema },
  },
  response: {
    200: {
      type: 'object',
      properties: { employees: { type: 'array', items: employeeSchema }, next_page_token: string },
    },
  },
};

app.get<{ Querystring: { limit: number; expand?: string[] } }>(
  `${prefix}/employees`,
  { schema: listSchema },
  async ({ query: { limit, expand } }) => {
    const found = await Employee.find({ tenant_id: tenant, listed: true }, SHOWN.join(' '))
      .sort({ create_time: -1, _id: -1 })
      .limit(limit + 1)
      .lean();
    const rows = found as unknown as Row[];
    const page = rows.slice(0, limit);
    const related = expand === undefined ? {} : await relatedOf(page);
    return { employees: page.map((row) => employeeOf(row, related)), next_page_token: rows.length > limit ? 'x' : '' };
  },
);

async function relatedOf(rows: readonly Row[]): Promise<Related> {
  const wanted = (ids: readonly string[]) => ({ _id: { $in: [...new Set(ids)] }, tenant_id: tenant });
  const byId = <T extends { _id: unknown }, As>(found: readonly T[]) =>
    new Map(found.map((row) => [String(row._id), row as unknown as As]));
  const [departments, jobTitles, managing] = await Promise.all([
    Department.find(wanted(rows.map((row) => row.department_id)), 'title').lean(),
    JobTitle.find(wanted(rows.map((row) => row.job_title_id)), 'title').lean(),
    Employee.find(wanted(rows.map((row) => row.manager_id)), 'person_id').lean(),
  ]);
  const managers = byId<(typeof managing)[number], Row>(managing);
  const ids = [...rows, ...managers.values()].map((row) => row.person_id);
  const found = await Person.find(wanted(ids), PERSON_SHOWN.join(' ')).lean();
  const persons = byId<(typeof found)[number], PersonRow>(found);
  return {
    departments: byId<(typeof departments)[number], Titled>(departments),
    jobTitles: byId<(typeof jobTitles)[number], Titled>(jobTitles),
    persons,
    managers: personsOf(managers, persons),
  };
}

const address = await app.listen({ host: '127.0.0.1', port: 0 });
ready(Number(new URL(address).port));
