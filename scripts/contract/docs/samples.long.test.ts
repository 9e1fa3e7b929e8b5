/** Every sample of the docs and of their guide, run as a reader runs it: copied, with a key in `KEY` and the reader's own ids. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signWebhook } from '../../../client/src/index.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { freePort } from '../../kit/ports.ts';
import { RunningProgram } from '../../kit/program.ts';
import { onPath } from '../../kit/tools.ts';
import { build } from '../../packages/client.ts';
import { ask, type JsonAnswer } from '../../world/ask.ts';
import { postForm } from '../../world/disk-storage.ts';
import type { TestTenant } from '../../world/tenant.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { compilerOf } from '../examples.ts';
import { type ContractOperation, operationsOf, readContract } from '../read.ts';
import { GUIDE, GUIDE_ADDRESS, type GuideName, guideText } from './guide.ts';
import { type CodeSample, samplesOf, serverOf } from './samples.ts';

const root = resolvePath(import.meta.dirname, '../../..');
const contract = await readContract(join(root, 'openapi.yaml'));
const folder = temporaryFolder('samples-');
const deployment = await testDeployment();

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n';
const DOCUMENT = '3f0c1b52-8a4e-4d0b-9a51-6f2f1c7be201';
const FILE = 'da517b80-84f9-40c3-be5a-1706f2e4d31b';
const ENDPOINT = 'eb628c91-950a-41d4-8f6b-28170305e41c';

let api = '';
let tenant: TestTenant;
/** The ids in samples that each call may use again, with those that a reader of this tenant would write instead. */
let ids: Record<string, string> = {};
let owner = { employee: '', user: '' };

async function makeTenant(): Promise<void> {
  tenant = await deployment.tenant();
  const employee = await tenant.employee();
  owner = { employee, user: await tenant.user({ employee_id: employee, super_admin: true }) };
  const type = await tenant.type();
  const text = { type: 'string' };
  const variables = {
    employee_name: text,
    leave_type: text,
    start_date: { ...text, format: 'date' },
    days: { type: 'integer' },
    reason: text,
  };
  const version = { variables, content: [] };
  const template = await tenant.templateOf(type, version, version, version);
  const organization = crypto.randomUUID();
  const time = new Date();
  const times = { create_time: time, update_time: time };
  const titled = { tenant_id: tenant.id, title: 'Кадры', ...times };
  await tenant.store.organizations.insertOne({ ...titled, _id: organization });
  await tenant.store.document_categories.insertOne({ ...titled, _id: crypto.randomUUID(), parent_id: '' });
  ids = {
    '38e0af6a-b72e-42fc-ac73-52dfded9d1fa': employee,
    '3b07b3d9-a610-4cf6-92ad-077a65542fc9': template,
    '2eca6885-97c2-4341-acd6-2d15be014d1f': template,
    '5fdf21a9-dd84-418b-b6b1-3c461374b7c5': type,
    '06fcb815-bc53-42c5-a29e-b2ef91f0db26': organization,
    '3959921e-f093-4336-9e2d-47a571891cd6': await tenant.employee(),
    '2a3e8870-6f94-489f-836b-3a1f23ad8fa6': await tenant.employee(),
    '4f3d68b8-5f91-46bf-8f91-bb65b8ca95cc': await tenant.employee(),
  };
}

/** One request of the reader before the sample. Each has a key of its own, so that no limit is reached. */
async function before(path: string, body: object): Promise<JsonAnswer['body']> {
  const key = await tenant.key({ owner_id: owner.user });
  const url = `${api}/developer/v1/${path}`;
  const again = { 'Idempotency-Key': crypto.randomUUID() };
  const { status, body: answer } = await ask('POST', url, key, body, again);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function draft(): Promise<string> {
  const [type_id, template_id] = [
    ids['5fdf21a9-dd84-418b-b6b1-3c461374b7c5'],
    ids['2eca6885-97c2-4341-acd6-2d15be014d1f'],
  ];
  const answer = await before('documents', { title: 'Приказ об отпуске', type_id, template_id });
  return answer.document.id;
}

/** A draft that the reader signs, and before that approves. */
async function routed(...types: readonly string[]): Promise<string> {
  const id = await draft();
  const participants = [{ employee_id: owner.employee }];
  await before(`documents/${id}/_set_route`, { steps: types.map((step_type) => ({ step_type, participants })) });
  return id;
}

async function sent(...types: readonly string[]): Promise<string> {
  const id = await routed(...types);
  await before(`documents/${id}/_send`, {});
  return id;
}

async function uploaded(): Promise<string> {
  const wanted = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: PDF.length };
  const { file, upload } = await before('files', wanted);
  expect(await postForm(upload, PDF)).toBe(204);
  return file.id;
}

