// Made from openapi.yaml by `npm run generate`; never edited by hand. Types by hey-api.

export type ClientOptions = {
    baseUrl: 'https://{host}' | (string & {});
};

export type Webhooks = OnEmployeeChangedWebhookRequest | OnEmployeeDeletedWebhookRequest | OnPersonChangedWebhookRequest | OnDocumentSentWebhookRequest | OnDocumentApprovalStartedWebhookRequest | OnDocumentSigningStartedWebhookRequest | OnDocumentCompletedWebhookRequest | OnDocumentRejectedWebhookRequest | OnDocumentChangeRequestedWebhookRequest | OnDocumentRevokedWebhookRequest | OnDocumentDeletedWebhookRequest | OnWebhookEndpointTestWebhookRequest;

/**
 * The body of every error.
 */
export type Status = {
    /**
     * Canonical gRPC status number. Coarse; decide by the `reason` in `details`.
     */
    code: number;
    /**
     * What went wrong, in English, for developers. The wording may change; do not parse it or show it to people.
     */
    message: string;
    /**
     * First always an `ErrorInfo`, which carries the textual code. Each type occurs at most once, in the order `ErrorInfo`,
     * `BadRequest`, `RetryInfo`, `RequestInfo`, `Help`; `RequestInfo` is always there.
     *
     */
    details: Array<StatusDetail>;
};

/**
 * One detail of an error. `@type` tells which it is.
 */
export type StatusDetail = ErrorInfo | BadRequest | RetryInfo | RequestInfo | Help;

/**
 * The textual code of the error. Always the first detail.
 */
export type ErrorInfo = {
    /**
     * The type of this detail.
     */
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
    /**
     * The textual code, as the catalogue of errors lists it. Clients decide by it and the HTTP status.
     */
    reason: string;
    /**
     * The service that defines the code; the same for all errors of a deployment.
     */
    domain: string;
    /**
     * Facts that belong to the code, empty for most: `required_scope` of `DEVELOPER.SCOPE_INSUFFICIENT`, `ingest_request_id` and
     * `body_sha256` of `INTEGRATION.IDEMPOTENCY_REQUIRED` with status 409.
     *
     */
    metadata: {
        [key: string]: string;
    };
};

/**
 * The parameters or fields that are not valid. Always with `INVALID_ARGUMENT`.
 */
export type BadRequest = {
    /**
     * The type of this detail.
     */
    '@type': 'type.googleapis.com/google.rpc.BadRequest';
    /**
     * One entry for each parameter or field that is known to be wrong, at most 20. A field whose form is right is judged by its
     * meaning although others are wrong in form; nothing is said of what depends on a field that is wrong itself.
     *
     */
    field_violations: Array<FieldViolation>;
};

/**
 * What is wrong with one parameter or field.
 */
export type FieldViolation = {
    /**
     * Name of the parameter or header, or path of the field in the body with dots and indexes; `body`, `query` or `request` for the
     * whole of it. The value that was sent is never repeated.
     *
     */
    field: string;
    /**
     * What is wrong with it, in English. It goes on where the name of the field ends: both together are a sentence.
     */
    description: string;
};

/**
 * When to repeat the request. With 429, 503 and `DEVELOPER.IDEMPOTENCY_IN_PROGRESS`.
 */
export type RetryInfo = {
    /**
     * The type of this detail.
     */
    '@type': 'type.googleapis.com/google.rpc.RetryInfo';
    /**
     * The shortest time to wait, in seconds with the unit `s`. More exact than the header `Retry-After`.
     */
    retryDelay: string;
};

/**
 * Which request it was. In every error.
 */
export type RequestInfo = {
    /**
     * The type of this detail.
     */
    '@type': 'type.googleapis.com/google.rpc.RequestInfo';
    /**
     * The same as the header `X-Request-Id`.
     */
    request_id: string;
};

/**
 * Where to read more. A deployment that publishes its docs links each error to its page there: when it occurs, and what to do.
 *
 */
export type Help = {
    /**
     * The type of this detail.
     */
    '@type': 'type.googleapis.com/google.rpc.Help';
    /**
     * Pages about the error.
     */
    links: Array<HelpLink>;
};

/**
 * A page to read.
 */
export type HelpLink = {
    /**
     * What the page is about, in English.
     */
    description: string;
    /**
     * Absolute address of the page, for people; a program needs nothing of it.
     */
    url: string;
};

/**
 * A calendar date `YYYY-MM-DD` of the years 1 to 9999, or `""` where there is none.
 */
export type DateOrEmpty = string | '';

/**
 * An instant of the years 1 to 9999, RFC 3339 in UTC with three fraction digits and `Z`, or `""` where there is none.
 */
export type DateTimeOrEmpty = string | '';

/**
 * An id, a lower-case UUID, or `""` where there is none.
 */
export type UuidOrEmpty = string | '';

/**
 * An e-mail address, or `""` where there is none.
 */
export type EmailOrEmpty = string | '';

/**
 * A national identification number (IIN) of 12 digits, or `""` where there is none. Its checksum is not verified.
 *
 */
export type IinOrEmpty = string | '';

/**
 * Pass it as `page_token` for the next page; `""` when there are no more rows. Opaque, valid for 24 hours.
 *
 */
export type NextPageToken = string;

/**
 * An empty object. That it comes with status 200 is the answer.
 */
export type VerifyApiKeyResponse = {
    [key: string]: never;
};

/**
 * State of employment. `EMPLOYEE_STATUS_UNSPECIFIED` is a placeholder that no employee has.
 *
 * - `EMPLOYEE_STATUS_HIRED`: hired, before the offer is settled
 * - `EMPLOYEE_STATUS_ACCEPTED`: accepted, the first day of work lies ahead
 * - `EMPLOYEE_STATUS_ONBOARDING`: being introduced
 * - `EMPLOYEE_STATUS_ACTIVE`: works
 * - `EMPLOYEE_STATUS_TERMINATED`: the employment has ended
 * - `EMPLOYEE_STATUS_LEAVE`: on a long leave
 * - `EMPLOYEE_STATUS_ON_HOLD`: suspended
 *
 */
export type EmployeeStatus = 'EMPLOYEE_STATUS_UNSPECIFIED' | 'EMPLOYEE_STATUS_HIRED' | 'EMPLOYEE_STATUS_ACCEPTED' | 'EMPLOYEE_STATUS_ONBOARDING' | 'EMPLOYEE_STATUS_ACTIVE' | 'EMPLOYEE_STATUS_TERMINATED' | 'EMPLOYEE_STATUS_LEAVE' | 'EMPLOYEE_STATUS_ON_HOLD';

/**
 * One employment of a person with an organisation of the tenant. A person who is employed twice is two employees. Fields which are
 * not required are absent when they are redacted, or when their expansion was not asked for or does not exist.
 *
 */
export type Employee = {
    /**
     * Employee id, stable within the tenant.
     */
    id: string;
    status: EmployeeStatus;
    /**
     * Legal entity that employs the employee; empty when it is not known.
     */
    organization_id: UuidOrEmpty;
    /**
     * Department; empty when not assigned.
     */
    department_id: UuidOrEmpty;
    /**
     * Job title; empty when not assigned.
     */
    job_title_id: UuidOrEmpty;
    /**
     * Employee id of the direct manager, also where the owner of the key may not see that employee; empty when there is none or
     * the manager was deleted.
     *
     */
    manager_id: UuidOrEmpty;
    /**
     * Work location; empty when not assigned.
     */
    location_id: UuidOrEmpty;
    /**
     * Personnel number; empty when not assigned.
     */
    employee_number: string;
    /**
     * First day of employment; empty when unset.
     */
    start_date: DateOrEmpty;
    /**
     * Last day of employment; empty until the status is `EMPLOYEE_STATUS_TERMINATED`.
     */
    end_date: DateOrEmpty;
    /**
     * Corporate e-mail address; empty when there is none. Absent when redacted.
     */
    work_email?: EmailOrEmpty;
    /**
     * When the record was created. Lists are ordered by it.
     */
    create_time: string;
    /**
     * When the card last changed, the person's fields included; `updated_since` compares with it. Renames of a department, job
     * title or manager do not move it.
     *
     */
    update_time: string;
    /**
     * The department. Present with `expand=department`, unless there is none.
     */
    department?: DepartmentRef;
    /**
     * The job title. Present with `expand=job_title`, unless there is none.
     */
    job_title?: JobTitleRef;
    /**
     * The direct manager. Present with `expand=manager`, unless there is none.
     */
    manager?: ManagerRef;
    /**
     * The person. Present with `expand=person`.
     */
    person?: Person;
    /**
     * Keys `object.field` of the fields that the owner of the key may not view and that were therefore left out, sorted. Those of
     * `employees` always, those of `persons` when the person or, for its name, the manager was asked for. The list
     * depends on the permissions only: it is the same whatever the record holds.
     *
     */
    redacted_fields: Array<string>;
};

/**
 * The person behind an employee. Each field is absent when it is redacted; otherwise it is present, and empty where there is no data.
 *
 */
export type Person = {
    /**
     * Given name.
     */
    first_name?: string;
    /**
     * Family name.
     */
    last_name?: string;
    /**
     * Patronymic; empty when absent.
     */
    middle_name?: string;
    /**
     * Name ready for display: the last, first and middle name, in this order, without those that are empty. Also redacted when the first, last or middle name is.
     */
    full_name?: string;
    /**
     * Date of birth.
     */
    birth_date?: DateOrEmpty;
    /**
     * National identification number.
     */
    iin?: IinOrEmpty;
    /**
     * Personal e-mail address, as it was loaded; it is not checked.
     */
    personal_email?: string;
    /**
     * Personal phone number, as it was loaded; it is not checked.
     */
    phone?: string;
};

/**
 * A department, with its title of now.
 */
export type DepartmentRef = {
    /**
     * Department id, the same as `department_id`.
     */
    id: string;
    /**
     * Title of the department.
     */
    title: string;
};

/**
 * A job title, with its name of now.
 */
export type JobTitleRef = {
    /**
     * Job title id, the same as `job_title_id`.
     */
    id: string;
    /**
     * Name of the job title.
     */
    title: string;
};

