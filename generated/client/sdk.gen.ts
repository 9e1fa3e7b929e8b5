// Made from openapi.yaml by `npm run generate`; never edited by hand. Types and client by hey-api.

import { client } from './client.gen.ts';
import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from './client/index.ts';
import type { ApproveDocumentData, ApproveDocumentErrors, ApproveDocumentResponses, ConfirmFileData, ConfirmFileErrors, ConfirmFileResponses, CreateDocumentData, CreateDocumentErrors, CreateDocumentResponses, CreateWebhookEndpointData, CreateWebhookEndpointErrors, CreateWebhookEndpointResponses, DeleteWebhookEndpointData, DeleteWebhookEndpointErrors, DeleteWebhookEndpointResponses, DownloadDocumentData, DownloadDocumentErrors, DownloadDocumentResponses, GetDocumentData, GetDocumentErrors, GetDocumentResponses, GetDocumentTemplateData, GetDocumentTemplateErrors, GetDocumentTemplateResponses, GetEmployeeData, GetEmployeeErrors, GetEmployeeResponses, IngestRecordsData, IngestRecordsErrors, IngestRecordsResponses, ListDocumentCategoriesData, ListDocumentCategoriesErrors, ListDocumentCategoriesResponses, ListDocumentsData, ListDocumentsErrors, ListDocumentsResponses, ListDocumentTemplatesData, ListDocumentTemplatesErrors, ListDocumentTemplatesResponses, ListDocumentTypesData, ListDocumentTypesErrors, ListDocumentTypesResponses, ListEmployeesData, ListEmployeesErrors, ListEmployeesResponses, ListLoginMethodsData, ListLoginMethodsErrors, ListLoginMethodsResponses, RejectDocumentData, RejectDocumentErrors, RejectDocumentResponses, ReserveFileData, ReserveFileErrors, ReserveFileResponses, SendDocumentData, SendDocumentErrors, SendDocumentResponses, SetDocumentRouteData, SetDocumentRouteErrors, SetDocumentRouteResponses, SignDocumentData, SignDocumentErrors, SignDocumentResponses, TestWebhookEndpointData, TestWebhookEndpointErrors, TestWebhookEndpointResponses, VerifyApiKeyData, VerifyApiKeyErrors, VerifyApiKeyResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * Verify the API key
 *
 * Answers with an empty object when the key is accepted and the interface is enabled for its tenant; otherwise with the error
 * that every other operation would give. It needs no scope and changes nothing, but takes its token of the rate limit.
 *
 */
export const verifyApiKey = <ThrowOnError extends boolean = false>(options?: Options<VerifyApiKeyData, ThrowOnError>): RequestResult<VerifyApiKeyResponses, VerifyApiKeyErrors, ThrowOnError> => (options?.client ?? client).get<VerifyApiKeyResponses, VerifyApiKeyErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/api_key/_verify',
    ...options
});

/**
 * List employees
 *
 * Returns the employees of the tenant that the owner of the key may see, newest first. Without filters it returns all of them,
 * terminated ones included. Employees in draft and deleted employees are never returned. Filters of different names must
 * all match; of several values of one filter, one must.
 *
 * **Keeping a copy.** Walk the list once without filters. After that, ask regularly for `updated_since` with the start of the last
 * round less a minute, or react to `employee.changed` and `employee.deleted`. Deleted employees do not appear in `updated_since`:
 * only the event, or a full walk, tells of them.
 *
 * **Expansions** are looked up for the whole page, so one request with `expand` is cheaper than one for each employee. Related
 * objects carry their names of now, whatever `updated_since` says.
 *
 */
export const listEmployees = <ThrowOnError extends boolean = false>(options?: Options<ListEmployeesData, ThrowOnError>): RequestResult<ListEmployeesResponses, ListEmployeesErrors, ThrowOnError> => (options?.client ?? client).get<ListEmployeesResponses, ListEmployeesErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/employees',
    ...options
});

