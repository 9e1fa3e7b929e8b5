import { describe, expect, test } from '@jest/globals';
import { breaksBetween, report } from './breaking.ts';
import { asArray, asObject, type Contract, type Json, type JsonObject, readContract } from './read.ts';
import { ROOT } from './redocly.ts';
import { keptReleases, RELEASES_PATH } from './release.ts';

// The step `contract:breaking` of `npm test` names the program.
const oasdiff = process.env.OASDIFF ?? '';
/** The checks of oasdiff that find something. */
const found = async (before: Contract, after: Contract): Promise<string[]> =>
  (await breaksBetween(oasdiff, before, after)).map(({ id }) => id);

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

function breaks(change: Change): Promise<string[]> {
  const changed = structuredClone(base);
  change(changed);
  return found(base, changed);
}

const schema = (name: string, ...rest: string[]): Path => ['components', 'schemas', name, ...rest];
const property = (name: string, field: string, ...rest: string[]): Path => schema(name, 'properties', field, ...rest);
const verify: Path = ['paths', '/developer/v1/api_key/_verify', 'get'];
const employee: Path = ['paths', '/developer/v1/employees/{employee_id}', 'get'];
const create: Path = ['paths', '/developer/v1/documents', 'post'];
const ingest: Path = ['paths', '/developer/v1/ingest/{source_type}', 'post'];
const event: Path = ['webhooks', 'employee.changed', 'post'];

test('a contract does not break itself', async () => {
  expect(await found(base, structuredClone(base))).toEqual([]);
});

describe('breaks of operations', () => {
  test.each<[string, Change, string]>([
    ['gone', drop(['paths', '/developer/v1/documents']), 'api-path-removed-without-deprecation'],
    [
      'moved',
      (contract) => {
        const paths = asObject(contract.paths);
        paths['/developer/v1/papers'] = paths['/developer/v1/documents'];
        delete paths['/developer/v1/documents'];
      },
      'api-path-removed-without-deprecation',
    ],
    ['renamed', set([...create, 'operationId'], 'makeDocument'), 'api-operation-id-removed'],
    ['another scope', set([...employee, 'security'], [{ ApiKey: ['documents:read'] }]), 'api-security-scope-added'],
    [
      'a scope where none was needed',
      set([...verify, 'security'], [{ ApiKey: ['employees:read'] }]),
      'api-security-scope-added',
    ],
    ['a smaller largest body', set([...ingest, 'x-body-limit-bytes'], 1048576), 'request-property-max-decreased'],
    ['an answer gone', drop([...create, 'responses', '409']), 'response-non-success-status-removed'],
    [
      'a new status of success',
      set([...create, 'responses', '201'], { description: 'Created.' }),
      'response-success-status-added',
    ],
    [
      'the media type gone',
      drop([...create, 'responses', '200', 'content', 'application/json']),
      'response-media-type-removed',
    ],
    [
      'a header of another type',
      set(['components', 'headers', 'X-Request-Id', 'schema', 'type'], 'integer'),
      'response-property-type-changed',
    ],
    [
      'a header gone',
      drop([...create, 'responses', '200', 'headers', 'X-Request-Id']),
      'response-optional-property-removed',
    ],
    [
      'the body taken in another media type',
      drop([...create, 'requestBody', 'content', 'application/json']),
      'request-body-media-type-removed',
    ],
  ])('%s', async (_what, change, expected) => {
    expect(await breaks(change)).toContain(expected);
  });
  test('a body that became required', async () => {
    const optional = structuredClone(base);
    set([...create, 'requestBody', 'required'], false)(optional);
    expect(await found(optional, base)).toEqual(['request-body-became-required']);
  });
  test('a header that may now be absent', async () => {
    const required = structuredClone(base);
    set(['components', 'headers', 'X-Request-Id', 'required'], true)(required);
    expect(new Set(await found(required, base))).toEqual(new Set(['response-property-became-optional']));
  });
});

describe('breaks of parameters', () => {
  test.each<[string, Change, string]>([
    [
      'a shorter element of a list',
      set([...employee, 'parameters', 2, 'schema', 'items'], { type: 'string', maxLength: 5 }),
      'request-property-max-length-set',
    ],
    [
      'another type',
      set(['components', 'parameters', 'Limit', 'schema', 'type'], 'string'),
      'request-property-type-changed',
    ],
    ['gone', drop([...employee, 'parameters', 2]), 'request-property-removed'],
    ['required now', set([...employee, 'parameters', 2, 'required'], true), 'request-property-became-required'],
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
      'new-required-request-property',
    ],
    [
      'a lower maximum',
      set(['components', 'parameters', 'Limit', 'schema', 'maximum'], 1000),
      'request-property-max-decreased',
    ],
    [
      'another default',
      set(['components', 'parameters', 'Limit', 'schema', 'default'], 50),
      'request-property-default-value-changed',
    ],
    [
      'fewer values',
      set([...employee, 'parameters', 2, 'schema', 'maxItems'], 10),
      'request-property-max-items-decreased',
    ],
    [
      'another way of writing several values',
      set([...employee, 'parameters', 2, 'explode'], false),
      'request-property-removed',
    ],
    ['a format', set([...ingest, 'parameters', 0, 'schema', 'format'], 'uuid'), 'request-property-type-changed'],
    [
      'an optional header that is required',
      set([...create, 'parameters', 0, 'required'], true),
      'request-property-became-required',
    ],
  ])('%s', async (_what, change, expected) => {
    expect(await breaks(change)).toContain(expected);
  });
  test('another name of a path parameter is not a break', async () => {
    const renamed: Change = (contract) => {
      const paths = asObject(contract.paths);
      const item = paths['/developer/v1/employees/{employee_id}'];
      delete paths['/developer/v1/employees/{employee_id}'];
      paths['/developer/v1/employees/{id}'] = item;
      set(['paths', '/developer/v1/employees/{id}', 'get', 'parameters', 0, 'name'], 'id')(contract);
    };
    expect(await breaks(renamed)).toEqual([]);
  });
});

