/** Tests how documents are shown, and how refusals of the moves that only the application has (D-20) are explained. */
import { beforeAll, expect, test } from '@jest/globals';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { Act } from '../../../handlers/documents/workflow/acts.ts';
import { anybody } from '../../../handlers/documents/workflow/people.ts';
import type { RouteStep } from '../../../handlers/documents/workflow/route.ts';
import { decide } from '../../../handlers/documents/workflow/workflow.ts';
import { draftRow } from '../../world/document-row.ts';
import { employeeRow } from '../../world/tenant.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const { database, store } = await testDeployment();
let tenantId: string;
const time = new Date('2026-03-02T05:00:00Z');

beforeAll(async () => {
  tenantId = (await json('tenants create A')).id;
  await employee('ini', { manager_id: 'boss' });
  for (const id of ['boss', 'appr', 'deputy', 'signer', 'other']) await employee(id);
});

async function employee(id: string, links: { manager_id?: string } = {}): Promise<void> {
  await store.employees.insertOne(employeeRow({ _id: id, tenant_id: tenantId, employee_number: `n-${id}`, ...links }));
}

const { words, json, ids, refused, misused, fits } = settingsTool(() => ({
  store,
  env: database.env,
  now: () => time,
}));

const row = async (id: string) => (await store.documents.findOne({ _id: id })) as DocumentRow;

const step = (kind: 'APPROVAL' | 'SIGNING', ...people: string[]): RouteStep => ({
  step_type: `STEP_TYPE_${kind}`,
  rule: 'STEP_RULE_ALL',
  participants: people.map((employee_id) => ({ employee_id, key_type: 'SIMPLE' })),
});

const template = { id: 'template', version: 3, values: '{}' };

async function document(...acts: Act[]): Promise<string> {
  let document = draftRow({ tenant_id: tenantId, initiator_employee_id: 'ini', number: `N-${acts.length}`, template });
  let ids = 0;
  for (const act of acts) {
    const change = decide(document, act, anybody, { now: time, newId: () => `${document._id}-${ids++}` });
    if (change.refused) throw new Error(change.error);
    document = { ...document, ...change.set, pending_events: [...document.pending_events, ...change.events] };
  }
  await store.documents.insertOne(document);
  return document._id;
}

const routed: Act = {
  kind: 'set_route',
  by: 'ini',
  steps: [step('APPROVAL', 'appr', 'deputy'), step('SIGNING', 'signer')],
};
const sent: Act[] = [routed, { kind: 'send', by: 'ini' }];
const approved: Act = { kind: 'approve', by: 'appr', apiKeyId: 'key', comment: '' };

const COMMENT = '--comment "Исправьте дату"';

const states = { draft: [], 'with a route': [routed], sent, 'approved by one': [...sent, approved] };

test.each<[move: string, state: keyof typeof states, by: string, words: string]>([
  ['request-changes', 'approved by one', 'signer', 'no active slot'],
  ['request-changes', 'approved by one', 'appr', 'no active slot'],
  ['request-changes', 'approved by one', 'ini', 'no active slot'],
  ['request-changes', 'draft', 'appr', 'is DRAFT'],
  ['revoke', 'sent', 'appr', 'the initiator ini and its direct manager boss'],
  ['revoke', 'with a route', 'ini', 'ON_APPROVAL, ON_SIGN, CHANGE_REQUESTED'],
  ['delete', 'with a route', 'boss', 'belongs to the initiator ini.'],
  ['delete', 'sent', 'ini', 'is ON_APPROVAL'],
])('%s of a document that is %s is refused to %s, and changes nothing', async (move, state, by, words) => {
  const id = await document(...states[state]);
  const before = await row(id);
  const comment = move === 'request-changes' ? COMMENT : '';
  expect(await refused(`documents ${move} --by ${by} ${comment}`, id)).toContain(words);
  expect(await row(id)).toEqual(before);
});

test('a request for changes is made under the personnel number, and needs a comment that says something', async () => {
  const id = await document(...sent);
  const request = `documents request-changes ${id} --by n-deputy`;
  await misused(request);
  await misused(`${request} --comment " \u200b "`);
  const { route } = await json(`${request} ${COMMENT}`);
  const action = { comment: 'Исправьте дату', api_key_id: '' };
  expect(route.steps[0].participants[1]).toMatchObject({ status: 'PARTICIPANT_STATUS_CHANGE_REQUESTED', action });
});