/**
 * Get an employee
 *
 * Returns the current data of one employee, as the list would show it: with the permissions and redaction of the owner. This is
 * what a receiver of `employee.changed` calls. An unknown, deleted, draft or invisible employee is a 404.
 *
 */
export const getEmployee = <ThrowOnError extends boolean = false>(options: Options<GetEmployeeData, ThrowOnError>): RequestResult<GetEmployeeResponses, GetEmployeeErrors, ThrowOnError> => (options.client ?? client).get<GetEmployeeResponses, GetEmployeeErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/employees/{employee_id}',
    ...options
});

/**
 * List login methods
 *
 * Returns the login methods that are enabled in the tenant, ordered by slug, all in one answer. The slug is stable: use it when
 * binding an external person to an authentication identity. It needs a valid key, but no scope.
 *
 */
export const listLoginMethods = <ThrowOnError extends boolean = false>(options?: Options<ListLoginMethodsData, ThrowOnError>): RequestResult<ListLoginMethodsResponses, ListLoginMethodsErrors, ThrowOnError> => (options?.client ?? client).get<ListLoginMethodsResponses, ListLoginMethodsErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/login_methods',
    ...options
});

/**
 * List document types
 *
 * Returns the document types that the owner of the key may see, newest first. A document can be created here only with a type
 * that is `ACTIVE` and has `allow_api`, from a PDF only if it also has `allow_upload`.
 *
 */
export const listDocumentTypes = <ThrowOnError extends boolean = false>(options?: Options<ListDocumentTypesData, ThrowOnError>): RequestResult<ListDocumentTypesResponses, ListDocumentTypesErrors, ThrowOnError> => (options?.client ?? client).get<ListDocumentTypesResponses, ListDocumentTypesErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/document_types',
    ...options
});

/**
 * List document categories
 *
 * Returns the categories of the tenant, newest first. They form a tree by `parent_id`; document types are filed in it.
 *
 */
export const listDocumentCategories = <ThrowOnError extends boolean = false>(options?: Options<ListDocumentCategoriesData, ThrowOnError>): RequestResult<ListDocumentCategoriesResponses, ListDocumentCategoriesErrors, ThrowOnError> => (options?.client ?? client).get<ListDocumentCategoriesResponses, ListDocumentCategoriesErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/document_categories',
    ...options
});

/**
 * List document templates
 *
 * Returns the templates of the document types that the owner of the key may see, newest first, each with its latest published
 * version and the schema of its variables.
 *
 */
export const listDocumentTemplates = <ThrowOnError extends boolean = false>(options?: Options<ListDocumentTemplatesData, ThrowOnError>): RequestResult<ListDocumentTemplatesResponses, ListDocumentTemplatesErrors, ThrowOnError> => (options?.client ?? client).get<ListDocumentTemplatesResponses, ListDocumentTemplatesErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/document_templates',
    ...options
});

/**
 * Get a document template
 *
 * Returns one template with the schema of its variables, in its latest published version or in the one asked for. Published versions never
 * change, so `template_values` that satisfy the schema of a version satisfy it later, too: pass the same number as
 * `template_version` when creating the document.
 *
 */
export const getDocumentTemplate = <ThrowOnError extends boolean = false>(options: Options<GetDocumentTemplateData, ThrowOnError>): RequestResult<GetDocumentTemplateResponses, GetDocumentTemplateErrors, ThrowOnError> => (options.client ?? client).get<GetDocumentTemplateResponses, GetDocumentTemplateErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/document_templates/{template_id}',
    ...options
});

