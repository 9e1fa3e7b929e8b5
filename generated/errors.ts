// Made from openapi.yaml by `npm run generate`; never edited by hand. The catalogue of errors.

export type ErrorName = 
  | 'API_KEY_INVALID'
  | 'FEATURE_FLAG_OFF'
  | 'SCOPE_INSUFFICIENT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INVALID_ARGUMENT'
  | 'EMPLOYEE_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'FILE_NOT_FOUND'
  | 'DOCUMENT_TEMPLATE_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'PATH_NOT_FOUND'
  | 'DOCUMENT_INITIATOR_NOT_FOUND'
  | 'FILE_INVALID_STATUS_TRANSITION'
  | 'FILE_ALREADY_LINKED'
  | 'FILE_NOT_UPLOADED'
  | 'FILE_SIZE_MISMATCH'
  | 'DOCUMENT_INVALID_STATUS_TRANSITION'
  | 'DOCUMENT_ACTION_NOT_ALLOWED'
  | 'WEBHOOK_ENDPOINT_DISABLED'
  | 'WEBHOOK_ENDPOINT_LIMIT_REACHED'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'INGEST_ALREADY_ACCEPTED'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'HEADERS_TOO_LARGE'
  | 'NOT_IMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE';

export interface CatalogueError {
  readonly name: ErrorName;
  /** The textual code, `details[0].reason` of the body. Two errors may share one. */
  readonly reason: string;
  /** Canonical gRPC number, `code` of the body. */
  readonly rpcCode: number;
  readonly httpStatus: number;
  readonly message: string;
  /** The name of its page in the docs. */
  readonly page: string;
}