/**
 * The direct manager: id and display name, deliberately nothing else, also where the owner of the key may not see that employee.
 *
 */
export type ManagerRef = {
    /**
     * Employee id of the manager, the same as `manager_id`.
     */
    id: string;
    /**
     * Name ready for display. Absent when `persons.full_name` is redacted.
     */
    full_name?: string;
};

/**
 * A page of employees.
 */
export type ListEmployeesResponse = {
    /**
     * The employees, newest first.
     */
    employees: Array<Employee>;
    next_page_token: NextPageToken;
    /**
     * How many employees match the filters and are visible to the owner of the key, on all pages together, as a decimal integer. Exact up to
     * 10,000; above that an estimate of at least 10,000. Absent unless `include_total` was set.
     *
     */
    total_count?: string;
};

/**
 * One employee.
 */
export type GetEmployeeResponse = {
    employee: Employee;
};

/**
 * A way in which people sign in to the tenant.
 */
export type LoginMethod = {
    /**
     * Whether people can use it. The list holds enabled methods only, so it is `true`.
     */
    enabled: boolean;
    /**
     * Stable name, unique in the tenant, for binding an external person to an authentication identity. Among them are
     * `IDP_SAML_SSO`, `EDS_CMS_QR` and `OTP_MESSENGER`; a tenant may have others.
     *
     */
    slug: string;
    /**
     * Title as the sign-in page shows it.
     */
    title: string;
    /**
     * Kind of the method. Informative; several methods may share one.
     */
    type: string;
};

/**
 * The enabled login methods.
 */
export type ListLoginMethodsResponse = {
    /**
     * The methods, ordered by slug.
     */
    items: Array<LoginMethod>;
};

/**
 * `ACTIVE`: in use. `ARCHIVED`: still listed, but refused when a document is created.
 *
 */
export type CatalogueStatus = 'ACTIVE' | 'ARCHIVED';

/**
 * A kind of document. What it allows is checked when a document is created.
 */
export type DocumentType = {
    /**
     * Document type id.
     */
    id: string;
    /**
     * Title.
     */
    title: string;
    /**
     * Category in which it is filed; empty when in none.
     */
    category_id: UuidOrEmpty;
    /**
     * Its main template; empty when it has none. A type may have further templates, which the list of templates shows.
     *
     */
    template_id: UuidOrEmpty;
    status: CatalogueStatus;
    /**
     * What documents of this type are about. Informative; empty when not stated.
     */
    subject_type: string;
    /**
     * Whether documents of this type can be created through this interface.
     */
    allow_api: boolean;
    /**
     * Whether a document of this type can be created from an uploaded PDF.
     */
    allow_upload: boolean;
    /**
     * Whether documents of this type are hidden from owners whose permissions exclude confidential ones.
     */
    confidential: boolean;
    /**
     * When the type was created. Lists are ordered by it.
     */
    create_time: string;
    /**
     * When the type last changed.
     */
    update_time: string;
};

/**
 * A page of document types.
 */
export type ListDocumentTypesResponse = {
    /**
     * The document types, newest first.
     */
    document_types: Array<DocumentType>;
    next_page_token: NextPageToken;
};

/**
 * A category of document types.
 */
export type DocumentCategory = {
    /**
     * Category id.
     */
    id: string;
    /**
     * Title.
     */
    title: string;
    /**
     * The category above; empty at the top.
     */
    parent_id: UuidOrEmpty;
    /**
     * When the category was created. Lists are ordered by it.
     */
    create_time: string;
    /**
     * When the category last changed.
     */
    update_time: string;
};

/**
 * A page of document categories.
 */
export type ListDocumentCategoriesResponse = {
    /**
     * The categories, newest first.
     */
    document_categories: Array<DocumentCategory>;
    next_page_token: NextPageToken;
};

/**
 * A template in one of its published versions.
 */
export type DocumentTemplate = {
    /**
     * Template id, the same for all its versions.
     */
    id: string;
    /**
     * Title.
     */
    title: string;
    /**
     * Number of this version, counted from 1. Pass it as `template_version` when creating a document. A published version never changes.
     *
     */
    version: number;
    /**
     * Document type whose documents the template makes.
     */
    type_id: string;
    /**
     * Category of that type; empty when it is in none.
     */
    category_id: UuidOrEmpty;
    status: CatalogueStatus;
    variable_schema: VariableSchema;
    /**
     * When the template was created. Lists are ordered by it.
     */
    create_time: string;
    /**
     * When the template last changed; publishing a version changes it.
     */
    update_time: string;
};

/**
 * The shape of `template_values`: a JSON Schema (2020-12) of an object whose properties are the variables, keyed by variable id. Any
 * validator of JSON Schema can be used on it, with `format` asserted. It keeps to a subset, so that a form can be
 * built from it: a variable is text, a number, an integer, a boolean, a date, or a list of such values or of flat
 * objects. It never holds `$ref` or `pattern`, nor any keyword that is not described here. A value for an unknown
 * variable is `INVALID_ARGUMENT`.
 *
 */
export type VariableSchema = {
    /**
     * Always `object`.
     */
    type: 'object';
    /**
     * Title of the form.
     */
    title?: string;
    /**
     * Explanation for whoever fills in the form.
     */
    description?: string;
    /**
     * The variables, keyed by variable id. Empty for a template without variables.
     */
    properties: {
        [key: string]: Variable;
    };
    /**
     * Ids of the variables that must have a value.
     */
    required: Array<string>;
    /**
     * Always `false`: unknown variables are refused.
     */
    additionalProperties: false;
};

/**
 * The schema of one variable, a single value or a list.
 */
export type Variable = ScalarVariable | ListVariable;

/**
 * The schema of a single value.
 */
export type ScalarVariable = {
    /**
     * JSON type of the value.
     */
    type: 'string' | 'number' | 'integer' | 'boolean';
    /**
     * Label of the field.
     */
    title?: string;
    /**
     * Explanation for whoever fills in the field.
     */
    description?: string;
    /**
     * The values to choose from.
     */
    enum?: Array<ScalarValue>;
    /**
     * The only value allowed.
     */
    const?: ScalarValue;
    /**
     * For text: a calendar date `YYYY-MM-DD`.
     */
    format?: 'date';
    /**
     * For text: the least number of characters (Unicode code points).
     */
    minLength?: number;
    /**
     * For text: the largest number of characters (Unicode code points).
     */
    maxLength?: number;
    /**
     * For numbers: the least value.
     */
    minimum?: number;
    /**
     * For numbers: the largest value.
     */
    maximum?: number;
};

/**
 * Text, a number or a boolean.
 */
export type ScalarValue = string | number | boolean;

/**
 * The schema of a list of single values or of flat objects.
 */
export type ListVariable = {
    /**
     * Always `array`.
     */
    type: 'array';
    /**
     * Label of the list.
     */
    title?: string;
    /**
     * Explanation for whoever fills in the list.
     */
    description?: string;
    /**
     * Schema of each entry.
     */
    items: ScalarVariable | ObjectVariable;
};

/**
 * The schema of an object within a list. Its fields are single values.
 */
export type ObjectVariable = {
    /**
     * Always `object`.
     */
    type: 'object';
    /**
     * Label of an entry.
     */
    title?: string;
    /**
     * Explanation for whoever fills in an entry.
     */
    description?: string;
    /**
     * The fields, keyed by name.
     */
    properties: {
        [key: string]: ScalarVariable;
    };
    /**
     * Names of the fields that must have a value.
     */
    required: Array<string>;
    /**
     * Always `false`: unknown fields are refused.
     */
    additionalProperties: false;
};

/**
 * A page of document templates.
 */
export type ListDocumentTemplatesResponse = {
    /**
     * The templates, newest first, each in its latest published version.
     */
    document_templates: Array<DocumentTemplate>;
    next_page_token: NextPageToken;
};

/**
 * One document template.
 */
export type GetDocumentTemplateResponse = {
    document_template: DocumentTemplate;
};

/**
 * A document with its files and its route. Participants appear by id only: no name, position or identification number.
 */
export type Document = {
    /**
     * Id of the document.
     */
    id: string;
    /**
     * Title, 1 to 500 characters.
     */
    title: string;
    /**
     * Id of its document type.
     */
    type_id: string;
    /**
     * Registration number, as given at creation; `""` when none was given. Not unique.
     */
    number: string;
    /**
     * Date of the document.
     */
    date: DateOrEmpty;
    /**
     * Legal entity.
     */
    organization_id: UuidOrEmpty;
    /**
     * Department, the initiator's at creation.
     */
    department_id: UuidOrEmpty;
    /**
     * Employee who initiated it; the key owner for documents created through the interface.
     */
    initiator_employee_id: string;
    /**
     * Employees whom the document is about, up to 1,000.
     */
    subject_employee_ids: Array<string>;
    /**
     * Where the document stands.
     */
    status: DocumentStatus;
    /**
     * Files of the document: its own PDF first, then signatures, then the PDF with its signing sheet.
     */
    files: Array<DocumentFile>;
    /**
     * Approval and signing route.
     */
    route: Route;
    /**
     * When the document was created.
     */
    create_time: string;
    /**
     * When it last changed; every accepted action moves it.
     */
    update_time: string;
    /**
     * When it was completed; `""` until then.
     */
    completed_at: DateTimeOrEmpty;
};

/**
 * A file of a document. Its bytes come from downloadDocument.
 */
export type DocumentFile = {
    /**
     * Id of the file.
     */
    file_id: string;
    /**
     * What the file is.
     */
    file_type: FileType;
};

/**
 * The approval and signing route. A document without one shows `{"id": "", "active": false, "status": "ROUTE_STATUS_UNSPECIFIED", "steps": []}`.
 */
export type Route = {
    /**
     * Id of the route; `""` when there is none.
     */
    id: UuidOrEmpty;
    /**
     * True exactly while the status is `ROUTE_STATUS_ACTIVE`.
     */
    active: boolean;
    /**
     * Where the route stands.
     */
    status: RouteStatus;
    /**
     * Steps in the order in which they run, at most 20.
     */
    steps: Array<Step>;
};

/**
 * A step of a route. One step is active at a time.
 */
