// Made from openapi.yaml by `npm run generate`; never edited by hand. The decisions that complete the description.

export type DecisionId = 
  | 'D-1'
  | 'D-2'
  | 'D-3'
  | 'D-4'
  | 'D-5'
  | 'D-6'
  | 'D-6a'
  | 'D-7'
  | 'D-8'
  | 'D-9'
  | 'D-10'
  | 'D-11'
  | 'D-12'
  | 'D-13'
  | 'D-14'
  | 'D-15'
  | 'D-16'
  | 'D-17'
  | 'D-18'
  | 'D-19'
  | 'D-20'
  | 'D-21'
  | 'D-22'
  | 'D-23'
  | 'D-24'
  | 'D-25'
  | 'D-26'
  | 'D-27'
  | 'D-28'
  | 'D-29'
  | 'D-30'
  | 'D-31'
  | 'D-32'
  | 'D-33'
  | 'D-34'
  | 'D-37';

export interface Decision {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Where the contract rests on it: operations, parameters, schemas and their properties, headers, events. */
  readonly places: readonly string[];
}

export const decisions: Readonly<Record<DecisionId, Decision>> = {
  'D-1': {
    title: 'Spelling of enumerated values',
    text: 'Every enumerated value carries the name of its enumeration as a prefix, as `EMPLOYEE_STATUS_ACTIVE` does, and every such enumeration has an\n`…_UNSPECIFIED` placeholder.\n\n| Field | Prefix | Values |\n|---|---|---|\n| status of a document | `DOCUMENT_STATUS_` | `UNSPECIFIED`, `DRAFT`, `ON_APPROVAL`, `ON_SIGN`, `COMPLETED`, `REJECTED`, `CHANGE_REQUESTED`, `REVOKED` |\n| type of a document\'s file | `FILE_TYPE_` | `UNSPECIFIED`, `PDF` (the document\'s own PDF), `SIGNATURE` (a detached signature), `SIGNED_PDF` (the PDF together with its signing sheet) |\n| status of a route | `ROUTE_STATUS_` | `UNSPECIFIED`, `DRAFT`, `ACTIVE`, `COMPLETED`, `REJECTED`, `CANCELLED` |\n| status of a step | `STEP_STATUS_` | `UNSPECIFIED`, `PENDING`, `ACTIVE`, `COMPLETED`, `REJECTED`, `CANCELLED` |\n| type of a step | `STEP_TYPE_` | `UNSPECIFIED`, `APPROVAL`, `SIGNING` |\n| rule of a step | `STEP_RULE_` | `UNSPECIFIED`, `ALL`, `ANY` |\n| status of a participant | `PARTICIPANT_STATUS_` | `UNSPECIFIED`, `PENDING`, `ACTIVE`, `APPROVED`, `SIGNED`, `REJECTED`, `CHANGE_REQUESTED`, `SKIPPED` |\n| status of an upload | `FILE_UPLOAD_STATUS_` | `UNSPECIFIED`, `RESERVED` (fresh), `UPLOADED` (confirmed), `EXPIRED` (not confirmed within 24 hours) |\n\nWithout a prefix: `key_type` of a participant is `SIMPLE` or `EDS`; an accepted ingest request is `ACCEPTED`; a webhook endpoint is `ACTIVE` or\n`DISABLED`.\n\nThe values of an employee\'s status are given by name alone; the contract says how each is understood. ACCEPTED, ACTIVE and TERMINATED follow from dates (D-29). HIRED, ONBOARDING, LEAVE\nand ON_HOLD are set in the settings tool, and nothing in the service depends on them.\n\nA route\'s `active` is true exactly while its status is `ROUTE_STATUS_ACTIVE`. A document that has no route yet shows\n`{"id": "", "active": false, "status": "ROUTE_STATUS_UNSPECIFIED", "steps": []}`. In no other place does stored data hold a placeholder.',
    places: [
      'EmployeeStatus',
      'Document',
      'Document.files',
      'Route',
      'DocumentStatus',
      'FileType',
      'RouteStatus',
      'StepStatus',
      'StepType',
      'StepRule',
      'ParticipantStatus',
      'KeyType',
      'FileUploadStatus',
      'WebhookEndpoint',
    ],
  },
  'D-2': {
    title: 'Empty, absent and hidden values, days and times',
    text: 'Every declared field of an answer is present. A string, a date or a date-time without a value is `""`, an array without elements is `[]`; nothing\nis ever `null`.\n\nA field is absent in these cases only:\n\n- the caller may not see it: then its key is listed in `redacted_fields`;\n- it is an expansion that was not asked for, or that was asked for and does not exist (an employee without a manager);\n- it is `total_count` and was not asked for.\n\nA schema states a date, date-time, id or e-mail address that may be empty as `anyOf: [{format: …}, {const: ""}]`, one named component each.\nAll times in answers are UTC with exactly three fraction digits and `Z`: `2025-03-01T04:30:00.000Z`.\n\nDays, and times as instants in UTC, are of the years 1 to 9999: the date and time types of every common language and database hold these, and one\nvalue outside would make a whole page unreadable for a typed client. In a request (a body, a filter, `template_values`) a day or a time outside is\nINVALID_ARGUMENT, and so is `9999-12-31T23:59:59-05:00`, which is of the year 10000 in UTC; a record of an ingest with such a day is skipped.\nA stored value outside, such as one of an earlier version, goes out as `""`.',
    places: [
      'DateOrEmpty',
      'DateTimeOrEmpty',
      'UuidOrEmpty',
      'EmailOrEmpty',
      'IinOrEmpty',
      'Employee',
      'Person',
      'Document',
      'DateOrEmptyOrNull',
    ],
  },
  'D-3': {
    title: '64-bit numbers',
    text: 'Numbers of 64 bits (`size_bytes`, `total_count`) are strings of decimal digits in answers, since many JSON readers lose precision above 2^53.\nIn a request `size_bytes` may be a string of digits or a number.',
    places: [
      'ListEmployeesResponse.total_count',
      'DownloadFile.size_bytes',
      'UploadedFile.size_bytes',
      'ReserveFileRequest.size_bytes',
    ],
  },
  'D-4': {
    title: 'Body of an error',
    text: 'An error is the flat object `{code, message, details}`. `code` is the canonical gRPC number, `message` is English and meant for a developer.\n\nThe first element of `details` is always, and exactly once, an ErrorInfo that carries the textual code verbatim:\n\n```json\n{\n  "@type": "type.googleapis.com/google.rpc.ErrorInfo",\n  "reason": "DEVELOPER.SCOPE_INSUFFICIENT",\n  "domain": "developer-api.hr-docflow",\n  "metadata": {"required_scope": "employees:read"}\n}\n```\n\nA description goes on where the name of its field ends, so that both are a sentence, and the message is that of the first: `limit must be at least 1.`\nIt says what the field must be, and which demand was broken; of a pattern, the words that stand beside it as `x-pattern-words`. Several\nfaults of one field are told one after the other: the first first.\n\n`domain` is set by the deployment (the default is `developer-api.hr-docflow`); the values of `metadata` are strings. More details follow where they\nhelp, each type at most once:\n\n| `@type` (after `type.googleapis.com/`) | Holds | When |\n|---|---|---|\n| `google.rpc.BadRequest` | `field_violations`: a list of `{field, description}` | always with INVALID_ARGUMENT |\n| `google.rpc.RetryInfo` | `retryDelay`: how long to wait | when a later attempt can succeed |\n| `google.rpc.RequestInfo` | `request_id`: the value of `X-Request-Id` | always |\n| `google.rpc.Help` | `links`: a list of `{description, url}` | where the deployment names the address of its docs: the page of the error |\n\nThe address of the docs is configured; it is never made from a header of the request, which a caller chooses.\n\nAn error never holds a stack trace, a message of a driver, a path of a file, a secret or personal data. Of the input it repeats nothing but the names\nof fields.',
    places: [
      'Status',
      'StatusDetail',
      'ErrorInfo',
      'BadRequest',
      'FieldViolation',
      'RetryInfo',
      'RequestInfo',
      'Help',
      'HelpLink',
    ],
  },
  'D-5': {
    title: 'Catalogue of errors',
    text: 'There is one catalogue. The textual code is what a client compares; one textual code, INTEGRATION.IDEMPOTENCY_REQUIRED, stands at two statuses.\n\n| Name | Textual code | gRPC code | HTTP | Remarks |\n|---|---|---|---|---|\n| API_KEY_INVALID | INTEGRATION.API_KEY_INVALID | 16 | 401 | with `WWW-Authenticate: ApiKey realm="developer"`; also when `X-API-Key` is sent more than once |\n| FEATURE_FLAG_OFF | FEATURE_FLAG.NOT_AVAILABLE | 7 | 403 | |\n| SCOPE_INSUFFICIENT | DEVELOPER.SCOPE_INSUFFICIENT | 7 | 403 | `metadata.required_scope` names the scope |\n| RATE_LIMIT_EXCEEDED | DEVELOPER.RATE_LIMIT_EXCEEDED | 8 | 429 | with `Retry-After` |\n| INVALID_ARGUMENT | INVALID_ARGUMENT | 3 | 400 | |\n| EMPLOYEE_NOT_FOUND | EMPLOYEE_NOT_FOUND | 5 | 404 | |\n| DOCUMENT_NOT_FOUND | DOCUMENT_NOT_FOUND | 5 | 404 | |\n| FILE_NOT_FOUND | FILE_NOT_FOUND | 5 | 404 | |\n| DOCUMENT_TEMPLATE_NOT_FOUND | DOCUMENT_TEMPLATE_NOT_FOUND | 5 | 404 | |\n| WEBHOOK_ENDPOINT_NOT_FOUND | WEBHOOK_ENDPOINT_NOT_FOUND | 5 | 404 | |\n| PATH_NOT_FOUND | PATH_NOT_FOUND | 5 | 404 | |\n| DOCUMENT_INITIATOR_NOT_FOUND | DOCUMENT_INITIATOR_NOT_FOUND | 5 | 404 | |\n| FILE_INVALID_STATUS_TRANSITION | FILE.INVALID_STATUS_TRANSITION | 9 | 400 | |\n| FILE_ALREADY_LINKED | FILE.ALREADY_LINKED | 9 | 400 | |\n| FILE_NOT_UPLOADED | FILE.NOT_UPLOADED | 9 | 400 | |\n| FILE_SIZE_MISMATCH | FILE.SIZE_MISMATCH | 9 | 400 | |\n| DOCUMENT_INVALID_STATUS_TRANSITION | DOCUMENT.INVALID_STATUS_TRANSITION | 9 | 400 | see D-19 |\n| DOCUMENT_ACTION_NOT_ALLOWED | DOCUMENT.ACTION_NOT_ALLOWED | 7 | 403 | the document is visible, but the action belongs to its initiator |\n| WEBHOOK_ENDPOINT_DISABLED | WEBHOOK_ENDPOINT.DISABLED | 9 | 400 | |\n| WEBHOOK_ENDPOINT_LIMIT_REACHED | WEBHOOK_ENDPOINT.LIMIT_REACHED | 9 | 400 | |\n| IDEMPOTENCY_KEY_CONFLICT | DEVELOPER.IDEMPOTENCY_KEY_CONFLICT | 6 | 409 | |\n| IDEMPOTENCY_IN_PROGRESS | DEVELOPER.IDEMPOTENCY_IN_PROGRESS | 10 | 409 | with `Retry-After: 1` |\n| IDEMPOTENCY_KEY_MISSING | INTEGRATION.IDEMPOTENCY_REQUIRED | 3 | 400 | ingest without the header |\n| INGEST_ALREADY_ACCEPTED | INTEGRATION.IDEMPOTENCY_REQUIRED | 6 | 409 | `metadata.ingest_request_id` is that of the first attempt |\n| METHOD_NOT_ALLOWED | METHOD_NOT_ALLOWED | 12 | 405 | with `Allow` |\n| REQUEST_TOO_LARGE | REQUEST_TOO_LARGE | 3 | 413 | |\n| UNSUPPORTED_MEDIA_TYPE | UNSUPPORTED_MEDIA_TYPE | 3 | 415 | |\n| HEADERS_TOO_LARGE | HEADERS_TOO_LARGE | 3 | 431 | |\n| NOT_IMPLEMENTED | NOT_IMPLEMENTED | 12 | 501 | no release has any |\n| INTERNAL | INTERNAL | 13 | 500 | |\n| UNAVAILABLE | UNAVAILABLE | 14 | 503 | with `Retry-After`; every time-out is answered like this |\n\nThe answers 404 for a thing that never existed, was deleted, belongs to another tenant or is out of the owner\'s view are identical, save for the\nrequest id, the date and the rate fields: nobody can find out by asking which of these it is.',
    places: [
      'WwwAuthenticate',
      'Allow',
      'IdempotencyConflict.Retry-After',
      'API_KEY_INVALID',
      'FEATURE_FLAG_OFF',
      'SCOPE_INSUFFICIENT',
      'INVALID_ARGUMENT',
      'EMPLOYEE_NOT_FOUND',
      'DOCUMENT_NOT_FOUND',
      'FILE_NOT_FOUND',
      'DOCUMENT_TEMPLATE_NOT_FOUND',
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'PATH_NOT_FOUND',
      'DOCUMENT_INITIATOR_NOT_FOUND',
      'FILE_INVALID_STATUS_TRANSITION',
      'FILE_ALREADY_LINKED',
      'FILE_NOT_UPLOADED',
      'FILE_SIZE_MISMATCH',
      'DOCUMENT_INVALID_STATUS_TRANSITION',
      'DOCUMENT_ACTION_NOT_ALLOWED',
      'WEBHOOK_ENDPOINT_DISABLED',
      'WEBHOOK_ENDPOINT_LIMIT_REACHED',
      'IDEMPOTENCY_KEY_CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS',
      'IDEMPOTENCY_KEY_MISSING',
      'INGEST_ALREADY_ACCEPTED',
      'METHOD_NOT_ALLOWED',
      'REQUEST_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'HEADERS_TOO_LARGE',
      'NOT_IMPLEMENTED',
      'INTERNAL',
      'UNAVAILABLE',
      'ApiKey',
    ],
  },
  'D-6': {
    title: 'Order of the checks',
    text: 'Under `/developer/v1` a request is checked in this order, and the first check that fails decides the answer:\n\n1. the key (401)\n2. the tenant\'s feature flag (403)\n3. the rate (429)\n4. path and method (404, 405)\n5. the scope (403)\n6. an Idempotency-Key where one is required (400)\n7. media type, size, JSON of the body (415, 413, 400)\n8. parameters and body (400)\n9. whether the thing exists and is visible to the owner (404)\n10. whether the owner may act (403)\n11. the state of the thing (400, 409)\n\nBefore scope and Idempotency-Key are known, nothing is read of the body, and nothing from the database but key, owner and tenant.\n\nKey, flag and scope are checked again once a body has come that was still under way at the first check: whoever revokes a key need not wait for its uploads.\n\nThe eighth check is one answer. It names every parameter and every field of the body that is known to be wrong, up to 20: a form that is wrong, and,\nof fields whose form is right, a meaning that is (a title in which nothing can be read, an organisation or a template that there is not, values that\ndo not fit the template). What a later check tells of a request that is right so far is not among them, such as participants of a route who may not\ntake part.\n\nAn invalid key is 401 even where the interface is off for the tenant, since an unknown key has no tenant. Outside the prefix an unknown path is 404\nand no key is asked for. What the HTTP parser itself refuses (400, 408, 431) has the same body as every error.',
    places: ['the interface'],
  },
  'D-6a': {
    title: 'Form of a request',
    text: '**Path and method.** Paths distinguish upper and lower case; a trailing, doubled or encoded slash is 404. HEAD is GET without a body. OPTIONS is 405;\nthere is no CORS, because keys do not belong in browsers. `Accept` and conditional headers are ignored, and there is no ETag. A target in absolute-form\n(`GET http://host/developer/v1/… HTTP/1.1`, RFC 9112 §3.2.2) is served as its path and query, whatever its host is; one with user information, or of\nanother scheme than `http` and `https`, is 400; an asterisk and the authority of CONNECT are 404.\n\n**Body.** The media type is `application/json`, with `charset=utf-8` or without a charset, else 415; so is a Content-Type that is malformed or sent more\nthan once. Its parameters are read by RFC 9110 §5.6.6 (names in any case, quoted values, blanks around `;` but not around `=`), and those other than\n`charset` are ignored. The message of a 415 names the header.\n`Content-Encoding: gzip` is accepted, and sizes count after decompression; any other coding is 415. A `Transfer-Encoding` other than `chunked` is 400. A body has at most 1 MiB (ingest: 32 MiB) and 64 levels of nesting.\nIt has at most 10,000 values, twice what any operation takes, and that of an ingest at most 1 MiB, records not counted; the field that brings it to more is named.\nOne byte order mark at the beginning is ignored (RFC 8259 §8.1). A NUL character and a lone surrogate are INVALID_ARGUMENT (inside an ingest record an escaped one in a known field skips that record only). Of a key given twice in one\nobject the last counts.\n\n**Fields.** A POST that has no required fields takes a missing body as `{}`; any other POST without a body is 400. An unknown field at any depth is\nINVALID_ARGUMENT and is named (records of an ingest are the exception). `""` in an optional string counts as absent.\n`null` in an optional field counts as absent at any depth, as in proto3 JSON; in a required field, and as an element of a list, it is INVALID_ARGUMENT. Inside\n`template_values` the schema of the variable decides, and in a record of an ingest it clears (D-29). For idempotency, bodies are compared as sent: a field\nthat is `null` and one that is absent differ. A `document_id` or `file_id` in a body must equal the one in the path.',
    places: [
      'the interface',
      'createDocument',
      'sendDocument',
      'rejectDocument',
      'confirmFile',
      'testWebhookEndpoint',
      'Signature',
      'DateOrEmptyOrNull',
      'UuidOrEmptyOrNull',
      'CreateDocumentRequest',
      'RouteStepInput',
      'RouteParticipantInput',
      'RejectDocumentRequest',
      'ConfirmFileRequest',
    ],
  },
  'D-7': {
    title: 'Rate limit',
    text: 'Every key has a token bucket: 20 tokens, refilled continuously at 10 a second (in GCRA terms: one every 100 ms, burst 20). Each request that passed the\nkey and the flag takes one token, whatever its answer is; a refused request takes none.\n\nA refusal is 429 RATE_LIMIT_EXCEEDED with `Retry-After` in whole seconds, at least 1, and `RetryInfo` with the exact delay. Every answer that went through\nthe bucket has the IETF fields:\n\n- `RateLimit-Policy: "key";q=20;w=2`\n- `RateLimit: "key";r=…;t=…`: `r` is the number of whole tokens left, `t` the whole seconds until the bucket is full.\n\nThe limit holds for all processes of a deployment together.\n\nFailed authentication has a limit of its own: 100 a second for each peer address (of IPv6: each network of 64 bits), then 429 without these fields. Valid keys from the same address are\nnever affected. `X-Forwarded-For` counts only when a configured proxy sends it.\n\nThat limit holds for all processes together too: in any t seconds they look at no more than 100 + 100·t wrong keys of an address and, where there are several, at ten more for each; they\nrefuse none of the first 100 after a second without any. While the database is away each process counts by itself.',
    places: ['RateLimit', 'RateLimitPolicy', 'RetryAfter', 'RATE_LIMIT_EXCEEDED', 'ApiKey'],
  },
  'D-8': {
    title: 'Headers of every answer',
    text: 'Every answer has:\n\n- `X-Request-Id`: the caller\'s own value when that is 1–128 characters of `[A-Za-z0-9._-]`, otherwise one that the service makes;\n- `Cache-Control: no-store`;\n- `X-Content-Type-Options: nosniff`.\n\nA creation that was replayed for its Idempotency-Key also has `Idempotent-Replayed: true`. Only the pages and files outside\n`/developer/v1` that describe the interface, such as `/openapi.yaml`, have `no-cache` and an `ETag`: they hold no data of a\ntenant.',
    places: ['XRequestId', 'CacheControl', 'XContentTypeOptions', 'IdempotentReplayed'],
  },
  'D-9': {
    title: 'Values of limit',
    text: 'A `limit` below 1, beyond a 32-bit signed integer, or not written as a plain decimal integer is INVALID_ARGUMENT. A `limit` above 1000 is served as 1000.\nBoth hold for every list.',
    places: ['listEmployees', 'listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates', 'listDocuments', 'Limit'],
  },
  'D-10': {
    title: 'Page tokens',
    text: 'A page token is opaque to the client: a compact JWE (`dir`, `A256GCM`) that holds the list, the tenant, a fingerprint of the filters, the effective limit, the position\nand the time of issue.\n\nIt is bound to its filters. For employees these are `status`, `department_id`, `updated_since` and `limit`; every other list binds all of its filters and its\nlimit. Repeated values compare as sets, instants as instants, and an omitted limit equals 100. `expand` and `include_total` are not bound and may\nchange between pages.\n\nA token is valid for 24 hours and in every process of the deployment. Anything else is INVALID_ARGUMENT.\n\nIt is bound to tenant and list, but not to the key, so that rotating a key does not break a walk. It authorises nothing: what the owner may see is\ndecided anew for every page.',
    places: [
      'listEmployees',
      'listDocumentTypes',
      'listDocumentCategories',
      'listDocumentTemplates',
      'listDocuments',
      'PageToken',
      'ExpandEmployee',
      'NextPageToken',
    ],
  },
  'D-11': {
    title: 'Order of lists',
    text: 'Every paged list has the newest first: by `create_time` descending, then by `id` descending. Paging continues from a position in that order and not from a\ncount, so that no row which matches throughout a walk is missed or repeated, whatever is written meanwhile.',
    places: [
      'listEmployees',
      'listDocumentTypes',
      'listDocumentCategories',
      'listDocumentTemplates',
      'listDocuments',
      'ListDocumentsResponse',
    ],
  },
  'D-12': {
    title: 'Query strings',
    text: 'Only the documented parameters exist, each repeated only where it is documented as repeatable. An unknown name, a name repeated where it must not be, a name with\nbrackets (`status[]`) and an empty value are INVALID_ARGUMENT, and the parameter is named. The exception is an empty `page_token=`, which counts as absent.\n\nA parameter may have at most 100 values; equal ones count once. A malformed id in a filter matches nothing and is no error. Booleans are `true` or\n`false`.\n\nA date-time is RFC 3339 with a zone, and must be a real instant: no 30 February, no leap second, of the years 1 to 9999 (D-2). Of up to nine fraction digits, `updated_since` is rounded\nup to the millisecond and `created_after` down.\n\nWhoever reads changes by `updated_since` should go back one minute beyond the last reading, because a write becomes visible a little later than the\ntime it carries.',
    places: [
      'listEmployees',
      'listDocuments',
      'StatusFilter',
      'DepartmentIdFilter',
      'UpdatedSince',
      'CategoryIdFilter',
      'TemplateTypeIdFilter',
      'DocumentTypeIdFilter',
      'CreatedAfter',
    ],
  },
  'D-13': {
    title: 'total_count',
    text: '`total_count` counts what the caller may see under the filters. It is exact up to 10,000. Above, it is an estimate of at least 10,000, and within 10 % where\nthere is no filter, or a single status, or a single department, and the owner sees everybody. Its cost is bounded: it never scans a large tenant.',
    places: ['listEmployees', 'IncludeTotal', 'ListEmployeesResponse.total_count'],
  },
  'D-14': {
    title: 'Reading one employee; ids in paths',
    text: '`GET /employees/{employee_id}` takes `expand` like the list, needs `employees:read` and answers `{"employee": …}`. An unknown, deleted, draft or invisible\nemployee is 404.\n\nWhere the path holds an employee\'s or a document\'s id, a malformed UUID is INVALID_ARGUMENT. Other malformed ids in a path give the 404 of their\nresource, and malformed ids in a body INVALID_ARGUMENT. All ids of the service are lower-case UUIDs; upper case is understood.',
    places: [
      'getEmployee',
      'getDocument',
      'EmployeeId',
      'TemplateId',
      'DocumentId',
      'FileId',
      'WebhookEndpointId',
      'GetEmployeeResponse',
    ],
  },
  'D-15': {
    title: 'Reading documents; who sees which',
    text: '`GET /documents` takes `limit`, `page_token`, `type_id` (repeatable), `created_after` (strictly after) and `search`, and answers\n`{documents, next_page_token}`. `GET /documents/{document_id}` answers `{document}`.\n\n`search` has 3–200 characters. It finds documents whose title or number contains it literally, after both were normalised to NFC and put in lower case; it is\nnever a pattern, and ё does not equal е. The final sigma ς equals σ, since whether Σ stands at the end of a word depends on where the text was cut.\n\nA document is visible\n\n- to its initiator, always;\n- to its subjects, from the first send on;\n- to its participants, from the moment on which their step became active;\n- to owners whose permission profile sees all documents (D-31).\n\nA document of a type that the owner\'s profile does not see is visible only to its initiator and its participants.',
    places: [
      'listDocuments',
      'getDocument',
      'DocumentTypeIdFilter',
      'CreatedAfter',
      'DocumentSearch',
      'ListDocumentsResponse',
      'GetDocumentResponse',
    ],
  },
  'D-16': {
    title: 'Types, categories, templates, login methods',
    text: '| Operation | Parameters | Answer |\n|---|---|---|\n| `GET /document_types` | `category_id` (repeatable), `limit`, `page_token` | `document_types`, `next_page_token` |\n| `GET /document_categories` | `limit`, `page_token` | `document_categories`, `next_page_token` |\n| `GET /document_templates` | `type_id`, `limit`, `page_token` | `document_templates`, `next_page_token` |\n| `GET /document_templates/{template_id}` | `version`, by default the latest | `document_template` |\n\nA template has `id`, `title`, `version`, `type_id`, `category_id`, `status`, `variable_schema`, `create_time`, `update_time`; a category has `id`, `title`, `parent_id`,\n`create_time`, `update_time`. Types and templates are `ACTIVE` or `ARCHIVED`; an archived one is listed and refused at creation. An\nunknown version of a template is 404. `subject_type` is informative. Types, their templates and the creation of documents are limited to the types that\nthe owner\'s profile sees. `GET /login_methods` lists the enabled methods, ordered by slug.\n\n`variable_schema` is a JSON Schema (2020-12) object keyed by the ids of the variables. It keeps to a subset: `type`, `enum`, `const`, `minimum`, `maximum`,\n`minLength`, `maxLength`, `format: date`, `required`, `title`, `description`, and arrays of scalars or of one level of objects; no `$ref`, no `pattern`. The subset is\nchecked when a version of a template is published, and the schema is interpreted, never compiled. An unknown variable is INVALID_ARGUMENT.',
    places: [
      'listLoginMethods',
      'listDocumentTypes',
      'listDocumentCategories',
      'listDocumentTemplates',
      'getDocumentTemplate',
      'createDocument',
      'CategoryIdFilter',
      'TemplateTypeIdFilter',
      'TemplateVersion',
      'LoginMethod.enabled',
      'LoginMethod.slug',
      'LoginMethod.type',
      'ListLoginMethodsResponse.items',
      'CatalogueStatus',
      'DocumentType.template_id',
      'DocumentType.subject_type',
      'DocumentCategory',
      'ListDocumentCategoriesResponse',
      'DocumentTemplate',
      'VariableSchema',
      'Variable',
      'ScalarVariable',
      'ScalarValue',
      'ListVariable',
      'ObjectVariable',
      'ListDocumentTemplatesResponse',
      'GetDocumentTemplateResponse',
    ],
  },
  'D-17': {
    title: 'Creating a document',
    text: '**Fields.** `title` (1–500 characters) and `type_id` are required. The type must exist for the owner and have `allow_api`, and with `file_id` also\n`allow_upload`. A template must belong to that type.\n\n| Field | Rule |\n|---|---|\n| `template_id`, `file_id` | exactly one; `null` or `""` counts as absent |\n| `template_version` | defaults to the latest |\n| `title` | at least one visible character |\n| `template_values` | checked against the `variable_schema` of that version; each violation is reported as `template_values.<id>` |\n| what is printed | at most 300,000 characters: the text of the template with the values in it, as often as it shows them. A line break counts as 80, a table cell, list entry or other piece of text as 40 more, a page break as 2,500, a line in a column too narrow for ten characters as 10. More is INVALID_ARGUMENT of `template_values`; a template that comes to more by itself is not published |\n| numbers in `template_values` | INVALID_ARGUMENT unless written as exactly the 64-bit float that they are read as: `-0`, `1e-400` and `99999999.999999999` are not. What is printed is what was sent |\n| letters that are printed: those of the values that the template shows, of `title` and of `number` | INVALID_ARGUMENT where a character has no glyph in the fonts of the deployment, or is of a script that must be shaped (joined, reordered, stacked) or runs from right to left. The violation names the field or `template_values.<id>`, the position in code points, counted from 1, and the character as `U+674E` |\n| dates | printed as DD.MM.YYYY |\n| `template_version`, `template_values` beside `file_id` | INVALID_ARGUMENT |\n| `organization_id` | defaults to the initiator\'s |\n| `department_id` of the document | the initiator\'s |\n| `date` | defaults to today in the tenant\'s time zone; every "today" of the service is the tenant\'s, by default that of Asia/Almaty |\n| `number` | up to 100 characters; neither unique nor assigned by the service |\n| `subject_employee_ids` | 0–1,000, no duplicates, each visible to the initiator; one that is not visible counts as unknown |\n\nWhat is printed is what was sent. The fonts have the letters of the European scripts, of Georgian and Armenian, and many signs; a deployment may add others, the same for all its\nprocesses. Invisible characters, such as soft hyphens and variation selectors, are left out, and a tab is a blank. A letter and its mark are printed as one. The text of a template is judged when\na version of it is published. Whatever else is printed and cannot be, such as the name of an organisation, is printed as its code points (`U+674E`). All this is judged after the\nlook-up of an Idempotency-Key: a repeat stays a repeat, whatever fonts there are now.\n\nAn unknown organisation, subject, template or version is INVALID_ARGUMENT. The PDF of a document from a template is rendered at creation and is the document\'s first\nfile. An owner who is not linked to an employee, or whose employee is terminated, gets DOCUMENT_INITIATOR_NOT_FOUND.\n\n**With an Idempotency-Key** the order is: shape (400); look-up of the key\'s claim (replay, conflict, in progress); initiator; type and template; file; the claim is\nwritten; the file is linked; the document is inserted. No 4xx uses up a key.\n\nKeys are 1–255 visible ASCII characters, otherwise INVALID_ARGUMENT, and separate for each operation. An empty or repeated header counts as missing at an ingest\nand is INVALID_ARGUMENT at creation; all other operations ignore the header. A key is kept for 24 hours from its claim. Two bodies are the same when their canonical\nJSON is.',
    places: [
      'createDocument',
      'ingestRecords',
      'IdempotencyKeyOptional',
      'IdempotencyKeyRequired',
      'DocumentType.allow_api',
      'DocumentType.allow_upload',
      'Document',
      'Document.files',
      'CreateDocumentRequest',
    ],
  },
  'D-18': {
    title: 'Setting a route',
    text: '`POST /documents/{document_id}/_set_route` takes `{"steps": [{"step_type": …, "rule": …, "participants": [{"employee_id": …, "key_type": …}]}]}`: 1–20 steps with 1–50\nparticipants each. `rule` defaults to ALL, `key_type` to SIMPLE.\n\nThere must be at least one SIGNING step, and every APPROVAL step stands before every SIGNING step. EDS is allowed in SIGNING steps only. An employee appears at\nmost once in a step. Participants must not be terminated, and must be visible to the initiator or be the initiator\'s own manager, whose id and name the initiator is\nshown anyway (D-31). Anything else is INVALID_ARGUMENT.\n\nOnly the initiator may set the route (otherwise DOCUMENT.ACTION_NOT_ALLOWED), and only in DRAFT or CHANGE_REQUESTED (otherwise\nDOCUMENT.INVALID_STATUS_TRANSITION). A new route replaces the old one; the document\'s status stays.',
    places: [
      'setDocumentRoute',
      'Route',
      'Step',
      'Participant',
      'RouteStatus',
      'StepType',
      'SetDocumentRouteRequest',
      'RouteStepInput',
      'RouteParticipantInput',
      'SetDocumentRouteResponse',
      'DOCUMENT_ACTION_NOT_ALLOWED',
    ],
  },
  'D-19': {
    title: 'How a document moves',
    text: '**Send.** `_send` belongs to the initiator (otherwise DOCUMENT.ACTION_NOT_ALLOWED). The document must be DRAFT with a route, or CHANGE_REQUESTED after its route was\nset again, and no participant may have left since (D-37); otherwise DOCUMENT.INVALID_STATUS_TRANSITION. Sending activates step 0 (`index` counts from 0).\n\n**Steps.** One step is active at a time, and the document is ON_APPROVAL or ON_SIGN after the active step\'s type. A step with rule ALL is complete when every participant\nhas acted; one with rule ANY when the first has, and the others become SKIPPED. After the last step the document is COMPLETED, and only then `completed_at` is set.\n\n**Events** are emitted together with the change: `document.sent`, then `document.approval_started` or `document.signing_started` when the document enters that\nstate; `document.completed` at the end.\n\n**Actions.** `_approve {participant_id?, comment?}`, `_sign {participant_id?, signature?}` and `_reject {comment, document_id?, participant_id?}` all answer\n`{document}`, and every accepted action moves `update_time`. A `participant_id` must be the caller\'s own slot. The checks, in this order:\n\n1. approve and sign: the slot that is named has already acted; or the caller has no active slot of the type of step that the action completes, but a slot in any step that\n   has already acted → DOCUMENT.INVALID_STATUS_TRANSITION, also after completion;\n2. the document is not ON_APPROVAL or ON_SIGN, the caller holds no active slot, the step is of the other kind, or the participant is another\'s →\n   INVALID_ARGUMENT.\n\n**Moves that end a route:**\n\n| Move | The participant who acted | Other active participants | Step | Route | Document |\n|---|---|---|---|---|---|\n| reject, also under ANY | REJECTED | SKIPPED | REJECTED, later ones CANCELLED | REJECTED | REJECTED |\n| request changes | CHANGE_REQUESTED | SKIPPED | CANCELLED, later ones too | CANCELLED | CHANGE_REQUESTED |\n| revoke | all stay as they are | SKIPPED | CANCELLED | CANCELLED | REVOKED |',
    places: [
      'sendDocument',
      'approveDocument',
      'signDocument',
      'rejectDocument',
      'event document.sent',
      'event document.approval_started',
      'event document.signing_started',
      'event document.completed',
      'event document.rejected',
      'Document.update_time',
      'Document.completed_at',
      'Step',
      'Participant',
      'DocumentStatus',
      'RouteStatus',
      'StepStatus',
      'StepRule',
      'ParticipantStatus',
      'SendDocumentRequest',
      'SendDocumentResponse',
      'ApproveDocumentRequest',
      'ApproveDocumentResponse',
      'SignDocumentRequest',
      'SignDocumentResponse',
      'RejectDocumentRequest',
      'DOCUMENT_INVALID_STATUS_TRANSITION',
    ],
  },
  'D-20': {
    title: 'Moves that have no operation',
    text: 'Requesting changes, revoking and deleting belong to the interactive application. The interface only shows the states that result and emits their events; an\nadministrator can drive the same moves through the settings tool (D-30), by the same state machine:\n\n| Move | By whom | In which states |\n|---|---|---|\n| request changes | a holder of an active slot, with a comment | ON_APPROVAL, ON_SIGN |\n| revoke | the initiator or the initiator\'s direct manager | ON_APPROVAL, ON_SIGN, CHANGE_REQUESTED |\n| delete | the initiator | DRAFT, CHANGE_REQUESTED, REJECTED, REVOKED |',
    places: ['event document.change_requested', 'event document.revoked', 'event document.deleted', 'DocumentStatus'],
  },
  'D-21': {
    title: 'Signatures',
    text: '**SIMPLE.** The slot needs no payload: the service records who signed, when, with which key, and the SHA-256 of the PDF. A `signature` sent for such a slot is\nINVALID_ARGUMENT.\n\n**EDS.** The slot needs `signature: {"format": "CMS", "value": "<base64>"}`: a detached CMS SignedData over the bytes of the document\'s PDF, at most 64 KiB. Signing tools\nwrite it in many ways, and each is read: base64 of either alphabet, with or without line ends and padding, or one PEM block; at most 96 KiB as text. The decoded bytes are\nwhat is stored and compared. The service verifies digest, signature, validity period and the chain up to the tenant\'s trust anchors, and stores it as a file of type SIGNATURE;\notherwise the answer is INVALID_ARGUMENT. There must be exactly one signer; the IIN in its certificate (serialNumber of the subject, with or without the prefix `IIN`) is that of\nthe participant; the certificate is valid at the server\'s time and has the key usage digitalSignature or nonRepudiation.\n\nWhat is stored is evidence: whatever the service accepts, OpenSSL verifies. The structure is exactly that of RFC 5652 and RFC 5280: nothing in it is further, doubled or misplaced,\nand versions fit. Signed attributes and certificates are DER to the byte; around them BER is read. The digest algorithm is that of the signature. Each attribute is in its own set, and\nknown ones say the truth about certificate and algorithms (RFC 5035, RFC 6211). The chain is judged by RFC 5280 §6.1 without revocation, the trust anchor included: basic constraints,\npath length, key usage, critical extensions, and name constraints of names, mail addresses and hosts, critical or not; every extended key usage in it allows signing. What is not\nimplemented there is refused: other kinds of name constraints, policy constraints and mappings, proxy certificates, resources of networks. There is one chain: at each step a trust\nanchor comes first, then the first certificate in the CMS that may be the issuer.\n\nOne signature proves one act: a PDF that is made from a template carries its document\'s id, so that no two are alike, and a signature value that the tenant has accepted before is\nINVALID_ARGUMENT.\n\nRevocation lists are not consulted in v1.',
    places: ['signDocument', 'Document.files', 'KeyType', 'Signature', 'SignDocumentRequest'],
  },
  'D-22': {
    title: 'Downloading',
    text: '`GET /documents/{document_id}/_download` answers `{file: {file_id, file_type, filename, content_type, size_bytes}, url, expire_time}`. `file_id` is optional; the default is the\nmain PDF, the file of type FILE_TYPE_PDF. `filename` is made from the title; one that ends in `.pdf` itself does not get a second one. The URL is presigned, valid for 5 minutes, and served with `Content-Disposition: attachment`.\n\nWhoever sees the document may download. A `file_id` of another document is FILE_NOT_FOUND.\n\nThe rule that documents show no personal data of their participants covers the JSON answers. A CMS signature holds the certificate of its signer. The signing sheet holds\nids, times and serial numbers only.',
    places: ['downloadDocument', 'DownloadFileId', 'DownloadDocumentResponse', 'DownloadFile'],
  },
  'D-23': {
    title: 'Reserving and confirming an upload',
    text: '`POST /files {filename, content_type, size_bytes}` answers `{file, upload: {url, fields, expire_time}}`: a POST form with an S3 policy, valid for 15 minutes, for exactly\none object key and exactly one content type, and for 1 byte to 50 MB (52,428,800 bytes). The policy allows up to 50 MB and not up to the reserved size; the reserved size is compared at\nconfirmation (FILE.SIZE_MISMATCH).\n\nStorage takes the form as S3 does: the case and the order of its fields before the file do not matter, fields whose names begin with `x-ignore-` and whatever follows the file are\nignored, and any other field that the form was not given with is refused. A folder answers as a bucket, with the same status and error code.\n\n`content_type` other than `application/pdf`, or a reserved size above 50 MB, is INVALID_ARGUMENT. `filename` has 1–255 characters, without control characters or path separators.\n\nConfirmation also requires that `%PDF-` begins at one of the bytes 0 to 1,019, as readers of PDFs do, otherwise INVALID_ARGUMENT: scanners write a few bytes before it. The file stays\nas it is. Confirmation pins the version of the stored object: a later upload with the same form changes nothing. After it `size_bytes` is the stored size. A refused confirmation leaves the upload RESERVED.\n\nAn EXPIRED upload is FILE.NOT_UPLOADED on confirmation and FILE.INVALID_STATUS_TRANSITION on creation. A confirmed upload that no document took is kept 30 days. An upload\nbelongs to the key\'s owner and not to the key.',
    places: [
      'reserveFile',
      'confirmFile',
      'UploadedFile.size_bytes',
      'FileUploadStatus',
      'PresignedUpload',
      'ReserveFileRequest',
      'ReserveFileResponse',
      'ConfirmFileRequest',
    ],
  },
  'D-24': {
    title: 'Webhook endpoints',
    text: 'An endpoint has `id`, `url`, `event_types`, `status`, `disabled_reason` (`CONSECUTIVE_FAILURES` or `MANUAL`), `disabled_at`, `create_time`, `update_time`. Creation answers\n`{webhook_endpoint, secret}`.\n\nThe secret is `whsec_` followed by 43 characters: 32 random bytes in base64url. It is never shown again and is stored encrypted. The HMAC key is the UTF-8 text of the\nwhole secret, prefix included.\n\n`event_types` has at least one value, no duplicates, all from the list of event types. `DELETE /webhook_endpoints/{id}` answers `{}` and cancels pending deliveries; a second\ntime it is 404.\n\nA tenant has at most 50 endpoints. They belong to the tenant: any key with `webhooks:manage` may test or delete them, and they outlive the one who made them.',
    places: [
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'ServiceSignature',
      'WebhookEndpoint',
      'WebhookEventType',
      'CreateWebhookEndpointRequest',
      'CreateWebhookEndpointResponse',
      'DeleteWebhookEndpointResponse',
    ],
  },
  'D-25': {
    title: 'Test event',
    text: '`_test` sends one signed envelope of type `webhook_endpoint.test` with `data: {webhook_endpoint_id}` and answers `{status_code, error}`: the status of the receiver, or `0` together\nwith one of `dns_error`, `connect_error`, `tls_error`, `timeout`, `address_denied`, `protocol_error`. It is a single attempt, is not retried, and never counts as a failed\ndelivery. On a disabled endpoint it is WEBHOOK_ENDPOINT.DISABLED.\n\n`protocol_error` is an answer that HTTP/1.1 (RFC 9112) does not allow: something else than HTTP, a malformed status line or header, header lines that do not end with CR LF, lengths that\ncontradict each other, a head of more than 16 KiB, `101 Switching Protocols`, or too many interim answers (`D-27`). A connection that ends before the head of the answer is complete\nis a `connect_error`.',
    places: [
      'testWebhookEndpoint',
      'event webhook_endpoint.test',
      'TestWebhookEndpointRequest',
      'TestWebhookEndpointResponse',
      'WebhookEndpointEventData',
      'WebhookEndpointTestEvent',
    ],
  },
  'D-26': {
    title: 'Data of person.changed',
    text: '`person.changed` carries `{employee_id}`, one event for each employment of the person. There is no person resource to read, and a thin event has to name something\nthat can be read.',
    places: ['event person.changed', 'PersonChangedEvent'],
  },
  'D-27': {
    title: 'Delivery of events',
    text: 'An event is tried up to 8 times. The waits between are 15 s × 4ⁿ, 22 h 45 m in all, each plus up to 10 % of jitter:\n\n| After attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 |\n|---|---|---|---|---|---|---|---|\n| Wait | 15 s | 1 m | 4 m | 16 m | 64 m | 4 h 16 m | 17 h 4 m |\n\nEach attempt is signed anew with its own `t`; the event\'s `id` never changes. An event has one id for all endpoints. No order is promised.\n\nSuccess is a status 2xx within 10 seconds, counted over connecting, TLS, headers and body. Redirects are not followed. At most 64 KiB of the answer are read, then the connection is\nclosed and the status decides. TLS is 1.2 or later. The certificate has the host of the URL among its subject alternative names (RFC 9110 §4.3.4); its common name does not count.\n\nInterim answers (1xx, RFC 9110 §15.2) are skipped, whether they were asked for or not, up to 32 in an attempt and within its 10 seconds. `101` and a 33rd are a `protocol_error`; so is\nwhatever follows an interim answer that closes the connection (`Connection: close`, or HTTP/1.0).\n\nA connection may be used again for later attempts, unless its answer contradicts itself about its length, as a 204 with one does. If the receiver ends such a connection before a byte of its answer, the request is sent once more on a new connection, within the same\nattempt and its time, with the same `t` and signature. So a receiver may see one attempt twice.\n\nA delivery is permanently failed after its 8th attempt. The 20th in a row disables the endpoint (`CONSECUTIVE_FAILURES`); any success starts the count again. A disabled endpoint\ngets nothing new, and what was pending is cancelled.\n\nWhile the interface is off for the tenant nothing is queued, and attempts that fall due are cancelled without counting; nothing is replayed. There are no events about employees in\nthe draft state (CREATED).',
    places: [
      'event employee.changed',
      'event employee.deleted',
      'event person.changed',
      'event document.sent',
      'event document.approval_started',
      'event document.signing_started',
      'event document.completed',
      'event document.rejected',
      'event document.change_requested',
      'event document.revoked',
      'event document.deleted',
      'Traceparent',
    ],
  },
  'D-28': {
    title: 'Addresses that events may go to',
    text: 'The URL is `https`, without user information and without a fragment, at most 2,048 characters. Every address to which its name resolves must be public; this is checked at creation and\nagain at each attempt, and the connection goes to the very address that was checked. The port is 443 or from 1024 up, and never one on which this service listens. A host name has\ntwo labels or more and is no special-use name (RFC 6761, 6762, 7686, 8375 and 9476, and `internal`); a trailing dot is dropped before anything is made of it. A name that does not\nresolve within 2 seconds at creation is INVALID_ARGUMENT.\n\nFor tests a deployment may allow named addresses with ports (`WEBHOOK_ALLOW_NETWORKS=127.0.0.1:8443`), to which special-use names may lead too, and add a certificate authority (`WEBHOOK_CA_FILE`); it says so loudly when it\nstarts. `npm start` allows exactly one of its own, beside what is allowed so.',
    places: ['createWebhookEndpoint', 'CreateWebhookEndpointRequest.url'],
  },
  'D-29': {
    title: 'Ingest',
    text: '**The batch.** `records` has 1–10,000 elements in a body of up to 32 MiB. `create_missing` defaults to false. Strings have up to 1,000 characters. An `external_id` has 1–255 and is compared\ncode point by code point. `payload_type` or `records` of the wrong JSON type is INVALID_ARGUMENT; an unknown pair of source and payload is accepted and skipped. `record_count`\ncounts all records. An Idempotency-Key is 1–255 visible ASCII characters; it is used up by the first accepted attempt, for 24 hours, whatever the body.\n\n**One bad record never harms the others.** What is no object, has no external id, or holds a wrong type or an impossible date in a known field, is skipped with a reason. Unknown fields\nare ignored whatever they hold.\n\n**Updates.** An absent field leaves what is there; `""` or `null` clears it. When a batch holds an external id twice, the last one wins. A record that changes nothing writes nothing and emits\nnothing. The requests of a tenant are applied one at a time, in the order in which they were accepted.\n\n**References** resolve within their source type, against what is known plus the same batch in any order. One that is given and unknown skips a new record with that reason. Of a known\nobject the other fields are applied, the reference stays as it was, and the outcome says `unresolved`. Departments whose parents form a cycle are skipped. An employee is created only with a\nknown person. Manager, location and `work_email` come from the settings tool (D-30).\n\n**Habits of senders.** In both sources each type of field is read by one grammar:\n\n| Type | What is read |\n|---|---|\n| text | without the blanks at its ends; one of blanks is `""` |\n| external id, reference | as it is sent; natural ids, and references to them, are compared without the blanks at their ends. One of blanks, or a GUID of zeros with or without braces and hyphens, is the empty one and counts as `""`: as the id of a record it is none, and a record that is known by nothing else is skipped |\n| day | `YYYY-MM-DD` of the years 1 to 9999; midnight after it (after `T` or a blank, with a fraction of zeros, with `Z` or any offset) is ignored: the day is the one that is written. With another time of day the record is skipped with that reason. `0001-01-01`, with or without midnight, counts as `""` |\n| IIN | 12 digits (the checksum is not examined) or empty, otherwise the record is skipped; twelve equal digits are a filler and count as an absent field, on change too |\n\n**LEDGER.** Dotted names are literal keys, and keys are NFC-normalised before they are matched. The external id is the record\'s `external_id`: a known one updates its object, so a changed\npersonnel number is a change and makes no new employee. Where a record has none, it is known by its natural id:\n\n| Object | `external_id`, else |\n|---|---|\n| department | `Ссылка` |\n| employee | `Организация.Ссылка` + `/` + `ТабельныйНомер`; the number alone where no organisation is given |\n| person in `ФизЛицо` | `ИИН`; the employee\'s external id where there is none |\n\n- What was loaded with an `external_id` and a natural id is found by either. The natural id is the one of the last record with an `external_id`; an absent field of it leaves what it was made of.\n- A new `external_id` beside the natural id of a known object takes that object over, unless another record of the batch means the object by its own `external_id`; an employee is taken over only\n  where it is the same person, and is a new one otherwise. An `external_id` in `ФизЛицо` takes over the employee\'s person where the `ИИН` is that person\'s too.\n- An `external_id` that is the very text of a natural id under which an object was loaded without one updates that object, an employee only where it is the same person.\n- An employee that was loaded under an id made of the zero GUID is still found by it.\n\n`Подразделение.Ссылка` and `Родитель.Ссылка` find a department by either: by its external id, and where no department has that one, by the `Ссылка` that was loaded beside its `external_id`. An unknown\n`Подразделение.Ссылка` skips a new record only.\n\n**Who is who** (LEDGER; KEDO follows its external ids). A record and a known person are compared by IIN, date of birth and name. What one of them lacks is not compared, nor are twelve equal digits. Of the\nlast and the first name, in either order, after NFC, case folding and trimming: the name is *the same* if both are equal, *near* if one is, *another* if both have both and none is equal.\n\nA record means *the same person* if one of these holds, and another person otherwise:\n\n- the IIN is the same, unless the name is another and the date of birth not the same;\n- the name is the same, unless IIN and date of birth are both others;\n- the name is near and the date of birth the same;\n- none of the three is another.\n\n| A record | What becomes of it |\n|---|---|\n| whose `external_id` is known | updates its employee, who never moves to another person by an `ИИН`: one that another person has is left out. Where name and date of birth are both others, the outcome says so |\n| whose natural id is or was that of the same person | updates that employee, whoever has the natural id now |\n| whose natural id is that of another person who has left (TERMINATED) | is a successor, created with `create_missing`, who holds the natural id from now on; records of the former holder still find the former one |\n| whose natural id is that of another person who has not left | is skipped, with the names of the fields that differ; with a new `external_id` it is a new employee, and the natural id stays where it was |\n\nRecords of one batch that have one natural id and are two persons do not replace each other: that of the present holder is applied first.\n\nA number alone and a number with its organisation find each other where exactly one record of the batch and one employee match and are the same person; from then on the employee is found by both. Otherwise\na number with an organisation is a new employee, and a number alone is skipped as `ambiguous`.\n\n| An `ИИН` | of a new employee | of a known employee |\n|---|---|---|\n| bound to a person, with the same name and no other date of birth; with a near name and the same date of birth; or with a name that cannot be compared and no other date of birth | has that person | moves to that person, if it was found by its natural id as the same person |\n| bound to a person, otherwise | has a new person with this IIN, which names nobody | is left out; all else is applied, and the outcome says so |\n| bound to nobody, and the person has no other employment | has a new person | replaces the person\'s IIN: person.changed; the binding of the old one ends |\n| bound to nobody, and the person has other employments | – | the same, if each that has not ended has a record with this IIN in the batch; else it is left out, and the outcome says so. The settings tool can set it |\n\nThe outcome says where somebody was joined, moved or corrected by less than IIN and name together. The settings tool shows which skipped records wait for a decision about who is meant, and decides one: the same person,\nor a successor. The decision is kept for the natural id, the known person and the record\'s IIN, name and date of birth, and applies when such a record comes again.\n\nLEDGER has no payload for organisations and job titles. `Организация.Ссылка` and `Должность.Ссылка` are therefore looked up among the bindings of LEDGER, then among those of KEDO with the same external\nid. Where they are still unknown, the field stays as it was (empty at creation) and the outcome says `unresolved`, without skipping.\n\nA person that was bound under twelve equal digits is not found by them any more, and the settings tool lists those whom such a filler has joined.\n\n**Status by dates**, where today is that of the tenant\'s zone. A created employee is ACCEPTED where the admission lies ahead, else ACTIVE; a `left_date` before today makes it TERMINATED.\nAfterwards dates move only ACCEPTED → ACTIVE, any → TERMINATED, and TERMINATED → ACTIVE when `left_date` is cleared or moved ahead. A daily pass does the same, moves `update_time` and\nemits events. Other statuses belong to the settings tool. `end_date` is shown only while the employee is TERMINATED, else `""`.\n\n**What a person\'s change does.** A change of any field of Person moves `update_time` of each employment and emits employee.changed; one of names or IIN also emits person.changed. Fields that\nthe interface never shows (gender, papers, vacation days and the like) are stored without either. Renaming a department, a job title or a manager moves nothing.\n\n**Outcomes.** For each record `created`, `updated`, `unchanged` or `skipped` with its reason is kept for 30 days and shown by the settings tool only; no operation of the interface reports\nit. It names the record and its fields as they were sent, and no value of another field.',
    places: [
      'ingestRecords',
      'event employee.changed',
      'IdempotencyKeyRequired',
      'IinOrEmpty',
      'EmployeeStatus',
      'Employee',
      'Employee.end_date',
      'Employee.update_time',
      'Person.personal_email',
      'Person.phone',
      'IngestRecordsRequest',
      'IngestRecordsRequest.create_missing',
      'IngestRecordsRequest.records',
      'IngestRecordsResponse.record_count',
      'IngestDay',
      'KedoPersonRecord',
      'KedoOrganizationRecord',
      'KedoDepartmentRecord',
      'KedoEmployeeRecord',
      'KedoJobTitleRecord',
      'LedgerEmployeeRecord',
      'LedgerPerson',
      'LedgerDepartmentRecord',
    ],
  },
  'D-30': {
    title: 'The settings tool; form of a key',
    text: 'What an administrator does in the application\'s settings is done with the settings tool, which is no part of `/developer/v1`:\n\n- tenants: feature flag, time zone;\n- users with their permission profile;\n- keys: the secret is shown once, lists show the prefix; revoking;\n- employees, persons, departments, job titles, locations, statuses;\n- document types, categories, templates, trust anchors, login methods;\n- webhook endpoints with the log of their deliveries: disable, re-enable, resend, rotation of the key that encrypts secrets;\n- outcomes of ingests;\n- the moves of D-20;\n- documents that wait for somebody who has left, and giving such a slot to somebody else (D-37).\n\nA key is made by a super-administrator: the tenant\'s only one unless `--created-by` names one; anybody else as its creator is refused. It has the form `<prefix>_<43 characters base62><6 characters base62 of a CRC-32>`. One with a wrong checksum never reaches the store.',
    places: ['ApiKey'],
  },
  'D-31': {
    title: 'Permission profiles',
    text: 'A user\'s permission profile says:\n\n| Part | Values |\n|---|---|\n| employees seen | a union of `all`, `departments: […]` with their sub-departments, `reports` (direct ones), `self`; oneself always. A user without an employee sees nobody through `reports` and `self` |\n| person fields hidden | any field of Person (`persons.iin`, …) and `employees.work_email` |\n| documents seen | `all`; `all_but_confidential` (without those of types marked confidential); `own` (as initiator, subject or participant, D-15) |\n| document types seen | all, or a list |\n| `super_admin` | yes or no |\n\nHiding a first, last or middle name hides `persons.full_name` too, and where `persons.full_name` is hidden, the manager\'s is dropped as well. `redacted_fields` lists only keys\nof objects that were asked for, sorted, whatever the record holds. One\'s own record is no exception.\n\nThe profile is read from the store on every request. Ingest is not narrowed by it.\n\n`ingest:write` counts only on a key which a super-administrator created and whose owner is one now; otherwise the key is treated as if it lacked the scope\n(SCOPE_INSUFFICIENT). A manager\'s id shows even where the manager is out of view; that of a deleted manager is `""`.',
    places: [
      'listEmployees',
      'getEmployee',
      'ingestRecords',
      'Employee',
      'Employee.manager_id',
      'Employee.redacted_fields',
      'Person',
      'ManagerRef',
      'DocumentType.confidential',
    ],
  },
  'D-32': {
    title: 'Compatibility',
    text: 'Version v1 may gain operations, optional request fields, response fields, event types, error codes and enumerated values; clients must tolerate the last four. It never\nloses, renames or tightens anything.\n\nWhat is to go is announced by the headers `Deprecation` and `Sunset` at least 180 days ahead. The description of each release (1.3 to 1.7) is kept, while `info.version` stays 1.0.0,\nand a breaking difference fails the checks.\n\nThe conformance suite is exact by default; for another instance a profile may allow additional fields, but never personal ones.',
    places: ['the interface'],
  },
  'D-33': {
    title: 'Shares of tenants',
    text: 'One tenant cannot take what another needs. Whatever is shared and finite (memory for large bodies, the printing of PDFs, workers that apply ingest, deliveries, searches, connections\nto the database) is handed out tenant by tenant. A tenant that asks for more than its share waits, or gets 503 with `Retry-After`; what others wait stays within twice what they\nwait alone. Nor does a body keep others waiting by what is in it: a large one is read in parts, and the time and memory that it costs are in proportion to its bytes.\n\nThe bytes of a body count as they come and not as they are announced. A body that comes slower than 4 KiB a second, after its first 5 seconds, is 408.',
    places: [],
  },
  'D-34': {
    title: 'Database engines',
    text: 'The service runs on MongoDB 6.0 or newer; the version is checked at start. In production that is a replica set, of which one node is enough, or a sharded cluster. Whatever the\nconnection string says, a write is acknowledged once a majority of the members has it in its journal, and reads go to the primary. The one exception is what a key has\nused of its rate limit, which no request waits to see on a second member: a failover may give back what was used in the last two seconds. A standalone server serves for trying\nout, and so does the embedded database.\n\nOn a sharded cluster employees, persons, documents, files and deliveries may be sharded by `tenant_id`, then `_id`; keys, users, tenants, claims and catalogues stay unsharded.',
    places: [],
  },
  'D-37': {
    title: 'People who have left',
    text: 'What a key may do follows from what its owner may do now. An employee who is terminated or deleted acts for nobody, neither through the interface nor through the settings\ntool. Its active slots count as none, so that the order of D-19 decides what is answered; as an initiator it gets DOCUMENT.ACTION_NOT_ALLOWED from `_set_route` and `_send`.\nWhat its key reads goes on by the owner\'s profile (D-31).\n\n`_send` checks again what `_set_route` has checked. If a participant of the route has left, or is somebody whom the initiator may not choose any more, it is\nDOCUMENT.INVALID_STATUS_TRANSITION, and the message says that the route has to be set again.\n\nA slot that waits for somebody who has left stays as it is, also one whose step begins only then. The settings tool names the documents when it ends or deletes an employment,\nlists them, and gives such a slot to another employee. The old participant is then SKIPPED, and a new one, with an id of its own, in the status and with the `key_type` of the\nold one, stands in the same step. A step with rule ALL does not wait for the slot that was given away. D-18 holds for the new participant. `update_time` moves, and no event\nis emitted.',
    places: [
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
      'rejectDocument',
      'DOCUMENT_INVALID_STATUS_TRANSITION',
      'DOCUMENT_ACTION_NOT_ALLOWED',
    ],
  },
};
