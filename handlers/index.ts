/** The map from operationId to handler. Its type demands every operation of the contract. */
import { verifyApiKey } from './api_key/verifyApiKey.ts';
import { listDocumentCategories } from './document_categories/listDocumentCategories.ts';
import { getDocumentTemplate } from './document_templates/getDocumentTemplate.ts';
import { listDocumentTemplates } from './document_templates/listDocumentTemplates.ts';
import { listDocumentTypes } from './document_types/listDocumentTypes.ts';
import { getEmployee } from './employees/getEmployee.ts';
import { listEmployees } from './employees/listEmployees.ts';
import { listLoginMethods } from './login_methods/listLoginMethods.ts';
import { type Handlers, notBuilt } from './runtime/handler.ts';

export const handlers: Handlers = {
  verifyApiKey,
  listEmployees,
  getEmployee,
  listLoginMethods,
  listDocumentTypes,
  listDocumentCategories,
  listDocumentTemplates,
  getDocumentTemplate,
  listDocuments: notBuilt,
  createDocument: notBuilt,
  getDocument: notBuilt,
  setDocumentRoute: notBuilt,
  sendDocument: notBuilt,
  approveDocument: notBuilt,
  signDocument: notBuilt,
  rejectDocument: notBuilt,
  downloadDocument: notBuilt,
  reserveFile: notBuilt,
  confirmFile: notBuilt,
  ingestRecords: notBuilt,
  createWebhookEndpoint: notBuilt,
  testWebhookEndpoint: notBuilt,
  deleteWebhookEndpoint: notBuilt,
};