export type Step = {
    /**
     * Id of the step.
     */
    id: string;
    /**
     * Place in the route, counted from 0.
     */
    index: number;
    /**
     * Who acts in this step. 1 to 50 are set; for each slot that was given to somebody else (D-37) one more stands there, which is SKIPPED.
     */
    participants: Array<Participant>;
    /**
     * When the step is complete.
     */
    rule: StepRule;
    /**
     * Where the step stands.
     */
    status: StepStatus;
    /**
     * What its participants do.
     */
    step_type: StepType;
};

/**
 * A slot of a step: who is to act, how, and whether they have. Deliberately nothing else.
 */
export type Participant = {
    /**
     * Id of the slot; `participant_id` in actions.
     */
    id: string;
    /**
     * Employee who is to act.
     */
    employee_id: string;
    /**
     * Kind of signature that the slot asks for.
     */
    key_type: KeyType;
    /**
     * Where the slot stands.
     */
    status: ParticipantStatus;
};

/**
 * Status of a document. Requesting changes, revoking and deleting happen in the application; the interface shows the resulting
 * state and emits the event. A deleted document is no longer readable.
 *
 * | Value | Meaning |
 * |---|---|
 * | `DOCUMENT_STATUS_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `DOCUMENT_STATUS_DRAFT` | Created, not sent |
 * | `DOCUMENT_STATUS_ON_APPROVAL` | Its active step is one of approval |
 * | `DOCUMENT_STATUS_ON_SIGN` | Its active step is one of signing |
 * | `DOCUMENT_STATUS_COMPLETED` | All steps passed |
 * | `DOCUMENT_STATUS_REJECTED` | A participant rejected it |
 * | `DOCUMENT_STATUS_CHANGE_REQUESTED` | A participant requested changes; the initiator may set the route again and send |
 * | `DOCUMENT_STATUS_REVOKED` | The initiator or the initiator's manager revoked it |
 *
 */
export type DocumentStatus = 'DOCUMENT_STATUS_UNSPECIFIED' | 'DOCUMENT_STATUS_DRAFT' | 'DOCUMENT_STATUS_ON_APPROVAL' | 'DOCUMENT_STATUS_ON_SIGN' | 'DOCUMENT_STATUS_COMPLETED' | 'DOCUMENT_STATUS_REJECTED' | 'DOCUMENT_STATUS_CHANGE_REQUESTED' | 'DOCUMENT_STATUS_REVOKED';

/**
 * What a file of a document is.
 *
 * | Value | Meaning |
 * |---|---|
 * | `FILE_TYPE_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `FILE_TYPE_PDF` | The document's own PDF |
 * | `FILE_TYPE_SIGNATURE` | A detached signature (CMS) |
 * | `FILE_TYPE_SIGNED_PDF` | The PDF with its signing sheet |
 *
 */
export type FileType = 'FILE_TYPE_UNSPECIFIED' | 'FILE_TYPE_PDF' | 'FILE_TYPE_SIGNATURE' | 'FILE_TYPE_SIGNED_PDF';

/**
 * Status of a route.
 *
 * | Value | Meaning |
 * |---|---|
 * | `ROUTE_STATUS_UNSPECIFIED` | The document has no route |
 * | `ROUTE_STATUS_DRAFT` | Set, not sent |
 * | `ROUTE_STATUS_ACTIVE` | Under way |
 * | `ROUTE_STATUS_COMPLETED` | All steps completed |
 * | `ROUTE_STATUS_REJECTED` | A participant rejected |
 * | `ROUTE_STATUS_CANCELLED` | Ended by a request for changes or a revocation |
 *
 */
export type RouteStatus = 'ROUTE_STATUS_UNSPECIFIED' | 'ROUTE_STATUS_DRAFT' | 'ROUTE_STATUS_ACTIVE' | 'ROUTE_STATUS_COMPLETED' | 'ROUTE_STATUS_REJECTED' | 'ROUTE_STATUS_CANCELLED';

/**
 * Status of a step.
 *
 * | Value | Meaning |
 * |---|---|
 * | `STEP_STATUS_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `STEP_STATUS_PENDING` | Not reached yet |
 * | `STEP_STATUS_ACTIVE` | Its participants may act |
 * | `STEP_STATUS_COMPLETED` | Its rule is fulfilled |
 * | `STEP_STATUS_REJECTED` | A participant rejected here |
 * | `STEP_STATUS_CANCELLED` | Will not run any more |
 *
 */
export type StepStatus = 'STEP_STATUS_UNSPECIFIED' | 'STEP_STATUS_PENDING' | 'STEP_STATUS_ACTIVE' | 'STEP_STATUS_COMPLETED' | 'STEP_STATUS_REJECTED' | 'STEP_STATUS_CANCELLED';

/**
 * What the participants of a step do.
 *
 * | Value | Meaning |
 * |---|---|
 * | `STEP_TYPE_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `STEP_TYPE_APPROVAL` | Approve |
 * | `STEP_TYPE_SIGNING` | Sign |
 *
 */
export type StepType = 'STEP_TYPE_UNSPECIFIED' | 'STEP_TYPE_APPROVAL' | 'STEP_TYPE_SIGNING';

/**
 * When a step is complete.
 *
 * | Value | Meaning |
 * |---|---|
 * | `STEP_RULE_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `STEP_RULE_ALL` | When every participant has acted |
 * | `STEP_RULE_ANY` | When the first participant has acted; the others are skipped |
 *
 */
export type StepRule = 'STEP_RULE_UNSPECIFIED' | 'STEP_RULE_ALL' | 'STEP_RULE_ANY';

/**
 * Status of a participant's slot.
 *
 * | Value | Meaning |
 * |---|---|
 * | `PARTICIPANT_STATUS_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `PARTICIPANT_STATUS_PENDING` | The step is not reached yet |
 * | `PARTICIPANT_STATUS_ACTIVE` | May act now |
 * | `PARTICIPANT_STATUS_APPROVED` | Has approved |
 * | `PARTICIPANT_STATUS_SIGNED` | Has signed |
 * | `PARTICIPANT_STATUS_REJECTED` | Has rejected |
 * | `PARTICIPANT_STATUS_CHANGE_REQUESTED` | Has requested changes |
 * | `PARTICIPANT_STATUS_SKIPPED` | Was active, but another participant ended the step, or the document was revoked |
 *
 */
export type ParticipantStatus = 'PARTICIPANT_STATUS_UNSPECIFIED' | 'PARTICIPANT_STATUS_PENDING' | 'PARTICIPANT_STATUS_ACTIVE' | 'PARTICIPANT_STATUS_APPROVED' | 'PARTICIPANT_STATUS_SIGNED' | 'PARTICIPANT_STATUS_REJECTED' | 'PARTICIPANT_STATUS_CHANGE_REQUESTED' | 'PARTICIPANT_STATUS_SKIPPED';

/**
 * Kind of signature that a slot asks for.
 *
 * | Value | Meaning |
 * |---|---|
 * | `SIMPLE` | A record of who acted, when and with which API key; no payload |
 * | `EDS` | A qualified electronic signature: a detached CMS over the PDF |
 *
 */
export type KeyType = 'SIMPLE' | 'EDS';

/**
 * A detached CMS SignedData over the bytes of the document's PDF.
 */
export type Signature = {
    /**
     * Format of the signature.
     */
    format: 'CMS';
    /**
     * The bytes of the CMS (DER; BER around the signature is understood), at most 64 KiB before encoding, as signing programs
     * write them: base64 in either alphabet (RFC 4648 §4 or §5), with or without line ends and padding, or one PEM block
     * with the label `CMS` or `PKCS7` (RFC 7468). At most 96 KiB of text. The bytes are what is stored and compared.
     * Signed attributes are required. Accepted are SHA-256, SHA-384 and SHA-512 with RSA (PKCS #1 v1.5 or PSS, 2,048 to 8,192 bits,
     * an exponent of 3 or more) or ECDSA (P-256, P-384, P-521). An extended key usage of the signer's certificate or of its chain
     * must hold anyExtendedKeyUsage, emailProtection, clientAuth or documentSigning. At most 10 certificates, all of X.509.
     *
     */
    value: string;
};

/**
 * A calendar date `YYYY-MM-DD` of the years 1 to 9999. `null` and `""` count as absent.
 */
export type DateOrEmptyOrNull = string | '';

/**
 * An id. `null` and `""` count as absent.
 */
export type UuidOrEmptyOrNull = string | '';

/**
 * One page of documents.
 */
export type ListDocumentsResponse = {
    /**
     * Documents of this page, newest first.
     */
    documents: Array<Document>;
    next_page_token: NextPageToken;
};

/**
 * A document to create, from a template or from a confirmed upload. An optional field that is `null`, or text that is `""`, counts as absent.
 */
export type CreateDocumentRequest = {
    /**
     * Title, with at least one visible character; of a document from a template, only letters that can be printed.
     */
    title: string;
    /**
     * Document type, `ACTIVE`, with `allow_api` and, for an upload, `allow_upload`.
     */
    type_id: string;
    /**
     * Date of the document. Default: today in the tenant's time zone.
     */
    date?: DateOrEmptyOrNull;
    /**
     * Registration number, stored as given. Neither unique nor assigned.
     */
    number?: string;
    /**
     * Legal entity. Default: the initiator's.
     */
    organization_id?: UuidOrEmptyOrNull;
    /**
     * Employees whom the document is about; each must be visible to the key's owner. Default: nobody.
     */
    subject_employee_ids?: Array<string>;
    /**
     * Template of this type. Required unless `file_id` is given; never together with it.
     */
    template_id?: UuidOrEmptyOrNull;
    /**
     * Version of the template. Default: the latest. Only with `template_id`.
     */
    template_version?: number;
    /**
     * Values by template variable id, as the version's `variable_schema` describes them; an unknown variable is `INVALID_ARGUMENT`. At most 100,000 characters in all (a line break counts as 80, each value and list entry as 40 more), and 300,000 with the text of the template once they stand in it, however often it shows them; numbers within ±(2^53 − 1), so that they print as they were sent; and, where the template shows them, only letters that can be printed. Only with `template_id`. Default: no values.
     */
    template_values?: {
        [key: string]: unknown;
    };
    /**
     * A confirmed upload of the key's owner, not yet attached to a document; its file becomes the document's PDF. Never together with `template_id`.
     */
    file_id?: UuidOrEmptyOrNull;
};

