import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, isCollection, parseDocument } from 'yaml';
import { hasRightChecksum } from './examples.ts';
import { ROOT, redocly } from './redocly.ts';
import { houseRules } from './redocly-plugin.ts';

/** One change that breaks the fixture: the rule that must report it, the place, and a part of the message. */
interface Break {
  what: string;
  rule: string;
  pointer: string;
  message: RegExp;
  change: (contract: Document) => void;
}

const verify = ['paths', '/developer/v1/api_key/_verify', 'get'];
const employee = ['paths', '/developer/v1/employees/{employee_id}', 'get'];
const ingest = ['paths', '/developer/v1/ingest/{source_type}', 'post'];
const event = ['webhooks', 'employee.changed', 'post'];
const schemas = ['components', 'schemas'];
const set =
  (path: unknown[], value: unknown) =>
  (contract: Document): void => {
    contract.setIn(path, contract.createNode(value));
  };
const drop =
  (path: unknown[]) =>
  (contract: Document): void => {
    if (!contract.deleteIn(path)) throw new Error(`nothing at ${path.join('/')}`);
  };

const BREAKS: Break[] = [
  {
    what: 'an operationId without a verb',
    rule: 'house/operation-id',
    pointer: '_verify/get/operationId',
    message: /"apiKeyVerify" is not a verb and a noun/,
    change: set([...verify, 'operationId'], 'apiKeyVerify'),
  },
  {
    what: 'an operationId with an underscore',
    rule: 'house/operation-id',
    pointer: '_verify/get/operationId',
    message: /camelCase/,
    change: set([...verify, 'operationId'], 'verify_ApiKey'),
  },
  {
    what: 'an event that is not called on…',
    rule: 'house/operation-id',
    pointer: 'employee.changed/post/operationId',
    message: /of an event/,
    change: set([...event, 'operationId'], 'employeeChanged'),
  },
  {
    what: 'no rate limit',
    rule: 'house/rate-limit',
    pointer: 'securitySchemes/ApiKey',
    message: /does not state the limit/,
    change: drop(['components', 'securitySchemes', 'ApiKey', 'x-rate-limit']),
  },
  {
    what: 'a text that states another limit',
    rule: 'house/rate-limit',
    pointer: 'ApiKey/description',
    message: /"may make 12 requests a second" is not the limit/,
    change: set(['components', 'securitySchemes', 'ApiKey', 'description'], 'A key may make 12 requests a second.'),
  },
  {
    what: 'an operation that does not say its scope',
    rule: 'house/scope',
    pointer: 'employee_id}/get',
    message: /getEmployee does not declare its scope/,
    change: drop([...employee, 'security']),
  },
  {
    what: 'an operation open to everybody',
    rule: 'house/scope',
    pointer: 'employee_id}/get',
    message: /\[\{ApiKey: \[\]\}\]/,
    change: set([...employee, 'security'], []),
  },
  {
    what: 'two scopes',
    rule: 'house/scope',
    pointer: 'employee_id}/get',
    message: /does not declare its scope/,
    change: set([...employee, 'security'], [{ ApiKey: ['employees:read', 'documents:read'] }]),
  },
  {
    what: 'an operation of no release',
    rule: 'house/since-and-tag',
    pointer: '_verify/get',
    message: /since which release/,
    change: drop([...verify, 'x-since']),
  },
  {
    what: 'two tags',
    rule: 'house/since-and-tag',
    pointer: '_verify/get',
    message: /has 2 tags/,
    change: set([...verify, 'tags'], ['api_key', 'employees']),
  },
  {
    what: 'an unknown tag',
    rule: 'house/since-and-tag',
    pointer: '_verify/get/tags',
    message: /the tag "keys"/,
    change: set([...verify, 'tags'], ['keys']),
  },
  {
    what: 'a status that is not listed',
    rule: 'house/statuses',
    pointer: '_verify/get/responses',
    message: /verifyApiKey does not list 431/,
    change: drop([...verify, 'responses', '431']),
  },
  {
    what: 'a body without 415',
    rule: 'house/statuses',
    pointer: 'source_type}/post/responses',
    message: /ingestRecords does not list 415/,
    change: drop([...ingest, 'responses', '415']),
  },
  {
    what: 'an error example that is not in the catalogue',
    rule: 'house/error-catalogue',
    pointer: 'responses/Internal/content/application~1json/examples/BROKEN',
    message: /BROKEN is not taken from the catalogue/,
    change: set(['components', 'responses', 'Internal', 'content', 'application/json', 'examples', 'BROKEN'], {
      summary: 'x',
      value: { code: 13, message: 'x', details: [] },
    }),
  },
  {
    what: 'an error at another status than its own',
    rule: 'house/error-catalogue',
    pointer: 'responses/Internal/content/application~1json/examples/UNAVAILABLE',
    message: /UNAVAILABLE belongs to the status 503 .* not to 500/,
    change: set(['components', 'responses', 'Internal', 'content', 'application/json', 'examples', 'UNAVAILABLE'], {
      $ref: '#/components/examples/UNAVAILABLE',
    }),
  },
  {
    what: 'an example under a name that is not its own',
    rule: 'house/error-catalogue',
    pointer: 'responses/Internal/content/application~1json/examples/FAULT',
    message: /called FAULT but refers to INTERNAL/,
    change: set(['components', 'responses', 'Internal', 'content', 'application/json', 'examples', 'FAULT'], {
      $ref: '#/components/examples/INTERNAL',
    }),
  },
  {
    what: 'an entry of the catalogue that nothing answers',
    rule: 'house/error-catalogue',
    pointer: '#/components/examples/NOT_IMPLEMENTED',
    message: /No operation answers with NOT_IMPLEMENTED/,
    change: drop(['x-unrouted-responses', '501']),
  },
  {
    what: 'an error without a textual code',
    rule: 'house/error-catalogue',
    pointer: '#/components/examples/INTERNAL/value',
    message: /no ErrorInfo with a reason/,
    change: drop(['components', 'examples', 'INTERNAL', 'value', 'details', 0, 'reason']),
  },
  {
    what: 'an answer without named errors',
    rule: 'house/error-catalogue',
    pointer: '#/components/responses/Internal',
    message: /500 has no named example/,
    change: drop(['components', 'responses', 'Internal', 'content', 'application/json', 'examples']),
  },
  ...[
    { what: 'lacks an error', row: '', message: /lacks the row "INTERNAL \| INTERNAL \| 13 \| 500"/ },
    {
      what: 'has an error at another status',
      row: '| INTERNAL | INTERNAL | 13 | 501 | |',
      message: /row "INTERNAL \| INTERNAL \| 13 \| 501" is not in the catalogue/,
    },
  ].map(({ what, row, message }) => ({
    what: `a table of errors that ${what}`,
    rule: 'house/error-table',
    pointer: '#/x-decisions/D-2/text',
    message,
    change: set(
      ['x-decisions', 'D-2', 'text'],
      `| Name | Textual code | gRPC code | HTTP |\n|---|---|---|---|\n${row}`,
    ),
  })),
  {
    what: 'a decision that does not exist',
    rule: 'house/decisions',
    pointer: '#/components/schemas/Person/x-decision',
    message: /D-99 does not exist/,
    change: set([...schemas, 'Person', 'x-decision'], ['D-2', 'D-99']),
  },
  {
    what: 'a decision on which nothing rests',
    rule: 'house/decisions',
    pointer: '#/x-decisions/D-32',
    message: /No place rests on the decision D-32/,
    change: drop(['x-decisions', 'D-32', 'about']),
  },
  {
    what: 'a decision without a text',
    rule: 'house/decisions',
    pointer: '#/x-decisions/D-9',
    message: /D-9 lacks a title or a text/,
    change: drop(['x-decisions', 'D-9', 'text']),
  },
  {
    what: 'a decision that does not say what it does to the source',
    rule: 'house/decision-kinds',
    pointer: '#/x-decisions/D-2',
    message: /D-2 does not say what it does to the source/,
    change: drop(['x-decisions', 'D-2', 'kind']),
  },
  {
    what: 'a decision that fills a gap and departs',
    rule: 'house/decision-kinds',
    pointer: '#/x-decisions/D-9',
    message: /D-9 does not say what it does to the source/,
    change: set(['x-decisions', 'D-9', 'kind'], 'fills'),
  },
  {
    what: 'a departure without what the source says',
    rule: 'house/decision-kinds',
    pointer: '#/x-decisions/D-9/departures/1',
    message: /A departure of D-9 is not whole/,
    change: drop(['x-decisions', 'D-9', 'departures', 1, 'source']),
  },
  {
    what: 'a departure without what is done instead',
    rule: 'house/decision-kinds',
    pointer: '#/x-decisions/D-9/departures/0',
    message: /A departure of D-9 is not whole/,
    change: drop(['x-decisions', 'D-9', 'departures', 0, 'instead']),
  },
  {
    what: 'a departure of another kind',
    rule: 'house/decision-kinds',
    pointer: '#/x-decisions/D-9/departures/0',
    message: /beyond, against/,
    change: set(['x-decisions', 'D-9', 'departures', 0, 'kind'], 'fills'),
  },
  {
    what: 'values whose meaning rests on no decision',
    rule: 'house/explained-values',
    pointer: '#/components/schemas/EmployeeStatus',
    message: /What the values of EmployeeStatus mean rests on no decision/,
    change: drop([...schemas, 'EmployeeStatus', 'x-decision']),
  },
  {
    what: 'a list too short for all values that it may have',
    rule: 'house/room-for-all',
    pointer: '#/components/schemas/Person/properties/iin/maxItems',
    message: /A list of all 2 values is refused/,
    change: set([...schemas, 'Person', 'properties', 'iin'], {
      type: 'array',
      uniqueItems: true,
      maxItems: 1,
      description: 'x',
      items: { type: 'string', enum: ['a', 'b'] },
    }),
  },
  {
    what: 'a property without a description',
    rule: 'house/described',
    pointer: '#/components/schemas/Person/properties/iin',
    message: /The property iin has no description/,
    change: drop([...schemas, 'Person', 'properties', 'iin', 'description']),
  },
  {
    what: 'a pattern without words',
    rule: 'house/pattern-words',
    pointer: '#/components/schemas/Person/properties/value',
    message: /\^a\$ does not say what it demands/,
    change: set([...schemas, 'Person', 'properties', 'value'], { type: 'string', pattern: '^a$' }),
  },
  {
    what: 'a demand that nothing breaks',
    rule: 'house/pattern-words',
    pointer: '#/components/schemas/Person/properties/code',
    message: /has no value in `refuses` that breaks "must be a"/,
    change: set([...schemas, 'Person', 'properties', 'code'], {
      type: 'string',
      pattern: '^a$',
      'x-pattern-words': [{ demands: 'must be a', refuses: [] }],
    }),
  },
  {
    what: 'a demand that is broken by what the pattern accepts',
    rule: 'house/pattern-words',
    pointer: '#/components/schemas/Person/properties/code',
    message: /accepts "a", which should break "must be b"/,
    change: set([...schemas, 'Person', 'properties', 'code'], {
      type: 'string',
      pattern: '^a$',
      'x-pattern-words': [{ demands: 'must be b', refuses: ['a'] }],
    }),
  },
  {
    what: 'one of two demands without a pattern of its own',
    rule: 'house/pattern-words',
    pointer: '#/components/schemas/Person/properties/code',
    message: /has several demands\. Give "must be b" a pattern/,
    change: set([...schemas, 'Person', 'properties', 'code'], {
      type: 'string',
      pattern: '^a$',
      'x-pattern-words': [
        { demands: 'must be a', pattern: '^a', refuses: ['b'] },
        { demands: 'must be b', refuses: ['b'] },
      ],
    }),
  },
  {
    what: 'one pattern with two meanings',
    rule: 'house/pattern-words',
    pointer: 'size_bytes/anyOf/1',
    message: /demands "must be a" elsewhere/,
    change: set([...schemas, 'Person', 'properties', 'code'], {
      type: 'string',
      pattern: '^[0-9]{1,19}$',
      'x-pattern-words': [{ demands: 'must be a', refuses: [''] }],
    }),
  },
  {
    what: 'a parameter without a description',
    rule: 'house/described',
    pointer: 'employee_id}/get/parameters/0',
    message: /The parameter employee_id of getEmployee/,
    change: drop([...employee, 'parameters', 0, 'description']),
  },
  {
    what: 'a header without a description',
    rule: 'house/described',
    pointer: '#/components/headers/X-Request-Id',
    message: /header X-Request-Id/,
    change: drop(['components', 'headers', 'X-Request-Id', 'description']),
  },
  {
    what: 'a schema without a description',
    rule: 'house/described',
    pointer: '#/components/schemas/Person',
    message: /The schema Person/,
    change: drop([...schemas, 'Person', 'description']),
  },
  {
    what: 'an operation without a description',
    rule: 'house/described',
    pointer: '_verify/get',
    message: /verifyApiKey lacks a summary or a description/,
    change: drop([...verify, 'description']),
  },
  {
    what: 'an optional field of a request that takes no null',
    rule: 'house/optional-null',
    pointer: '#/components/schemas/CreateDocumentRequest/properties/file_id',
    message: /CreateDocumentRequest\.file_id is optional, so it must take null/,
    change: set([...schemas, 'CreateDocumentRequest', 'properties', 'file_id', 'type'], 'string'),
  },
  {
    what: 'a required field of a request that takes null',
    rule: 'house/optional-null',
    pointer: '#/components/schemas/CreateDocumentRequest/properties/title',
    message: /title is required, so it must not be null/,
    change: set([...schemas, 'CreateDocumentRequest', 'properties', 'title', 'type'], ['string', 'null']),
  },
  {
    what: 'a list in a request whose elements may be null',
    rule: 'house/optional-null',
    pointer: 'subject_employee_ids/items',
    message: /An element of a list in CreateDocumentRequest must not be null/,
    change: set(
      [...schemas, 'CreateDocumentRequest', 'properties', 'subject_employee_ids', 'items', 'type'],
      ['string', 'null'],
    ),
  },
  {
    what: 'an open object in an answer',
    rule: 'house/closed',
    pointer: '#/components/schemas/Person',
    message: /not closed/,
    change: set([...schemas, 'Person', 'additionalProperties'], true),
  },
  {
    what: 'an object of an event that is not closed',
    rule: 'house/closed',
    pointer: '#/components/schemas/EmployeeEvent',
    message: /not closed/,
    change: drop([...schemas, 'EmployeeEvent', 'additionalProperties']),
  },
  {
    what: 'an object of a request that does not say it',
    rule: 'house/closed',
    pointer: '#/components/schemas/IngestRecord',
    message: /does not say whether unknown fields/,
    change: drop([...schemas, 'IngestRecord', 'additionalProperties']),
  },
  {
    what: 'a malformed mark of personal data',
    rule: 'house/personal-data',
    pointer: '#/components/schemas/Person/properties/iin/x-personal-data',
    message: /no key of the form object\.field/,
    change: set([...schemas, 'Person', 'properties', 'iin', 'x-personal-data'], true),
  },
  {
    what: 'a mark of another field',
    rule: 'house/personal-data',
    pointer: '#/components/schemas/Person/properties/iin/x-personal-data',
    message: /the field of the key must be iin/,
    change: set([...schemas, 'Person', 'properties', 'iin', 'x-personal-data'], 'persons.phone'),
  },
  {
    what: 'personal data without a mark',
    rule: 'house/personal-data',
    pointer: '#/components/schemas/Person/properties/iin',
    message: /Person\.iin holds personal data/,
    change: drop([...schemas, 'Person', 'properties', 'iin', 'x-personal-data']),
  },
  {
    what: 'a required field that can be hidden',
    rule: 'house/personal-data',
    pointer: '#/components/schemas/Person/properties/iin',
    message: /is required, but/,
    change: set([...schemas, 'Person', 'required'], ['iin']),
  },
  {
    what: 'a component that nothing uses',
    rule: 'house/used-components',
    pointer: '#/components/schemas/Orphan',
    message: /Nothing refers to Orphan/,
    change: set([...schemas, 'Orphan'], { type: 'string', description: 'Nobody wants it.' }),
  },
  {
    what: 'an example with a day that does not exist',
    rule: 'house/examples',
    pointer: 'examples/active',
    message: /\/employee\/create_time must match format "date-time"/,
    change: set(
      [
        ...employee,
        'responses',
        '200',
        'content',
        'application/json',
        'examples',
        'active',
        'value',
        'employee',
        'create_time',
      ],
      '2025-02-30T04:30:00.000Z',
    ),
  },
  {
    what: 'an example with a field that does not exist',
    rule: 'house/examples',
    pointer: 'examples/accepted',
    message: /additional/,
    change: set([...verify, 'responses', '200', 'content', 'application/json', 'examples', 'accepted', 'value'], {
      ok: true,
    }),
  },
  {
    what: 'an example of a parameter that does not match',
    rule: 'house/examples',
    pointer: 'parameters/0/example',
    message: /format "uuid"/,
    change: set([...employee, 'parameters', 0, 'example'], 'e-1'),
  },
  {
    what: 'an example of a property that does not match',
    rule: 'house/examples',
    pointer: '#/components/schemas/Employee/properties/id/examples/0',
    message: /format "uuid"/,
    change: set([...schemas, 'Employee', 'properties', 'id', 'examples'], ['e-1']),
  },
  {
    what: 'an answer without an example',
    rule: 'house/examples',
    pointer: '_verify/get/responses/200/content/application~1json',
    message: /no named example/,
    change: drop([...verify, 'responses', '200', 'content', 'application/json', 'examples']),
  },
  {
    what: 'an identification number that somebody may have',
    rule: 'house/examples',
    pointer: 'examples/active',
    message: /possible identification number/,
    change: set(
      [
        ...employee,
        'responses',
        '200',
        'content',
        'application/json',
        'examples',
        'active',
        'value',
        'employee',
        'person',
        'iin',
      ],
      '900101300126',
    ),
  },
  {
    what: 'an e-mail address that somebody may have',
    rule: 'house/examples',
    pointer: 'examples/active',
    message: /may belong to somebody/,
    change: set(
      [
        ...employee,
        'responses',
        '200',
        'content',
        'application/json',
        'examples',
        'active',
        'value',
        'employee',
        'work_email',
      ],
      'aigerim@mail.kz',
    ),
  },
];

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string; source: { ref: string } }[];
}