export const errors: Readonly<Record<ErrorName, CatalogueError>> = {
  API_KEY_INVALID: {
    name: 'API_KEY_INVALID',
    reason: 'INTEGRATION.API_KEY_INVALID',
    rpcCode: 16,
    httpStatus: 401,
    message: 'The API key is missing or not valid: send it once, in the header X-API-Key.',
    page: 'error-integration-api-key-invalid',
  },
  FEATURE_FLAG_OFF: {
    name: 'FEATURE_FLAG_OFF',
    reason: 'FEATURE_FLAG.NOT_AVAILABLE',
    rpcCode: 7,
    httpStatus: 403,
    message: 'The developer API is not enabled for this tenant.',
    page: 'error-feature-flag-not-available',
  },
  SCOPE_INSUFFICIENT: {
    name: 'SCOPE_INSUFFICIENT',
    reason: 'DEVELOPER.SCOPE_INSUFFICIENT',
    rpcCode: 7,
    httpStatus: 403,
    message: 'The API key lacks the scope that this operation requires.',
    page: 'error-developer-scope-insufficient',
  },
  RATE_LIMIT_EXCEEDED: {
    name: 'RATE_LIMIT_EXCEEDED',
    reason: 'DEVELOPER.RATE_LIMIT_EXCEEDED',
    rpcCode: 8,
    httpStatus: 429,
    message: 'Too many requests. Repeat after the delay given.',
    page: 'error-developer-rate-limit-exceeded',
  },
  INVALID_ARGUMENT: {
    name: 'INVALID_ARGUMENT',
    reason: 'INVALID_ARGUMENT',
    rpcCode: 3,
    httpStatus: 400,
    message: 'The request has invalid parameters or fields.',
    page: 'error-invalid-argument',
  },
  EMPLOYEE_NOT_FOUND: {
    name: 'EMPLOYEE_NOT_FOUND',
    reason: 'EMPLOYEE_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No employee with this id is accessible to the key.',
    page: 'error-employee-not-found',
  },
  DOCUMENT_NOT_FOUND: {
    name: 'DOCUMENT_NOT_FOUND',
    reason: 'DOCUMENT_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No document with this id is accessible to the key.',
    page: 'error-document-not-found',
  },
  FILE_NOT_FOUND: {
    name: 'FILE_NOT_FOUND',
    reason: 'FILE_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No file with this id is accessible to the key.',
    page: 'error-file-not-found',
  },
  DOCUMENT_TEMPLATE_NOT_FOUND: {
    name: 'DOCUMENT_TEMPLATE_NOT_FOUND',
    reason: 'DOCUMENT_TEMPLATE_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No document template with this id and version is accessible to the key.',
    page: 'error-document-template-not-found',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    name: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    reason: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No webhook endpoint with this id exists in the tenant.',
    page: 'error-webhook-endpoint-not-found',
  },
  PATH_NOT_FOUND: {
    name: 'PATH_NOT_FOUND',
    reason: 'PATH_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'No operation has this path.',
    page: 'error-path-not-found',
  },
  DOCUMENT_INITIATOR_NOT_FOUND: {
    name: 'DOCUMENT_INITIATOR_NOT_FOUND',
    reason: 'DOCUMENT_INITIATOR_NOT_FOUND',
    rpcCode: 5,
    httpStatus: 404,
    message: 'The owner of the key is not an employee of the tenant.',
    page: 'error-document-initiator-not-found',
  },
  FILE_INVALID_STATUS_TRANSITION: {
    name: 'FILE_INVALID_STATUS_TRANSITION',
    reason: 'FILE.INVALID_STATUS_TRANSITION',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The upload has not been confirmed.',
    page: 'error-file-invalid-status-transition',
  },
  FILE_ALREADY_LINKED: {
    name: 'FILE_ALREADY_LINKED',
    reason: 'FILE.ALREADY_LINKED',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The upload is already attached to a document.',
    page: 'error-file-already-linked',
  },
  FILE_NOT_UPLOADED: {
    name: 'FILE_NOT_UPLOADED',
    reason: 'FILE.NOT_UPLOADED',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The file has not been uploaded to storage.',
    page: 'error-file-not-uploaded',
  },
  FILE_SIZE_MISMATCH: {
    name: 'FILE_SIZE_MISMATCH',
    reason: 'FILE.SIZE_MISMATCH',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The stored file is larger than the reserved size.',
    page: 'error-file-size-mismatch',
  },
  DOCUMENT_INVALID_STATUS_TRANSITION: {
    name: 'DOCUMENT_INVALID_STATUS_TRANSITION',
    reason: 'DOCUMENT.INVALID_STATUS_TRANSITION',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The document is in a state that does not allow this action.',
    page: 'error-document-invalid-status-transition',
  },
  DOCUMENT_ACTION_NOT_ALLOWED: {
    name: 'DOCUMENT_ACTION_NOT_ALLOWED',
    reason: 'DOCUMENT.ACTION_NOT_ALLOWED',
    rpcCode: 7,
    httpStatus: 403,
    message: 'Only the initiator of the document may perform this action.',
    page: 'error-document-action-not-allowed',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    name: 'WEBHOOK_ENDPOINT_DISABLED',
    reason: 'WEBHOOK_ENDPOINT.DISABLED',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The webhook endpoint is disabled.',
    page: 'error-webhook-endpoint-disabled',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    name: 'WEBHOOK_ENDPOINT_LIMIT_REACHED',
    reason: 'WEBHOOK_ENDPOINT.LIMIT_REACHED',
    rpcCode: 9,
    httpStatus: 400,
    message: 'The tenant has reached its limit of webhook endpoints.',
    page: 'error-webhook-endpoint-limit-reached',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    name: 'IDEMPOTENCY_KEY_CONFLICT',
    reason: 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT',
    rpcCode: 6,
    httpStatus: 409,
    message: 'The Idempotency-Key has been used with a different request body.',
    page: 'error-developer-idempotency-key-conflict',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    name: 'IDEMPOTENCY_IN_PROGRESS',
    reason: 'DEVELOPER.IDEMPOTENCY_IN_PROGRESS',
    rpcCode: 10,
    httpStatus: 409,
    message: 'A request with this Idempotency-Key is still in progress.',
    page: 'error-developer-idempotency-in-progress',
  },
  IDEMPOTENCY_KEY_MISSING: {
    name: 'IDEMPOTENCY_KEY_MISSING',
    reason: 'INTEGRATION.IDEMPOTENCY_REQUIRED',
    rpcCode: 3,
    httpStatus: 400,
    message: 'The Idempotency-Key header is required.',
    page: 'error-integration-idempotency-required',
  },
  INGEST_ALREADY_ACCEPTED: {
    name: 'INGEST_ALREADY_ACCEPTED',
    reason: 'INTEGRATION.IDEMPOTENCY_REQUIRED',
    rpcCode: 6,
    httpStatus: 409,
    message: 'An ingest request with this Idempotency-Key already exists.',
    page: 'error-integration-idempotency-required',
  },
  METHOD_NOT_ALLOWED: {
    name: 'METHOD_NOT_ALLOWED',
    reason: 'METHOD_NOT_ALLOWED',
    rpcCode: 12,
    httpStatus: 405,
    message: 'This path does not support the request method.',
    page: 'error-method-not-allowed',
  },
  REQUEST_TOO_LARGE: {
    name: 'REQUEST_TOO_LARGE',
    reason: 'REQUEST_TOO_LARGE',
    rpcCode: 3,
    httpStatus: 413,
    message: 'The request body is too large.',
    page: 'error-request-too-large',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    name: 'UNSUPPORTED_MEDIA_TYPE',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
    rpcCode: 3,
    httpStatus: 415,
    message: 'The request body must be application/json.',
    page: 'error-unsupported-media-type',
  },
  HEADERS_TOO_LARGE: {
    name: 'HEADERS_TOO_LARGE',
    reason: 'HEADERS_TOO_LARGE',
    rpcCode: 3,
    httpStatus: 431,
    message: 'The request line and headers are too large.',
    page: 'error-headers-too-large',
  },
  NOT_IMPLEMENTED: {
    name: 'NOT_IMPLEMENTED',
    reason: 'NOT_IMPLEMENTED',
    rpcCode: 12,
    httpStatus: 501,
    message: 'This operation is not implemented.',
    page: 'error-not-implemented',
  },
  INTERNAL: {
    name: 'INTERNAL',
    reason: 'INTERNAL',
    rpcCode: 13,
    httpStatus: 500,
    message: 'The service failed to process the request.',
    page: 'error-internal',
  },
  UNAVAILABLE: {
    name: 'UNAVAILABLE',
    reason: 'UNAVAILABLE',
    rpcCode: 14,
    httpStatus: 503,
    message: 'The service is temporarily unavailable.',
    page: 'error-unavailable',
  },
};
