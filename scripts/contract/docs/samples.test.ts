/** Every sample of the docs, run as a reader runs it: copied, with a key in `KEY` and the reader's own ids. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { build } from '../../../client/build.ts';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { RunningProgram } from '../../../conformance/processes/program.ts';
import { ask } from '../../testbed/ask.ts';
import { onPath } from '../../testbed/go-tool.ts';
import type { TestTenant } from '../../testbed/tenant.ts';
import { testDeployment } from '../../testbed/test-deployment.ts';
import { compilerOf } from '../examples.ts';
import { asObject, type ContractOperation, type JsonObject, operationsOf, readContract, resolve } from '../read.ts';
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
  const variables = {
    vacation_start: { type: 'string', format: 'date' },
    vacation_days: { type: 'integer' },
    reason: { type: 'string' },
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
    '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10': employee,
    'd4a7c3e1-6b28-4f90-8e15-9a0b1c2d3e4f': template,
    '7c2e9d10-1f3b-4a6c-8d5e-0b9a8c7d6e03': template,
    'b1d7a3c4-52e6-4f1a-8c0d-7e9f2a3b4c05': type,
    '5a9e2f70-3c4d-4b1e-9f60-2d1c0b9a8e07': organization,
    '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04': await tenant.employee(),
    'c07e4b91-5d28-4a36-9e1f-7b6a5c4d3e0b': await tenant.employee(),
    'e19a6d35-8f04-4b7c-8a2d-6c5b4a392f0d': await tenant.employee(),
  };
}

/** One request of the reader before the sample. Each has a key of its own, so that no limit is reached. */
async function before(path: string, body: object): Promise<JsonObject> {
  const key = await tenant.key({ owner_id: owner.user });
  const { status, body: answer } = await ask('POST', `${api}/developer/v1/${path}`, key, body);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function draft(): Promise<string> {
  const [type_id, template_id] = [
    ids['b1d7a3c4-52e6-4f1a-8c0d-7e9f2a3b4c05'],
    ids['7c2e9d10-1f3b-4a6c-8d5e-0b9a8c7d6e03'],
  ];
  const answer = await before('documents', { title: 'Приказ об отпуске', type_id, template_id });
  return String(asObject(answer.document).id);
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
  const { file, upload } = (await before('files', wanted)) as {
    file: { id: string };
    upload: { url: string; fields: Record<string, string> };
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
  form.append('file', new Blob([PDF]));
  const { status } = await fetch(upload.url, { method: 'POST', body: form });
  expect(status).toBe(204);
  return file.id;
}

async function endpoint(): Promise<string> {
  const made = await before('webhook_endpoints', {
    url: deployment.receiver.url,
    event_types: ['employee.changed'],
  });
  return String(asObject(made.webhook_endpoint).id);
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
async function filled(operationId: string, sample: CodeSample): Promise<string> {
  const [id = '', make] = EARLIER[operationId] ?? [];
  const own = make === undefined ? {} : { [id]: await make() };
  const source = sample.source.replaceAll(serverOf(contract), api);
  return Object.entries({ ...ids, ...own, 'https://hooks.example.com': deployment.receiver.url }).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    source,
  );
}

const TOOLS = {
  curl: { program: 'curl', ending: 'sh', argv: ['bash', '-euo', 'pipefail'] },
  JavaScript: { program: 'node', ending: 'mjs', argv: [process.execPath] },
  Python: { program: 'python3', ending: 'py', argv: ['python3'] },
} as const;

interface SampleRun {
  readonly tool: string;
  readonly ending: number | string;
  /** What it printed: a failure to the standard error. */
  readonly said: string;
}

async function run(operationId: string, sample: CodeSample): Promise<SampleRun> {
  const { argv, ending: fileEnding } = TOOLS[sample.label];
  const path = join(folder, `${operationId}.${fileEnding}`);
  writeFileSync(path, await filled(operationId, sample));
  const env = { ...process.env, KEY: await tenant.key({ owner_id: owner.user }), no_proxy: '127.0.0.1' };
  const program = new RunningProgram([...argv, path], { cwd: folder, env });
  const ending = await program.ended;
  return { tool: sample.label, ending, said: ending === 0 ? program.stdout : program.stderr };
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
const isThere = (label: keyof typeof TOOLS) => onPath(TOOLS[label].program, process.env) !== undefined;
const tools = (Object.keys(TOOLS) as (keyof typeof TOOLS)[]).filter(isThere);

const missing = Object.values(TOOLS).filter(({ program }) => onPath(program, process.env) === undefined);
if (missing.length > 0) test.skip(`DID NOT RUN, not on the PATH: ${missing.map(({ program }) => program)}`, () => {});

/** Whether it is what the operation promises: curl succeeds with a refusal too. */
function isPromised({ source }: ContractOperation, answer: string): boolean {
  const { content } = resolve(contract, asObject(source.responses)['200']);
  return compile(asObject(asObject(asObject(content)['application/json']).schema))(JSON.parse(answer));
}

describe(`the samples in ${tools.join(', ')} run as they are written`, () => {
  test.each(operationsOf(contract).map((each) => [each.operationId, each] as const))('%s', async (id, operation) => {
    const chosen = (samples.get(id) ?? []).filter(({ label }) => tools.includes(label));
    const runs = await Promise.all(chosen.map((sample) => run(id, sample)));
    expect(runs).toEqual(tools.map((tool) => ({ tool, ending: 0, said: expect.stringMatching(/\S/) })));
    const [byCurl] = runs.filter(({ tool }) => tool === 'curl');
    if (byCurl) expect([byCurl.said, isPromised(operation, byCurl.said)]).toEqual([byCurl.said, true]);
  });
});
