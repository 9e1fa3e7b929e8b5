import { type OperationId, operations } from '../../generated/operations.ts';
import type { TestContext } from '../engine/test-context.ts';
import { type KeyName, keyOfScope } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { callOf, claimed, idsOf, UNKNOWN_ID } from './shared/calls.ts';
import { KEDO, newKey, send, skippedBatch } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

const single: readonly KeyName[] = Object.values(keyOfScope);

/** Refused without the scope, and let in with that scope alone. What follows is judged by other rules. */
const gate = (operationId: OperationId) => async (t: TestContext) => {
  const operation = operations[operationId];
  (await t.as('no_scope').send(callOf(operation))).fails('SCOPE_INSUFFICIENT', 'without any scope');
  const passed = await t.as(operation.scope === null ? 'full' : keyOfScope[operation.scope]).send(callOf(operation));
  t.check(passed.status !== 401 && passed.status !== 403, `with the scope alone: ${passed.brief}`, passed);
};

rule({
  id: 'SCOPE-1',
  level: 'MUST',
  text: 'listEmployees needs the scope employees:read: a key without it is refused, a key with it alone passes.',
  place: 'listEmployees',
  needs: { keys: ['no_scope', 'employees_read'] },
  check: gate('listEmployees'),
});
rule({
  id: 'SCOPE-2',
  level: 'MUST',
  text: 'getEmployee needs the scope employees:read: a key without it is refused, a key with it alone passes.',
  place: 'getEmployee',
  needs: { keys: ['no_scope', 'employees_read'] },
  check: gate('getEmployee'),
});
rule({
  id: 'SCOPE-3',
  level: 'MUST',
  text: 'listDocuments needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'listDocuments',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: gate('listDocuments'),
});
rule({
  id: 'SCOPE-4',
  level: 'MUST',
  text: 'getDocument needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'getDocument',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: gate('getDocument'),
});
rule({
  id: 'SCOPE-5',
  level: 'MUST',
  text: 'listDocumentTypes needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'listDocumentTypes',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: gate('listDocumentTypes'),
});
rule({
  id: 'SCOPE-6',
  level: 'MUST',
  text: 'listDocumentTemplates needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'listDocumentTemplates',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: async (t) => {
    await gate('listDocumentTemplates')(t);
    await gate('getDocumentTemplate')(t);
  },
});
rule({
  id: 'SCOPE-7',
  level: 'MUST',
  text: 'listDocumentCategories needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'listDocumentCategories',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: gate('listDocumentCategories'),
});
rule({
  id: 'SCOPE-8',
  level: 'MUST',
  text: 'downloadDocument needs the scope documents:read: a key without it is refused, a key with it alone passes.',
  place: 'downloadDocument',
  needs: { keys: ['no_scope', 'documents_read'] },
  check: gate('downloadDocument'),
});
rule({
  id: 'SCOPE-9',
  level: 'MUST',
  text: 'createDocument needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'createDocument',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('createDocument'),
});
rule({
  id: 'SCOPE-10',
  level: 'MUST',
  text: 'rejectDocument needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'rejectDocument',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('rejectDocument'),
});
rule({
  id: 'SCOPE-11',
  level: 'MUST',
  text: 'sendDocument needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'sendDocument',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('sendDocument'),
});
rule({
  id: 'SCOPE-12',
  level: 'MUST',
  text: 'approveDocument needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'approveDocument',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('approveDocument'),
});
rule({
  id: 'SCOPE-13',
  level: 'MUST',
  text: 'signDocument needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'signDocument',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('signDocument'),
});
rule({
  id: 'SCOPE-14',
  level: 'MUST',
  text: 'setDocumentRoute needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'setDocumentRoute',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('setDocumentRoute'),
});
rule({
  id: 'SCOPE-15',
  level: 'MUST',
  text: 'reserveFile needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'reserveFile',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('reserveFile'),
});
rule({
  id: 'SCOPE-16',
  level: 'MUST',
  text: 'confirmFile needs the scope documents:write: a key without it is refused, a key with it alone passes.',
  place: 'confirmFile',
  needs: { keys: ['no_scope', 'documents_write'] },
  check: gate('confirmFile'),
});
rule({
  id: 'SCOPE-17',
  level: 'MUST',
  text: 'createWebhookEndpoint needs the scope webhooks:manage: a key without it is refused, a key with it alone passes.',
  place: 'createWebhookEndpoint',
  needs: { keys: ['no_scope', 'webhooks_manage'] },
  check: gate('createWebhookEndpoint'),
});
rule({
  id: 'SCOPE-18',
  level: 'MUST',
  text: 'testWebhookEndpoint needs the scope webhooks:manage: a key without it is refused, a key with it alone passes.',
  place: 'testWebhookEndpoint',
  needs: { keys: ['no_scope', 'webhooks_manage'] },
  check: gate('testWebhookEndpoint'),
});
rule({
  id: 'SCOPE-19',
  level: 'MUST',
  text: 'deleteWebhookEndpoint needs the scope webhooks:manage: a key without it is refused, a key with it alone passes.',
  place: 'deleteWebhookEndpoint',
  needs: { keys: ['no_scope', 'webhooks_manage'] },
  check: gate('deleteWebhookEndpoint'),
});
rule({
  id: 'SCOPE-20',
  level: 'MUST',
  text: 'ingestRecords needs the scope ingest:write: a key without it is refused, a key with it alone passes.',
  place: 'ingestRecords',
  needs: { keys: ['no_scope', 'ingest_write'] },
  check: gate('ingestRecords'),
});

