import { describe, expect, test } from '@jest/globals';
import { report } from './breaking.ts';
import { compareContracts } from './compare.ts';
import { asArray, asObject, type Contract, type Json, type JsonObject, readContract } from './read.ts';

const base = await readContract(new URL('./fixture.yaml', import.meta.url).pathname);

type Change = (contract: Contract) => void;
type Path = readonly (string | number)[];

function holder(contract: Contract, path: Path): Json {
  return path.reduce<Json>((node, key) => {
    const next = Array.isArray(node) ? node[Number(key)] : asObject(node)[key];
    if (next === undefined) throw new Error(`nothing at ${path.join('/')}`);
    return next;
  }, contract);
}

function set(path: Path, value: Json): Change {
  return (contract) => {
    const node = holder(contract, path.slice(0, -1));
    if (Array.isArray(node)) node[Number(path.at(-1))] = value;
    else asObject(node)[String(path.at(-1))] = value;
  };
}

function drop(path: Path): Change {
  return (contract) => {
    const node = holder(contract, path.slice(0, -1));
    holder(contract, path);
    if (Array.isArray(node)) node.splice(Number(path.at(-1)), 1);
    else delete (node as JsonObject)[String(path.at(-1))];
  };
}

function all(...changes: Change[]): Change {
  return (contract) => {
    for (const change of changes) change(contract);
  };
}

function breaks(change: Change): string[] {
  const changed = structuredClone(base);
  change(changed);
  return compareContracts(base, changed).map(({ place, what }) => `${place}: ${what}`);
}

const schema = (name: string, ...rest: string[]): Path => ['components', 'schemas', name, ...rest];
const property = (name: string, field: string, ...rest: string[]): Path => schema(name, 'properties', field, ...rest);
const verify: Path = ['paths', '/developer/v1/api_key/_verify', 'get'];
const employee: Path = ['paths', '/developer/v1/employees/{employee_id}', 'get'];
const create: Path = ['paths', '/developer/v1/documents', 'post'];
const ingest: Path = ['paths', '/developer/v1/ingest/{source_type}', 'post'];
const event: Path = ['webhooks', 'employee.changed', 'post'];
const GET = 'GET /developer/v1/employees/{employee_id}';
const POST = 'POST /developer/v1/documents';

test('a contract does not break itself', () => {
  expect(compareContracts(base, structuredClone(base))).toEqual([]);
});

describe('breaks of operations', () => {
  test.each<[string, Change, string]>([
    ['gone', drop(['paths', '/developer/v1/documents']), `${POST}: The operation is gone.`],
    [
      'moved',
      (contract) => {
        const paths = asObject(contract.paths);
        paths['/developer/v1/papers'] = paths['/developer/v1/documents'];
        delete paths['/developer/v1/documents'];
      },
      `${POST}: The operation moved to POST /developer/v1/papers.`,
    ],
    [
      'renamed',
      set([...create, 'operationId'], 'makeDocument'),
      `${POST}: The operationId went from createDocument to makeDocument.`,
    ],
    [
      'another scope',
      set([...employee, 'security'], [{ ApiKey: ['documents:read'] }]),
      `${GET}: The scope went from employees:read to documents:read.`,
    ],
    [
      'a scope where none was needed',
      set([...verify, 'security'], [{ ApiKey: ['employees:read'] }]),
      'GET /developer/v1/api_key/_verify: The scope went from none to employees:read.',
    ],
    [
      'a smaller largest body',
      set([...ingest, 'x-body-limit-bytes'], 1048576),
      'POST /developer/v1/ingest/{source_type}: The largest body went from 33554432 to 1048576 bytes.',
    ],
    ['an answer gone', drop([...create, 'responses', '409']), `${POST} · 409: The answer is gone.`],
    [
      'a new status of success',
      set([...create, 'responses', '201'], { description: 'Created.' }),
      `${POST} · 201: A new status of success was added.`,
    ],
    [
      'the media type gone',
      drop([...create, 'responses', '200', 'content', 'application/json']),
      `${POST} · 200: application/json is gone.`,
    ],
    [
      'a header gone',
      drop([...create, 'responses', '200', 'headers', 'X-Request-Id']),
      `${POST} · 200 · header X-Request-Id: The header is gone.`,
    ],
    [
      'the body taken in another media type',
      drop([...create, 'requestBody', 'content', 'application/json']),
      `${POST} · body: application/json is gone.`,
    ],
  ])('%s', (_what, change, expected) => {
    expect(breaks(change)).toContain(expected);
  });
  test('a body that became required', () => {
    const optional = structuredClone(base);
    set([...create, 'requestBody', 'required'], false)(optional);
    expect(compareContracts(optional, base).map(({ what }) => what)).toEqual(['The body became required.']);
  });
  test('a header that may now be absent', () => {
    const required = structuredClone(base);
    set(['components', 'headers', 'X-Request-Id', 'required'], true)(required);
    expect(new Set(compareContracts(required, base).map(({ what }) => what))).toEqual(
      new Set(['The header was always there and may now be absent.']),
    );
  });
});

