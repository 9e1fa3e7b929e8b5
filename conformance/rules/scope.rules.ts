import { type OperationId, operations } from '../../generated/operations.ts';
import { rule } from '../engine/rule-test.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { KeyName } from '../profile/profile.ts';
import { callOf, claimed, idsOf, UNKNOWN_ID } from './shared/calls.ts';

const single: readonly KeyName[] = [
  'employees_read',
  'documents_read',
  'documents_write',
  'webhooks_manage',
  'ingest_write',
];
const keyFor: Readonly<Record<string, KeyName>> = {
  'employees:read': 'employees_read',
  'documents:read': 'documents_read',
  'documents:write': 'documents_write',
  'webhooks:manage': 'webhooks_manage',
  'ingest:write': 'ingest_write',
};

/** Refused without the scope, and let in with that scope alone. What follows is judged by other rules. */
const gate = (operationId: OperationId) => async (t: TestContext) => {
  const operation = operations[operationId];
  (await t.as('no_scope').send(callOf(operation))).fails('SCOPE_INSUFFICIENT', 'without any scope');
  const passed = await t.as(keyFor[operation.scope ?? ''] ?? 'full').send(callOf(operation));
  t.check(passed.status !== 401 && passed.status !== 403, `with the scope alone: ${passed.brief}`, passed);
};

rule('SCOPE-1', gate('listEmployees'));
rule('SCOPE-2', gate('getEmployee'));
rule('SCOPE-3', gate('listDocuments'));
rule('SCOPE-4', gate('getDocument'));
rule('SCOPE-5', gate('listDocumentTypes'));
rule('SCOPE-6', async (t) => {
  await gate('listDocumentTemplates')(t);
  await gate('getDocumentTemplate')(t);
});
rule('SCOPE-7', gate('listDocumentCategories'));
rule('SCOPE-8', gate('downloadDocument'));
rule('SCOPE-9', gate('createDocument'));
rule('SCOPE-10', gate('rejectDocument'));
rule('SCOPE-11', gate('sendDocument'));
rule('SCOPE-12', gate('approveDocument'));
rule('SCOPE-13', gate('signDocument'));
rule('SCOPE-14', gate('setDocumentRoute'));
rule('SCOPE-15', gate('reserveFile'));
rule('SCOPE-16', gate('confirmFile'));
rule('SCOPE-17', gate('createWebhookEndpoint'));
rule('SCOPE-18', gate('testWebhookEndpoint'));
rule('SCOPE-19', gate('deleteWebhookEndpoint'));
rule('SCOPE-20', gate('ingestRecords'));

rule('SCOPE-21', async (t) => {
  for (const name of single) {
    const key = t.as(name);
    for (const operation of claimed(t)) {
      if (operation.scope === null || keyFor[operation.scope] === name) continue;
      (await key.send(callOf(operation))).fails('SCOPE_INSUFFICIENT', `${operation.operationId} with ${name} only`);
    }
  }
});

rule('SCOPE-22', async (t) => {
  const key = t.as('no_scope');
  (await key.verify()).ok('verifyApiKey');
  (await key.get('/login_methods')).ok('listLoginMethods');
});

rule('SCOPE-23', async (t) => {
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
});

rule('SCOPE-24', async (t) => {
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
});

rule('SCOPE-25', async (t) => {
  const key = t.as('restricted_owner');
  const hidden = t.fixture('employee_hidden_from_restricted_id');
  (await key.get(`/employees/${hidden}`)).fails('EMPLOYEE_NOT_FOUND', 'by id');
  const rows = await key.walk('listEmployees', { limit: 1000 });
  t.check(!idsOf(rows).includes(hidden), 'the hidden employee is in the list');
});

rule('SCOPE-26', async (t) => {
  const call = callOf(operations.ingestRecords);
  (await t.as('fake_super_admin_ingest').send(call)).fails('SCOPE_INSUFFICIENT');
});

rule('SCOPE-28', async (t) => {
  for (const operation of claimed(t)) {
    if (operation.scope === null) continue;
    const answer = (await t.as('no_scope').send(callOf(operation))).fails('SCOPE_INSUFFICIENT');
    const details = (answer.json as { details: { metadata?: Record<string, string> }[] }).details;
    const named = details.some(({ metadata }) => metadata?.required_scope === operation.scope);
    t.check(named, `${operation.operationId}: required_scope is not ${operation.scope}`, answer);
  }
});