/**
 * The created document.
 */
export type CreateDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * One document.
 */
export type GetDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * The whole route; it replaces the one before.
 */
export type SetDocumentRouteRequest = {
    /**
     * Steps in the order in which they run: approval before signing, and at least one of signing.
     */
    steps: Array<RouteStepInput>;
};

/**
 * A step to set.
 */
export type RouteStepInput = {
    /**
     * What the participants do.
     */
    step_type: 'STEP_TYPE_APPROVAL' | 'STEP_TYPE_SIGNING';
    /**
     * When the step is complete: when every participant has acted, or when the first has. `""` and `null` count as absent.
     */
    rule?: 'STEP_RULE_ALL' | 'STEP_RULE_ANY' | '';
    /**
     * Who acts, each employee at most once.
     */
    participants: Array<RouteParticipantInput>;
};

/**
 * A participant to set.
 */
export type RouteParticipantInput = {
    /**
     * Employee who is to act: visible to the initiator, or the own manager of the initiator; not terminated.
     */
    employee_id: string;
    /**
     * Kind of signature. `EDS` only in signing steps. `""` and `null` count as absent.
     */
    key_type?: 'SIMPLE' | 'EDS' | '';
};

/**
 * The document with its new route.
 */
export type SetDocumentRouteResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * No fields.
 */
export type SendDocumentRequest = {
    [key: string]: never;
};

/**
 * The document on its way.
 */
export type SendDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * All fields are optional.
 */
export type ApproveDocumentRequest = {
    /**
     * The key owner's own active slot. Default: the owner's active slot.
     */
    participant_id?: UuidOrEmptyOrNull;
    /**
     * A remark, kept with the approval.
     */
    comment?: string;
};

/**
 * The document after the approval.
 */
export type ApproveDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * A `SIMPLE` slot needs no field; an `EDS` slot needs `signature`.
 */
export type SignDocumentRequest = {
    /**
     * The key owner's own active slot. Default: the owner's active slot.
     */
    participant_id?: UuidOrEmptyOrNull;
    /**
     * Required for an `EDS` slot, `INVALID_ARGUMENT` for a `SIMPLE` one.
     */
    signature?: Signature;
};

/**
 * The document after the signature.
 */
export type SignDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * Why, and optionally in which slot.
 */
export type RejectDocumentRequest = {
    /**
     * The reason, 1 to 2,000 characters. One that consists only of white space or of characters without width is `INVALID_ARGUMENT`.
     */
    comment: string;
    /**
     * The document of the path, repeated. Another one is `INVALID_ARGUMENT`.
     */
    document_id?: UuidOrEmptyOrNull;
    /**
     * The key owner's own active slot. Default: the owner's active slot.
     */
    participant_id?: UuidOrEmptyOrNull;
};

/**
 * The document after the rejection.
 */
export type RejectDocumentResponse = {
    /**
     * The document.
     */
    document: Document;
};

/**
 * One file of a document and where to fetch it.
 */
export type DownloadDocumentResponse = {
    /**
     * What the file is.
     */
    file: DownloadFile;
    /**
     * Presigned URL for one plain GET, without the API key.
     */
    url: string;
    /**
     * When the URL stops working, 5 minutes from now.
     */
    expire_time: string;
};

/**
 * A file of a document, with what is needed to keep it.
 */
export type DownloadFile = {
    /**
     * Id of the file.
     */
    file_id: string;
    /**
     * What the file is.
     */
    file_type: FileType;
    /**
     * Name under which storage offers the file, made from the title of the document.
     */
    filename: string;
    /**
     * Media type.
     */
    content_type: string;
    /**
     * Size in bytes, a decimal integer.
     */
    size_bytes: string;
};

/**
 * An upload of the key's owner.
 */
export type UploadedFile = {
    /**
     * Id of the upload; `file_id` elsewhere.
     */
    id: string;
    /**
     * Name given at the reservation.
     */
    filename: string;
    /**
     * Media type; always `application/pdf`.
     */
    content_type: string;
    /**
     * Size in bytes, a decimal integer: the reserved one, after confirmation the stored one.
     */
    size_bytes: string;
    /**
     * Where the upload stands.
     */
    status: FileUploadStatus;
    /**
     * When the upload was reserved.
     */
    create_time: string;
};

/**
 * Status of an upload.
 *
 * | Value | Meaning |
 * |---|---|
 * | `FILE_UPLOAD_STATUS_UNSPECIFIED` | Placeholder; no stored data holds it |
 * | `FILE_UPLOAD_STATUS_RESERVED` | Reserved, not confirmed |
 * | `FILE_UPLOAD_STATUS_UPLOADED` | Confirmed: the bytes are in storage |
 * | `FILE_UPLOAD_STATUS_EXPIRED` | Not confirmed within 24 hours |
 *
 */
export type FileUploadStatus = 'FILE_UPLOAD_STATUS_UNSPECIFIED' | 'FILE_UPLOAD_STATUS_RESERVED' | 'FILE_UPLOAD_STATUS_UPLOADED' | 'FILE_UPLOAD_STATUS_EXPIRED';

/**
 * A presigned POST form: send `fields` unchanged and the bytes last, as the form field `file`, in one `multipart/form-data` POST to `url`.
 */
export type PresignedUpload = {
    /**
     * Where to send the form.
     */
    url: string;
    /**
     * Form fields by name. Which there are depends on the storage; send them all.
     */
    fields: {
        [key: string]: string;
    };
    /**
     * When storage stops accepting the form, 15 minutes after the reservation.
     */
    expire_time: string;
};

/**
 * A file to upload.
 */
export type ReserveFileRequest = {
    /**
     * Name of the file, 1 to 255 characters without control characters, `/` and `\`.
     */
    filename: string;
    /**
     * Only PDF is accepted.
     */
    content_type: 'application/pdf';
    /**
     * Size in bytes, 1 to 52,428,800 (50 MB), as a number or as a decimal string. Confirmation refuses a larger object than this.
     */
    size_bytes: number | string;
};

/**
 * The reserved upload and the form to send the bytes with.
 */
export type ReserveFileResponse = {
    /**
     * The upload, `FILE_UPLOAD_STATUS_RESERVED`.
     */
    file: UploadedFile;
    /**
     * The form.
     */
    upload: PresignedUpload;
};

/**
 * All fields are optional.
 */
export type ConfirmFileRequest = {
    /**
     * The upload of the path, repeated. Another one is `INVALID_ARGUMENT`.
     */
    file_id?: UuidOrEmptyOrNull;
};

/**
 * The confirmed upload.
 */
export type ConfirmFileResponse = {
    /**
     * The upload, `FILE_UPLOAD_STATUS_UPLOADED`.
     */
    file: UploadedFile;
};

/**
 * A batch of records of one kind.
 */
export type IngestRecordsRequest = {
    /**
     * Kind of the records: `PERSONS`, `ORGANIZATIONS`, `DEPARTMENTS`, `EMPLOYEES`, `JOB_TITLES` with `KEDO`; `EMPLOYEES_FULL`, `DEPARTMENTS` with `LEDGER`. Any other text is accepted, and the records are skipped.
     */
    payload_type: string;
    /**
     * Whether a new external id creates an object; otherwise its record is skipped.
     */
    create_missing?: boolean;
    /**
     * A record. Any JSON value is accepted; a value that is not a record of the pair is skipped.
     */
    records: Array<KedoPersonRecord | KedoOrganizationRecord | KedoDepartmentRecord | KedoEmployeeRecord | KedoJobTitleRecord | LedgerEmployeeRecord | LedgerDepartmentRecord | unknown>;
};

/**
 * The batch was accepted.
 */
export type IngestRecordsResponse = {
    /**
     * Id of the request, for the settings of the application; no operation takes it.
     */
    ingest_request_id: string;
    /**
     * Always `ACCEPTED`.
     */
    status: 'ACCEPTED';
    /**
     * Number of records in the batch, those included that will be skipped.
     */
    record_count: number;
};

/**
 * A day, `YYYY-MM-DD`, of the years 1 to 9999. Midnight may follow it, after `T` or a blank, with a fraction of zeros, `Z` or an
 * offset, and is ignored, as blanks at the ends are. `""`, `null` and the empty date of 1C:Enterprise, `0001-01-01`, clear the field.
 *
 */
export type IngestDay = string | string | string | '';

/**
 * A record of `KEDO` / `PERSONS`: a person. In an update an absent field leaves what is there; `""` or `null`
 * clears it. Fields outside this list are ignored.
 *
 */
export type KedoPersonRecord = {
    /**
     * Id of the person in the external system.
     */
    external_id: string;
    /**
     * Given name.
     */
    first_name?: string | null;
    /**
     * Family name.
     */
    last_name?: string | null;
    /**
     * Patronymic.
     */
    middle_name?: string | null;
    /**
     * Gender, as the external system writes it. Stored, never shown by this interface.
     */
    gender?: string | null;
    /**
     * Date of birth.
     */
    birth_date?: IngestDay;
    /**
     * Place of birth. Stored, never shown.
     */
    birth_place?: string | null;
    /**
     * National identification number: 12 digits, or empty. Twelve equal digits count as an absent field. The checksum is not verified.
     */
    iin?: string | null;
    /**
     * Number of the identity document. Stored, never shown.
     */
    number?: string | null;
    /**
     * Series of the identity document. Stored, never shown.
     */
    serial_number?: string | null;
    /**
     * Day on which the identity document was issued. Stored, never shown.
     */
    issued_date?: IngestDay;
    /**
     * Authority that issued it. Stored, never shown.
     */
    issuing_authority?: string | null;
    /**
     * Code of that authority. Stored, never shown.
     */
    issuing_authority_code?: string | null;
    /**
     * Registered address. Stored, never shown.
     */
    registration_address?: string | null;
    /**
     * Citizenship. Stored, never shown.
     */
    citizenship?: string | null;
    /**
     * Personal phone number.
     */
    phone?: string | null;
    /**
     * Personal e-mail address.
     */
    email?: string | null;
    [key: string]: unknown;
};

/**
 * A record of `KEDO` / `ORGANIZATIONS`: a legal entity.
 *
 */