/**
 * List documents
 *
 * Lists the documents that the key's owner may see, newest first: `create_time` descending, then `id` descending.
 *
 * A document is visible
 *
 * - to its initiator, always;
 * - to its subjects, from the first time it was sent;
 * - to a participant of its route, from the moment the participant's step became active;
 * - to an owner whose permission profile sees all documents (or all but those of a confidential type).
 *
 * Documents of a type that the owner's profile does not see are visible to their initiator and participants only. Deleted
 * documents are never listed.
 *
 * Filters narrow each other; the values of one repeated filter widen it. The page token is bound to all filters and to `limit`.
 * While you walk through the pages, no document that matches throughout is missed or repeated, whatever is written meanwhile;
 * visibility is checked anew on every page.
 *
 * Participants appear by their ids only: no name, position or identification number of a participant is ever part of a document
 * answer.
 *
 */
export const listDocuments = <ThrowOnError extends boolean = false>(options?: Options<ListDocumentsData, ThrowOnError>): RequestResult<ListDocumentsResponses, ListDocumentsErrors, ThrowOnError> => (options?.client ?? client).get<ListDocumentsResponses, ListDocumentsErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents',
    ...options
});

/**
 * Create a draft document
 *
 * Creates a document in `DOCUMENT_STATUS_DRAFT`. The key's owner becomes its initiator. Setting a route and sending are separate
 * steps; no event is emitted.
 *
 * The content comes from exactly one of two sources. Naming neither or both is `INVALID_ARGUMENT`; `null` or `""` counts
 * as absent.
 *
 * - **A template** (`template_id`): `template_values` is checked against the `variable_schema` of the template's version, and each violation is reported as `template_values.<id>`. The PDF is rendered at once and is the document's first file; a letter that it cannot show is refused and never replaced.
 * - **A confirmed upload** (`file_id`): reserve, send the bytes, confirm, then name the file here. It becomes the document's PDF, byte for byte. An upload serves one document only. `template_version` and `template_values` may not stand beside it.
 *
 * The document type must be one that the owner's profile sees, be `ACTIVE` and have `allow_api`; with `file_id` also
 * `allow_upload`. A template must be `ACTIVE` and belong to that type. An unknown type, organisation, subject, template or
 * template version is `INVALID_ARGUMENT`. A subject that the owner may not see counts as unknown.
 *
 * Filled in by the service: `organization_id` defaults to the initiator's; `date` to today in the tenant's time zone (Asia/Almaty
 * unless configured otherwise); `department_id` is the initiator's; `number` is stored as given, neither assigned nor unique.
 *
 * An owner who is no employee of the tenant, or whose employee is terminated, gets `DOCUMENT_INITIATOR_NOT_FOUND`.
 *
 * **Repeating safely.** With an `Idempotency-Key` the first request creates the document; an identical repeat within 24 hours
 * answers 200 with the same document, read anew with permissions checked, and the header `Idempotent-Replayed: true`. It creates
 * nothing. The same key with another body is 409 `DEVELOPER.IDEMPOTENCY_KEY_CONFLICT`; a repeat while the first is still running is
 * 409 `DEVELOPER.IDEMPOTENCY_IN_PROGRESS`: wait for `Retry-After` and repeat. Where the document has been deleted or is no longer
 * visible to the owner, the repeat is `DOCUMENT_NOT_FOUND`. Bodies are compared as canonical JSON: white space and the order of
 * fields do not matter. The order of checks is: shape of the request, the key's claim, initiator, type and template, file. A
 * request that ends in a 4xx does not use up its key.
 *
 */
export const createDocument = <ThrowOnError extends boolean = false>(options: Options<CreateDocumentData, ThrowOnError>): RequestResult<CreateDocumentResponses, CreateDocumentErrors, ThrowOnError> => (options.client ?? client).post<CreateDocumentResponses, CreateDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read a document
 *
 * Reads one document as it is now, with its files and its route. Re-read a document with this operation when an event names it.
 *
 * A document that does not exist, was deleted, belongs to another tenant or is not visible to the key's owner is 404
 * `DOCUMENT_NOT_FOUND`; these cases cannot be told apart. Who sees which document is described at listDocuments. A malformed id is
 * `INVALID_ARGUMENT`.
 *
 */
