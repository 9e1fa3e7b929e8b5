// Made from openapi.yaml by `npm run generate`; never edited by hand. The calls of the contract.

import type * as types from './types.gen.ts';

/** How each operation is called. */
export const calls = {
  verifyApiKey: { method: 'GET', path: '/developer/v1/api_key/_verify' },
  listEmployees: { method: 'GET', path: '/developer/v1/employees' },
  getEmployee: { method: 'GET', path: '/developer/v1/employees/{employee_id}' },
  listLoginMethods: { method: 'GET', path: '/developer/v1/login_methods' },
  listDocumentTypes: { method: 'GET', path: '/developer/v1/document_types' },
  listDocumentCategories: { method: 'GET', path: '/developer/v1/document_categories' },
  listDocumentTemplates: { method: 'GET', path: '/developer/v1/document_templates' },
  getDocumentTemplate: { method: 'GET', path: '/developer/v1/document_templates/{template_id}' },
  listDocuments: { method: 'GET', path: '/developer/v1/documents' },
  createDocument: { method: 'POST', path: '/developer/v1/documents', takesIdempotencyKey: true },
  getDocument: { method: 'GET', path: '/developer/v1/documents/{document_id}' },
  setDocumentRoute: { method: 'POST', path: '/developer/v1/documents/{document_id}/_set_route' },
  sendDocument: { method: 'POST', path: '/developer/v1/documents/{document_id}/_send' },
  approveDocument: { method: 'POST', path: '/developer/v1/documents/{document_id}/_approve' },
  signDocument: { method: 'POST', path: '/developer/v1/documents/{document_id}/_sign' },
  rejectDocument: { method: 'POST', path: '/developer/v1/documents/{document_id}/_reject' },
  downloadDocument: { method: 'GET', path: '/developer/v1/documents/{document_id}/_download' },
  reserveFile: { method: 'POST', path: '/developer/v1/files' },
  confirmFile: { method: 'POST', path: '/developer/v1/files/{file_id}/_confirm' },
  ingestRecords: { method: 'POST', path: '/developer/v1/ingest/{source_type}', takesIdempotencyKey: true },
  createWebhookEndpoint: { method: 'POST', path: '/developer/v1/webhook_endpoints' },
  testWebhookEndpoint: { method: 'POST', path: '/developer/v1/webhook_endpoints/{id}/_test' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/developer/v1/webhook_endpoints/{id}' },
} as const;

/** Where the client offers each operation: the tag, and what its operationId says besides the tag. */
export const methods = {
  verifyApiKey: { resource: 'apiKey', name: 'verify' },
  listEmployees: { resource: 'employees', name: 'list' },
  getEmployee: { resource: 'employees', name: 'get' },
  listLoginMethods: { resource: 'loginMethods', name: 'list' },
  listDocumentTypes: { resource: 'documentTypes', name: 'list' },
  listDocumentCategories: { resource: 'documentCategories', name: 'list' },
  listDocumentTemplates: { resource: 'documentTemplates', name: 'list' },
  getDocumentTemplate: { resource: 'documentTemplates', name: 'get' },
  listDocuments: { resource: 'documents', name: 'list' },
  createDocument: { resource: 'documents', name: 'create' },
  getDocument: { resource: 'documents', name: 'get' },
  setDocumentRoute: { resource: 'documents', name: 'setRoute' },
  sendDocument: { resource: 'documents', name: 'send' },
  approveDocument: { resource: 'documents', name: 'approve' },
  signDocument: { resource: 'documents', name: 'sign' },
  rejectDocument: { resource: 'documents', name: 'reject' },
  downloadDocument: { resource: 'documents', name: 'download' },
  reserveFile: { resource: 'files', name: 'reserve' },
  confirmFile: { resource: 'files', name: 'confirm' },
  ingestRecords: { resource: 'ingest', name: 'records' },
  createWebhookEndpoint: { resource: 'webhookEndpoints', name: 'create' },
  testWebhookEndpoint: { resource: 'webhookEndpoints', name: 'test' },
  deleteWebhookEndpoint: { resource: 'webhookEndpoints', name: 'delete' },
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
export type ErrorReason = 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS' | 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT' | 'DEVELOPER.RATE_LIMIT_EXCEEDED' | 'DEVELOPER.SCOPE_INSUFFICIENT' | 'DOCUMENT.ACTION_NOT_ALLOWED' | 'DOCUMENT.INVALID_STATUS_TRANSITION' | 'DOCUMENT_INITIATOR_NOT_FOUND' | 'DOCUMENT_NOT_FOUND' | 'DOCUMENT_TEMPLATE_NOT_FOUND' | 'EMPLOYEE_NOT_FOUND' | 'FEATURE_FLAG.NOT_AVAILABLE' | 'FILE.ALREADY_LINKED' | 'FILE.INVALID_STATUS_TRANSITION' | 'FILE.NOT_UPLOADED' | 'FILE.SIZE_MISMATCH' | 'FILE_NOT_FOUND' | 'HEADERS_TOO_LARGE' | 'INTEGRATION.API_KEY_INVALID' | 'INTEGRATION.IDEMPOTENCY_REQUIRED' | 'INTERNAL' | 'INVALID_ARGUMENT' | 'METHOD_NOT_ALLOWED' | 'NOT_IMPLEMENTED' | 'PATH_NOT_FOUND' | 'REQUEST_TOO_LARGE' | 'UNAVAILABLE' | 'UNSUPPORTED_MEDIA_TYPE' | 'WEBHOOK_ENDPOINT.DISABLED' | 'WEBHOOK_ENDPOINT.LIMIT_REACHED' | 'WEBHOOK_ENDPOINT_NOT_FOUND';

/** A bucket of `burst` tokens, refilled continuously by `perSecond` tokens a second; each request takes one. */
export const rateLimit = { perSecond: 10, burst: 20 } as const;
