/** AUTH, FLAG and SCOPE: who is let in, and what they may do. */
import type { OperationId } from '../../../generated/operations.ts';
import type { KeyName } from '../../profile/profile.ts';
import { causesEvents, type Rule, row, threeOwners } from '../rule.ts';

const refusedKey = (id: string, key: KeyName, what: string): Rule =>
  row(id, 'MUST', `${what} gets API_KEY_INVALID.`, 'security, API_KEY_INVALID', { needs: { keys: [key] } });

export const authenticationRules: readonly Rule[] = [
  row('AUTH-1', 'MUST', 'A valid key gets 200 and exactly {} from verifyApiKey.', 'verifyApiKey'),
  row('AUTH-2', 'MUST', 'Without the header X-API-Key the answer is 401 API_KEY_INVALID.', 'security'),
  row('AUTH-3', 'MUST', 'A key that does not exist gets API_KEY_INVALID.', 'security'),
  refusedKey('AUTH-4', 'revoked', 'A revoked key'),
  refusedKey('AUTH-5', 'expired', 'An expired key'),
  refusedKey('AUTH-6', 'inactive', 'A key that is switched off'),
  refusedKey('AUTH-7', 'owner_removed', 'A key whose owner was removed from the tenant'),
  row('AUTH-8', 'MUST', 'A key that is being revoked is refused from the very next request on.', 'security', {
    needs: { keys: ['disposable'], admin: ['revoke_key'] },
  }),
  row('AUTH-9', 'MUST', 'A key sent as a bearer token does not authenticate.', 'security'),
  row('AUTH-10', 'MUST', 'A bearer token of the web application’s kind does not authenticate.', 'security'),
  row('AUTH-11', 'SHOULD', 'An Authorization header beside a valid key changes nothing.', 'security'),
  row('AUTH-12', 'MUST', 'A key in the query, a cookie or the body does not authenticate.', 'security'),
  row('AUTH-13', 'MUST', 'X-Tenant-ID is ignored, whatever it holds: the key alone decides the tenant.', 'security', {
    needs: { keys: ['other_tenant'] },
    tenant: 'quiet',
  }),
  row('AUTH-14', 'MUST', 'X-Tenant-ID does not stand in for a key.', 'security'),
  row('AUTH-15', 'MUST', 'Every operation of the contract answers 401 without a key.', 'all operations'),
  row(
    'AUTH-16',
    'MUST',
    'A bad key is refused before path, scope, parameters or body are looked at.',
    'API_KEY_INVALID',
    { decisions: ['D-6'] },
  ),
  row(
    'AUTH-17',
    'MUST',
    'Empty, huge, altered, truncated and otherwise odd keys get 401 or are refused as HTTP, never anything else.',
    'security',
  ),
  row('AUTH-18', 'MUST', 'The name of the header may be in any case.', 'security'),
  row('AUTH-19', 'MUST', 'Two X-API-Key headers are treated as the target declares.', 'security', {
    decisions: ['D-5'],
  }),
  row('AUTH-20', 'SHOULD', 'Missing, unknown and revoked keys cannot be told apart by the answer.', 'API_KEY_INVALID', {
    needs: { keys: ['revoked'] },
  }),
  row('AUTH-21', 'MUST', 'No operation makes, lists or revokes keys.', 'paths'),
  row('AUTH-22', 'MUST', 'verifyApiKey needs no scope.', 'verifyApiKey', { needs: { keys: ['no_scope'] } }),
  row('AUTH-23', 'SHOULD', 'verifyApiKey takes no parameters: one that is sent is INVALID_ARGUMENT.', 'verifyApiKey', {
    decisions: ['D-12'],
  }),
  row(
    'AUTH-24',
    'MUST',
    'Keys can be rotated: a second key of the same owner sees the same, and both work side by side.',
    'security',
    { needs: { keys: ['second_key_same_owner'] }, tenant: 'quiet' },
  ),
  row('AUTH-25', 'MUST', 'A key shows nothing of another tenant, in lists or by id.', 'security', {
    needs: {
      keys: ['other_tenant'],
      operations: ['listDocuments', 'listDocumentTypes'],
      fixtures: ['employee_id', 'employee_other_tenant_id'],
    },
  }),
  row('AUTH-26', 'SHOULD', 'The time of a refusal does not tell how much of a key was right.', 'security'),
  row('AUTH-27', 'SHOULD', 'A caller’s well-formed X-Request-Id comes back; any other is replaced.', 'X-Request-Id', {
    decisions: ['D-8'],
  }),
];

export const flagRules: readonly Rule[] = [
  row(
    'FLAG-1',
    'MUST',
    'While the interface is off for a tenant, every operation answers FEATURE_FLAG_OFF to its valid keys.',
    'FEATURE_FLAG_OFF',
    { needs: { keys: ['flag_off'] } },
  ),
  row('FLAG-2', 'MUST', 'verifyApiKey too answers FEATURE_FLAG_OFF then.', 'verifyApiKey', {
    needs: { keys: ['flag_off'] },
  }),
  row('FLAG-3', 'MUST', 'The flag comes before path, scope and validation.', 'FEATURE_FLAG_OFF', {
    decisions: ['D-6'],
    needs: { keys: ['flag_off'] },
  }),
  row(
    'FLAG-4',
    'MUST',
    'A wrong key that resembles one of such a tenant is answered as the target declares.',
    'API_KEY_INVALID',
    { decisions: ['D-6'], needs: { keys: ['flag_off'] } },
  ),
  row('FLAG-5', 'MUST', 'The flag of one tenant does not concern another.', 'FEATURE_FLAG_OFF', {
    needs: { keys: ['flag_off', 'other_tenant'] },
  }),
  row(
    'FLAG-6',
    'MUST',
    'Switching the flag takes effect on the very next request, off and on, with the same key.',
    'FEATURE_FLAG_OFF',
    { needs: { keys: ['flag_toggle'], admin: ['flag_on', 'flag_off'] } },
  ),
  row('FLAG-7', 'MUST', 'What happens while the flag is off is told neither then nor later.', 'webhooks', {
    decisions: ['D-27'],
    needs: {
      keys: ['flag_toggle'],
      admin: ['flag_on', 'flag_off', 'apply_toggle_employee_changes'],
      operations: ['createWebhookEndpoint', 'deleteWebhookEndpoint'],
      callbacks: true,
    },
  }),
];

