import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testFolder } from '../kit/testing/test-folder.ts';
import { changed, fixture } from './changed.ts';
import type { Json } from './read.ts';
import { ROOT, redocly } from './redocly.ts';
import { houseRules } from './redocly-plugin.ts';

/**
 * What breaks a rule: a place of the fixture and what is put there, where undefined removes it, and a part of what is
 * said. It is said at this place, above or below it, unless another place is given.
 */
type Break = readonly [place: string, value: Json | undefined, said: string, elsewhere?: string];
type Breaks = Readonly<Record<string, readonly Break[]>>;

const GONE = undefined;
const verify = 'paths /developer/v1/api_key/_verify get';
const employee = 'paths /developer/v1/employees/{employee_id} get';
const ingest = 'paths /developer/v1/ingest/{source_type} post';
const event = 'webhooks employee.changed post';
const schemas = 'components schemas';
const person = `${schemas} Person properties`;
const request = `${schemas} CreateDocumentRequest properties`;
const answer = 'responses 200 content application/json examples';
const shown = `${employee} ${answer} active value employee`;
const internal = 'components responses Internal content application/json examples';
const patterned = (pattern: string, ...words: Json[]) => ({ type: 'string', pattern, 'x-pattern-words': words });

/** Rules of redocly.yaml, found by Redocly itself. */
const CONFIGURED: Breaks = {
  'rule/operation-id': [
    [`${verify} operationId`, 'apiKeyVerify', 'a verb and a noun'],
    [`${verify} operationId`, 'verify_ApiKey', 'camelCase'],
  ],
  'rule/event-id': [[`${event} operationId`, 'employeeChanged', 'as onEmployeeChanged is']],
  'rule/security': [
    [`${employee} security`, GONE, 'An operation says its scope'],
    [`${employee} security`, [], '[{ApiKey: []}]'],
  ],
  'rule/scope': [
    [`${employee} security`, [{ ApiKey: ['employees:read', 'documents:read'] }], 'has one scope, or none'],
    [`${employee} security`, [{ Other: [] }], 'has one scope, or none'],
  ],
  'rule/since': [
    [`${verify} x-since`, GONE, 'Write the release'],
    [`${event} x-since`, 'later', 'Write the release'],
  ],
  'rule/own-parameters': [
    ['paths /developer/v1/api_key/_verify parameters', [], 'Refer to the parameter at each operation'],
  ],
  'operation-singular-tag': [[`${verify} tags`, ['api_key', 'employees'], 'only one tag']],
  'operation-tag-defined': [
    [`${verify} tags`, ['keys'], 'defined in global tags'],
    [`${event} tags`, GONE, 'should be defined'],
  ],
  'rule/statuses': [
    [`${verify} responses 431`, GONE, '431 is required'],
    [`${verify} responses default`, { description: 'x' }, '"default" is disallowed'],
  ],
  'rule/statuses-of-bodies': [[`${ingest} responses 415`, GONE, '415 is required where there is a body']],
  'rule/named-bodies': [
    ['components responses Internal content application/json schema', { type: 'object' }, 'is a component'],
  ],
  'rule/answers': [['components responses Internal content', GONE, 'Say in which form']],
  'rule/shown-bodies': [[`${verify} ${answer}`, GONE, 'no named example']],
  'rule/described-schemas': [[`${schemas} Person description`, GONE, 'no description']],
  'rule/described-properties': [
    [`${person} iin description`, GONE, 'Say what it means'],
    [
      `${request} values`,
      { type: 'object', properties: { a: { type: 'string' } }, description: 'x' },
      'no description',
    ],
  ],
  'rule/described-headers': [['components headers X-Request-Id description', GONE, 'no description']],
  'rule/described-schemes': [['components securitySchemes ApiKey description', GONE, 'no description']],
  'parameter-description': [[`${employee} parameters 0 description`, GONE, 'description']],
  'operation-description': [[`${verify} description`, GONE, 'description']],
  'operation-summary': [[`${event} summary`, GONE, 'summary']],
  // A rule of the house that meets a form that it cannot read says so, and the other rules go on.
  'house/decisions': [['x-decisions D-9', null, 'Not judged']],
  // The form of our marks.
  struct: [
    ['x-decisions D-9 text', GONE, '`text`'],
    ['x-decisions D-2 kind', GONE, 'kind, departures'],
    ['x-decisions D-9 kind', 'fills', '`kind`'],
    ['x-decisions D-9 departures 1 source', GONE, '`source`'],
    ['x-decisions D-9 departures 0 kind', 'fills', 'beyond'],
  ],
  'rule/explained-errors': [['components examples INTERNAL x-remedy', GONE, 'when it occurs and what to do']],
  'no-unused-components': [
    [`${schemas} Orphan`, { type: 'string', description: 'x' }, 'Orphan'],
    ['x-unrouted-responses 501', GONE, 'NotImplemented', 'components responses NotImplemented'],
  ],
  'no-invalid-parameter-examples': [[`${ingest} parameters 1 example`, '', 'fewer than 1 characters']],
};

