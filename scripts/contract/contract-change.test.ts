/**
 * Whoever changes the contract is led to every place that must follow. A copy of the project gets a new filter, field,
 * value, operation, error and type of event, and nothing else. The places that a person must then change are written
 * here by hand: the compiler, lint, the quick tests or the suite must name each of them.
 */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Document, parse, parseDocument } from 'yaml';
import { declaredInputs } from '../../conformance/judge/coverage.ts';
import { generate, writeFiles } from './generate/main.ts';
import { readContract } from './read.ts';

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'contract-change-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Stands for a rule that must be written. */
const RULE = 'rules of the suite';

interface ContractChange {
  readonly what: string;
  readonly change: (contract: Document) => void;
  /** Where something must be done, and what is named there. A file with `(` after it is named by the compiler. */
  readonly places: readonly (readonly [where: string, name: string])[];
  /** The page that says what to do, with the heading of the section if it has several. */
  readonly page: string;
  readonly heading?: string;
}

const get = (contract: Document, path: readonly string[]): unknown => JSON.parse(JSON.stringify(contract.getIn(path)));

const set = (contract: Document, path: readonly string[], value: unknown) =>
  contract.setIn(path, contract.createNode(value));

const add = (contract: Document, path: readonly string[], value: unknown) =>
  contract.addIn(path, contract.createNode(value));

/** Adds a copy of an entry in which words are replaced. */
function addLike(
  contract: Document,
  [path, name, other]: [readonly string[], string, string],
  words: [string, string][],
) {
  const text = JSON.stringify(contract.getIn([...path, name]));
  set(contract, [...path, other], JSON.parse(words.reduce((done, [from, to]) => done.replaceAll(from, to), text)));
}

/** The YAML that a page shows, block by block. */
function shownYaml(page: string): Record<string, unknown>[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = '', text = '']) =>
    parse(text.replaceAll(`\n${indent}`, '\n').slice(indent.length)),
  );
}

const schemas = ['components', 'schemas'];

