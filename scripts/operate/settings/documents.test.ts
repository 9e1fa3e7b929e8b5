/** Tests the moves that only the application has (D-20), as the settings tool makes them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { RouteStep } from '../../../handlers/documents/workflow/route.ts';
import type { Act } from '../../../handlers/documents/workflow/tables.ts';
import { decide } from '../../../handlers/documents/workflow/workflow.ts';
import { draftRow } from '../../testbed/document-row.ts';
import { employeeRow } from '../../testbed/tenant.ts';
import { testDeployment } from '../../testbed/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
let tenantId: string;
const time = new Date('2026-03-02T05:00:00Z');

beforeAll(async () => {
  tenantId = (await json('tenants', 'create', 'A'))._id;
  await employee('ini', { manager_id: 'boss' });
  for (const id of ['boss', 'appr', 'deputy', 'signer', 'other']) await employee(id);
});

async function employee(id: string, links: { manager_id?: string } = {}): Promise<void> {
  await store.employees.insertOne(employeeRow({ _id: id, tenant_id: tenantId, employee_number: `n-${id}`, ...links }));
}

const { run, json } = settingsTool(() => ({ env: database.env, now: () => time }));

/** The message of a command that must be refused with exit code 1 and must not change anything. */
async function refused(id: string, ...argv: string[]): Promise<string> {
  const before = await row(id);
  const { code, out, err } = await run('documents', ...argv);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(await row(id)).toEqual(before);
  return err;
}

const row = async (id: string) => (await store.documents.findOne({ _id: id })) as DocumentRow;
const events = async (id: string) => (await row(id)).pending_events.map(({ type }) => type);

const step = (kind: 'APPROVAL' | 'SIGNING', ...people: string[]): RouteStep => ({
  step_type: `STEP_TYPE_${kind}`,
  rule: 'STEP_RULE_ALL',
  participants: people.map((employee_id) => ({ employee_id, key_type: 'SIMPLE' })),
});

/** Makes a document and applies these acts to it. */
async function document(...acts: Act[]): Promise<string> {
  let document = draftRow({ tenant_id: tenantId, initiator_employee_id: 'ini', number: `N-${acts.length}` });
  let ids = 0;
  for (const act of acts) {
    const change = decide(document, act, { now: time, newId: () => `${document._id}-${ids++}` });
    if (change.refused) throw new Error(change.error);
    document = { ...document, ...change.set, pending_events: [...document.pending_events, ...change.events] };
  }
  await store.documents.insertOne(document);
  return document._id;
}

const routed: Act = {
  kind: 'set_route',
  by: 'ini',
  unfit: [],
  steps: [step('APPROVAL', 'appr', 'deputy'), step('SIGNING', 'signer')],
};
const sent: Act[] = [routed, { kind: 'send', by: 'ini' }];
const approved: Act = { kind: 'approve', by: 'appr', apiKeyId: 'key', comment: '' };

describe('request-changes', () => {
  test('is allowed in an active slot, with a comment; the interface shows the state, and the event waits', async () => {
    const id = await document(...sent);
    const changed = await json('documents', 'request-changes', id, '--by', 'n-deputy', '--comment', 'Исправьте дату');
    expect(changed).toMatchObject({
      status: 'DOCUMENT_STATUS_CHANGE_REQUESTED',
      route: { status: 'ROUTE_STATUS_CANCELLED' },
    });
    expect(changed.route.steps[0].participants).toMatchObject([
      { status: 'PARTICIPANT_STATUS_SKIPPED', action: null },
      { status: 'PARTICIPANT_STATUS_CHANGE_REQUESTED', action: { comment: 'Исправьте дату', api_key_id: '' } },
    ]);
    expect((await events(id)).slice(2)).toEqual(['document.change_requested']);
  });

  test('is refused without an active slot, on a document that does not circulate, and without a comment', async () => {
    const id = await document(...sent, approved);
    for (const by of ['signer', 'appr', 'other', 'ini']) {
      expect(await refused(id, 'request-changes', id, '--by', by, '--comment', 'нет')).toContain('no active slot');
    }
    const draft = await document();
    expect(await refused(draft, 'request-changes', draft, '--by', 'appr', '--comment', 'нет')).toContain('is DRAFT');
    expect((await run('documents', 'request-changes', id, '--by', 'deputy', '--comment', ' \u200b ')).code).toBe(2);
    expect((await run('documents', 'request-changes', id, '--by', 'deputy')).code).toBe(2);
  });
});