describe('breaks of parameters', () => {
  test.each<[string, Change, string]>([
    ['gone', drop([...employee, 'parameters', 2]), `${GET} · query status: The parameter is gone.`],
    [
      'required now',
      set([...employee, 'parameters', 2, 'required'], true),
      `${GET} · query status: The parameter became required.`,
    ],
    [
      'a new required one',
      (contract) => {
        asArray(holder(contract, [...employee, 'parameters'])).push({
          name: 'view',
          in: 'query',
          required: true,
          schema: { type: 'string' },
        });
      },
      `${GET} · query view: A required parameter was added.`,
    ],
    [
      'a lower maximum',
      set(['components', 'parameters', 'Limit', 'schema', 'maximum'], 1000),
      `${GET} · query limit: maximum went from 2147483647 to 1000.`,
    ],
    [
      'another default',
      set(['components', 'parameters', 'Limit', 'schema', 'default'], 50),
      `${GET} · query limit: The default went from 100 to 50.`,
    ],
    [
      'fewer values',
      set([...employee, 'parameters', 2, 'schema', 'maxItems'], 10),
      `${GET} · query status: maxItems went from 100 to 10.`,
    ],
    [
      'another way of writing several values',
      set([...employee, 'parameters', 2, 'explode'], false),
      `${GET} · query status: explode went from true to false.`,
    ],
    [
      'a format',
      set([...ingest, 'parameters', 0, 'schema', 'format'], 'uuid'),
      'POST /developer/v1/ingest/{source_type} · path source_type: format went from none to "uuid".',
    ],
    [
      'an optional header that is required',
      set([...create, 'parameters', 0, 'required'], true),
      `${POST} · header Idempotency-Key: The parameter became required.`,
    ],
  ])('%s', (_what, change, expected) => {
    expect(breaks(change)).toContain(expected);
  });
  test('another name of a path parameter is not a break', () => {
    const renamed: Change = (contract) => {
      const paths = asObject(contract.paths);
      const item = paths['/developer/v1/employees/{employee_id}'];
      delete paths['/developer/v1/employees/{employee_id}'];
      paths['/developer/v1/employees/{id}'] = item;
      set(['paths', '/developer/v1/employees/{id}', 'get', 'parameters', 0, 'name'], 'id')(contract);
    };
    expect(breaks(renamed)).toEqual([]);
  });
});