async function endpoint(): Promise<string> {
  const made = await before('webhook_endpoints', {
    url: deployment.receiver.url,
    event_types: ['employee.changed'],
  });
  return made.webhook_endpoint.id;
}

/** What a reader has done before an operation, and the id that it gave. */
const EARLIER: Readonly<Record<string, readonly [id: string, make: () => Promise<string>]>> = {
  getDocument: [DOCUMENT, draft],
  setDocumentRoute: [DOCUMENT, draft],
  sendDocument: [DOCUMENT, () => routed('STEP_TYPE_SIGNING')],
  approveDocument: [DOCUMENT, () => sent('STEP_TYPE_APPROVAL', 'STEP_TYPE_SIGNING')],
  signDocument: [DOCUMENT, () => sent('STEP_TYPE_SIGNING')],
  rejectDocument: [DOCUMENT, () => sent('STEP_TYPE_APPROVAL', 'STEP_TYPE_SIGNING')],
  downloadDocument: [DOCUMENT, draft],
  confirmFile: [FILE, uploaded],
  testWebhookEndpoint: [ENDPOINT, endpoint],
  deleteWebhookEndpoint: [ENDPOINT, endpoint],
};

/** A sample with the address of this service and ids that exist here; all else as it is written. */
function filled(sample: string, own: Readonly<Record<string, string>> = {}): string {
  const hooks = { 'https://hooks.example.com': deployment.receiver.url };
  const instead = { ...ids, ...own, ...hooks, [serverOf(contract)]: api, [GUIDE_ADDRESS]: api };
  return Object.entries(instead).reduce((text, [from, to]) => text.replaceAll(from, to), sample);
}

const TOOLS = {
  curl: { program: 'curl', fence: 'sh', ending: 'sh', argv: ['bash', '-euo', 'pipefail'] },
  JavaScript: { program: 'node', fence: 'js', ending: 'mjs', argv: [process.execPath] },
  Python: { program: 'python3', fence: 'python', ending: 'py', argv: ['python3'] },
} as const;
type ToolName = keyof typeof TOOLS;

interface SampleRun {
  readonly tool: string;
  readonly ending: number | string;
  /** What it printed: a failure to the standard error. */
  readonly said: string;
}

async function run(operationId: string, { label, source }: CodeSample): Promise<SampleRun> {
  const [id = '', make] = EARLIER[operationId] ?? [];
  const own = make === undefined ? {} : { [id]: await make() };
  return ended(await started(label, operationId, filled(source, own)));
}

/** Starts a program, with a key of its own. @param name of its file, and of the folder where it keeps files */
async function started(tool: ToolName, name: string, source: string, more: NodeJS.ProcessEnv = {}) {
  const { argv, ending } = TOOLS[tool];
  const cwd = join(folder, `${name}.${ending}.files`);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'scan.pdf'), PDF);
  const path = join(folder, `${name}.${ending}`);
  writeFileSync(path, source);
  const env = { ...process.env, KEY: await tenant.key({ owner_id: owner.user }), no_proxy: '127.0.0.1', ...more };
  return { tool, program: new RunningProgram([...argv, path], { cwd, env }) };
}

async function ended({ tool, program }: Awaited<ReturnType<typeof started>>): Promise<SampleRun> {
  const ending = await program.ended;
  return { tool, ending, said: ending === 0 ? program.stdout : program.stderr };
}

beforeAll(async () => {
  await deployment.receive();
  api = (await deployment.start()).url;
  await makeTenant();
  await draft();
  const installed = join(folder, 'node_modules/developer-api-client');
  mkdirSync(installed, { recursive: true });
  build(join(installed, 'dist'));
  cpSync(join(root, 'client/package.json'), join(installed, 'package.json'));
});

const samples = samplesOf(contract);
const compile = compilerOf(contract);
const isThere = (label: ToolName) => onPath(TOOLS[label].program, process.env) !== undefined;
const tools = (Object.keys(TOOLS) as ToolName[]).filter(isThere);

