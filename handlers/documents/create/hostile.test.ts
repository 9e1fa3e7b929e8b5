/** Unusual bodies of a creation over HTTP: what their rows keep, and which field a refusal names. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask, type JsonAnswer } from '../../../scripts/testbed/ask.ts';
import { TenantFixture } from '../../../scripts/testbed/documents.ts';
import { type InProcess, serveInProcess } from '../../../scripts/testbed/in-process.ts';
import { testDeployment } from '../../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import * as served from '../../index.ts';

const { store } = await testDeployment();
let fixture: TenantFixture;
let server: InProcess;
let key: string;
let type: string;
let template: string;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  const owner = await fixture.owner();
  key = await fixture.key({ owner_id: owner.userId });
  type = await fixture.type();
  template = await fixture.template(type, ['reason']);
  server = await serveInProcess(served, store, fixture.storage);
});

afterAll(() => server.stop());

async function post(text: string, headers: Record<string, string> = {}): Promise<JsonAnswer & { readonly id: string }> {
  const answer = await ask('POST', `${server.url}/documents`, key, text, headers);
  return { ...answer, id: answer.body.document?.id ?? '' };
}

/** A valid body, with the given members as raw JSON. */
const body = (members = '') =>
  `{"title":"x","type_id":"${type}","template_id":"${template}"${members && `,${members}`}}`;

test('a file_id of the wrong form is named, but not the template_id beside it', async () => {
  const before = await fixture.counts();
  const { status, reason, fields } = await post(body('"file_id":{"$ne":null}'));
  expect(await fixture.counts()).toEqual(before);
  expect({ status, reason, fields }).toEqual({ status: 400, reason: 'INVALID_ARGUMENT', fields: ['file_id'] });
});

test('values are stored as text, even if their characters mean something to a database', async () => {
  const reason = '$where: {"$gt":""} {{title}} <script> 😀 \u202e';
  const { id } = await post(body(`"template_values":{"reason":${JSON.stringify(reason)}}`));
  const row = (await store.documents.findOne({ _id: id })) as DocumentRow;
  expect(JSON.parse(row.template?.values ?? '')).toEqual({ reason });
});

test('ids in upper case are the same ids, but make another body for an Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'upper' };
  const upper = body()
    .toUpperCase()
    .replace(/"(TITLE|TYPE_ID|TEMPLATE_ID)"/g, (name) => name.toLowerCase());
  const { status, id } = await post(upper, headers);
  expect(status).toBe(200);
  expect((await store.documents.findOne({ _id: id }))?.type_id).toBe(type);
  expect((await post(upper, headers)).id).toBe(id);
  const { reason } = await post(upper.replaceAll(type.toUpperCase(), type), headers);
  expect(reason).toBe('DEVELOPER.IDEMPOTENCY_KEY_CONFLICT');
});