describe('breaks of a body', () => {
  test.each<[string, Change, string]>([
    [
      'a field gone',
      drop(property('CreateDocumentRequest', 'file_id')),
      `${POST} · body file_id: The field is no longer taken.`,
    ],
    [
      'a field required now',
      set(schema('CreateDocumentRequest', 'required'), ['title', 'date']),
      `${POST} · body date: The field became required.`,
    ],
    [
      'a new required field',
      all(
        set(property('CreateDocumentRequest', 'type_id'), { type: 'string' }),
        set(schema('CreateDocumentRequest', 'required'), ['title', 'type_id']),
      ),
      `${POST} · body type_id: The field became required.`,
    ],
    [
      'a shorter text',
      set(property('CreateDocumentRequest', 'title', 'maxLength'), 300),
      `${POST} · body title: maxLength went from 500 to 300.`,
    ],
    [
      'a longer text',
      set(property('CreateDocumentRequest', 'title', 'minLength'), 3),
      `${POST} · body title: minLength went from 1 to 3.`,
    ],
    [
      'a pattern',
      set(property('CreateDocumentRequest', 'title', 'pattern'), '^A'),
      `${POST} · body title: pattern went from none to "^A".`,
    ],
    [
      'another type',
      set(property('CreateDocumentRequest', 'title', 'type'), 'integer'),
      `${POST} · body title: The type went from string to integer.`,
    ],
    [
      'an alternative gone',
      drop([...property('CreateDocumentRequest', 'size_bytes', 'anyOf'), 0]),
      `${POST} · body size_bytes: The alternative {"type":"integer"} is no longer taken.`,
    ],
    [
      'the empty string gone',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }]),
      `${POST} · body date: The alternative {"type":"string","const":""} is no longer taken.`,
    ],
    [
      'a list of values',
      set(property('CreateDocumentRequest', 'title', 'enum'), ['A']),
      `${POST} · body title: Only "A" are taken now; any value was.`,
    ],
    [
      'unknown fields refused',
      set(schema('IngestRecord', 'additionalProperties'), false),
      'POST /developer/v1/ingest/{source_type} · body records[]: Unknown fields are refused now.',
    ],
    [
      'fewer elements',
      set(property('IngestRequest', 'records', 'maxItems'), 100),
      'POST /developer/v1/ingest/{source_type} · body records: maxItems went from 10000 to 100.',
    ],
    [
      'a field of an element',
      set(property('IngestRecord', 'first_name', 'maxLength'), 10),
      'POST /developer/v1/ingest/{source_type} · body records[].first_name: maxLength went from 1000 to 10.',
    ],
    [
      'free values described',
      set(property('CreateDocumentRequest', 'values', 'additionalProperties'), { type: 'string' }),
      `${POST} · body values.*: The type went from anything to string.`,
    ],
    [
      'a condition',
      set(schema('CreateDocumentRequest', 'dependentRequired'), { file_id: ['date'] }),
      `${POST} · body: The condition "dependentRequired" changed.`,
    ],
  ])('%s', (_what, change, expected) => {
    expect(breaks(change)).toContain(expected);
  });
  test('a value removed from a list', () => {
    expect(breaks(drop([...schema('EmployeeStatus', 'enum'), 1]))).toContain(
      `${GET} · query status[]: The value "EMPLOYEE_STATUS_ACTIVE" is gone.`,
    );
  });
});

describe('breaks of an answer', () => {
  const place = `${GET} · 200 employee`;
  test.each<[string, Change, string]>([
    ['a field gone', drop(property('Employee', 'work_email')), `${place}.work_email: The field is gone.`],
    [
      'a field that may be absent',
      set(schema('Employee', 'required'), ['id', 'status', 'end_date', 'create_time']),
      `${place}.redacted_fields: The field was always there and may now be absent.`,
    ],
    [
      'another type',
      set(property('Employee', 'id', 'type'), 'integer'),
      `${place}.id: The type went from string to integer.`,
    ],
    [
      'null',
      set(property('Employee', 'id', 'type'), ['string', 'null']),
      `${place}.id: The type went from string to null or string.`,
    ],
    ['no format', drop(property('Employee', 'id', 'format')), `${place}.id: format went from "uuid" to none.`],
    [
      'an alternative more',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }, { const: '' }, { const: 'never' }]),
      `${place}.end_date: The alternative {"type":"string","const":"never"} is new.`,
    ],
    [
      'an alternative less',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }]),
      `${place}.end_date: The alternative {"type":"string","const":""} is gone.`,
    ],
    [
      'a value gone',
      drop([...schema('EmployeeStatus', 'enum'), 2]),
      `${place}.status: The value "EMPLOYEE_STATUS_TERMINATED" is gone.`,
    ],
    [
      'a list opened',
      drop(schema('EmployeeStatus', 'enum')),
      `${place}.status: Any value can come now; only "EMPLOYEE_STATUS_UNSPECIFIED", "EMPLOYEE_STATUS_ACTIVE", "EMPLOYEE_STATUS_TERMINATED" could.`,
    ],
    ['a field of a part', drop(property('Person', 'iin')), `${place}.person.iin: The field is gone.`],
    [
      'another key of redaction',
      set(property('Person', 'iin', 'x-personal-data'), 'people.iin'),
      `${place}.person.iin: The key in redacted_fields went from "persons.iin" to "people.iin".`,
    ],
    [
      'elements of another type',
      set(property('Employee', 'redacted_fields', 'items'), { type: 'object' }),
      `${place}.redacted_fields[]: The type went from string to object.`,
    ],
    ['a body of an error', drop(property('Status', 'details')), `${GET} · 404 details: The field is gone.`],
  ])('%s', (_what, change, expected) => {
    expect(breaks(change)).toContain(expected);
  });
  test('a limit that was promised', () => {
    const limited = structuredClone(base);
    set(property('Employee', 'work_email', 'maxLength'), 100)(limited);
    expect(compareContracts(limited, base).map(({ place: where, what }) => `${where}: ${what}`)).toEqual([
      `${place}.work_email: maxLength went from 100 to none.`,
    ]);
  });
});