rule({
  id: 'SCOPE-21',
  level: 'MUST',
  text: 'documents:write does not imply documents:read, nor the other way round; no scope implies another.',
  place: 'security',
  needs: { keys: single },
  check: async (t) => {
    for (const name of single) {
      const key = t.as(name);
      for (const operation of claimed(t)) {
        if (operation.scope === null || keyOfScope[operation.scope] === name) continue;
        (await key.send(callOf(operation))).fails('SCOPE_INSUFFICIENT', `${operation.operationId} with ${name} only`);
      }
    }
  },
});

rule({
  id: 'SCOPE-22',
  level: 'MUST',
  text: 'verifyApiKey and listLoginMethods need no scope.',
  place: 'verifyApiKey, listLoginMethods',
  needs: { keys: ['no_scope'] },
  check: async (t) => {
    const key = t.as('no_scope');
    (await key.verify()).ok('verifyApiKey');
    (await key.get('/login_methods')).ok('listLoginMethods');
  },
});

rule({
  id: 'SCOPE-23',
  level: 'MUST',
  text: 'A lacking scope is reported before a bad parameter, a bad body, a foreign id or a missing Idempotency-Key.',
  place: 'SCOPE_INSUFFICIENT',
  decisions: ['D-6'],
  needs: { keys: ['no_scope'] },
  check: async (t) => {
    const key = t.as('no_scope');
    (await key.get('/employees', 'limit=0&nothing=1')).fails('SCOPE_INSUFFICIENT', 'bad parameters');
    (await key.get('/employees/not-an-id')).fails('SCOPE_INSUFFICIENT', 'malformed id');
    (await key.get(`/documents/${t.profile.fixtures.employee_other_tenant_id ?? UNKNOWN_ID}`)).fails(
      'SCOPE_INSUFFICIENT',
      'foreign id',
    );
    for (const { path, body } of claimed(t)) {
      if (body === 'none') continue;
      const target = { method: 'POST', path: path.replace(/\{[^}]+\}/g, 'x'), absolute: true };
      (await key.send({ ...target, raw: '{' })).fails('SCOPE_INSUFFICIENT', `${path} with a broken body`);
      (await key.send({ ...target, raw: 'x', contentType: 'text/plain' })).fails(
        'SCOPE_INSUFFICIENT',
        `${path} with another media type`,
      );
    }
    for (const { operationId, method, path, scope } of claimed(t)) {
      if (scope === null || !path.includes('{')) continue;
      for (const id of ['x', UNKNOWN_ID, t.profile.fixtures.document_template_other_tenant_id ?? UNKNOWN_ID]) {
        const target = { method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, id), absolute: true };
        (await key.send({ ...target, query: { nothing: '1' } })).fails('SCOPE_INSUFFICIENT', `${operationId} of ${id}`);
      }
    }
    (await key.send({ method: 'POST', path: '/ingest/KEDO', body: {} })).fails(
      'SCOPE_INSUFFICIENT',
      'ingest without Idempotency-Key',
    );
    const huge = { method: 'POST', path: '/documents', raw: Buffer.alloc(t.values.body_limit_bytes + 1, 0x20) };
    (await key.send(huge)).fails('SCOPE_INSUFFICIENT', 'a body beyond the limit');
  },
});

