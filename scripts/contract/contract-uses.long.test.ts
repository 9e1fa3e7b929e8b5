/**
 * Nothing of the contract may be accepted and ignored, nor be unknown to the suite: what is has a reason here. And whoever
 * changes the contract is led to every place that must follow: a copy of the project gets a new filter, field, value,
 * operation, error and type of event, and nothing else. The places that a person must then change are written here by
 * hand: the compiler, lint, the quick tests or the suite must name each of them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { declaredInputs } from '../../conformance/judge/coverage.ts';
import { RunningProgram } from '../kit/program.ts';
import { copyProject } from '../kit/project-copy.ts';
import { testFolder } from '../kit/testing/test-folder.ts';
import { at, type Change, changed } from './changed.ts';
import { type ContractName, contractUses } from './contract-uses.ts';
import { generate, writeFiles } from './generate/main.ts';
import { type Contract, type Json, readContract } from './read.ts';
import { unruled } from './unruled.ts';

const root = join(import.meta.dirname, '../..');
const copy = testFolder();

/** Stands for a rule that must be written. */
const RULE = 'rules of the suite';

interface ContractChange {
  readonly what: string;
  /** The name of what is new. */
  readonly name: string;
  readonly changes: (contract: Contract) => readonly Change[];
  /** Where something must be done, and what is named there. A file with `(` after it is named by the compiler. */
  readonly places: readonly (readonly [where: string, name: string])[];
  /** The page that says what to do, with the heading of the section if it has several. */
  readonly page: string;
  readonly heading?: string;
}

/** Adds an element to a list. */
const added = (contract: Contract, place: string, value: Json): Change => [
  `${place} ${(at(contract, place) as Json[]).length}`,
  value,
];

/** What stands at a place, with words replaced. */
const like = (contract: Contract, place: string, words: readonly (readonly [string, string])[]): Json =>
  JSON.parse(words.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(at(contract, place))));

/** The YAML that a page shows, block by block. */
function shownYaml(page: string): Record<string, Json>[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = '', text = '']) =>
    parse(text.replaceAll(`\n${indent}`, '\n').slice(indent.length)),
  );
}

const schemas = 'components schemas';

