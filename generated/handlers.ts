// Made from openapi.yaml by `npm run generate`; never edited by hand. What handlers are given and what they answer.

import type {
  ApproveDocumentData,
  ApproveDocumentResponses,
  ConfirmFileData,
  ConfirmFileResponses,
  CreateDocumentData,
  CreateDocumentResponses,
  CreateWebhookEndpointData,
  CreateWebhookEndpointResponses,
  DeleteWebhookEndpointData,
  DeleteWebhookEndpointResponses,
  DownloadDocumentData,
  DownloadDocumentResponses,
  GetDocumentData,
  GetDocumentResponses,
  GetDocumentTemplateData,
  GetDocumentTemplateResponses,
  GetEmployeeData,
  GetEmployeeResponses,
  IngestRecordsData,
  IngestRecordsResponses,
  ListDocumentCategoriesData,
  ListDocumentCategoriesResponses,
  ListDocumentTemplatesData,
  ListDocumentTemplatesResponses,
  ListDocumentTypesData,
  ListDocumentTypesResponses,
  ListDocumentsData,
  ListDocumentsResponses,
  ListEmployeesData,
  ListEmployeesResponses,
  ListLoginMethodsResponses,
  RejectDocumentData,
  RejectDocumentResponses,
  ReserveFileData,
  ReserveFileResponses,
  SendDocumentData,
  SendDocumentResponses,
  SetDocumentRouteData,
  SetDocumentRouteResponses,
  SignDocumentData,
  SignDocumentResponses,
  TestWebhookEndpointData,
  TestWebhookEndpointResponses,
  VerifyApiKeyResponses,
} from './client/types.gen.ts';

/** An operation without parameters at that place. */
export type None = Record<string, never>;

/** T in which the parameters K were filled in. */
type WithDefaults<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;

/**
 * What was read and judged valid, by operationId. Parameters with a default are always there; of a body nothing was filled in, and `null`
 * stands for an operation that takes none.
 */
export interface Inputs {
  verifyApiKey: {
    path: None;
    query: None;
    body: null;
  };
  listEmployees: {
    path: None;
    query: WithDefaults<NonNullable<ListEmployeesData['query']>, 'limit' | 'include_total'>;
    body: null;
  };
  getEmployee: {
    path: NonNullable<GetEmployeeData['path']>;
    query: NonNullable<GetEmployeeData['query']>;
    body: null;
  };
  listLoginMethods: {
    path: None;
    query: None;
    body: null;
  };
  listDocumentTypes: {
    path: None;
    query: WithDefaults<NonNullable<ListDocumentTypesData['query']>, 'limit'>;
    body: null;
  };
  listDocumentCategories: {
    path: None;
    query: WithDefaults<NonNullable<ListDocumentCategoriesData['query']>, 'limit'>;
    body: null;
  };
  listDocumentTemplates: {
    path: None;
    query: WithDefaults<NonNullable<ListDocumentTemplatesData['query']>, 'limit'>;
    body: null;
  };
  getDocumentTemplate: {
    path: NonNullable<GetDocumentTemplateData['path']>;
    query: NonNullable<GetDocumentTemplateData['query']>;
    body: null;
  };
  listDocuments: {
    path: None;
    query: WithDefaults<NonNullable<ListDocumentsData['query']>, 'limit'>;
    body: null;
  };
  createDocument: {
    path: None;
    query: None;
    body: NonNullable<CreateDocumentData['body']>;
  };
  getDocument: {
    path: NonNullable<GetDocumentData['path']>;
    query: None;
    body: null;
  };
  setDocumentRoute: {
    path: NonNullable<SetDocumentRouteData['path']>;
    query: None;
    body: NonNullable<SetDocumentRouteData['body']>;
  };
  sendDocument: {
    path: NonNullable<SendDocumentData['path']>;
    query: None;
    body: NonNullable<SendDocumentData['body']>;
  };
  approveDocument: {
    path: NonNullable<ApproveDocumentData['path']>;
    query: None;
    body: NonNullable<ApproveDocumentData['body']>;
  };
  signDocument: {
    path: NonNullable<SignDocumentData['path']>;
    query: None;
    body: NonNullable<SignDocumentData['body']>;
  };
  rejectDocument: {
    path: NonNullable<RejectDocumentData['path']>;
    query: None;
    body: NonNullable<RejectDocumentData['body']>;
  };
  downloadDocument: {
    path: NonNullable<DownloadDocumentData['path']>;
    query: NonNullable<DownloadDocumentData['query']>;
    body: null;
  };
  reserveFile: {
    path: None;
    query: None;
    body: NonNullable<ReserveFileData['body']>;
  };
  confirmFile: {
    path: NonNullable<ConfirmFileData['path']>;
    query: None;
    body: NonNullable<ConfirmFileData['body']>;
  };
  ingestRecords: {
    path: NonNullable<IngestRecordsData['path']>;
    query: None;
    body: NonNullable<IngestRecordsData['body']>;
  };
  createWebhookEndpoint: {
    path: None;
    query: None;
    body: NonNullable<CreateWebhookEndpointData['body']>;
  };
  testWebhookEndpoint: {
    path: NonNullable<TestWebhookEndpointData['path']>;
    query: None;
    body: NonNullable<TestWebhookEndpointData['body']>;
  };
  deleteWebhookEndpoint: {
    path: NonNullable<DeleteWebhookEndpointData['path']>;
    query: None;
    body: null;
  };
}

/** The operations that take an Idempotency-Key. */
export interface KeyedOperations {
  createDocument: 'optional';
  ingestRecords: 'required';
}

/** The body of the answer 200, by operationId. */
export interface Answers {
  verifyApiKey: VerifyApiKeyResponses[200];
  listEmployees: ListEmployeesResponses[200];
  getEmployee: GetEmployeeResponses[200];
  listLoginMethods: ListLoginMethodsResponses[200];
  listDocumentTypes: ListDocumentTypesResponses[200];
  listDocumentCategories: ListDocumentCategoriesResponses[200];
  listDocumentTemplates: ListDocumentTemplatesResponses[200];
  getDocumentTemplate: GetDocumentTemplateResponses[200];
  listDocuments: ListDocumentsResponses[200];
  createDocument: CreateDocumentResponses[200];
  getDocument: GetDocumentResponses[200];
  setDocumentRoute: SetDocumentRouteResponses[200];
  sendDocument: SendDocumentResponses[200];
  approveDocument: ApproveDocumentResponses[200];
  signDocument: SignDocumentResponses[200];
  rejectDocument: RejectDocumentResponses[200];
  downloadDocument: DownloadDocumentResponses[200];
  reserveFile: ReserveFileResponses[200];
  confirmFile: ConfirmFileResponses[200];
  ingestRecords: IngestRecordsResponses[200];
  createWebhookEndpoint: CreateWebhookEndpointResponses[200];
  testWebhookEndpoint: TestWebhookEndpointResponses[200];
  deleteWebhookEndpoint: DeleteWebhookEndpointResponses[200];
}
