import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { checks, handlers } from '../../../handlers/index.ts';
import { samplesOf, serverOf } from '../../contract/docs/samples.ts';
import { operationsOf, readContract } from '../../contract/read.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { ask } from '../../world/ask.ts';
import { serveInProcess } from '../../world/in-process.ts';
import { MemoryStorage } from '../../world/memory-storage.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { ROOT } from '../suite/profile.ts';
import { ensureSuiteTenants, type SuiteTenants } from '../suite/suite-tenants.ts';
import { demoTenants } from '../suite/tenant-set.ts';
import { ensureDemo } from './demo.ts';

const { store } = await testDeployment();
const dir = testFolder();
/** The id of the document in samples. */
const OF_SERVICE = '3f0c1b52-8a4e-4d0b-9a51-6f2f1c7be201';
let first: SuiteTenants;

beforeAll(async () => {
  expect(await ensureDemo(store, 300, undefined)).toBe(true);
  first = await ensureSuiteTenants(store, demoTenants, dir, new Date());
});

test('the demo tenants have the ids that samples of the docs send, but for documents and files, which the service makes', async () => {
  const contract = await readContract(path.join(ROOT, 'openapi.yaml'));
  const server = await serveInProcess({ handlers, checks }, store, new MemoryStorage());
  const key = first.secrets.CONF_KEY_FULL_1 ?? '';
  const samples = samplesOf(contract);
  /** Sends what a sample sends. @param instead for the id of a document in it */
  const answer = async (operationId: string, instead = '') => {
    const source = samples.get(operationId)?.[0]?.source.replace(OF_SERVICE, instead) ?? '';
    const url = /(?<=^curl ')[^']+/.exec(source)?.[0]?.replace(serverOf(contract), new URL(server.url).origin) ?? '';
    const body = /(?<= -d ')[^']+/.exec(source)?.[0];
    const again = { 'Idempotency-Key': randomUUID() };
    return ask(body === undefined ? 'GET' : 'POST', url, key, body && JSON.parse(body), again);
  };
  try {
    const sent: Record<string, number> = {};
    for (const { operationId, method } of operationsOf(contract)) {
      const isOfService = samples.get(operationId)?.[0]?.source.includes(OF_SERVICE);
      if (method === 'get' && !isOfService) sent[operationId] = (await answer(operationId)).status;
    }
    expect(Object.entries(sent).filter(([, status]) => status !== 200)).toEqual([]);
    expect(Object.keys(sent)).toContain('getEmployee');
    const made = await answer('createDocument');
    expect(made).toMatchObject({ status: 200 });
    const { id } = made.body.document as { id: string };
    expect(await answer('setDocumentRoute', id)).toMatchObject({ status: 200 });
  } finally {
    await server.stop();
  }
});
