// Made from openapi.yaml by `npm run generate`; never edited by hand. The calls of the contract.

import type * as types from './types.gen.ts';

/**
 * How each operation is called. `resource` and `name` are where a client offers it: the tag, and what its operationId
 * says besides the tag.
 */
export const calls = {
  verifyApiKey: {
    method: 'GET',
    path: '/developer/v1/api_key/_verify',
    resource: 'apiKey',
    name: 'verify',
    takesIdempotencyKey: false,
  },
  listEmployees: { method: 'GET', path: '/developer/v1/employees', resource: 'employees', name: 'list', takesIdempotencyKey: false },
  getEmployee: {
    method: 'GET',
    path: '/developer/v1/employees/{employee_id}',
    resource: 'employees',
    name: 'get',
    takesIdempotencyKey: false,
  },
  listLoginMethods: {
    method: 'GET',
    path: '/developer/v1/login_methods',
    resource: 'loginMethods',
    name: 'list',
    takesIdempotencyKey: false,
  },
  listDocumentTypes: {
    method: 'GET',
    path: '/developer/v1/document_types',
    resource: 'documentTypes',
    name: 'list',
    takesIdempotencyKey: false,
  },
  listDocumentCategories: {
    method: 'GET',
    path: '/developer/v1/document_categories',
    resource: 'documentCategories',
    name: 'list',
    takesIdempotencyKey: false,
  },
  listDocumentTemplates: {
    method: 'GET',
    path: '/developer/v1/document_templates',
    resource: 'documentTemplates',
    name: 'list',
    takesIdempotencyKey: false,
  },
  getDocumentTemplate: {
    method: 'GET',
    path: '/developer/v1/document_templates/{template_id}',
    resource: 'documentTemplates',
    name: 'get',
    takesIdempotencyKey: false,
  },
  listDocuments: { method: 'GET', path: '/developer/v1/documents', resource: 'documents', name: 'list', takesIdempotencyKey: false },
  createDocument: { method: 'POST', path: '/developer/v1/documents', resource: 'documents', name: 'create', takesIdempotencyKey: true },
  getDocument: {
    method: 'GET',
    path: '/developer/v1/documents/{document_id}',
    resource: 'documents',
    name: 'get',
    takesIdempotencyKey: false,
  },
  setDocumentRoute: {
    method: 'POST',
    path: '/developer/v1/documents/{document_id}/_set_route',
    resource: 'documents',
    name: 'setRoute',
    takesIdempotencyKey: false,
  },
  sendDocument: {
    method: 'POST',
    path: '/developer/v1/documents/{document_id}/_send',
    resource: 'documents',
    name: 'send',
    takesIdempotencyKey: false,
  },
  approveDocument: {
    method: 'POST',
    path: '/developer/v1/documents/{document_id}/_approve',
    resource: 'documents',
    name: 'approve',
    takesIdempotencyKey: false,
  },
  signDocument: {
    method: 'POST',
    path: '/developer/v1/documents/{document_id}/_sign',
    resource: 'documents',
    name: 'sign',
    takesIdempotencyKey: false,
  },
  rejectDocument: {
    method: 'POST',
    path: '/developer/v1/documents/{document_id}/_reject',
    resource: 'documents',
    name: 'reject',
    takesIdempotencyKey: false,
  },
  downloadDocument: {
    method: 'GET',
    path: '/developer/v1/documents/{document_id}/_download',
    resource: 'documents',
    name: 'download',
    takesIdempotencyKey: false,
  },
  reserveFile: { method: 'POST', path: '/developer/v1/files', resource: 'files', name: 'reserve', takesIdempotencyKey: false },
  confirmFile: {
    method: 'POST',
    path: '/developer/v1/files/{file_id}/_confirm',
    resource: 'files',
    name: 'confirm',
    takesIdempotencyKey: false,
  },
  ingestRecords: {
    method: 'POST',
    path: '/developer/v1/ingest/{source_type}',
    resource: 'ingest',
    name: 'records',
    takesIdempotencyKey: true,
  },
  createWebhookEndpoint: {
    method: 'POST',
    path: '/developer/v1/webhook_endpoints',
    resource: 'webhookEndpoints',
    name: 'create',
    takesIdempotencyKey: false,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/developer/v1/webhook_endpoints/{id}/_test',
    resource: 'webhookEndpoints',
    name: 'test',
    takesIdempotencyKey: false,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/developer/v1/webhook_endpoints/{id}',
    resource: 'webhookEndpoints',
    name: 'delete',
    takesIdempotencyKey: false,
  },
} as const;