const gate = (id: string, operationId: OperationId, scope: string, key: KeyName): Rule =>
  row(
    id,
    'MUST',
    `${operationId} needs the scope ${scope}: a key without it is refused, a key with it alone passes.`,
    operationId,
    { needs: { keys: ['no_scope', key] } },
  );

export const scopeRules: readonly Rule[] = [
  gate('SCOPE-1', 'listEmployees', 'employees:read', 'employees_read'),
  gate('SCOPE-2', 'getEmployee', 'employees:read', 'employees_read'),
  gate('SCOPE-3', 'listDocuments', 'documents:read', 'documents_read'),
  gate('SCOPE-4', 'getDocument', 'documents:read', 'documents_read'),
  gate('SCOPE-5', 'listDocumentTypes', 'documents:read', 'documents_read'),
  gate('SCOPE-6', 'listDocumentTemplates', 'documents:read', 'documents_read'),
  gate('SCOPE-7', 'listDocumentCategories', 'documents:read', 'documents_read'),
  gate('SCOPE-8', 'downloadDocument', 'documents:read', 'documents_read'),
  gate('SCOPE-9', 'createDocument', 'documents:write', 'documents_write'),
  gate('SCOPE-10', 'rejectDocument', 'documents:write', 'documents_write'),
  gate('SCOPE-11', 'sendDocument', 'documents:write', 'documents_write'),
  gate('SCOPE-12', 'approveDocument', 'documents:write', 'documents_write'),
  gate('SCOPE-13', 'signDocument', 'documents:write', 'documents_write'),
  gate('SCOPE-14', 'setDocumentRoute', 'documents:write', 'documents_write'),
  gate('SCOPE-15', 'reserveFile', 'documents:write', 'documents_write'),
  gate('SCOPE-16', 'confirmFile', 'documents:write', 'documents_write'),
  gate('SCOPE-17', 'createWebhookEndpoint', 'webhooks:manage', 'webhooks_manage'),
  gate('SCOPE-18', 'testWebhookEndpoint', 'webhooks:manage', 'webhooks_manage'),
  gate('SCOPE-19', 'deleteWebhookEndpoint', 'webhooks:manage', 'webhooks_manage'),
  gate('SCOPE-20', 'ingestRecords', 'ingest:write', 'ingest_write'),
  row(
    'SCOPE-21',
    'MUST',
    'documents:write does not imply documents:read, nor the other way round; no scope implies another.',
    'security',
    { needs: { keys: ['employees_read', 'documents_read', 'documents_write', 'webhooks_manage', 'ingest_write'] } },
  ),
  row('SCOPE-22', 'MUST', 'verifyApiKey and listLoginMethods need no scope.', 'verifyApiKey, listLoginMethods', {
    needs: { keys: ['no_scope'] },
  }),
  row(
    'SCOPE-23',
    'MUST',
    'A lacking scope is told before a bad parameter, a bad body, a foreign id or a missing Idempotency-Key.',
    'SCOPE_INSUFFICIENT',
    { decisions: ['D-6'], needs: { keys: ['no_scope'] } },
  ),
  row(
    'SCOPE-24',
    'MUST',
    'When the owner’s permissions narrow, the very next request of the key sees less; when they widen, more.',
    'listEmployees, getEmployee',
    {
      decisions: ['D-31'],
      needs: { keys: ['narrowable'], admin: ['narrow_owner', 'restore_owner'], fixtures: ['employee_id'] },
    },
  ),
  row(
    'SCOPE-25',
    'MUST',
    'What the owner may not see is absent from lists and 404 by id, never 403.',
    'listEmployees, getEmployee',
    { needs: { keys: ['restricted_owner'], fixtures: ['employee_hidden_from_restricted_id'] } },
  ),
  row(
    'SCOPE-26',
    'MUST',
    'ingest:write on a key that no super-administrator made counts as lacking.',
    'ingestRecords',
    { decisions: ['D-31'], needs: { keys: ['fake_super_admin_ingest'] } },
  ),
  row(
    'SCOPE-27',
    'MUST',
    'Creations, confirmations and actions on documents that are refused for their scope leave no trace.',
    'SCOPE_INSUFFICIENT',
    {
      needs: {
        ...threeOwners,
        keys: ['no_scope', 'documents_read', ...threeOwners.keys],
        operations: ['reserveFile', 'confirmFile', ...causesEvents],
      },
    },
  ),
  row(
    'SCOPE-29',
    'MUST',
    'documents:write alone takes a document along its way, documents:read alone reads, finds and downloads it.',
    'security',
    {
      needs: {
        ...threeOwners,
        keys: ['documents_write', 'documents_read', ...threeOwners.keys],
        operations: causesEvents,
      },
    },
  ),
  row('SCOPE-28', 'MUST', 'The refusal names the scope that is required.', 'SCOPE_INSUFFICIENT', {
    decisions: ['D-5'],
    needs: { keys: ['no_scope'] },
  }),
];