describe('breaks of a body', () => {
  test.each<[string, Change, string]>([
    ['a field gone', drop(property('CreateDocumentRequest', 'file_id')), 'request-property-removed'],
    [
      'a field required now',
      set(schema('CreateDocumentRequest', 'required'), ['title', 'date']),
      'request-property-became-required',
    ],
    [
      'a new required field',
      all(
        set(property('CreateDocumentRequest', 'type_id'), { type: 'string' }),
        set(schema('CreateDocumentRequest', 'required'), ['title', 'type_id']),
      ),
      'new-required-request-property',
    ],
    [
      'a shorter text',
      set(property('CreateDocumentRequest', 'title', 'maxLength'), 300),
      'request-property-max-length-decreased',
    ],
    [
      'a longer text',
      set(property('CreateDocumentRequest', 'title', 'minLength'), 3),
      'request-property-min-length-increased',
    ],
    ['a pattern', set(property('CreateDocumentRequest', 'title', 'pattern'), '^A'), 'request-property-pattern-added'],
    [
      'another type',
      set(property('CreateDocumentRequest', 'title', 'type'), 'integer'),
      'request-property-type-changed',
    ],
    [
      'an alternative gone',
      drop([...property('CreateDocumentRequest', 'size_bytes', 'anyOf'), 0]),
      'request-property-list-of-types-narrowed',
    ],
    [
      'the empty string gone',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }]),
      'request-property-any-of-removed',
    ],
    [
      'a list of values',
      set(property('CreateDocumentRequest', 'title', 'enum'), ['A']),
      'request-property-became-enum',
    ],
    ['unknown fields refused', set(schema('IngestRecord', 'additionalProperties'), false), 'request-property-removed'],
    [
      'fewer elements',
      set(property('IngestRequest', 'records', 'maxItems'), 100),
      'request-property-max-items-decreased',
    ],
    [
      'a field of an element',
      set(property('IngestRecord', 'first_name', 'maxLength'), 10),
      'request-property-max-length-decreased',
    ],
    [
      'free values described',
      set(property('CreateDocumentRequest', 'values', 'additionalProperties'), { type: 'string' }),
      'request-property-type-changed',
    ],
    [
      'a condition',
      set(schema('CreateDocumentRequest', 'dependentRequired'), { file_id: ['date'] }),
      'request-body-dependent-required-added',
    ],
  ])('%s', async (_what, change, expected) => {
    expect(await breaks(change)).toContain(expected);
  });
  test('a value removed from a list', async () => {
    expect(await breaks(drop([...schema('EmployeeStatus', 'enum'), 1]))).toContain(
      'request-property-enum-value-removed',
    );
  });
});

describe('breaks of an answer', () => {
  test.each<[string, Change, string]>([
    ['a field gone', drop(property('Employee', 'work_email')), 'response-optional-property-removed'],
    [
      'a field that may be absent',
      set(schema('Employee', 'required'), ['id', 'status', 'end_date', 'create_time']),
      'response-property-became-optional',
    ],
    ['another type', set(property('Employee', 'id', 'type'), 'integer'), 'response-property-type-changed'],
    ['null', set(property('Employee', 'id', 'type'), ['string', 'null']), 'response-property-became-nullable'],
    ['no format', drop(property('Employee', 'id', 'format')), 'response-property-type-changed'],
    [
      'an alternative more',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }, { const: '' }, { const: 'never' }]),
      'response-property-any-of-added',
    ],
    [
      'an alternative less',
      set(schema('DateOrEmpty', 'anyOf'), [{ format: 'date' }]),
      'response-property-any-of-removed',
    ],
    ['a value gone', drop([...schema('EmployeeStatus', 'enum'), 2]), 'request-property-enum-value-removed'],
    ['a list opened', drop(schema('EmployeeStatus', 'enum')), 'response-property-became-not-enum'],
    ['a field of a part', drop(property('Person', 'iin')), 'response-optional-property-removed'],
    [
      'another key of redaction',
      set(property('Person', 'iin', 'x-personal-data'), 'people.iin'),
      'response-optional-property-removed',
    ],
    [
      'elements of another type',
      set(property('Employee', 'redacted_fields', 'items'), { type: 'object' }),
      'response-property-type-changed',
    ],
    ['a body of an error', drop(property('Status', 'details')), 'response-required-property-removed'],
  ])('%s', async (_what, change, expected) => {
    expect(await breaks(change)).toContain(expected);
  });
  test('a limit that was promised', async () => {
    const limited = structuredClone(base);
    set(property('Employee', 'work_email', 'maxLength'), 100)(limited);
    expect(await found(limited, base)).toEqual(['response-property-max-length-unset']);
  });
});