rule({
  id: 'SCOPE-24',
  level: 'MUST',
  text: 'When the owner’s permissions narrow, the very next request of the key sees less; when they widen, more.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  needs: { keys: ['narrowable'], admin: ['narrow_owner', 'restore_owner'], fixtures: ['employee_id'] },
  check: async (t) => {
    const key = t.as('narrowable');
    const somebody = t.fixture('employee_id');
    const query = { limit: 5, expand: ['person'] };
    await t.admin('restore_owner');
    const before = await key.employees(query);
    t.check(before.rows.length === 5, 'the owner should see everybody before', before.answer);
    t.check(before.token !== '', 'there should be a second page', before.answer);
    try {
      await t.admin('narrow_owner');
      (await key.get(`/employees/${somebody}`)).fails('EMPLOYEE_NOT_FOUND', 'the first request after narrowing');
      const after = await key.employees(query);
      t.check(
        after.rows.length <= 1,
        `the owner should see only himself, the list has ${after.rows.length}`,
        after.answer,
      );
      for (const { redacted_fields } of after.rows) {
        t.check(redacted_fields.includes('persons.iin'), 'persons.iin should be hidden now', after.answer);
      }
      const next = await key.employees({ ...query, page_token: before.token });
      t.check(next.rows.length <= 1, 'a token from before shows rows that are now hidden', next.answer);
    } finally {
      await t.admin('restore_owner');
    }
    await key.employee(somebody);
    const restored = await key.employees(query);
    t.check(
      restored.rows.length === 5 && restored.rows.every(({ person }) => person?.iin !== undefined),
      'the next request should see all again',
      restored.answer,
    );
  },
});

rule({
  id: 'SCOPE-25',
  level: 'MUST',
  text: 'Objects that the owner may not see are absent from lists and 404 by id, never 403.',
  place: 'listEmployees, getEmployee',
  needs: { keys: ['restricted_owner'], fixtures: ['employee_hidden_from_restricted_id'] },
  check: async (t) => {
    const key = t.as('restricted_owner');
    const hidden = t.fixture('employee_hidden_from_restricted_id');
    (await key.get(`/employees/${hidden}`)).fails('EMPLOYEE_NOT_FOUND', 'by id');
    const rows = await key.walk('listEmployees', { limit: 1000 });
    t.check(!idsOf(rows).includes(hidden), 'the hidden employee is in the list');
  },
});

rule({
  id: 'SCOPE-26',
  level: 'MUST',
  text: 'ingest:write on a key that no super-administrator made counts as lacking.',
  place: 'ingestRecords',
  decisions: ['D-31'],
  needs: { keys: ['fake_super_admin_ingest'] },
  check: async (t) => {
    const call = callOf(operations.ingestRecords);
    (await t.as('fake_super_admin_ingest').send(call)).fails('SCOPE_INSUFFICIENT');
  },
});

rule({
  id: 'SCOPE-34',
  level: 'MUST',
  text: 'An owner who is no super-administrator any more loses ingest:write with the very next request, and nothing else; with the role it comes back.',
  place: 'ingestRecords',
  decisions: ['D-31'],
  needs: together(need.ingest, { keys: ['narrowable'], admin: ['demote_owner', 'promote_owner'] }),
  check: async (t) => {
    const key = t.as('narrowable');
    (await send(t, key, KEDO, skippedBatch())).ok('ingestRecords', 'while the owner is a super-administrator');
    const unused = newKey(t);
    try {
      await t.admin('demote_owner');
      const refused = await send(t, key, KEDO, skippedBatch(), unused);
      refused.fails('SCOPE_INSUFFICIENT', 'the first request after the owner lost the role');
      await key.employees({ limit: 1 });
    } finally {
      await t.admin('promote_owner');
    }
    (await send(t, key, KEDO, skippedBatch(), unused)).ok('ingestRecords', 'after the owner got the role back');
  },
});

rule({
  id: 'SCOPE-28',
  level: 'MUST',
  text: 'The refusal of a key without a scope names the scope that is required.',
  place: 'SCOPE_INSUFFICIENT',
  decisions: ['D-5'],
  needs: { keys: ['no_scope'] },
  check: async (t) => {
    for (const operation of claimed(t)) {
      if (operation.scope === null) continue;
      const answer = (await t.as('no_scope').send(callOf(operation))).fails('SCOPE_INSUFFICIENT');
      const details = (answer.json as { details: { metadata?: Record<string, string> }[] }).details;
      const named = details.some(({ metadata }) => metadata?.required_scope === operation.scope);
      t.check(named, `${operation.operationId}: required_scope is not ${operation.scope}`, answer);
    }
  },
});
