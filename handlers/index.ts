/**
 * The map from operationId to handler, whose type demands every operation of the contract; and from operationId to what is
 * wrong with a body beyond its shape.
 */
import { verifyApiKey } from './api_key/verifyApiKey.ts';
import { listDocumentCategories } from './document_categories/listDocumentCategories.ts';
import { getDocumentTemplate } from './document_templates/getDocumentTemplate.ts';
import { listDocumentTemplates } from './document_templates/listDocumentTemplates.ts';
import { listDocumentTypes } from './document_types/listDocumentTypes.ts';
import { approveDocument } from './documents/approveDocument.ts';
import { creationViolations } from './documents/create/creation.ts';
import { createDocument } from './documents/createDocument.ts';
import { downloadDocument } from './documents/downloadDocument.ts';
import { getDocument } from './documents/getDocument.ts';
import { listDocuments } from './documents/listDocuments.ts';
import { rejectDocument } from './documents/rejectDocument.ts';
import { sendDocument } from './documents/sendDocument.ts';
import { setDocumentRoute } from './documents/setDocumentRoute.ts';
import { signDocument } from './documents/signDocument.ts';
import { rejectionViolations } from './documents/workflow/input.ts';
import { routeViolations } from './documents/workflow/route.ts';
import { getEmployee } from './employees/getEmployee.ts';
import { listEmployees } from './employees/listEmployees.ts';
import { confirmFile } from './files/confirmFile.ts';
import { reserveFile } from './files/reserveFile.ts';
import { confirmationViolations, reservationViolations } from './files/upload.ts';
import type { BodyChecks, Handlers } from './http/handler.ts';
import { ingestRecords } from './ingest/ingestRecords.ts';
import { listLoginMethods } from './login_methods/listLoginMethods.ts';
import { createWebhookEndpoint } from './webhook_endpoints/createWebhookEndpoint.ts';
import { deleteWebhookEndpoint } from './webhook_endpoints/deleteWebhookEndpoint.ts';
import { testWebhookEndpoint } from './webhook_endpoints/testWebhookEndpoint.ts';
import { urlViolations } from './webhook_endpoints/url.ts';

export const handlers: Handlers = {
  verifyApiKey,
  listEmployees,
  getEmployee,
  listLoginMethods,
  listDocumentTypes,
  listDocumentCategories,
  listDocumentTemplates,
  getDocumentTemplate,
  listDocuments,
  createDocument,
  getDocument,
  setDocumentRoute,
  sendDocument,
  approveDocument,
  signDocument,
  rejectDocument,
  downloadDocument,
  reserveFile,
  confirmFile,
  ingestRecords,
  createWebhookEndpoint,
  testWebhookEndpoint,
  deleteWebhookEndpoint,
};

export const checks: BodyChecks = {
  createDocument: creationViolations,
  setDocumentRoute: routeViolations,
  rejectDocument: rejectionViolations,
  reserveFile: reservationViolations,
  confirmFile: confirmationViolations,
  createWebhookEndpoint: urlViolations,
};