let folder: string;
let problems: Problem[];
let exitCode: number | string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-'));
  const text = await readFile(new URL('./fixture.yaml', import.meta.url), 'utf8');
  const files = [join(folder, 'whole.yaml')];
  await writeFile(join(folder, 'whole.yaml'), text);
  for (const [index, { change }] of BREAKS.entries()) {
    const contract = parseDocument(text);
    change(contract);
    if (!isCollection(contract.contents)) throw new Error('the fixture is no mapping');
    const path = join(folder, `break-${index}.yaml`);
    await writeFile(path, contract.toString());
    files.push(path);
  }
  const { output, code } = await redocly(['lint', ...files.map((path) => relative(ROOT, path)), '--format', 'json']);
  exitCode = code;
  const documents = output.trim().split(/(?<=^\})(?=\{)/m);
  problems = documents.flatMap((part) => (JSON.parse(part) as { problems: Problem[] }).problems);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function of(file: string): Problem[] {
  return problems.filter(({ location }) => basename(location[0]?.source.ref ?? '') === file);
}

test('a contract that follows the rules has no finding', () => {
  expect(of('whole.yaml')).toEqual([]);
});

test('the run fails if there are findings', () => {
  expect(exitCode).toBe(1);
});

describe('a violation is found at its place, with what to do', () => {
  test.each(BREAKS.map((each, index) => [each.what, each.rule, index] as const))('%s (%s)', (_what, rule, index) => {
    const wanted = BREAKS[index];
    const found = of(`break-${index}.yaml`).filter(({ ruleId }) => ruleId === rule);
    expect(found.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringMatching(wanted?.message ?? '')]),
    );
    const pointers = found.flatMap(({ location }) => location.map(({ pointer }) => pointer));
    expect(pointers).toEqual(expect.arrayContaining([expect.stringContaining(wanted?.pointer ?? '')]));
  });
  test('every house rule is violated at least once', () => {
    const broken = new Set(BREAKS.map(({ rule }) => rule));
    expect([...broken].sort()).toEqual(
      Object.keys(houseRules)
        .map((name) => `house/${name}`)
        .sort(),
    );
  });
});

test('the checksum of an identification number', () => {
  // 1·9+2·0+3·0+4·1+5·0+6·1+7·3+8·0+9·0+10·1+11·2 = 72, 72 mod 11 = 6.
  expect(hasRightChecksum('900101300126')).toBe(true);
  expect(hasRightChecksum('900101300123')).toBe(false);
  expect(hasRightChecksum('12')).toBe(false);
});