export type KedoOrganizationRecord = {
    /**
     * Id of the organisation in the external system.
     */
    external_id: string;
    /**
     * Name.
     */
    title?: string | null;
    /**
     * Business identification number.
     */
    bin?: string | null;
    /**
     * Legal address.
     */
    legal_address?: string | null;
    /**
     * Actual address.
     */
    actual_address?: string | null;
    /**
     * Bank identification code.
     */
    bank_bik?: string | null;
    /**
     * Bank account.
     */
    bank_account?: string | null;
    /**
     * Name of the bank.
     */
    bank_name?: string | null;
    [key: string]: unknown;
};

/**
 * A record of `KEDO` / `DEPARTMENTS`: a department. Departments in a cycle of parents are skipped.
 *
 */
export type KedoDepartmentRecord = {
    /**
     * Id of the department in the external system.
     */
    external_id: string;
    /**
     * Name.
     */
    title?: string | null;
    /**
     * External id of its organisation.
     */
    external_organization_id?: string | null;
    /**
     * External id of the department above it; optional.
     */
    external_parent_id?: string | null;
    [key: string]: unknown;
};

/**
 * A record of `KEDO` / `EMPLOYEES`: an employment of a person. It is created only when the person is known; its
 * status follows from the two dates.
 *
 */
export type KedoEmployeeRecord = {
    /**
     * Id of the employment in the external system.
     */
    external_id: string;
    /**
     * Personnel number (`employee_number` of an employee).
     */
    number?: string | null;
    /**
     * First day of employment (`start_date`).
     */
    admission_date?: IngestDay;
    /**
     * Last day of employment; optional (`end_date`, shown once the employee is terminated).
     */
    left_date?: IngestDay;
    /**
     * Remaining vacation days, as text; optional. Stored, never shown.
     */
    available_vacation_day_count?: string | null;
    /**
     * External id of the person, of a PERSONS record.
     */
    external_person_id?: string | null;
    /**
     * External id of the organisation.
     */
    external_organization_id?: string | null;
    /**
     * External id of the department.
     */
    external_department_id?: string | null;
    /**
     * External id of the job title.
     */
    external_job_title_id?: string | null;
    [key: string]: unknown;
};

/**
 * A record of `KEDO` / `JOB_TITLES`: a job title.
 *
 */
export type KedoJobTitleRecord = {
    /**
     * Id of the job title in the external system.
     */
    external_id: string;
    /**
     * Name.
     */
    title?: string | null;
    [key: string]: unknown;
};

/**
 * A record of `LEDGER` / `EMPLOYEES_FULL`: an employee together with the person, as an accounting system exports
 * them. Names with a dot are literal keys. A record has an `external_id` or, failing that, a `ТабельныйНомер`; one with
 * neither is skipped.
 *
 */
export type LedgerEmployeeRecord = {
    /**
     * Id of the employment in the external system: a known one means its employee, whoever the record says it is. Without it the
     * employee is known by `Организация.Ссылка` + `/` + `ТабельныйНомер`, or by the number alone where no organisation is given, at
     * most 255 characters together, if the person is the same. With both, by either.
     *
     */
    external_id?: string | null;
    /**
     * Personnel number (`employee_number`); part of the id by which a record without `external_id` finds its employee. It may be given on to somebody else once its holder has left.
     */
    ТабельныйНомер?: string | null;
    /**
     * First day of employment.
     */
    ДатаПриема?: IngestDay;
    /**
     * External id of the organisation; where unknown the field stays as it was.
     */
    'Организация.Ссылка'?: string | null;
    /**
     * External id or `Ссылка` of the department; an unknown one skips a new record, and leaves a known employee where it is.
     */
    'Подразделение.Ссылка'?: string | null;
    /**
     * External id of the job title; where unknown the field stays as it was.
     */
    'Должность.Ссылка'?: string | null;
    /**
     * The person.
     */
    ФизЛицо?: LedgerPerson;
    [key: string]: unknown;
};

/**
 * The person of an employee of the LEDGER source.
 */
export type LedgerPerson = {
    /**
     * Id of the person in the external system. Without it the external id is the `ИИН`, or the employee's external id where there is none.
     */
    external_id?: string | null;
    /**
     * Given name.
     */
    Имя?: string | null;
    /**
     * Family name.
     */
    Фамилия?: string | null;
    /**
     * Patronymic.
     */
    Отчество?: string | null;
    /**
     * National identification number: 12 digits, or empty. Twelve equal digits count as an absent field. Without `external_id` it
     * says which person this is, where name and date of birth do not contradict it.
     *
     */
    ИИН?: string | null;
    /**
     * Personal phone number.
     */
    Телефон?: string | null;
    /**
     * Date of birth.
     */
    ДатаРождения?: IngestDay;
    [key: string]: unknown;
};

/**
 * A record of `LEDGER` / `DEPARTMENTS`: a department, as an accounting system exports it. It has an `external_id` or,
 * failing that, a `Ссылка`; one with neither is skipped.
 *
 */
export type LedgerDepartmentRecord = {
    /**
     * Id of the department in the external system. Without it the department is known by its `Ссылка`, of at most 255 characters; with both, by either.
     */
    external_id?: string | null;
    /**
     * Id under which the accounting system refers to the department; other records find it by this or by its `external_id`.
     */
    Ссылка?: string | null;
    /**
     * Name.
     */
    Наименование?: string | null;
    /**
     * External id or `Ссылка` of the department above it.
     */
    'Родитель.Ссылка'?: string | null;
    [key: string]: unknown;
};

/**
 * A subscription of a URL to events.
 */
export type WebhookEndpoint = {
    /**
     * Id of the endpoint.
     */
    id: string;
    /**
     * Where deliveries go, in canonical form (an internationalised name in punycode).
     */
    url: string;
    /**
     * Which events are delivered.
     */
    event_types: Array<WebhookEventType>;
    /**
     * A disabled endpoint receives nothing. It is enabled again in the settings of the application only.
     */
    status: 'ACTIVE' | 'DISABLED';
    /**
     * Why it is disabled: 20 deliveries in a row failed for good, or somebody disabled it; `""` while active.
     */
    disabled_reason: '' | 'CONSECUTIVE_FAILURES' | 'MANUAL';
    /**
     * When it was disabled; `""` while active.
     */
    disabled_at: DateTimeOrEmpty;
    /**
     * When it was created.
     */
    create_time: string;
    /**
     * When it last changed.
     */
    update_time: string;
};

/**
 * Type of an event that can be subscribed to.
 *
 * | Value | Meaning |
 * |---|---|
 * | `employee.changed` | An employee record was created or changed, a rename or contact change of the person included |
 * | `employee.deleted` | An employee was deleted |
 * | `person.changed` | Names or identification number of a person changed |
 * | `document.sent` | A document was sent along its route |
 * | `document.approval_started` | The approval stage began |
 * | `document.signing_started` | The signing stage began |
 * | `document.completed` | All steps passed, the document is signed |
 * | `document.rejected` | A participant rejected the document |
 * | `document.change_requested` | A participant requested changes |
 * | `document.revoked` | The initiator or a manager revoked the document |
 * | `document.deleted` | A document was deleted |
 *
 */
export type WebhookEventType = 'employee.changed' | 'employee.deleted' | 'person.changed' | 'document.sent' | 'document.approval_started' | 'document.signing_started' | 'document.completed' | 'document.rejected' | 'document.change_requested' | 'document.revoked' | 'document.deleted';

/**
 * A subscription to create.
 */
export type CreateWebhookEndpointRequest = {
    /**
     * An `https` URL at a public address, without user information and fragment, on port 443 or from 1024 up.
     */
    url: string;
    /**
     * Which events to deliver, at least one, none twice.
     */
    event_types: Array<WebhookEventType>;
};

/**
 * The endpoint and its secret.
 */
export type CreateWebhookEndpointResponse = {
    /**
     * The endpoint.
     */
    webhook_endpoint: WebhookEndpoint;
    /**
     * Key of the signatures, the whole text included its prefix. **Shown this once.**
     */
    secret: string;
};

/**
 * No fields.
 */
export type TestWebhookEndpointRequest = {
    [key: string]: never;
};

/**
 * What became of the test event.
 */
export type TestWebhookEndpointResponse = {
    /**
     * HTTP status with which the receiver answered; 0 when there was no answer.
     */
    status_code: number;
    /**
     * `""` when the receiver answered, whatever it said. Otherwise: the name did not resolve, no connection, no TLS session, no answer within 10 seconds, an address that is not public, or an answer that HTTP/1.1 does not allow.
     */
    error: '' | 'dns_error' | 'connect_error' | 'tls_error' | 'timeout' | 'address_denied' | 'protocol_error';
};

/**
 * An empty object.
 */
export type DeleteWebhookEndpointResponse = {
    [key: string]: never;
};

/**
 * Names the employee to re-read with getEmployee.
 */
export type EmployeeEventData = {
    /**
     * Id of the employee.
     */
    employee_id: string;
};

/**
 * Names the document to re-read with getDocument.
 */
export type DocumentEventData = {
    /**
     * Id of the document.
     */
    document_id: string;
};

/**
 * Names the endpoint that is tested.
 */
export type WebhookEndpointEventData = {
    /**
     * Id of the webhook endpoint.
     */
    webhook_endpoint_id: string;
};

/**
 * Envelope of `employee.changed`.
 */
export type EmployeeChangedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'employee.changed';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: EmployeeEventData;
};

/**
 * Envelope of `employee.deleted`.
 */
export type EmployeeDeletedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'employee.deleted';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: EmployeeEventData;
};

/**
 * Envelope of `person.changed`.
 */
export type PersonChangedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'person.changed';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: EmployeeEventData;
};

/**
 * Envelope of `document.sent`.
 */
export type DocumentSentEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.sent';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.approval_started`.
 */
export type DocumentApprovalStartedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.approval_started';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.signing_started`.
 */
export type DocumentSigningStartedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.signing_started';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.completed`.
 */
export type DocumentCompletedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.completed';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.rejected`.
 */
export type DocumentRejectedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.rejected';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.change_requested`.
 */
export type DocumentChangeRequestedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.change_requested';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.revoked`.
 */
export type DocumentRevokedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.revoked';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of `document.deleted`.
 */