describe('breaks of events and errors', () => {
  test.each<[string, Change, string]>([
    ['an event gone', drop(['webhooks', 'employee.changed']), 'api-path-removed-without-deprecation'],
    ['a field of its payload gone', drop(property('EmployeeEvent', 'id')), 'response-required-property-removed'],
    [
      'a field of its payload that may be absent',
      set(schema('EmployeeEvent', 'required'), ['type']),
      'response-property-became-optional',
    ],
    [
      'another type of event',
      set(property('EmployeeEvent', 'type', 'const'), 'employee.updated'),
      'response-property-const-changed',
    ],
    [
      'another method',
      (contract) => {
        const item = asObject(holder(contract, event.slice(0, -1)));
        item.put = item.post;
        delete item.post;
      },
      'api-removed-without-deprecation',
    ],
    ['an error gone', drop(['components', 'examples', 'INTERNAL']), 'api-path-removed-without-deprecation'],
    [
      'another textual code',
      set(['components', 'examples', 'INTERNAL', 'value', 'details', 0, 'reason'], 'FAULT'),
      'response-property-const-changed',
    ],
    [
      'another gRPC number',
      set(['components', 'examples', 'INTERNAL', 'value', 'code'], 2),
      'response-property-const-changed',
    ],
    [
      'another status',
      set(['components', 'examples', 'INTERNAL', 'x-http-status'], 502),
      'response-non-success-status-removed',
    ],
  ])('%s', async (_what, change, expected) => {
    // The check does not follow references to a removed error: the answers with that error are compared by their
    // schemas.
    expect(await breaks(change)).toContain(expected);
  });
  test('a header of a delivery removed', async () => {
    const signed = structuredClone(base);
    set(
      [...event, 'parameters'],
      [{ name: 'Service-Signature', in: 'header', required: true, schema: { type: 'string' } }],
    )(signed);
    expect(await found(signed, base)).toEqual(['response-required-property-removed']);
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
  ])('%s', async (_what, change) => {
    expect(await breaks(change)).toEqual([]);
  });
});

test('schemas that contain themselves are compared without an endless loop', async () => {
  const nested = structuredClone(base);
  set(property('Person', 'manager'), { $ref: '#/components/schemas/Person' })(nested);
  const changed = structuredClone(nested);
  drop(property('Person', 'first_name'))(changed);
  expect(new Set(await found(nested, changed))).toEqual(new Set(['response-optional-property-removed']));
});

test('schemas with "not" are refused, because their changes would be found by nothing', async () => {
  await expect(breaks(set(property('Employee', 'id', 'not'), { const: 'x' }))).rejects.toThrow(/"not"/);
});

test('no release breaks the one before, nor the contract the last', async () => {
  const files = [
    ...(await keptReleases()).map((version) => `${RELEASES_PATH}/${version}.yaml`),
    `${ROOT}/openapi.yaml`,
  ];
  const contracts = await Promise.all(files.map(readContract));
  const all = [];
  for (const [index, now] of contracts.slice(1).entries()) {
    const one = await breaksBetween(oasdiff, contracts[index] ?? {}, now);
    all.push(...one.map(({ text }) => `${files[index + 1]?.slice(ROOT.length)}: ${text}`));
  }
  expect(all).toEqual([
    // It takes more than base64 since then: either alphabet, line ends, PEM.
    expect.stringMatching(/1\.7\.0\.yaml: the `signature\/value` .*contentEncoding changed from `base64` to ``/),
  ]);
});

describe('the report', () => {
  test('names the place, what changed, and the check', async () => {
    const changed = structuredClone(base);
    set(property('CreateDocumentRequest', 'title', 'maxLength'), 300)(changed);
    expect(report(await breaksBetween(oasdiff, base, changed), 'openapi.yaml', '1.6.0.yaml')).toBe(
      `openapi.yaml breaks clients of 1.6.0.yaml in one place:

1. POST /developer/v1/documents
   the \`title\` request property's maxLength was decreased to \`300\`
   request-property-max-length-decreased
`,
    );
  });
  test('says that there is no break', () => {
    expect(report([], 'openapi.yaml', '1.6.0.yaml')).toBe('openapi.yaml breaks no client of 1.6.0.yaml.');
  });
});