export const getDocument = <ThrowOnError extends boolean = false>(options: Options<GetDocumentData, ThrowOnError>): RequestResult<GetDocumentResponses, GetDocumentErrors, ThrowOnError> => (options.client ?? client).get<GetDocumentResponses, GetDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}',
    ...options
});

/**
 * Set the route of a document
 *
 * Replaces the whole approval and signing route. Only the initiator may, and only while the document is in `DOCUMENT_STATUS_DRAFT`
 * or `DOCUMENT_STATUS_CHANGE_REQUESTED`; the status of the document stays as it is. Nothing is sent and no event is emitted.
 *
 * Rules of a route (a violation is `INVALID_ARGUMENT`):
 *
 * - 1 to 20 steps, each with 1 to 50 participants, an employee at most once a step;
 * - at least one signing step, and every approval step stands before every signing step;
 * - `EDS` (a qualified electronic signature) only in signing steps;
 * - every participant is an employee whom the initiator may see and who is not terminated.
 *
 * Steps run one at a time, in the order given. The new route is in `ROUTE_STATUS_DRAFT` until the document is sent.
 *
 * A visible document of somebody else is 403 `DOCUMENT.ACTION_NOT_ALLOWED`; any other status of the document is 400
 * `DOCUMENT.INVALID_STATUS_TRANSITION`.
 *
 */
export const setDocumentRoute = <ThrowOnError extends boolean = false>(options: Options<SetDocumentRouteData, ThrowOnError>): RequestResult<SetDocumentRouteResponses, SetDocumentRouteErrors, ThrowOnError> => (options.client ?? client).post<SetDocumentRouteResponses, SetDocumentRouteErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_set_route',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a document along its route
 *
 * Launches the route: its first step (index 0) becomes active, and the document moves to `DOCUMENT_STATUS_ON_APPROVAL` or
 * `DOCUMENT_STATUS_ON_SIGN` after the type of that step. Only the initiator may.
 *
 * A draft needs a route; a document in `DOCUMENT_STATUS_CHANGE_REQUESTED` needs its route set again first. Anything else, a
 * repeated send included, is 400 `DOCUMENT.INVALID_STATUS_TRANSITION` and changes nothing. A visible document of somebody else is
 * 403 `DOCUMENT.ACTION_NOT_ALLOWED`.
 *
 * Emits `document.sent` and then `document.approval_started` or `document.signing_started`, all in the same change. From now on
 * the subjects and the active participants see the document.
 *
 * The body has no fields; it may be `{}` or absent.
 *
 */
export const sendDocument = <ThrowOnError extends boolean = false>(options: Options<SendDocumentData, ThrowOnError>): RequestResult<SendDocumentResponses, SendDocumentErrors, ThrowOnError> => (options.client ?? client).post<SendDocumentResponses, SendDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_send',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Approve a document
 *
 * Approves the document in the key owner's active slot of an approval step.
 *
 * A step with `STEP_RULE_ALL` completes when every participant has acted, one with `STEP_RULE_ANY` when the first has (the others
 * become `PARTICIPANT_STATUS_SKIPPED`). The next step then becomes active; when it is a signing step, the document moves to
 * `DOCUMENT_STATUS_ON_SIGN` and `document.signing_started` is emitted.
 *
 * Checked in this order: the owner's slot has already acted → `DOCUMENT.INVALID_STATUS_TRANSITION`, also after completion, and
 * nothing is created; then the document is not in `DOCUMENT_STATUS_ON_APPROVAL` or `DOCUMENT_STATUS_ON_SIGN`, the owner has no
 * active slot, the active step is a signing step, or `participant_id` is not the owner's active slot → `INVALID_ARGUMENT`.
 *
 */