export type DocumentDeletedEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'document.deleted';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: DocumentEventData;
};

/**
 * Envelope of the test event.
 */
export type WebhookEndpointTestEvent = {
    /**
     * Id of the event, the same at every attempt and every endpoint. Deduplicate on it.
     */
    id: string;
    /**
     * Type of the event.
     */
    type: 'webhook_endpoint.test';
    /**
     * When the change happened.
     */
    occurred_at: string;
    /**
     * What to re-read.
     */
    data: WebhookEndpointEventData;
};

/**
 * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
 * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
 *
 */
export type Limit = number;

/**
 * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
 * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
 * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
 *
 */
export type PageToken = string;

/**
 * Id of the employee. A malformed id is `INVALID_ARGUMENT`.
 */
export type EmployeeId = string;

/**
 * Related objects to put into each employee; repeat the parameter for several. Without it none is there. Expansions do
 * not nest. May differ from page to page of one walk.
 *
 */
export type ExpandEmployee = Array<'person' | 'department' | 'job_title' | 'manager'>;

/**
 * Only employees with one of these statuses; repeat the parameter for several. `EMPLOYEE_STATUS_UNSPECIFIED` is accepted and
 * matches nobody.
 *
 */
export type StatusFilter = Array<EmployeeStatus>;

/**
 * Only employees of one of these departments, their sub-departments not included; repeat the parameter for several. An unknown
 * or malformed id matches nobody.
 *
 */
export type DepartmentIdFilter = Array<string>;

/**
 * Only employees whose card changed at or after this instant: `update_time` is not earlier. RFC 3339 with a time zone, a real
 * instant of the years 1 to 9999 in UTC, up to nine fraction digits (rounded up to the millisecond). Write the `+` of an
 * offset as `%2B`, or use `Z`.
 * A change of the person counts; renames of a department, job title or manager and moves in the hierarchy do not.
 *
 * Writes become visible a little after their `update_time`. To miss nothing, begin each round a minute before the start of
 * the last one and ignore what is known already.
 *
 */
export type UpdatedSince = string;

/**
 * Whether the answer has `total_count`, which is exact up to 10,000 and an estimate above. Counting costs time: ask once, not on every
 * page. May differ from page to page.
 *
 */
export type IncludeTotal = boolean;

/**
 * Only types of one of these categories, their sub-categories not included; repeat the parameter for several. An unknown or
 * malformed id matches nothing.
 *
 */
export type CategoryIdFilter = Array<string>;

/**
 * Only templates of this document type. An unknown or malformed id matches nothing.
 */
export type TemplateTypeIdFilter = string;

/**
 * Id of the template. A malformed id is a 404, like an unknown one.
 */
export type TemplateId = string;

/**
 * The published version to read; without it the latest one. A version that does not exist is a 404.
 */
export type TemplateVersion = number;

/**
 * Id of the document. A malformed one is `INVALID_ARGUMENT`.
 */
export type DocumentId = string;

/**
 * Only documents of these types. Repeat the parameter for several. An unknown or malformed id matches nothing.
 */
export type DocumentTypeIdFilter = Array<string>;

/**
 * Only documents created strictly after this instant: RFC 3339 with a time zone, of the years 1 to 9999 in UTC, at most nine
 * fraction digits (rounded down to the millisecond). Write the `+` of an offset as `%2B`, or use `Z`.
 *
 * Writes commit a little after their time: who reads in turns should overlap the ranges by a minute.
 *
 */
export type CreatedAfter = string;

/**
 * Only documents whose title or number contains this text, literally, after NFC normalisation and lower-casing (ё is not е, but ς is σ). It is never a pattern. Text of which NFC leaves fewer than 3 characters is `INVALID_ARGUMENT`.
 */
export type DocumentSearch = string;

/**
 * Which file of the document: a `file_id` from its `files`. Without it, the document's own PDF (`FILE_TYPE_PDF`). A file that is not the document's is `FILE_NOT_FOUND`.
 */
export type DownloadFileId = string;

/**
 * Id of the upload, from reserveFile. An unknown or malformed one is `FILE_NOT_FOUND`.
 */
export type FileId = string;

/**
 * Id of the webhook endpoint. An unknown or malformed one is `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export type WebhookEndpointId = string;

/**
 * The external system: `KEDO` or `LEDGER`. External ids are unique within it. Any other value is accepted, and the records are skipped.
 */
export type SourceType = string;

/**
 * Makes the creation safe to repeat: the same key with the same body within 24 hours of the first use gives the same document. 1
 * to 255 visible ASCII characters; an empty, repeated or otherwise malformed header is `INVALID_ARGUMENT`.
 *
 * A key belongs to one API key and one operation. A request that ends in a 4xx does not use it up.
 *
 */
export type IdempotencyKeyOptional = string;

/**
 * Names the batch, so that a repeat is recognised. 1 to 255 visible ASCII characters, else `INVALID_ARGUMENT`; without it, or with
 * an empty or repeated header, the answer is 400 `INTEGRATION.IDEMPOTENCY_REQUIRED`.
 *
 * A key belongs to one API key and one operation. It is used up by the first accepted attempt, for 24 hours, whatever the body; a
 * repeat is 409 `INTEGRATION.IDEMPOTENCY_REQUIRED`.
 *
 */
export type IdempotencyKeyRequired = string;

/**
 * The trace of the request that caused the event, by [W3C Trace Context](https://www.w3.org/TR/trace-context/), if that is
 * known: the trace is that of the `traceparent` of that request, and each attempt has its own parent id. It names nothing but
 * the trace. `tracestate` is not passed on.
 *
 */
export type Traceparent = string;

/**
 * Proves that the delivery comes from the service: `t=<unix seconds>,v1=<hex>`. `v1` is the lower-case hexadecimal HMAC-SHA256 of
 * the text `{t}.{raw request body}`, keyed with the UTF-8 text of the whole endpoint secret, its prefix `whsec_` included.
 *
 * The receiver must
 *
 * 1. take the raw bytes of the body, before any JSON parser has touched them;
 * 2. compute the HMAC over `t`, a dot and those bytes, and compare it with `v1` in constant time;
 * 3. refuse the delivery when they differ, or when `t` is older than five minutes.
 *
 * Every attempt is signed anew with its own `t`. **Test vector** (the body is one line without a line break at its end):
 *
 * | | |
 * |---|---|
 * | secret | `whsec_CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYY` |
 * | t | `1772424901` |
 * | raw body | `{"id":"6f1d2c3b-4a59-4e68-8d77-9c8b7a6f5e11","type":"employee.changed","occurred_at":"2026-03-02T04:15:00.000Z","data":{"employee_id":"8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04"}}` |
 * | header | `t=1772424901,v1=bca1e7f99860d41d65a2c8c7475d1047506006ff559b736650b56c7e2fabdce9` |
 *
 * `printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac "$secret"` prints the same `v1`. A receiver in Node, which has read the
 * body as bytes, may do it so:
 *
 * ```js
 * import { createHmac, timingSafeEqual } from 'node:crypto';
 *
 * export function isGenuine(secret, header, rawBody, nowSeconds = Date.now() / 1000) {
 * const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
 * if (t === undefined || nowSeconds - Number(t) > 300) return false;
 * const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
 * return timingSafeEqual(expected, Buffer.from(v1, 'hex'));
 * }
 * ```
 *
 */
export type ServiceSignature = string;

export type VerifyApiKeyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/developer/v1/api_key/_verify';
};

export type VerifyApiKeyErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type VerifyApiKeyError = VerifyApiKeyErrors[keyof VerifyApiKeyErrors];

export type VerifyApiKeyResponses = {
    /**
     * The key is accepted.
     */
    200: VerifyApiKeyResponse;
};

export type VerifyApiKeySuccess = VerifyApiKeyResponses[keyof VerifyApiKeyResponses];

export type ListEmployeesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
         * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
         *
         */
        limit?: number;
        /**
         * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
         * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
         * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
         *
         */
        page_token?: string;
        /**
         * Only employees with one of these statuses; repeat the parameter for several. `EMPLOYEE_STATUS_UNSPECIFIED` is accepted and
         * matches nobody.
         *
         */
        status?: Array<EmployeeStatus>;
        /**
         * Only employees of one of these departments, their sub-departments not included; repeat the parameter for several. An unknown
         * or malformed id matches nobody.
         *
         */
        department_id?: Array<string>;
        /**
         * Only employees whose card changed at or after this instant: `update_time` is not earlier. RFC 3339 with a time zone, a real
         * instant of the years 1 to 9999 in UTC, up to nine fraction digits (rounded up to the millisecond). Write the `+` of an
         * offset as `%2B`, or use `Z`.
         * A change of the person counts; renames of a department, job title or manager and moves in the hierarchy do not.
         *
         * Writes become visible a little after their `update_time`. To miss nothing, begin each round a minute before the start of
         * the last one and ignore what is known already.
         *
         */
        updated_since?: string;
        /**
         * Related objects to put into each employee; repeat the parameter for several. Without it none is there. Expansions do
         * not nest. May differ from page to page of one walk.
         *
         */
        expand?: Array<'person' | 'department' | 'job_title' | 'manager'>;
        /**
         * Whether the answer has `total_count`, which is exact up to 10,000 and an estimate above. Counting costs time: ask once, not on every
         * page. May differ from page to page.
         *
         */
        include_total?: boolean;
    };
    url: '/developer/v1/employees';
};

export type ListEmployeesErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListEmployeesError = ListEmployeesErrors[keyof ListEmployeesErrors];

export type ListEmployeesResponses = {
    /**
     * A page of employees.
     */
    200: ListEmployeesResponse;
};

export type ListEmployeesSuccess = ListEmployeesResponses[keyof ListEmployeesResponses];

export type GetEmployeeData = {
    body?: never;
    path: {
        /**
         * Id of the employee. A malformed id is `INVALID_ARGUMENT`.
         */
        employee_id: string;
    };
    query?: {
        /**
         * Related objects to put into each employee; repeat the parameter for several. Without it none is there. Expansions do
         * not nest. May differ from page to page of one walk.
         *
         */
        expand?: Array<'person' | 'department' | 'job_title' | 'manager'>;
    };
    url: '/developer/v1/employees/{employee_id}';
};