describe('breaks of events and errors', () => {
  test.each<[string, Change, string]>([
    ['an event gone', drop(['webhooks', 'employee.changed']), 'event employee.changed: The event is gone.'],
    [
      'a field of its payload gone',
      drop(property('EmployeeEvent', 'id')),
      'event employee.changed · id: The field is gone.',
    ],
    [
      'a field of its payload that may be absent',
      set(schema('EmployeeEvent', 'required'), ['type']),
      'event employee.changed · id: The field was always there and may now be absent.',
    ],
    [
      'another type of event',
      set(property('EmployeeEvent', 'type', 'const'), 'employee.updated'),
      'event employee.changed · type: The value "employee.changed" is gone.',
    ],
    [
      'another method',
      (contract) => {
        const item = asObject(holder(contract, event.slice(0, -1)));
        item.put = item.post;
        delete item.post;
      },
      'event employee.changed: It is no longer sent by POST.',
    ],
    [
      'an error gone',
      drop(['components', 'examples', 'INTERNAL']),
      'error INTERNAL: The error is gone from the catalogue.',
    ],
    [
      'another textual code',
      set(['components', 'examples', 'INTERNAL', 'value', 'details', 0, 'reason'], 'FAULT'),
      'error INTERNAL: The textual code went from INTERNAL to FAULT.',
    ],
    [
      'another gRPC number',
      set(['components', 'examples', 'INTERNAL', 'value', 'code'], 2),
      'error INTERNAL: The gRPC number went from 13 to 2.',
    ],
    [
      'another status',
      set(['components', 'examples', 'INTERNAL', 'x-http-status'], 502),
      'error INTERNAL: The HTTP status went from 500 to 502.',
    ],
  ])('%s', (_what, change, expected) => {
    // The check does not follow references to a removed error: the answers with that error are compared by their
    // schemas.
    expect(breaks(change)).toContain(expected);
  });
  test('a header of a delivery removed', () => {
    const signed = structuredClone(base);
    set(
      [...event, 'parameters'],
      [{ name: 'Service-Signature', in: 'header', required: true, schema: { type: 'string' } }],
    )(signed);
    expect(compareContracts(signed, base).map(({ place, what }) => `${place}: ${what}`)).toEqual([
      'event employee.changed · header Service-Signature: The header is gone.',
    ]);
  });
});