const HOUSE: Breaks = {
  'rate-limit': [
    ['components securitySchemes ApiKey x-rate-limit', GONE, 'does not state the limit'],
    [
      'components securitySchemes ApiKey description',
      'A key may make 12 requests a second.',
      '"may make 12 requests a second" is not the limit',
    ],
  ],
  'error-catalogue': [
    [`${internal} BROKEN`, { summary: 'x', value: {} }, 'BROKEN is not taken from the catalogue'],
    [`${internal} UNAVAILABLE`, { $ref: '#/components/examples/UNAVAILABLE' }, 'belongs to the status 503'],
    [`${internal} FAULT`, { $ref: '#/components/examples/INTERNAL' }, 'called FAULT but refers to INTERNAL'],
    ['components examples INTERNAL value details 0 reason', GONE, 'no ErrorInfo with a reason'],
  ],
  'error-table': [
    ['x-decisions D-2 text', errorTable(''), 'lacks the row "INTERNAL | INTERNAL | 13 | 500"'],
    [
      'x-decisions D-2 text',
      errorTable('| INTERNAL | INTERNAL | 13 | 501 | |'),
      'row "INTERNAL | INTERNAL | 13 | 501" is not in the catalogue',
    ],
  ],
  decisions: [
    [`${schemas} Person x-decision`, ['D-2', 'D-99'], 'D-99 does not exist'],
    ['x-decisions D-32 about', GONE, 'No place rests on the decision D-32'],
  ],
  'explained-values': [
    [`${schemas} EmployeeStatus x-decision`, GONE, 'What the values of EmployeeStatus mean rests on no decision'],
  ],
  'room-for-all': [
    [
      `${person} iin`,
      { type: 'array', uniqueItems: true, maxItems: 1, description: 'x', items: { type: 'string', enum: ['a', 'b'] } },
      'A list of all 2 values is refused',
    ],
  ],
  'pattern-words': [
    [`${person} value`, { type: 'string', pattern: '^a$' }, '^a$ does not say what it demands'],
    [
      `${person} code`,
      patterned('^a$', { demands: 'must be a', refuses: [] }),
      'has no value in `refuses` that breaks "must be a"',
    ],
    [
      `${person} code`,
      patterned('^a$', { demands: 'must be b', refuses: ['a'] }),
      'accepts "a", which should break "must be b"',
    ],
    [
      `${person} code`,
      patterned(
        '^a$',
        { demands: 'must be a', pattern: '^a', refuses: ['b'] },
        { demands: 'must be b', refuses: [''] },
      ),
      'has several demands. Give "must be b" a pattern',
    ],
    [
      `${person} code`,
      patterned('^[0-9]{1,19}$', { demands: 'must be a', refuses: [''] }),
      'demands "must be a" elsewhere',
      `${request} size_bytes anyOf 1`,
    ],
  ],
  'optional-null': [
    [`${request} file_id type`, 'string', 'CreateDocumentRequest.file_id is optional, so it must take null'],
    [`${request} title type`, ['string', 'null'], 'title is required, so it must not be null'],
    [
      `${request} subject_employee_ids items type`,
      ['string', 'null'],
      'An element of a list in CreateDocumentRequest must not be null',
    ],
  ],
  closed: [
    [`${schemas} Person additionalProperties`, true, 'not closed'],
    [`${schemas} EmployeeEvent additionalProperties`, GONE, 'not closed'],
    [`${schemas} IngestRecord additionalProperties`, GONE, 'does not say whether unknown fields'],
  ],
  'personal-data': [
    [`${person} iin x-personal-data`, true, 'The key must be persons.iin'],
    [`${person} iin x-personal-data`, 'persons.phone', 'The key must be persons.iin'],
    [`${person} iin x-personal-data`, GONE, 'Person.iin holds personal data'],
    [`${schemas} Person required`, ['iin'], 'is required, but', `${person} iin`],
  ],
  examples: [
    [`${shown} create_time`, '2025-02-30T04:30:00.000Z', '/employee/create_time must match format "date-time"'],
    [`${verify} ${answer} accepted value`, { ok: true }, 'additional'],
    [`${employee} parameters 0 example`, 'e-1', 'format "uuid"'],
    [`${schemas} Employee properties id examples`, ['e-1'], 'format "uuid"'],
    [`${shown} person iin`, '900101300126', 'possible identification number'],
    [`${shown} work_email`, 'aigerim@mail.kz', 'may belong to somebody'],
  ],
};