/** What each operation takes and answers. */
export interface CallTypes {
  verifyApiKey: { input: types.VerifyApiKeyData; answer: types.VerifyApiKeyResponses[200] };
  listEmployees: { input: types.ListEmployeesData; answer: types.ListEmployeesResponses[200] };
  getEmployee: { input: types.GetEmployeeData; answer: types.GetEmployeeResponses[200] };
  listLoginMethods: { input: types.ListLoginMethodsData; answer: types.ListLoginMethodsResponses[200] };
  listDocumentTypes: { input: types.ListDocumentTypesData; answer: types.ListDocumentTypesResponses[200] };
  listDocumentCategories: { input: types.ListDocumentCategoriesData; answer: types.ListDocumentCategoriesResponses[200] };
  listDocumentTemplates: { input: types.ListDocumentTemplatesData; answer: types.ListDocumentTemplatesResponses[200] };
  getDocumentTemplate: { input: types.GetDocumentTemplateData; answer: types.GetDocumentTemplateResponses[200] };
  listDocuments: { input: types.ListDocumentsData; answer: types.ListDocumentsResponses[200] };
  createDocument: { input: types.CreateDocumentData; answer: types.CreateDocumentResponses[200] };
  getDocument: { input: types.GetDocumentData; answer: types.GetDocumentResponses[200] };
  setDocumentRoute: { input: types.SetDocumentRouteData; answer: types.SetDocumentRouteResponses[200] };
  sendDocument: { input: types.SendDocumentData; answer: types.SendDocumentResponses[200] };
  approveDocument: { input: types.ApproveDocumentData; answer: types.ApproveDocumentResponses[200] };
  signDocument: { input: types.SignDocumentData; answer: types.SignDocumentResponses[200] };
  rejectDocument: { input: types.RejectDocumentData; answer: types.RejectDocumentResponses[200] };
  downloadDocument: { input: types.DownloadDocumentData; answer: types.DownloadDocumentResponses[200] };
  reserveFile: { input: types.ReserveFileData; answer: types.ReserveFileResponses[200] };
  confirmFile: { input: types.ConfirmFileData; answer: types.ConfirmFileResponses[200] };
  ingestRecords: { input: types.IngestRecordsData; answer: types.IngestRecordsResponses[200] };
  createWebhookEndpoint: { input: types.CreateWebhookEndpointData; answer: types.CreateWebhookEndpointResponses[200] };
  testWebhookEndpoint: { input: types.TestWebhookEndpointData; answer: types.TestWebhookEndpointResponses[200] };
  deleteWebhookEndpoint: { input: types.DeleteWebhookEndpointData; answer: types.DeleteWebhookEndpointResponses[200] };
}

/** The envelope of every event. */
export type EventEnvelope = types.OnEmployeeChangedWebhookPayload | types.OnEmployeeDeletedWebhookPayload | types.OnPersonChangedWebhookPayload | types.OnDocumentSentWebhookPayload | types.OnDocumentApprovalStartedWebhookPayload | types.OnDocumentSigningStartedWebhookPayload | types.OnDocumentCompletedWebhookPayload | types.OnDocumentRejectedWebhookPayload | types.OnDocumentChangeRequestedWebhookPayload | types.OnDocumentRevokedWebhookPayload | types.OnDocumentDeletedWebhookPayload | types.OnWebhookEndpointTestWebhookPayload;

/** The types of events that an endpoint can subscribe to. */
export const eventTypes = [
  'employee.changed',
  'employee.deleted',
  'person.changed',
  'document.sent',
  'document.approval_started',
  'document.signing_started',
  'document.completed',
  'document.rejected',
  'document.change_requested',
  'document.revoked',
  'document.deleted',
] as const;

/** The textual codes of errors. */
export type ErrorReason = 
  | 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS'
  | 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT'
  | 'DEVELOPER.RATE_LIMIT_EXCEEDED'
  | 'DEVELOPER.SCOPE_INSUFFICIENT'
  | 'DOCUMENT.ACTION_NOT_ALLOWED'
  | 'DOCUMENT.INVALID_STATUS_TRANSITION'
  | 'DOCUMENT_INITIATOR_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'DOCUMENT_TEMPLATE_NOT_FOUND'
  | 'EMPLOYEE_NOT_FOUND'
  | 'FEATURE_FLAG.NOT_AVAILABLE'
  | 'FILE.ALREADY_LINKED'
  | 'FILE.INVALID_STATUS_TRANSITION'
  | 'FILE.NOT_UPLOADED'
  | 'FILE.SIZE_MISMATCH'
  | 'FILE_NOT_FOUND'
  | 'HEADERS_TOO_LARGE'
  | 'INTEGRATION.API_KEY_INVALID'
  | 'INTEGRATION.IDEMPOTENCY_REQUIRED'
  | 'INTERNAL'
  | 'INVALID_ARGUMENT'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_IMPLEMENTED'
  | 'PATH_NOT_FOUND'
  | 'REQUEST_TOO_LARGE'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'WEBHOOK_ENDPOINT.DISABLED'
  | 'WEBHOOK_ENDPOINT.LIMIT_REACHED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND';

/** A bucket of `burst` tokens, refilled continuously by `perSecond` tokens a second; each request takes one. */
export const rateLimit = { perSecond: 10, burst: 20 } as const;