export type GetEmployeeErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No employee with this id is accessible to the key.
     */
    404: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type GetEmployeeError = GetEmployeeErrors[keyof GetEmployeeErrors];

export type GetEmployeeResponses = {
    /**
     * The employee.
     */
    200: GetEmployeeResponse;
};

export type GetEmployeeSuccess = GetEmployeeResponses[keyof GetEmployeeResponses];

export type ListLoginMethodsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/developer/v1/login_methods';
};

export type ListLoginMethodsErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListLoginMethodsError = ListLoginMethodsErrors[keyof ListLoginMethodsErrors];

export type ListLoginMethodsResponses = {
    /**
     * The enabled login methods.
     */
    200: ListLoginMethodsResponse;
};

export type ListLoginMethodsSuccess = ListLoginMethodsResponses[keyof ListLoginMethodsResponses];

export type ListDocumentTypesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
         * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
         *
         */
        limit?: number;
        /**
         * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
         * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
         * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
         *
         */
        page_token?: string;
        /**
         * Only types of one of these categories, their sub-categories not included; repeat the parameter for several. An unknown or
         * malformed id matches nothing.
         *
         */
        category_id?: Array<string>;
    };
    url: '/developer/v1/document_types';
};

export type ListDocumentTypesErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListDocumentTypesError = ListDocumentTypesErrors[keyof ListDocumentTypesErrors];

export type ListDocumentTypesResponses = {
    /**
     * A page of document types.
     */
    200: ListDocumentTypesResponse;
};

export type ListDocumentTypesSuccess = ListDocumentTypesResponses[keyof ListDocumentTypesResponses];

export type ListDocumentCategoriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
         * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
         *
         */
        limit?: number;
        /**
         * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
         * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
         * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
         *
         */
        page_token?: string;
    };
    url: '/developer/v1/document_categories';
};

export type ListDocumentCategoriesErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListDocumentCategoriesError = ListDocumentCategoriesErrors[keyof ListDocumentCategoriesErrors];

export type ListDocumentCategoriesResponses = {
    /**
     * A page of document categories.
     */
    200: ListDocumentCategoriesResponse;
};

export type ListDocumentCategoriesSuccess = ListDocumentCategoriesResponses[keyof ListDocumentCategoriesResponses];

export type ListDocumentTemplatesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
         * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
         *
         */
        limit?: number;
        /**
         * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
         * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
         * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
         *
         */
        page_token?: string;
        /**
         * Only templates of this document type. An unknown or malformed id matches nothing.
         */
        type_id?: string;
    };
    url: '/developer/v1/document_templates';
};

export type ListDocumentTemplatesErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListDocumentTemplatesError = ListDocumentTemplatesErrors[keyof ListDocumentTemplatesErrors];

export type ListDocumentTemplatesResponses = {
    /**
     * A page of document templates.
     */
    200: ListDocumentTemplatesResponse;
};

export type ListDocumentTemplatesSuccess = ListDocumentTemplatesResponses[keyof ListDocumentTemplatesResponses];

export type GetDocumentTemplateData = {
    body?: never;
    path: {
        /**
         * Id of the template. A malformed id is a 404, like an unknown one.
         */
        template_id: string;
    };
    query?: {
        /**
         * The published version to read; without it the latest one. A version that does not exist is a 404.
         */
        version?: number;
    };
    url: '/developer/v1/document_templates/{template_id}';
};

export type GetDocumentTemplateErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No template with this id and version is accessible to the key.
     */
    404: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type GetDocumentTemplateError = GetDocumentTemplateErrors[keyof GetDocumentTemplateErrors];

export type GetDocumentTemplateResponses = {
    /**
     * The template.
     */
    200: GetDocumentTemplateResponse;
};

export type GetDocumentTemplateSuccess = GetDocumentTemplateResponses[keyof GetDocumentTemplateResponses];

export type ListDocumentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The largest number of rows on a page, a plain decimal integer from 1. Values above 1000 are served as 1000. A page may
         * hold fewer rows than that and still not be the last: only an empty `next_page_token` ends a list.
         *
         */
        limit?: number;
        /**
         * The `next_page_token` of the page before, to read the next one; absent or empty for the first page. Opaque, valid for 24
         * hours, and bound to this list, the tenant, all filters and `limit`: with others it is `INVALID_ARGUMENT`. Repeated
         * values of a filter compare as sets, instants as instants, and an omitted `limit` equals 100.
         *
         */
        page_token?: string;
        /**
         * Only documents of these types. Repeat the parameter for several. An unknown or malformed id matches nothing.
         */
        type_id?: Array<string>;
        /**
         * Only documents created strictly after this instant: RFC 3339 with a time zone, of the years 1 to 9999 in UTC, at most nine
         * fraction digits (rounded down to the millisecond). Write the `+` of an offset as `%2B`, or use `Z`.
         *
         * Writes commit a little after their time: who reads in turns should overlap the ranges by a minute.
         *
         */
        created_after?: string;
        /**
         * Only documents whose title or number contains this text, literally, after NFC normalisation and lower-casing (ё is not е, but ς is σ). It is never a pattern. Text of which NFC leaves fewer than 3 characters is `INVALID_ARGUMENT`.
         */
        search?: string;
    };
    url: '/developer/v1/documents';
};

export type ListDocumentsErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ListDocumentsError = ListDocumentsErrors[keyof ListDocumentsErrors];

export type ListDocumentsResponses = {
    /**
     * One page of documents.
     */
    200: ListDocumentsResponse;
};

export type ListDocumentsSuccess = ListDocumentsResponses[keyof ListDocumentsResponses];

export type CreateDocumentData = {
    /**
     * What to create.
     */
    body: CreateDocumentRequest;
    headers?: {
        /**
         * Makes the creation safe to repeat: the same key with the same body within 24 hours of the first use gives the same document. 1
         * to 255 visible ASCII characters; an empty, repeated or otherwise malformed header is `INVALID_ARGUMENT`.
         *
         * A key belongs to one API key and one operation. A request that ends in a 4xx does not use it up.
         *
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/developer/v1/documents';
};

export type CreateDocumentErrors = {
    /**
     * A field is not valid, or the upload cannot become a document. Nothing was created, and the Idempotency-Key is not used up.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The owner has no such upload, or is no employee of the tenant; or, on a repeat, the document is no longer accessible.
     */
    404: Status;
    /**
     * The Idempotency-Key was used with another body, or its first request is still running.
     */
    409: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type CreateDocumentError = CreateDocumentErrors[keyof CreateDocumentErrors];

export type CreateDocumentResponses = {
    /**
     * The draft that was created, or, on a repeat with the same Idempotency-Key, the document that the first request created, as it is now.
     */
    200: CreateDocumentResponse;
};

export type CreateDocumentSuccess = CreateDocumentResponses[keyof CreateDocumentResponses];

export type GetDocumentData = {
    body?: never;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}';
};

export type GetDocumentErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type GetDocumentError = GetDocumentErrors[keyof GetDocumentErrors];

export type GetDocumentResponses = {
    /**
     * The document.
     */
    200: GetDocumentResponse;
};

export type GetDocumentSuccess = GetDocumentResponses[keyof GetDocumentResponses];

export type SetDocumentRouteData = {
    /**
     * The whole route, first step first.
     */
    body: SetDocumentRouteRequest;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}/_set_route';
};

export type SetDocumentRouteErrors = {
    /**
     * A parameter or field is not valid, or the state of the document or slot does not allow the action. Nothing was changed.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, the key lacks the scope, or the action is the initiator's.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type SetDocumentRouteError = SetDocumentRouteErrors[keyof SetDocumentRouteErrors];

export type SetDocumentRouteResponses = {
    /**
     * The document with its new route.
     */
    200: SetDocumentRouteResponse;
};

export type SetDocumentRouteSuccess = SetDocumentRouteResponses[keyof SetDocumentRouteResponses];

export type SendDocumentData = {
    /**
     * An empty object, or no body at all.
     */
    body?: SendDocumentRequest;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}/_send';
};

export type SendDocumentErrors = {
    /**
     * A parameter or field is not valid, or the state of the document or slot does not allow the action. Nothing was changed.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, the key lacks the scope, or the action is the initiator's.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type SendDocumentError = SendDocumentErrors[keyof SendDocumentErrors];

export type SendDocumentResponses = {
    /**
     * The document on its way.
     */
    200: SendDocumentResponse;
};

export type SendDocumentSuccess = SendDocumentResponses[keyof SendDocumentResponses];

export type ApproveDocumentData = {
    /**
     * Optional: no body is taken as `{}`.
     */
    body?: ApproveDocumentRequest;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}/_approve';
};

export type ApproveDocumentErrors = {
    /**
     * A parameter or field is not valid, or the state of the document or slot does not allow the action. Nothing was changed.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ApproveDocumentError = ApproveDocumentErrors[keyof ApproveDocumentErrors];

export type ApproveDocumentResponses = {
    /**
     * The document after the approval.
     */
    200: ApproveDocumentResponse;
};

export type ApproveDocumentSuccess = ApproveDocumentResponses[keyof ApproveDocumentResponses];

export type SignDocumentData = {
    /**
     * Optional for a `SIMPLE` slot: no body is taken as `{}`.
     */
    body?: SignDocumentRequest;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}/_sign';
};

export type SignDocumentErrors = {
    /**
     * A parameter or field is not valid, or the state of the document or slot does not allow the action. Nothing was changed.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type SignDocumentError = SignDocumentErrors[keyof SignDocumentErrors];

export type SignDocumentResponses = {
    /**
     * The document after the signature.
     */
    200: SignDocumentResponse;
};

export type SignDocumentSuccess = SignDocumentResponses[keyof SignDocumentResponses];

export type RejectDocumentData = {
    /**
     * Why the document is rejected.
     */
    body: RejectDocumentRequest;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: never;
    url: '/developer/v1/documents/{document_id}/_reject';
};

export type RejectDocumentErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type RejectDocumentError = RejectDocumentErrors[keyof RejectDocumentErrors];

export type RejectDocumentResponses = {
    /**
     * The document after the rejection.
     */
    200: RejectDocumentResponse;
};