const missing = Object.values(TOOLS).filter(({ program }) => onPath(program, process.env) === undefined);
if (missing.length > 0) test.skip(`DID NOT RUN: not on the PATH: ${missing.map(({ program }) => program)}`, () => {});

/** Whether it is what the operation promises: curl succeeds with a refusal too. */
const isPromised = ({ answer: schema = {} }: ContractOperation, answer: string): boolean =>
  compile(schema)(JSON.parse(answer));

describe(`the samples in ${tools.join(', ')} run as they are written`, () => {
  test.each(operationsOf(contract).map((each) => [each.operationId, each] as const))('%s', async (id, operation) => {
    const chosen = (samples.get(id) ?? []).filter(({ label }) => tools.includes(label));
    const runs = await Promise.all(chosen.map((sample) => run(id, sample)));
    expect(runs).toEqual(tools.map((tool) => ({ tool, ending: 0, said: expect.stringMatching(/\S/) })));
    const [byCurl] = runs.filter(({ tool }) => tool === 'curl');
    if (byCurl) expect([byCurl.said, isPromised(operation, byCurl.said)]).toEqual([byCurl.said, true]);
  });
});

/** The blocks of a page in one language, which continue one another. '' for none. */
function blocksOf(page: GuideName, tool: ToolName): string {
  const blocks = [...guideText(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, fence, code = '']) => (fence === TOOLS[tool].fence ? [code] : [])).join('\n');
}

/** What shows that the program did what its page says. */
const SAYS: Readonly<Record<GuideName, Partial<Record<ToolName, RegExp>>>> = {
  'first-call': {
    curl: /^\{\}HTTP.*ratelimit: "key".*"redacted_fields"/is,
    JavaScript: /Сейітова/,
    Python: /Сейітова/,
  },
  'paging-and-syncing': {
    curl: /^[0-9a-f-]{36}\n/,
    JavaScript: /\n[4-9] \d{4}-/,
    Python: /STATUS_ACTIVE\n[4-9] changed/,
  },
  'documents-and-files': { curl: /"leave_type".*"title":"Скан приказа"/s, JavaScript: /^[0-9a-f-]{36}\n$/ },
  webhooks: { curl: /"status_code":2\d\d.*\{\}$/s },
  errors: { curl: /^(\{\}){30}$/, JavaScript: /^limit must be/, Python: /^$/ },
};
const isShellThere = onPath('jq', process.env) !== undefined && tools.includes('curl');
if (!isShellThere) test.skip('DID NOT RUN: the guide in curl, for jq is not on the PATH', () => {});

describe('the guide runs as it is written', () => {
  test.each(GUIDE)('%s', async (page) => {
    const expected = Object.entries(SAYS[page]).filter(([tool]) =>
      tool === 'curl' ? isShellThere : isThere(tool as ToolName),
    );
    const programs = expected.map(([tool]) =>
      started(tool as ToolName, page, filled(blocksOf(page, tool as ToolName))),
    );
    const runs = await Promise.all(programs.map(async (program) => ended(await program)));
    expect(runs).toEqual(expected.map(([tool, said]) => ({ tool, ending: 0, said: expect.stringMatching(said) })));
  });

  test('its receiver takes a delivery, reads the employee, and refuses what is not signed', async () => {
    const [SECRET, PORT] = ['whsec_c2VjcmV0IG9mIGEgdGVzdA', String(await freePort())];
    const source = filled(blocksOf('webhooks', 'JavaScript'));
    const { program } = await started('JavaScript', 'receiver', source, { SECRET, PORT });
    await program.line((line) => line.startsWith('listening'));
    const data = { employee_id: owner.employee };
    const body = JSON.stringify({ id: '1', type: 'employee.changed', occurred_at: '2026-03-01T09:00:00.000Z', data });
    const post = async (secret: string) => {
      const headers = { 'Service-Signature': await signWebhook(body, secret) };
      return (await fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', body, headers })).status;
    };
    expect([await post('whsec_other'), await post(SECRET)]).toEqual([400, 200]);
    await program.stop();
    expect(program.stdout).toContain(`employee.changed ${owner.employee} EMPLOYEE_STATUS_ACTIVE`);
  });
});