export const approveDocument = <ThrowOnError extends boolean = false>(options: Options<ApproveDocumentData, ThrowOnError>): RequestResult<ApproveDocumentResponses, ApproveDocumentErrors, ThrowOnError> => (options.client ?? client).post<ApproveDocumentResponses, ApproveDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_approve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Sign a document
 *
 * Signs the document in the key owner's active slot of a signing step.
 *
 * - A slot with `key_type` `SIMPLE` needs no payload, and a `signature` there is `INVALID_ARGUMENT`: the service records who signed, when, with which API key, and the SHA-256 of the PDF.
 * - A slot with `key_type` `EDS` needs a `signature`: a detached CMS SignedData over the bytes of the document's PDF (what downloadDocument gives by default), at most 64 KiB, in base64 or PEM.
 *
 * A CMS signature is verified and then stored as a file of type `FILE_TYPE_SIGNATURE`. It must have exactly one signer; the digest
 * and the signature must be right; the certificate must be valid at the server's time, chain to one of the tenant's trust anchors,
 * be meant for `digitalSignature` or `nonRepudiation`, and name in its subject's serialNumber (with or without the prefix `IIN`)
 * the identification number of the participant. Otherwise `INVALID_ARGUMENT`. **Revocation lists are not consulted in v1.** A CMS
 * file holds its signer's certificate, and with it the signer's name and number: it is given out by downloadDocument to those who
 * see the document.
 *
 * When the last step completes, the document moves to `DOCUMENT_STATUS_COMPLETED`, `completed_at` is set and `document.completed`
 * is emitted.
 *
 * Checked in this order: the owner's slot has already acted → `DOCUMENT.INVALID_STATUS_TRANSITION`, also after completion, and
 * nothing is created; then the document is not in `DOCUMENT_STATUS_ON_APPROVAL` or `DOCUMENT_STATUS_ON_SIGN`, the owner has no
 * active slot, the active step is an approval step, or `participant_id` is not the owner's active slot → `INVALID_ARGUMENT`.
 *
 */
export const signDocument = <ThrowOnError extends boolean = false>(options: Options<SignDocumentData, ThrowOnError>): RequestResult<SignDocumentResponses, SignDocumentErrors, ThrowOnError> => (options.client ?? client).post<SignDocumentResponses, SignDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_sign',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Reject a document
 *
 * Rejects the document in the key owner's active slot, of an approval or a signing step, whatever the rule of the step. The
 * document must be in `DOCUMENT_STATUS_ON_APPROVAL` or `DOCUMENT_STATUS_ON_SIGN`.
 *
 * The participant, the step, the route and the document become REJECTED; other active participants of the step become
 * `PARTICIPANT_STATUS_SKIPPED`, later steps `STEP_STATUS_CANCELLED`. `document.rejected` is emitted once.
 *
 * `INVALID_ARGUMENT` when the document is not in a workflow, the owner holds no active slot, `participant_id` is not the owner's
 * active slot, `document_id` differs from the path, or the comment is missing, empty or nothing but white space. A refused request
 * changes nothing.
 *
 */
export const rejectDocument = <ThrowOnError extends boolean = false>(options: Options<RejectDocumentData, ThrowOnError>): RequestResult<RejectDocumentResponses, RejectDocumentErrors, ThrowOnError> => (options.client ?? client).post<RejectDocumentResponses, RejectDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_reject',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Download a file of a document
 *
 * Answers with a presigned URL from which the bytes of one file are fetched by a plain GET, without the API key. The URL is valid
 * for 5 minutes; storage sends the file with `Content-Disposition: attachment`. Whoever holds the URL can fetch the file: treat it
 * as a secret.
 *
 * Without `file_id` it is the document's own PDF (`FILE_TYPE_PDF`); for a document made from an upload its bytes are those of the
 * upload. With `file_id` it is that file of the document; a file of another document, or an unknown one, is `FILE_NOT_FOUND`.
 *
 * Available to whoever may see the document. The rule that no personal data of participants is shown covers JSON answers: a
 * `FILE_TYPE_SIGNATURE` file is a CMS and holds its signer's certificate; the signing sheet in a `FILE_TYPE_SIGNED_PDF` has ids,
 * times and certificate serial numbers only.
 *
 */