export type RejectDocumentSuccess = RejectDocumentResponses[keyof RejectDocumentResponses];

export type DownloadDocumentData = {
    body?: never;
    path: {
        /**
         * Id of the document. A malformed one is `INVALID_ARGUMENT`.
         */
        document_id: string;
    };
    query?: {
        /**
         * Which file of the document: a `file_id` from its `files`. Without it, the document's own PDF (`FILE_TYPE_PDF`). A file that is not the document's is `FILE_NOT_FOUND`.
         */
        file_id?: string;
    };
    url: '/developer/v1/documents/{document_id}/_download';
};

export type DownloadDocumentErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No document with this id is accessible to the key, or the document has no such file.
     */
    404: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type DownloadDocumentError = DownloadDocumentErrors[keyof DownloadDocumentErrors];

export type DownloadDocumentResponses = {
    /**
     * Where to fetch the file, and what it is.
     */
    200: DownloadDocumentResponse;
};

export type DownloadDocumentSuccess = DownloadDocumentResponses[keyof DownloadDocumentResponses];

export type ReserveFileData = {
    /**
     * What will be uploaded.
     */
    body: ReserveFileRequest;
    path?: never;
    query?: never;
    url: '/developer/v1/files';
};

export type ReserveFileErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ReserveFileError = ReserveFileErrors[keyof ReserveFileErrors];

export type ReserveFileResponses = {
    /**
     * The reservation and the form to send the bytes with.
     */
    200: ReserveFileResponse;
};

export type ReserveFileSuccess = ReserveFileResponses[keyof ReserveFileResponses];

export type ConfirmFileData = {
    /**
     * Optional: no body is taken as `{}`.
     */
    body?: ConfirmFileRequest;
    path: {
        /**
         * Id of the upload, from reserveFile. An unknown or malformed one is `FILE_NOT_FOUND`.
         */
        file_id: string;
    };
    query?: never;
    url: '/developer/v1/files/{file_id}/_confirm';
};

export type ConfirmFileErrors = {
    /**
     * The body or the stored bytes are not valid, the bytes never arrived, or they are more than was reserved. The upload stays as it was.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * No upload with this id belongs to the key's owner.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type ConfirmFileError = ConfirmFileErrors[keyof ConfirmFileErrors];

export type ConfirmFileResponses = {
    /**
     * The confirmed upload.
     */
    200: ConfirmFileResponse;
};

export type ConfirmFileSuccess = ConfirmFileResponses[keyof ConfirmFileResponses];

export type IngestRecordsData = {
    /**
     * One batch of records of one kind.
     */
    body: IngestRecordsRequest;
    headers: {
        /**
         * Names the batch, so that a repeat is recognised. 1 to 255 visible ASCII characters, else `INVALID_ARGUMENT`; without it, or with
         * an empty or repeated header, the answer is 400 `INTEGRATION.IDEMPOTENCY_REQUIRED`.
         *
         * A key belongs to one API key and one operation. It is used up by the first accepted attempt, for 24 hours, whatever the body; a
         * repeat is 409 `INTEGRATION.IDEMPOTENCY_REQUIRED`.
         *
         */
        'Idempotency-Key': string;
    };
    path: {
        /**
         * The external system: `KEDO` or `LEDGER`. External ids are unique within it. Any other value is accepted, and the records are skipped.
         */
        source_type: string;
    };
    query?: never;
    url: '/developer/v1/ingest/{source_type}';
};

export type IngestRecordsErrors = {
    /**
     * A field is not valid, or the Idempotency-Key is missing. Nothing was accepted.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The Idempotency-Key was already used: the first attempt landed. Treat it as success and do not resend.
     */
    409: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type IngestRecordsError = IngestRecordsErrors[keyof IngestRecordsErrors];

export type IngestRecordsResponses = {
    /**
     * The batch was accepted and is queued.
     */
    200: IngestRecordsResponse;
};

export type IngestRecordsSuccess = IngestRecordsResponses[keyof IngestRecordsResponses];

export type CreateWebhookEndpointData = {
    /**
     * Where to deliver what.
     */
    body: CreateWebhookEndpointRequest;
    path?: never;
    query?: never;
    url: '/developer/v1/webhook_endpoints';
};

export type CreateWebhookEndpointErrors = {
    /**
     * A field is not valid, the address may not be delivered to, or the tenant has its 50 endpoints already.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type CreateWebhookEndpointError = CreateWebhookEndpointErrors[keyof CreateWebhookEndpointErrors];

export type CreateWebhookEndpointResponses = {
    /**
     * The endpoint and, this once, its secret.
     */
    200: CreateWebhookEndpointResponse;
};

export type CreateWebhookEndpointSuccess = CreateWebhookEndpointResponses[keyof CreateWebhookEndpointResponses];

export type TestWebhookEndpointData = {
    /**
     * An empty object, or no body at all.
     */
    body?: TestWebhookEndpointRequest;
    path: {
        /**
         * Id of the webhook endpoint. An unknown or malformed one is `WEBHOOK_ENDPOINT_NOT_FOUND`.
         */
        id: string;
    };
    query?: never;
    url: '/developer/v1/webhook_endpoints/{id}/_test';
};

export type TestWebhookEndpointErrors = {
    /**
     * The body is not valid, or the endpoint is disabled. Nothing was sent.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The tenant has no webhook endpoint with this id.
     */
    404: Status;
    /**
     * The body is larger than the operation accepts.
     */
    413: Status;
    /**
     * The body is not JSON, or its encoding is not supported.
     */
    415: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type TestWebhookEndpointError = TestWebhookEndpointErrors[keyof TestWebhookEndpointErrors];

export type TestWebhookEndpointResponses = {
    /**
     * The outcome of the attempt.
     */
    200: TestWebhookEndpointResponse;
};

export type TestWebhookEndpointSuccess = TestWebhookEndpointResponses[keyof TestWebhookEndpointResponses];

export type DeleteWebhookEndpointData = {
    body?: never;
    path: {
        /**
         * Id of the webhook endpoint. An unknown or malformed one is `WEBHOOK_ENDPOINT_NOT_FOUND`.
         */
        id: string;
    };
    query?: never;
    url: '/developer/v1/webhook_endpoints/{id}';
};

export type DeleteWebhookEndpointErrors = {
    /**
     * A parameter or field is not valid; `BadRequest` names it.
     */
    400: Status;
    /**
     * The key is missing or not accepted.
     */
    401: Status;
    /**
     * The interface is switched off for the tenant, or the key lacks the scope.
     */
    403: Status;
    /**
     * The tenant has no webhook endpoint with this id.
     */
    404: Status;
    /**
     * The rate limit is exceeded. The request had no effect and took no token. Wait for `Retry-After`, or exactly for `retryDelay` in
     * the body, and repeat the request as it was; that is safe for every request. See `DEVELOPER.RATE_LIMIT_EXCEEDED`.
     *
     */
    429: Status;
    /**
     * The request line and headers are too large.
     */
    431: Status;
    /**
     * The service failed.
     */
    500: Status;
    /**
     * The service is not available at the moment, or the request took too long.
     */
    503: Status;
};

export type DeleteWebhookEndpointError = DeleteWebhookEndpointErrors[keyof DeleteWebhookEndpointErrors];

export type DeleteWebhookEndpointResponses = {
    /**
     * Deleted.
     */
    200: DeleteWebhookEndpointResponse;
};

export type DeleteWebhookEndpointSuccess = DeleteWebhookEndpointResponses[keyof DeleteWebhookEndpointResponses];

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnEmployeeChangedWebhookPayload = EmployeeChangedEvent;

export type OnEmployeeChangedWebhookRequest = {
    body: OnEmployeeChangedWebhookPayload;
    key: 'employee.changed';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnEmployeeDeletedWebhookPayload = EmployeeDeletedEvent;

export type OnEmployeeDeletedWebhookRequest = {
    body: OnEmployeeDeletedWebhookPayload;
    key: 'employee.deleted';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnPersonChangedWebhookPayload = PersonChangedEvent;

export type OnPersonChangedWebhookRequest = {
    body: OnPersonChangedWebhookPayload;
    key: 'person.changed';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentSentWebhookPayload = DocumentSentEvent;

export type OnDocumentSentWebhookRequest = {
    body: OnDocumentSentWebhookPayload;
    key: 'document.sent';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentApprovalStartedWebhookPayload = DocumentApprovalStartedEvent;

export type OnDocumentApprovalStartedWebhookRequest = {
    body: OnDocumentApprovalStartedWebhookPayload;
    key: 'document.approval_started';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentSigningStartedWebhookPayload = DocumentSigningStartedEvent;

export type OnDocumentSigningStartedWebhookRequest = {
    body: OnDocumentSigningStartedWebhookPayload;
    key: 'document.signing_started';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentCompletedWebhookPayload = DocumentCompletedEvent;

export type OnDocumentCompletedWebhookRequest = {
    body: OnDocumentCompletedWebhookPayload;
    key: 'document.completed';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentRejectedWebhookPayload = DocumentRejectedEvent;

export type OnDocumentRejectedWebhookRequest = {
    body: OnDocumentRejectedWebhookPayload;
    key: 'document.rejected';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentChangeRequestedWebhookPayload = DocumentChangeRequestedEvent;

export type OnDocumentChangeRequestedWebhookRequest = {
    body: OnDocumentChangeRequestedWebhookPayload;
    key: 'document.change_requested';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentRevokedWebhookPayload = DocumentRevokedEvent;

export type OnDocumentRevokedWebhookRequest = {
    body: OnDocumentRevokedWebhookPayload;
    key: 'document.revoked';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnDocumentDeletedWebhookPayload = DocumentDeletedEvent;

export type OnDocumentDeletedWebhookRequest = {
    body: OnDocumentDeletedWebhookPayload;
    key: 'document.deleted';
    path?: never;
    query?: never;
};

/**
 * The envelope, one JSON object in UTF-8. The signature is over exactly these bytes.
 */
export type OnWebhookEndpointTestWebhookPayload = WebhookEndpointTestEvent;

export type OnWebhookEndpointTestWebhookRequest = {
    body: OnWebhookEndpointTestWebhookPayload;
    key: 'webhook_endpoint.test';
    path?: never;
    query?: never;
};