function errorTable(row: string): string {
  return `| Name | Textual code | gRPC code | HTTP |\n|---|---|---|---|\n${row}`;
}

/** The breaks of rules as rows of tests. */
const rowsOf = (breaks: Breaks) =>
  Object.entries(breaks).flatMap(([rule, rows]) => rows.map((row, index) => ({ rule, row, name: `${rule} ${index}` })));

/** What was said at a place that fits a break. */
function saidOf([place, , , elsewhere]: Break, found: readonly { place: string; message: string }[]): string[] {
  const fits = (at: string) =>
    elsewhere === undefined ? at.startsWith(place) || place.startsWith(at) : at === elsewhere;
  return found.filter((finding) => fits(finding.place)).map(({ message }) => message);
}

describe('the rules of the house', () => {
  const judge = (rule: string, contract = fixture) =>
    (houseRules[rule]?.(contract) ?? []).map(({ place, message }) => ({ place: place.join(' '), message }));

  test.each(rowsOf(HOUSE))('$rule: $row.2', ({ rule, row }) => {
    const [place, value, said] = row;
    expect(judge(rule)).toEqual([]);
    expect(saidOf(row, judge(rule, changed(fixture, [place, value])))).toContainEqual(expect.stringContaining(said));
  });

  test('are all broken here, and all turned on', async () => {
    const { rules } = parse(await readFile(join(ROOT, 'redocly.yaml'), 'utf8')) as { rules: Record<string, string> };
    const names = Object.keys(houseRules).toSorted();
    expect(Object.keys(HOUSE).toSorted()).toEqual(names);
    expect(Object.keys(rules).filter((name) => name.startsWith('house/'))).toHaveLength(names.length);
    expect(rules).toMatchObject(Object.fromEntries(names.map((name) => [`house/${name}`, 'error'])));
  });
});

describe('the rules of redocly.yaml', () => {
  interface Problem {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer: string; readonly source: { readonly ref: string } }[];
  }
  const folder = testFolder();
  let problems: Problem[];
  let exitCode: number | string;

  beforeAll(async () => {
    const broken = rowsOf(CONFIGURED).map(({ name, row: [place, value] }) => [name, changed(fixture, [place, value])]);
    const unexplained = changed(fixture, [`${schemas} EmployeeStatus x-decision`, GONE]);
    const files = [['whole', fixture] as const, ['house', unexplained] as const, ...broken].map(([name, contract]) => {
      const path = join(folder, `${String(name).replace('/', '-')}.yaml`);
      return writeFile(path, JSON.stringify(contract)).then(() => relative(ROOT, path));
    });
    const { output, code } = await redocly(['lint', ...(await Promise.all(files)), '--format', 'json']);
    exitCode = code;
    const documents = output.trim().split(/(?<=^\})(?=\{)/m);
    problems = documents.flatMap((part) => (JSON.parse(part) as { problems: Problem[] }).problems);
  });

  const of = (name: string) =>
    problems
      .filter(({ location }) => basename(location[0]?.source.ref ?? '') === `${name.replace('/', '-')}.yaml`)
      .map(({ ruleId, message, location }) => {
        const keys = (location[0]?.pointer ?? '').split('/').slice(1);
        const place = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join(' ');
        return { ruleId, message, place };
      });

  test('find nothing in a contract that follows them', () => expect(of('whole')).toEqual([]));

  test('are run with those of the house, and a finding is a failure', () => {
    const place = `${schemas} EmployeeStatus`;
    expect(of('house')).toEqual([expect.objectContaining({ ruleId: 'house/explained-values', place })]);
    expect(exitCode).toBe(1);
  });

  test.each(rowsOf(CONFIGURED))('$rule: $row.2, at $row.0', ({ rule, row, name }) => {
    const found = of(name).filter(({ ruleId }) => ruleId === rule);
    expect(saidOf(row, found)).toContainEqual(expect.stringContaining(row[2]));
  });
});