export const downloadDocument = <ThrowOnError extends boolean = false>(options: Options<DownloadDocumentData, ThrowOnError>): RequestResult<DownloadDocumentResponses, DownloadDocumentErrors, ThrowOnError> => (options.client ?? client).get<DownloadDocumentResponses, DownloadDocumentErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/documents/{document_id}/_download',
    ...options
});

/**
 * Reserve an upload
 *
 * The first of three steps: reserve, send the bytes to storage, confirm. Reserves an upload that belongs to the key's owner (not
 * to the key) and answers with a presigned POST form.
 *
 * Only `application/pdf` is accepted, from 1 byte to 50 MB (52,428,800 bytes); anything else is `INVALID_ARGUMENT`.
 *
 * Then send one `multipart/form-data` POST to `upload.url`: every entry of `upload.fields` as a form field, unchanged, and the
 * bytes last, as the field `file`; what follows it is ignored. Do not send the API key there. The form is valid for 15 minutes, for this one object, this
 * content type and up to 50 MB; storage refuses anything else. After that call confirmFile.
 *
 * An upload that is not confirmed within 24 hours becomes `FILE_UPLOAD_STATUS_EXPIRED`; a confirmed one that no document took is
 * kept for 30 days. Every call reserves a new upload: the `Idempotency-Key` header is ignored here.
 *
 */
export const reserveFile = <ThrowOnError extends boolean = false>(options: Options<ReserveFileData, ThrowOnError>): RequestResult<ReserveFileResponses, ReserveFileErrors, ThrowOnError> => (options.client ?? client).post<ReserveFileResponses, ReserveFileErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/files',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Confirm an upload
 *
 * The last of three steps: checks that the bytes reached storage and marks the upload `FILE_UPLOAD_STATUS_UPLOADED`. From then on
 * createDocument accepts its id. Confirming an already confirmed upload, attached to a document or not, changes nothing and
 * answers 200.
 *
 * Checked: the form was submitted (else `FILE.NOT_UPLOADED`, also for an expired upload); the stored object is not larger than the
 * reserved size (else `FILE.SIZE_MISMATCH`; a smaller one is accepted); `%PDF-` begins at one of its bytes 0 to 1,019, as readers
 * accept it (else `INVALID_ARGUMENT`). A refused confirmation leaves the upload as it was: send the right bytes with the same form
 * while it is valid and confirm again, or reserve anew.
 *
 * Confirmation pins the stored bytes: a later submission of the same form changes nothing. `size_bytes` is from then on the stored
 * size.
 *
 * An id under which the key's owner has no upload is `FILE_NOT_FOUND`. Any key of the same owner may confirm.
 *
 */