test('a deleted document stays as it is', async () => {
  const id = await document();
  expect(await words('documents delete --by ini', id)).toBe(`Deleted the document ${id}: deleted.\n`);
  expect(await refused('documents delete --by ini', id)).toContain('is deleted');
});

const ended = (id: string, status: 'ACTIVE' | 'TERMINATED') => `employees update ${id} --status ${status}`;

test('a document that waits for a leaver is named, listed, and given to somebody whom its initiator may choose', async () => {
  const [id, over] = [await document(...sent), await document(...sent)];
  await json('documents revoke --by ini', over);
  const before = await ids('documents list --waiting-for signer');
  expect(before).toContain(id);
  expect(before).not.toContain(over);
  expect(await ids('documents list --waiting-for-leavers')).toEqual([]);
  expect(await refused('documents reassign --from signer --to other', id)).toContain('has not left');
  expect(await json(ended('signer', 'ACTIVE'))).toMatchObject({ waiting_documents: [] });

  expect(await json(ended('signer', 'TERMINATED'))).toMatchObject({ waiting_documents: before });
  expect(await words(ended('signer', 'TERMINATED'))).toContain(id);
  expect(await ids('documents list --waiting-for-leavers --initiator ini')).toEqual(before);
  expect(await words('documents list --waiting-for-leavers')).toMatch(/ 1: signer /);
  await fits('documents list --waiting-for-leavers');
  const reassign = `documents reassign ${id} --from n-signer`;
  expect(await refused(`${reassign} --to other`)).toContain('must be an employee whom the initiator sees');
  expect(await refused(`${reassign} --to boss --step 0`)).toContain('no slot that waits');
  const { route } = await json(`${reassign} --to boss --step 1`);
  const employees = route.steps[1].participants.map((slot: { employee_id: string }) => slot.employee_id);
  expect(employees).toEqual(['signer', 'boss']);
  expect((await ids('documents list --waiting-for signer')).includes(id)).toBe(false);
  const [entry] = await json('audit list --limit 1');
  expect(entry).toMatchObject({ command: 'documents reassign', outcome: 'DONE', fields: ['from', 'to', 'step'] });

  await words('users create Initiator --employee ini --employees all');
  await words(ended('boss', 'TERMINATED'));
  expect(await refused('documents revoke --by boss', id)).toContain('has left');
  await words('documents reassign --from boss --to other', id);
  for (const left of ['boss', 'signer']) await words(ended(left, 'ACTIVE'));
  expect(await json('employees delete other')).toMatchObject({ waiting_documents: [id] });
  expect(await ids('documents list --waiting-for-leavers')).toEqual([id]);
});

test('list narrows by status, initiator and deletion', async () => {
  const [flowing, gone] = [await document(...sent), await document()];
  await json('documents delete --by ini', gone);
  expect(await ids('documents list --status ON_APPROVAL --initiator ini')).toContain(flowing);
  expect(await ids('documents list --status DRAFT')).not.toContain(flowing);
  expect(await ids('documents list --initiator boss')).toEqual([]);
  expect(await ids('documents list --deleted')).toContain(gone);
  expect(await ids('documents list')).not.toContain(gone);
  await misused('documents list --status LOST');
  expect(await words('documents list')).toMatch(new RegExp(` ON_APPROVAL .* ${flowing}$`, 'm'));
  await fits('documents list');
});

test('show prints route, slots, files and waiting events', async () => {
  const id = await document(...sent, approved);
  const out = await words('documents show', id);
  const { route, files, pending_events } = await row(id);
  for (const part of [id, 'ON_APPROVAL', route?.id, route?.steps[1]?.participants[0]?.id, files[0]?.file_id]) {
    expect(out).toContain(part);
  }
  expect(out).toMatch(/^0 +APPROVAL +ALL +ACTIVE +APPROVED +SIMPLE +2026-03-02 \d\d:\d\d:\d\dZ +appr /m);
  for (const event of pending_events) expect(out).toContain(event.id);
  expect(out).toMatch(/^PDF +1000 +\S+ +(?:ab){32}$/m);
  expect(await json('documents show', id)).toMatchObject({
    template_id: template.id,
    template_version: 3,
    events_to_relay: pending_events.map((event) => ({ id: event.id })),
    files: [{ size_bytes: 1_000, sha256: 'ab'.repeat(32) }],
  });
  await refused('documents show nothing');
});