const CHANGES: readonly ContractChange[] = [
  {
    what: 'a filter of a list',
    name: 'branch_id',
    changes(contract) {
      const schema = { type: 'string', minLength: 1, examples: ['06fcb815-bc53-42c5-a29e-b2ef91f0db26'] };
      const filter = { name: 'branch_id', in: 'query', description: 'Only rows of this branch.', schema };
      return ['employees', 'documents'].map((list) =>
        added(contract, `paths /developer/v1/${list} get parameters`, filter),
      );
    },
    places: [
      ['handlers/employees/list.ts(', "Property 'branch_id' is missing"],
      ['handlers/documents/filters.ts(', "Property 'branch_id' is missing"],
      [RULE, 'listEmployees query branch_id'],
      [RULE, 'listDocuments query branch_id'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a filter to a list?',
  },
  {
    what: 'a field of a body',
    name: 'folder_id',
    changes: () => [
      [
        `${schemas} CreateDocumentRequest properties folder_id`,
        { type: 'string', description: 'The folder.', examples: ['inbox'] },
      ],
    ],
    places: [
      ['handlers/documents/create/creation.ts', 'createDocument body folder_id'],
      [RULE, 'createDocument body folder_id'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a field to a request, or a value to an enumeration?',
  },
  {
    what: 'a value of an enumeration: an expansion with its object',
    name: 'organization',
    changes: (contract) => [
      added(contract, 'components parameters ExpandEmployee schema items enum', 'organization'),
      [`${schemas} Employee properties organization`, at(contract, `${schemas} Employee properties department`)],
    ],
    places: [
      ['handlers/employees/view.ts', 'RelatedRow'],
      ['handlers/employees/view.ts', 'organization'],
      [RULE, 'listEmployees query expand = organization'],
      [RULE, 'getEmployee query expand = organization'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add a field to a request, or a value to an enumeration?',
  },
  {
    what: 'an operation: the example of the documentation',
    name: 'getTenant',
    changes() {
      const [paths = {}, answers = {}] = shownYaml('docs/adding-an-operation.md');
      return [
        ...Object.entries(paths).map(([path, item]): Change => [`paths ${path}`, item]),
        ...Object.entries(answers).map(([name, schema]): Change => [`${schemas} ${name}`, schema]),
      ];
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
    name: 'FILE_TOO_OLD',
    changes: (contract) => [
      [
        'components examples FILE_TOO_OLD',
        like(contract, 'components examples FILE_NOT_UPLOADED', [['FILE.NOT_UPLOADED', 'FILE.TOO_OLD']]),
      ],
      [
        'components responses InvalidFileConfirmation content application/json examples FILE_TOO_OLD',
        { $ref: '#/components/examples/FILE_TOO_OLD' },
      ],
    ],
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
    name: 'document.archived',
    changes(contract) {
      const names = [
        ['document.deleted', 'document.archived'],
        ['DocumentDeleted', 'DocumentArchived'],
      ] as const;
      return [
        added(contract, `${schemas} WebhookEventType enum`, 'document.archived'),
        ['webhooks document.archived', like(contract, 'webhooks document.deleted', names)],
        [`${schemas} DocumentArchivedEvent`, like(contract, `${schemas} DocumentDeletedEvent`, names)],
      ];
    },
    places: [
      ['house/room-for-all', 'event_types/maxItems'],
      ['handlers/documents/workflow/workflow.ts', 'event_types = document.archived'],
      ['handlers/employees/write/employee-rows.ts', 'event_types = document.archived'],
      [RULE, 'document.archived'],
    ],
    page: 'CONTRIBUTING.md',
    heading: 'What do I touch to add an event type?',
  },
];

/** Runs a program in the copy, which may fail. @returns what it said */
async function said(...argv: string[]): Promise<string> {
  const program = new RunningProgram([process.execPath, ...argv], { cwd: copy });
  await program.ended;
  return `${program.stdout}\n${program.stderr}`;
}

/** Errors of the compiler in the server, each in one line. All the rest takes four times as long. */
async function compilerSays(): Promise<string[]> {
  const server = { extends: './tsconfig.json', include: ['generated', 'handlers'], exclude: ['**/*.test.ts'] };
  writeFileSync(join(copy, 'server.json'), JSON.stringify(server));
  const text = await said('node_modules/typescript7/bin/tsc', '--noEmit', '-p', 'server.json');
  return text.replace(/\n +/g, ' ').split('\n');
}

/** The lines of the failure of the test of the architecture that demands files, each with its title. */
async function architectureSays(): Promise<string[]> {
  const title = 'every operation has a file of its own';
  const text = await said('node_modules/jest/bin/jest.js', '--runInBand', 'scripts/architecture', '-t', title);
  return text.split('\n').map((line) => `${title}: ${line}`);
}

interface LintReport {
  readonly problems: readonly { ruleId: string; message: string; location: readonly { pointer?: string }[] }[];
}

async function lintSays(): Promise<string[]> {
  const text = await said('scripts/contract/lint.ts', '--json');
  const { problems } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as LintReport;
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

/** What the suite knows of the contract of the copy. */
interface KnownContract {
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly errors: readonly string[];
  /** The rules on which a machine tries faults. */
  readonly tried: readonly string[];
}

async function knownContract(): Promise<KnownContract> {
  const script = `
    const { declaredInputs } = await import('./conformance/judge/coverage.ts');
    const { isByMachine } = await import('./conformance/mutation/by-machine.ts');
    const { rules } = await import('./conformance/rules/all-rules.ts');
    const { errors } = await import('./generated/contract.ts');
    const tried = rules.filter(isByMachine).map(({ id }) => id);
    console.log(JSON.stringify({ inputs: declaredInputs(), errors: Object.keys(errors), tried }));`;
  const path = join(copy, 'known-contract.mjs');
  writeFileSync(path, script);
  const text = await said(path);
  return JSON.parse(text.split('\n')[0] ?? '');
}

/** What a run of the suite would report: inputs that no rule sends, if the rules of today send all of today's. */
function unsentInputs({ inputs, errors }: KnownContract): string[] {
  const sent: Readonly<Record<string, readonly string[]>> = declaredInputs();
  const unsent = Object.entries(inputs).flatMap(([operation, names]) =>
    names.filter((name) => !sent[operation]?.includes(name)).map((name) => `${operation} ${name}`),
  );
  return [...unsent, ...unruled([...Object.keys(inputs), ...errors])].map((name) => `the ${RULE} send: ${name}`);
}

/** The rules that families make of each addition. */
const ADDED: readonly string[] = [
  'ERR-listEmployees.query.branch_id',
  'ERR-listDocuments.query.branch_id',
  'ERR-createDocument.folder_id',
  'ERR-getEmployee.query.expand',
  'AUTH-getTenant',
  'FLAG-getTenant',
  'SCOPE-getTenant',
  'ERR-getTenant.query',
];

let known: KnownContract;
let uses: ContractName[] = [];
let lines: string[] = [];
const toldUse = ({ name, neighbours }: ContractName) =>
  `the server uses: ${name}; its neighbours: ${neighbours.join(', ')}`;

beforeAll(async () => {
  copyProject(root, copy);
  // The tests of the architecture ask git for the files of the project.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  writeFileSync(join(copy, '.git/info/exclude'), '/node_modules\n');
  const today = await readContract(join(root, 'openapi.yaml'));
  const contract = changed(today, ...CHANGES.flatMap(({ changes }) => changes(today)));
  writeFileSync(join(copy, 'openapi.yaml'), JSON.stringify(contract, null, 2));
  await writeFiles(join(copy, 'generated'), await generate(contract));
  const saying = Promise.all([compilerSays(), architectureSays(), lintSays()]);
  known = await knownContract();
  uses = contractUses(copy, known.inputs, known.errors);
  const unused = uses.filter(({ isUsed }) => !isUsed).map(toldUse);
  lines = [...(await saying).flat(), ...unsentInputs(known), ...unused];
}, 600_000);

/** Inputs and errors that no code of the server reads or names, with the reasons. */
const unusedByReason: Readonly<Record<string, string>> = {
  'listEmployees query status = EMPLOYEE_STATUS_UNSPECIFIED':
    'No row has this value, so as a filter it matches nothing.',
};

test('the server uses every property, parameter and value that operations take, and every error, unless there is a reason', () => {
  const names = uses.map(({ name }) => name);
  const unused = uses.filter(({ name, isUsed }) => !isUsed && !CHANGES.some((change) => name.endsWith(change.name)));
  expect(unused.filter(({ name }) => unusedByReason[name] === undefined).map(toldUse)).toEqual([]);
  expect(unused.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(unusedByReason)));
  const some = [
    'listEmployees query page_token',
    'getDocumentTemplate path template_id',
    'createDocument body title',
    'setDocumentRoute body steps[].participants[].key_type = EDS',
    'ingestRecords body records[].ФизЛицо.ИИН',
    'error FILE_NOT_UPLOADED',
  ];
  expect(names).toEqual(expect.arrayContaining(some));
});

test.each(CHANGES)('$what: every place is named', ({ places }) => {
  const unnamed = places.filter(([where, name]) => !lines.some((line) => line.includes(where) && line.includes(name)));
  expect(unnamed).toEqual([]);
});

test('a parameter, a field, a value and an operation get rules without a line written, on which a machine tries faults', () => {
  expect(known.tried).toEqual(expect.arrayContaining([...ADDED]));
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
  // A page names no file of the server that no check names. One is excepted: it explains the columns of a list.
  const named = [...section.matchAll(/^(?:- | {2})[^\n]*?\]\((handlers\/[^)]+)\)/gm)].map(([, file = '']) => file);
  const sameSection = CHANGES.filter(({ page, heading }) => page === change.page && heading === change.heading);
  const names = sameSection.flatMap(({ places }) => places.map(([, name]) => name));
  const isNamed = (file: string) =>
    lines.some((line) => line.includes(file) && names.some((name) => line.includes(name)));
  expect(named.filter((file) => !isNamed(file) && file !== 'handlers/data/list.ts')).toEqual([]);
});