export const confirmFile = <ThrowOnError extends boolean = false>(options: Options<ConfirmFileData, ThrowOnError>): RequestResult<ConfirmFileResponses, ConfirmFileErrors, ThrowOnError> => (options.client ?? client).post<ConfirmFileResponses, ConfirmFileErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/files/{file_id}/_confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Load organisation structure in bulk
 *
 * Accepts a batch of 1 to 10,000 records from an external system and queues it; processing is asynchronous. 200 means that the
 * batch is stored safely and will be applied. A tenant's batches are applied one at a time, in the order of acceptance.
 *
 * Needs the scope `ingest:write`, which counts only on a key that a super-administrator created and whose owner is a
 * super-administrator now. The body may have up to 32 MiB.
 *
 * | `source_type` | `payload_type` | Loads | Schema of a record |
 * |---|---|---|---|
 * | `KEDO` | `PERSONS` | People | KedoPersonRecord |
 * | `KEDO` | `ORGANIZATIONS` | Legal entities | KedoOrganizationRecord |
 * | `KEDO` | `DEPARTMENTS` | Departments | KedoDepartmentRecord |
 * | `KEDO` | `EMPLOYEES` | Employees | KedoEmployeeRecord |
 * | `KEDO` | `JOB_TITLES` | Job titles | KedoJobTitleRecord |
 * | `LEDGER` | `EMPLOYEES_FULL` | Employees together with their persons, in an accounting system's export format | LedgerEmployeeRecord |
 * | `LEDGER` | `DEPARTMENTS` | Departments, in an accounting system's export format | LedgerDepartmentRecord |
 *
 * Any other pair is not an error: the request is accepted and its records are silently skipped.
 *
 * **Create or update.** Every record carries an external id, unique per `source_type` and compared code point by code point. A
 * known one updates its object; a new one creates an object only with `create_missing: true` and is skipped otherwise. In an
 * update an absent field leaves what is there; `""` or `null` clears it. Of records with the same external id in one batch the
 * last wins. A record that changes nothing writes nothing and emits nothing.
 *
 * **Bad records.** One never harms the others: what is no object, has no external id, or holds a wrong type, a string over 1,000
 * characters or with a NUL or lone surrogate, a malformed identification number or an impossible date in a known field is skipped. Unknown fields are ignored,
 * whatever they hold. `record_count` counts all records, the skipped ones included.
 *
 * **References** (`external_person_id`, `external_department_id`, …) are resolved within the same `source_type`, against what is
 * known plus the same batch in any order. One that is given and unknown skips a new record. A known object gets all else that the
 * record says; only what the reference names stays as it was. Departments in a cycle of parents are skipped. An employee is created
 * only with a known person. Manager, location and corporate e-mail address are not loaded here.
 *
 * **Habits of senders**, in both sources: the empty reference of 1C:Enterprise, `00000000-0000-0000-0000-000000000000`, counts as
 * `""` wherever a record refers to something; so does its empty date, `0001-01-01`, and a time of `T00:00:00` after a date is
 * ignored. An identification number of twelve equal digits only fills its field and counts as an absent one.
 *
 * **LEDGER.** Field names with a dot are literal keys, not paths; names are normalised (NFC) before matching. The external id is the
 * record's `external_id`, so an employee whose `ТабельныйНомер` changes stays the same employee. Where a record has none, it is known
 * by its natural id: a department by its `Ссылка`; an employee by `Организация.Ссылка` + `/` + `ТабельныйНомер` (the number alone
 * where no organisation is given). What was loaded with both is found by either. A new `external_id` beside the natural id of a known
 * object takes that object over, so whoever begins to send `external_id` makes nothing twice, nor does whoever stops.
 *
 * The person in `ФизЛицо` has its own `external_id`, else the `ИИН`, else the employee's external id. An `ИИН` that nobody has, sent for
 * a known employee, corrects that of its person, unless that person has another employment: then the record is skipped. An `ИИН` of
 * another known person moves the employee to that person, unless both dates of birth are given and differ: then the record is
 * skipped, as that of a new employee is.
 *
 * `Подразделение.Ссылка` and `Родитель.Ссылка` find a department by its external id or, where no department has that one, by its
 * `Ссылка` (of several departments the one that got it last). `Организация.Ссылка` and `Должность.Ссылка` are looked up
 * among what LEDGER loaded and then, by the same external id, among what KEDO loaded; where still unknown the field stays as it was,
 * also in a new record.
 *
 * **Status by dates**, today being the tenant's: a new employee is `EMPLOYEE_STATUS_ACCEPTED` when the admission lies ahead, else
 * `EMPLOYEE_STATUS_ACTIVE`; a leaving date before today makes `EMPLOYEE_STATUS_TERMINATED`. Later on dates move only ACCEPTED to
 * ACTIVE, any status to TERMINATED, and TERMINATED to ACTIVE when the leaving date is cleared or moved ahead; a daily pass does
 * the same.
 *
 * **Results.** No operation reports the state of an ingest request, and external ids are never given out. Re-read employees with
 * `updated_since`, or subscribe to `employee.changed`. A change of any shown field of a person emits `employee.changed` for each
 * employment and moves its `update_time`; a change of names or identification number also emits `person.changed`. Fields that the
 * interface never shows (gender, papers, vacation days, …) are stored without either; so are renames of a department or job title.
 *
 * **Repeating.** `Idempotency-Key` is required. It is used up by the first accepted attempt, for 24 hours, whatever the body: a
 * repeat is 409 `INTEGRATION.IDEMPOTENCY_REQUIRED` with the first attempt's `ingest_request_id` in `metadata`. The first attempt
 * landed: treat it as success and do not resend. A request without the header, or with an empty or repeated one, is 400 with the
 * same textual code.
 *
 */