describe('revoke', () => {
  test.each(['ini', 'boss'])('by %s, while it is on its way', async (by) => {
    const id = await document(...sent, approved);
    expect(await json('documents', 'revoke', id, '--by', by)).toMatchObject({ status: 'DOCUMENT_STATUS_REVOKED' });
    expect((await events(id)).slice(2)).toEqual(['document.revoked']);
    expect(await refused(id, 'revoke', id, '--by', by)).toContain('is REVOKED');
  });

  test('is refused to anybody else, and before the document was sent', async () => {
    const id = await document(...sent);
    const said = await refused(id, 'revoke', id, '--by', 'appr');
    expect(said).toContain('the initiator ini and its direct manager boss');
    const draft = await document(routed);
    expect(await refused(draft, 'revoke', draft, '--by', 'ini')).toContain('ON_APPROVAL, ON_SIGN, CHANGE_REQUESTED');
  });
});

describe('delete', () => {
  test('is allowed for a draft, by its initiator; every further act is refused', async () => {
    const id = await document(routed);
    expect(await refused(id, 'delete', id, '--by', 'boss')).toContain('belongs to the initiator ini.');
    const { code, out } = await run('documents', 'delete', id, '--by', 'ini');
    expect([code, out]).toEqual([0, `Deleted the document ${id}: deleted.\n`]);
    expect(await row(id)).toMatchObject({ listed: false, status: 'DOCUMENT_STATUS_DRAFT' });
    expect(await events(id)).toEqual(['document.deleted']);
    expect(await refused(id, 'delete', id, '--by', 'ini')).toContain('is deleted');
  });

  test('is refused while the document circulates', async () => {
    const id = await document(...sent);
    expect(await refused(id, 'delete', id, '--by', 'ini')).toContain('is ON_APPROVAL');
  });
});

describe('list and show', () => {
  test('list narrows by status, initiator and deletion', async () => {
    const [flowing, gone] = [await document(...sent), await document()];
    await json('documents', 'delete', gone, '--by', 'ini');
    const ids = async (...flags: string[]) =>
      (await json('documents', 'list', ...flags)).map(({ _id }: { _id: string }) => _id);
    expect(await ids('--status', 'ON_APPROVAL', '--initiator', 'ini')).toContain(flowing);
    expect(await ids('--status', 'DRAFT')).not.toContain(flowing);
    expect(await ids('--initiator', 'boss')).toEqual([]);
    expect(await ids('--deleted')).toContain(gone);
    expect(await ids()).not.toContain(gone);
    expect((await run('documents', 'list', '--status', 'LOST')).code).toBe(2);
    expect((await run('documents', 'list')).out).toContain(flowing);
  });

  test('show prints route, slots, files and waiting events', async () => {
    const id = await document(...sent, approved);
    const { out } = await run('documents', 'show', id);
    const { route, files, pending_events } = await row(id);
    for (const part of [id, 'ON_APPROVAL', route?.id, route?.steps[1]?.participants[0]?.id, files[0]?.file_id]) {
      expect(out).toContain(part);
    }
    expect(out).toMatch(/^0 +APPROVAL +ALL +ACTIVE +APPROVED +SIMPLE +2026-03-02 \d\d:\d\d:\d\dZ +appr /m);
    for (const event of pending_events) expect(out).toContain(event.id);
    expect((await run('documents', 'show', 'nothing')).code).toBe(1);
  });
});