const CHANGES: readonly ContractChange[] = [
  {
    what: 'a filter of a list',
    change(contract) {
      const schema = { type: 'string', minLength: 1, examples: ['5a9e2f70-3c4d-4b1e-9f60-2d1c0b9a8e07'] };
      const filter = { name: 'branch_id', in: 'query', description: 'Only rows of this branch.', schema };
      for (const list of ['employees', 'documents']) {
        add(contract, ['paths', `/developer/v1/${list}`, 'get', 'parameters'], filter);
      }
    },
    places: [
      ['handlers/employees/filters.ts(', "Property 'branch_id' is missing"],
      ['handlers/employees/index-choice.ts(', "Property 'branch_id' is missing"],
      ['handlers/documents/filters.ts(', "Property 'branch_id' is missing"],
      [RULE, 'listEmployees query branch_id'],
      [RULE, 'listDocuments query branch_id'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a filter to a list?',
  },
  {
    what: 'a field of a body',
    change: (contract) =>
      set(contract, [...schemas, 'CreateDocumentRequest', 'properties', 'folder_id'], {
        type: 'string',
        description: 'The folder.',
        examples: ['inbox'],
      }),
    places: [
      ['handlers/documents/create/creation.ts', 'createDocument body folder_id'],
      [RULE, 'createDocument body folder_id'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a field to a request, or a value to an enumeration?',
  },
  {
    what: 'a value of an enumeration: an expansion with its object',
    change(contract) {
      add(contract, ['components', 'parameters', 'ExpandEmployee', 'schema', 'items', 'enum'], 'organization');
      addLike(contract, [[...schemas, 'Employee', 'properties'], 'department', 'organization'], []);
    },
    places: [
      ['handlers/employees/expansions.ts', 'RelatedRow'],
      ['handlers/employees/view.ts', 'organization'],
      [RULE, 'listEmployees query expand = organization'],
      [RULE, 'getEmployee query expand = organization'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a field to a request, or a value to an enumeration?',
  },
  {
    what: 'an operation: the example of the documentation',
    change(contract) {
      const [paths = {}, answers = {}] = shownYaml('docs/adding-an-operation.md');
      for (const [path, item] of Object.entries(paths)) set(contract, ['paths', path], item);
      for (const [name, schema] of Object.entries(answers)) set(contract, [...schemas, name], schema);
    },
    places: [
      ['handlers/index.ts', 'getTenant'],
      ['every operation has a file of its own', 'handlers/api_key/getTenant.ts'],
      [RULE, 'getTenant'],
    ],
    page: 'docs/adding-an-operation.md',
  },
  {
    what: 'an error',
    change(contract) {
      const errors = ['components', 'examples'];
      addLike(contract, [errors, 'FILE_NOT_UPLOADED', 'FILE_TOO_OLD'], [['FILE.NOT_UPLOADED', 'FILE.TOO_OLD']]);
      const confirm = ['paths', '/developer/v1/files/{file_id}/_confirm', 'post', 'responses', '400'];
      const { $ref = '' } = get(contract, confirm) as { $ref?: string };
      const answer = $ref === '' ? confirm : $ref.split('/').slice(1);
      const named = [...answer, 'content', 'application/json', 'examples', 'FILE_TOO_OLD'];
      set(contract, named, { $ref: '#/components/examples/FILE_TOO_OLD' });
    },
    places: [
      ['house/error-table', 'FILE_TOO_OLD'],
      ['the server uses', 'error FILE_TOO_OLD'],
      [RULE, 'FILE_TOO_OLD'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add an error?',
  },
  {
    what: 'a type of event',
    change(contract) {
      const [old, type] = ['document.deleted', 'document.archived'];
      const names: [string, string][] = [
        [old, type],
        ['DocumentDeleted', 'DocumentArchived'],
      ];
      add(contract, [...schemas, 'WebhookEventType', 'enum'], type);
      addLike(contract, [['webhooks'], old, type], names);
      addLike(contract, [schemas, 'DocumentDeletedEvent', 'DocumentArchivedEvent'], names);
    },
    places: [
      ['house/room-for-all', 'event_types/maxItems'],
      ['handlers/documents/workflow/workflow.ts', 'event_types = document.archived'],
      ['handlers/documents/workflow/tables.ts', 'event_types = document.archived'],
      ['handlers/employees/write/employee-rows.ts', 'event_types = document.archived'],
      [RULE, 'document.archived'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add an event type?',
  },
];

/** Runs a program in the copy, which may fail. @returns what it said */
function said(...argv: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: copy, maxBuffer: 2 ** 28 }, (_, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
  });
}

/** Errors of the compiler in the server, each in one line. All the rest takes four times as long. */
async function compilerSays(): Promise<string[]> {
  const server = { extends: './tsconfig.json', include: ['generated', 'handlers'], exclude: ['**/*.test.ts'] };
  writeFileSync(join(copy, 'server.json'), JSON.stringify(server));
  const text = await said('node_modules/typescript7/bin/tsc', '--noEmit', '-p', 'server.json');
  return text.replace(/\n +/g, ' ').split('\n');
}

interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly failureMessages: readonly string[] }[];
  }[];
}

/** The lines of the failures of the quick tests, each with the title of its test. */
async function testsSay(): Promise<string[]> {
  const report = join(copy, 'quick.json');
  const tests = [
    'scripts/architecture',
    'scripts/contract/contract-uses',
    '-t',
    'where things are|the server uses|the rules',
  ];
  await said('node_modules/jest/bin/jest.js', '--runInBand', '--json', '--outputFile', report, ...tests);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults);
  return failed.flatMap(({ fullName, failureMessages }) =>
    failureMessages.flatMap((message) => message.split('\n').map((line) => `${fullName}: ${line}`)),
  );
}

interface LintReport {
  readonly problems: readonly { ruleId: string; message: string; location: readonly { pointer?: string }[] }[];
}

async function lintSays(): Promise<string[]> {
  const text = await said('scripts/contract/lint.ts', '--json');
  const { problems } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as LintReport;
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

/** What a run of the suite would report: inputs that no rule sends, if the rules of today send all of today's. */
async function suiteSays(): Promise<string[]> {
  const module = join(copy, 'conformance/judge/coverage.ts');
  const text = await said(
    '-e',
    `import(${JSON.stringify(module)}).then((m) => console.log(JSON.stringify(m.declaredInputs())))`,
  );
  const sent: Readonly<Record<string, readonly string[]>> = declaredInputs();
  const declared = JSON.parse(text.split('\n')[0] ?? '') as Readonly<Record<string, readonly string[]>>;
  return Object.entries(declared).flatMap(([operation, names]) =>
    names.filter((name) => !sent[operation]?.includes(name)).map((name) => `the ${RULE} send: ${operation} ${name}`),
  );
}

let lines: string[] = [];

beforeAll(async () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().trim().split('\n')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The tests of the architecture ask git for the files of the project.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  writeFileSync(join(copy, '.git/info/exclude'), '/node_modules\n');
  const file = join(copy, 'openapi.yaml');
  const contract = parseDocument(readFileSync(file, 'utf8'));
  for (const { change } of CHANGES) change(contract);
  writeFileSync(file, contract.toString());
  await writeFiles(join(copy, 'generated'), await generate(await readContract(file)));
  lines = (await Promise.all([compilerSays(), testsSay(), lintSays(), suiteSays()])).flat();
});

test.each(CHANGES)('$what: every place is named', ({ places }) => {
  const unnamed = places.filter(([where, name]) => !lines.some((line) => line.includes(where) && line.includes(name)));
  expect(unnamed).toEqual([]);
});

/** The text of a section of a page, or of the whole page. */
function sectionOf({ page, heading }: ContractChange): string {
  const text = readFileSync(join(root, page), 'utf8');
  if (heading === undefined) return text;
  const [, section = ''] = text.split(`\n### ${heading}\n`);
  return section.split(/\n##+ /)[0] ?? '';
}

test.each(CHANGES)('$what: the documentation names the same files', (change) => {
  const section = sectionOf(change);
  const isIn = (file: string) => section.includes(file) || section.includes(`\`${basename(file)}\``);
  const files = change.places.map(([where]) => where.replace('(', '')).filter((where) => where.startsWith('handlers/'));
  expect(files.filter((file) => !isIn(file))).toEqual([]);
  expect(section).toMatch(/\brule\b/);
  // It names nothing of the server that no check names, but the file that explains the columns of a list.
  const named = [...section.matchAll(/^(?:- | {2})[^\n]*?\]\((handlers\/[^)]+)\)/gm)].map(([, file = '']) => file);
  const sameSection = CHANGES.filter(({ page, heading }) => page === change.page && heading === change.heading);
  const names = sameSection.flatMap(({ places }) => places.map(([, name]) => name));
  const isNamed = (file: string) =>
    lines.some((line) => line.includes(file) && names.some((name) => line.includes(name)));
  expect(named.filter((file) => !isNamed(file) && file !== 'handlers/data/list.ts')).toEqual([]);
});