export const ingestRecords = <ThrowOnError extends boolean = false>(options: Options<IngestRecordsData, ThrowOnError>): RequestResult<IngestRecordsResponses, IngestRecordsErrors, ThrowOnError> => (options.client ?? client).post<IngestRecordsResponses, IngestRecordsErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/ingest/{source_type}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Subscribe a URL to events
 *
 * Subscribes a URL of the tenant to one or more event types. The answer holds the `secret` with which deliveries are signed: **it
 * is shown this once and never again**, so store it before anything else. What is delivered, and how to verify it, is described
 * under Webhooks.
 *
 * The URL must be `https`, without user information and fragment, at most 2,048 characters, on port 443 or from 1024 up (never one
 * on which this service itself listens); every address that its name resolves to must be public. The address is checked here and
 * again at each delivery, and a name that does not resolve within 2 seconds is `INVALID_ARGUMENT`.
 *
 * A tenant has at most 50 endpoints; one more is `WEBHOOK_ENDPOINT.LIMIT_REACHED`. The same URL with the same event types may be
 * subscribed twice, with two secrets. An endpoint belongs to the tenant: any key with `webhooks:manage` may test or delete it, and
 * it outlives its maker.
 *
 * A secret is not rotated. To replace it create a new endpoint with the same URL and event types, switch the receiver over, then
 * delete the old one. After 20 deliveries in a row that failed for good an endpoint becomes `DISABLED`; it can be enabled again in
 * the application's settings only, and events of the downtime are not replayed: reconcile with `GET
 * /developer/v1/employees?updated_since=…`.
 *
 */
export const createWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookEndpointData, ThrowOnError>): RequestResult<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).post<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/webhook_endpoints',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a test event
 *
 * Sends one signed envelope of type `webhook_endpoint.test` to the endpoint and answers with what happened: the HTTP status of the
 * receiver, or 0 and the kind of failure. The call waits for the receiver, for 10 seconds at most.
 *
 * It is one attempt: it is not retried and never counts towards disabling the endpoint. 200 here means that the attempt was made,
 * whatever the receiver said. Nothing of the receiver's answer but its status is shown.
 *
 * A disabled endpoint is 400 `WEBHOOK_ENDPOINT.DISABLED`; an unknown id, or one of another tenant, is 404
 * `WEBHOOK_ENDPOINT_NOT_FOUND`. The body has no fields; it may be `{}` or absent.
 *
 */
export const testWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<TestWebhookEndpointData, ThrowOnError>): RequestResult<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).post<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/webhook_endpoints/{id}/_test',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a webhook endpoint
 *
 * Deletes the endpoint: it receives nothing more, and its pending deliveries are cancelled (an attempt that is under way may still
 * arrive). Deleting it again, an unknown id or one of another tenant is 404 `WEBHOOK_ENDPOINT_NOT_FOUND`.
 *
 */
export const deleteWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookEndpointData, ThrowOnError>): RequestResult<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).delete<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError>({
    security: [{ name: 'X-API-Key', type: 'apiKey' }],
    url: '/developer/v1/webhook_endpoints/{id}',
    ...options
});