describe('what version 1 may gain', () => {
  test.each<[string, Change]>([
    [
      'an operation',
      (contract) => {
        const paths = asObject(contract.paths);
        paths['/developer/v1/things'] = { get: { ...asObject(holder(contract, verify)), operationId: 'listThings' } };
      },
    ],
    [
      'an optional field of a request',
      set(property('CreateDocumentRequest', 'note'), { type: 'string', maxLength: 10 }),
    ],
    [
      'an optional parameter',
      (contract) => {
        asArray(holder(contract, [...employee, 'parameters'])).push({
          name: 'view',
          in: 'query',
          schema: { type: 'string' },
        });
      },
    ],
    ['a field of an answer', set(property('Employee', 'nickname'), { type: 'string' })],
    [
      'a required field of an answer',
      all(
        set(property('Employee', 'nickname'), { type: 'string' }),
        set(schema('Employee', 'required'), ['id', 'status', 'end_date', 'create_time', 'redacted_fields', 'nickname']),
      ),
    ],
    [
      'a field that is always there now',
      set(schema('Employee', 'required'), ['id', 'status', 'end_date', 'create_time', 'redacted_fields', 'work_email']),
    ],
    [
      'an event type',
      (contract) => {
        asObject(contract.webhooks)['employee.moved'] = structuredClone(holder(contract, event.slice(0, -1)));
      },
    ],
    [
      'an error',
      (contract) => {
        asObject(holder(contract, ['components', 'examples'])).NEW = structuredClone(
          holder(contract, ['components', 'examples', 'INTERNAL']),
        );
      },
    ],
    [
      'an answer with an error',
      set([...verify, 'responses', '404'], { $ref: '#/components/responses/EmployeeNotFound' }),
    ],
    ['an enumerated value, sent and taken', set([...schema('EmployeeStatus', 'enum'), 3], 'EMPLOYEE_STATUS_LEAVE')],
    ['a looser limit of a request', set(property('CreateDocumentRequest', 'title', 'maxLength'), 1000)],
    ['a request without a limit', drop(property('CreateDocumentRequest', 'title', 'maxLength'))],
    ['a tighter answer', set(property('Employee', 'work_email', 'maxLength'), 100)],
    ['a request field that need not be there', drop(schema('CreateDocumentRequest', 'required'))],
    [
      'an alternative of a request',
      set([...property('CreateDocumentRequest', 'size_bytes', 'anyOf'), 2], { type: 'null' }),
    ],
    ['no need of a scope', set([...employee, 'security'], [{ ApiKey: [] }])],
    ['a larger body', set([...create, 'x-body-limit-bytes'], 33554432)],
    [
      'a header of an answer',
      set([...create, 'responses', '200', 'headers', 'Deprecation'], { description: 'x', schema: { type: 'string' } }),
    ],
    ['other words', all(set([...create, 'summary'], 'Other'), set(schema('Employee', 'description'), 'Other'))],
    [
      'another name of a component',
      (contract) => {
        const schemas = asObject(holder(contract, ['components', 'schemas']));
        schemas.Human = schemas.Person;
        set(property('Employee', 'person', '$ref'), '#/components/schemas/Human')(contract);
      },
    ],
  ])('%s', (_what, change) => {
    expect(breaks(change)).toEqual([]);
  });
});

test('schemas that contain themselves are compared without an endless loop', () => {
  const nested = structuredClone(base);
  set(property('Person', 'manager'), { $ref: '#/components/schemas/Person' })(nested);
  const changed = structuredClone(nested);
  drop(property('Person', 'first_name'))(changed);
  expect(compareContracts(nested, changed).map(({ place }) => place)).toEqual([
    `${GET} · 200 employee.person.first_name`,
  ]);
});

describe('the report', () => {
  test('names the place, what changed, why it breaks and what to do', () => {
    const changed = structuredClone(base);
    set(property('CreateDocumentRequest', 'title', 'maxLength'), 300)(changed);
    expect(report(compareContracts(base, changed), 'openapi.yaml', '1.6.0.yaml')).toBe(
      `openapi.yaml breaks clients of 1.6.0.yaml in one place:

1. POST /developer/v1/documents · body title
   maxLength went from 500 to 300.
   Why it breaks: A request that was accepted is now refused.
   What to do: Keep maxLength at 500.
`,
    );
  });
  test('says that there is no break', () => {
    expect(report([], 'openapi.yaml', '1.6.0.yaml')).toBe('openapi.yaml breaks no client of 1.6.0.yaml.');
  });
});
