// Made from openapi.yaml by `npm run generate`; never edited by hand. A profile of the suite, from conformance/profile.schema.json.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

/**
 * Conformance profile
 *
 * What the conformance suite knows of the deployment under test. `npm start` writes one for its own instance.
 */
export type ProfileFile = {
    /**
     * Version of this format.
     */
    profile_version: 1;
    /**
     * Name of the deployment, for reports.
     */
    name: string;
    /**
     * Scheme, host and port; the suite adds /developer/v1.
     */
    base_url: string;
    /**
     * The page of the docs, to which reports link each rule; by default /docs of base_url, if it is there.
     */
    docs?: string;
    /**
     * Base URLs of further processes of the same deployment.
     */
    replicas?: Array<string>;
    /**
     * Whether a proxy in front of the target, such as nginx or HAProxy, may refuse what is no valid HTTP, has %00 in its path or is TRACE, in its own form. It exempts the checks that the report lists, and no others; absent means no.
     */
    terminator?: boolean;
    /**
     * File with NAME=value lines, relative to the profile; variables already set win.
     */
    env_file?: string;
    tenant: {
        /**
         * Name of the tenant, for reports.
         */
        tag: string;
        /**
         * Whether the suite may write to the tenant.
         */
        consent_to_writes: boolean;
        /**
         * Most writes in a run.
         */
        max_writes: number;
        /**
         * Whether the suite may send bodies of the largest size that the target takes, 32 MiB; absent means no.
         */
        consent_to_large_bodies?: boolean;
        /**
         * Host (and port, where there is one) of base_url: consent to load on it with `npm run load`. Not needed on this machine; the conformance suite needs none.
         */
        load_consent?: string;
    };
    keys: Keys;
    fixtures?: Fixtures;
    admin?: Admin;
    /**
     * Further tenants like `tenant`, where rules that change employees are checked at the same time; without them a run is slower. A rule for which one of them lacks something is checked in `tenant`.
     */
    pool?: Array<{
        /**
         * Name of the tenant.
         */
        tag: string;
        keys: Keys;
        fixtures?: Fixtures;
        admin?: Admin;
    }>;
    clock?: {
        /**
         * Whether the target has a control clock.
         */
        mode: 'control' | 'none';
        /**
         * Where it listens; needed with mode control.
         */
        url?: string;
    };
    /**
     * How deliveries of events reach the suite.
     */
    callbacks?: unknown & {
        /**
         * loopback: the target allows the suite's own address as a test network; public: the suite listens where the target finds it under `url`; command: a tunnel prints the URL; none: rules about deliveries are UNTESTED.
         */
        mode: 'loopback' | 'public' | 'command' | 'none';
        /**
         * Address and port on which the suite listens, such as 127.0.0.1:8443.
         */
        listen?: string;
        /**
         * PEM file with the certificate (and its chain) that the suite shows; the target must trust it. Relative to the profile. Without it the suite speaks plain HTTP and something before it speaks TLS.
         */
        certificate?: string;
        /**
         * PEM file with the key of the certificate.
         */
        key?: string;
        /**
         * Where the target reaches the listener; the suite appends paths.
         */
        url?: string;
        /**
         * Program that opens a tunnel to {port} and prints an https URL; it is ended with the run.
         */
        command?: Array<string>;
    };
    /**
     * How the rules about the limit probe it; absent means light. full takes about two minutes longer, and is sharper where the network is slow.
     */
    limit_probe?: 'light' | 'full';
    /**
     * Additions that the target claims to have.
     */
    capabilities?: Array<'1.3' | '1.4' | '1.5' | '1.6'>;
    /**
     * What the brief leaves open, as the target decided it.
     */
    values: {
        /**
         * JSON Pointer to the textual code in an error body (D-4).
         */
        error_code_pointer: string;
        /**
         * HTTP status of INVALID_ARGUMENT (D-5).
         */
        invalid_argument_status: number;
        /**
         * Deviating status, textual code or number of errors that the brief leaves open, by their name in the catalogue (D-5).
         */
        errors?: {
            [key: string]: {
                status?: number;
                code?: string;
                number?: number;
            };
        };
        /**
         * A limit above 1000 (D-9).
         */
        limit_above_maximum: 'clamp' | 'reject';
        /**
         * Whether a token issued without limit may be used with limit=100 (D-10).
         */
        omitted_limit_equals_default: boolean;
        /**
         * Whether the order of repeated filter values is without meaning for a page token (D-10).
         */
        filter_values_are_a_set: boolean;
        /**
         * The same value twice in a repeated parameter (D-12).
         */
        duplicate_filter_values: 'collapse' | 'reject';
        /**
         * A department_id that does not exist (D-12).
         */
        unknown_department_filter: 'empty' | 'reject';
        /**
         * status=EMPLOYEE_STATUS_UNSPECIFIED (D-1).
         */
        unspecified_status_filter: 'empty' | 'reject';
        /**
         * page_token= without a value (D-12).
         */
        empty_page_token: 'first_page' | 'reject';
        /**
         * Seconds for which a page token is good; 0 = for ever (D-10).
         */
        page_token_lifetime_s: number;
        /**
         * A token issued to another tenant (D-10).
         */
        foreign_page_token: 'reject' | 'own_rows';
        /**
         * What "newest first" means (D-11).
         */
        page_order: 'create_time_desc_id_desc' | 'create_time_desc';
        /**
         * expand=manager where there is no manager (D-2).
         */
        absent_manager: 'absent' | 'null';
        /**
         * A path id that is no UUID (D-14).
         */
        malformed_employee_id: 'invalid_argument' | 'not_found';
        /**
         * An id in upper case (D-14).
         */
        upper_case_id: 'understood' | 'refused';
        /**
         * Digits of updated_since below the millisecond (D-12).
         */
        updated_since_rounding: 'up' | 'down';
        /**
         * Two X-API-Key headers with the same valid key (D-5).
         */
        repeated_key_header: 'refused' | 'accepted';
        /**
         * A wrong key that resembles one of a tenant with the flag off (D-6).
         */
        invalid_key_flag_off: 'key_invalid' | 'flag_off';
        /**
         * HEAD (D-6a).
         */
        head_requests: 'as_get' | 'refused';
        /**
         * Content-Encoding: gzip on a request (D-6a).
         */
        gzip_bodies: 'accepted' | 'refused';
        /**
         * Largest request body, ingest excepted (D-6a).
         */
        body_limit_bytes: number;
        /**
         * Deepest nesting of a request body (D-6a).
         */
        body_depth_limit: number;
        /**
         * RateLimit and RateLimit-Policy on answers (D-7).
         */
        rate_fields: 'ietf' | 'none';
        /**
         * The expected RateLimit-Policy (D-7).
         */
        rate_policy: string;
        /**
         * Failed authentications a second for each peer address (D-7); 0 = not limited.
         */
        failed_auth_per_s: number;
        /**
         * Whether a well-formed X-Request-Id of the caller comes back (D-8).
         */
        request_id_echo: boolean;
        /**
         * Headers on every answer (D-8), in lower case.
         */
        answer_headers: Array<string>;
        /**
         * total_count is exact up to this number (D-13).
         */
        total_count_exact_up_to: number;
        /**
         * Relative error allowed above it (D-13).
         */
        total_count_tolerance: number;
        /**
         * Name of the category filter of the document types (D-16).
         */
        category_filter: string;
        /**
         * Which login methods are listed (D-16).
         */
        login_methods: 'enabled_only' | 'all';
        /**
         * Regular expression: the part of a key that lists show (D-30).
         */
        shown_prefix_pattern: string;
        /**
         * Which of title and type_id a creation must name (D-17).
         */
        document_required_fields: Array<'title' | 'type_id'>;
        /**
         * An explicit null or "" for template_id or file_id (D-17).
         */
        null_and_empty_sources: 'absent' | 'reject';
        /**
         * An organization_id, subject or template_version of a creation that does not exist (D-17).
         */
        unknown_references: 'reject' | 'ignore';
        /**
         * Whether template_values must fit the template's variable_schema (D-17).
         */
        template_values_check: 'strict' | 'none';
        /**
         * A document id in a path that is no UUID (D-14).
         */
        malformed_document_id: 'invalid_argument' | 'not_found';
        /**
         * A document_id or file_id in a body that is not the one of the path (D-6a).
         */
        body_id_mismatch: 'refused' | 'ignored';
        /**
         * Whether created_after finds a document of exactly that instant (D-15).
         */
        created_after_boundary: 'exclusive' | 'inclusive';
        /**
         * Where search looks (D-15).
         */
        document_search: 'title_and_number' | 'title';
        /**
         * Fewest and most characters of search (D-15).
         */
        document_search_length: [
            number,
            number
        ];
        /**
         * When two bodies are the same: by what they say, or byte by byte (D-17).
         */
        idempotency_body: 'canonical_json' | 'bytes';
        /**
         * Which Idempotency-Keys are accepted on creation (D-17).
         */
        idempotency_key_form: 'visible_ascii_255' | 'any';
        /**
         * Whether a creation that ends in a 4xx leaves its Idempotency-Key unused (D-17).
         */
        refused_creation_frees_key: boolean;
        /**
         * Whether a key used on one operation is free on another (D-17).
         */
        idempotency_key_operations: 'separate' | 'shared';
        /**
         * The largest upload: what 50 MB means (D-23).
         */
        upload_max_bytes: number;
        /**
         * Seconds for which a presigned form is good (D-23).
         */
        upload_form_lifetime_s: number;
        /**
         * Seconds within which an upload must be confirmed (D-23).
         */
        upload_lifetime_s: number;
        /**
         * A stored object that is smaller than the reserved size (D-23).
         */
        upload_smaller: 'accepted' | 'refused';
        /**
         * Confirming bytes that are no PDF (D-23).
         */
        upload_not_pdf: 'refused' | 'accepted';
        /**
         * Within how many first bytes the %PDF- of an upload must begin; 1 means at the first one (D-23).
         */
        upload_pdf_starts_within: number;
        /**
         * Whether the right bytes may follow after a refused confirmation (D-23).
         */
        refused_confirmation: 'may_be_repeated' | 'final';
        /**
         * Whether an upload belongs to the key's owner or to the key alone (D-23).
         */
        upload_owner: 'owner' | 'key';
        /**
         * Seconds for which a download URL is good (D-22).
         */
        download_lifetime_s: number;
        /**
         * A rejection whose comment is white space only (D-19).
         */
        blank_comment: 'refused' | 'accepted';
        /**
         * An action without participant_id (D-19).
         */
        omitted_participant_id: 'active_slot' | 'refused';
        /**
         * Fields in answers that the contract does not name (D-32); personal ones are never allowed.
         */
        added_fields: 'refused' | 'allowed';
        /**
         * Seconds between one attempt of a delivery and the next.
         */
        webhook_retry_waits_s: [
            number,
            number,
            number,
            number,
            number,
            number,
            number
        ];
        /**
         * Share by which such a wait may be longer.
         */
        webhook_retry_jitter: number;
        /**
         * Most endpoints of a tenant; 0 = no limit.
         */
        webhook_endpoints_maximum: number;
        /**
         * Longest time from a change to the first attempt to deliver its event, with room for the network.
         */
        webhook_first_attempt_s: number;
        /**
         * Longest time from the acceptance of a small batch until updated_since shows what it did, with room for the network.
         */
        ingest_applied_within_s: number;
        /**
         * Time zone of the tenant of `full`, by its IANA name, such as Asia/Almaty: whose day "today" is (D-17).
         */
        time_zone: string;
        /**
         * Longest time from the tenant's midnight until the statuses that follow from dates have moved (D-29).
         */
        status_by_dates_within_s: number;
        /**
         * Fewest and most records of a batch (D-29).
         */
        ingest_records: [
            number,
            number
        ];
        /**
         * Largest body of a batch (D-6a).
         */
        ingest_body_limit_bytes: number;
        /**
         * Whether a batch without create_missing makes what is missing (D-29).
         */
        ingest_create_missing_default: boolean;
        /**
         * What becomes of a record with a reference to nothing that is known: it is skipped if it is new, and applied but for the reference if its object is known; it is skipped; or the reference is ignored (D-29).
         */
        ingest_unknown_reference: 'skip_new_record' | 'skip_record' | 'ignore_reference';
        /**
         * What an empty text or null does to a field in an update (D-29).
         */
        ingest_empty_value: 'clear' | 'keep';
        /**
         * What becomes of a record with a wrong type, an impossible date, a malformed number or too long a text (D-29).
         */
        ingest_bad_value: 'skip_record' | 'any';
        /**
         * Which of two records of a batch with one external id counts (D-29).
         */
        ingest_duplicates: 'last_wins' | 'any';
        /**
         * Most characters of a text in a record (D-29).
         */
        ingest_string_length: number;
        /**
         * By what employees of the LEDGER source are told apart where records have no external_id; external_id where such records are skipped (D-29).
         */
        ingest_ledger_employee_id: 'organization_and_number' | 'number' | 'external_id';
        /**
         * By what references of the LEDGER source find a department: external_id and Ссылка, or external_id alone (D-29).
         */
        ingest_ledger_department_reference: 'either' | 'external_id';
        /**
         * By what the person in a record of LEDGER is known: an external_id of its own, or its number alone (D-29).
         */
        ingest_ledger_person_id: 'external_id' | 'number';
        /**
         * Whether what LEDGER loads is found by its external_id and by its natural id, a new external_id takes over a known object, and who is the same person is judged as D-29 says.
         */
        ingest_ledger_identity: 'as_documented' | 'any';
        /**
         * Whether the zero GUID counts as an empty reference, 0001-01-01 as an empty date, a text of blanks as empty, and a number of twelve equal digits as none, and blanks around a text and a midnight after a date are ignored (D-29).
         */
        ingest_habits: 'understood' | 'any';
        /**
         * What a record makes, with create_missing, whose external id was that of a deleted employee.
         */
        ingest_deleted_employee: 'new_employee' | 'skip_record';
        /**
         * How the target spells the values of catalogue_status; what is left out is spelled as in the example (D-16).
         */
        spelling_catalogue_status?: {
            ACTIVE?: string;
            ARCHIVED?: string;
        };
        /**
         * How the target spells the values of document_status; what is left out is spelled as in the example (D-1).
         */
        spelling_document_status?: {
            DRAFT?: string;
            ON_APPROVAL?: string;
            ON_SIGN?: string;
            COMPLETED?: string;
            REJECTED?: string;
            CHANGE_REQUESTED?: string;
            REVOKED?: string;
        };
        /**
         * How the target spells the values of file_type; what is left out is spelled as in the example (D-1).
         */
        spelling_file_type?: {
            PDF?: string;
            SIGNATURE?: string;
            SIGNED_PDF?: string;
        };
        /**
         * How the target spells the values of route_status; what is left out is spelled as in the example (D-1).
         */
        spelling_route_status?: {
            DRAFT?: string;
            ACTIVE?: string;
            COMPLETED?: string;
            REJECTED?: string;
            CANCELLED?: string;
        };
        /**
         * How the target spells the values of step_status; what is left out is spelled as in the example (D-1).
         */
        spelling_step_status?: {
            PENDING?: string;
            ACTIVE?: string;
            COMPLETED?: string;
            REJECTED?: string;
            CANCELLED?: string;
        };
        /**
         * How the target spells the values of step_type; what is left out is spelled as in the example (D-1).
         */
        spelling_step_type?: {
            APPROVAL?: string;
            SIGNING?: string;
        };
        /**
         * How the target spells the values of step_rule; what is left out is spelled as in the example (D-1).
         */
        spelling_step_rule?: {
            ALL?: string;
            ANY?: string;
        };
        /**
         * How the target spells the values of participant_status; what is left out is spelled as in the example (D-1).
         */
        spelling_participant_status?: {
            PENDING?: string;
            ACTIVE?: string;
            APPROVED?: string;
            SIGNED?: string;
            REJECTED?: string;
            CHANGE_REQUESTED?: string;
            SKIPPED?: string;
        };
        /**
         * How the target spells the values of key_type; what is left out is spelled as in the example (D-1).
         */
        spelling_key_type?: {
            SIMPLE?: string;
            EDS?: string;
        };
        /**
         * How the target spells the values of file_upload_status; what is left out is spelled as in the example (D-1).
         */
        spelling_file_upload_status?: {
            RESERVED?: string;
            UPLOADED?: string;
            EXPIRED?: string;
        };
        /**
         * How the target spells the values of signature_format; what is left out is spelled as in the example (D-21).
         */
        spelling_signature_format?: {
            CMS?: string;
        };
        /**
         * How the target spells the values of webhook_endpoint_status; what is left out is spelled as in the example (D-1).
         */
        spelling_webhook_endpoint_status?: {
            ACTIVE?: string;
            DISABLED?: string;
        };
        /**
         * How the target spells the values of webhook_endpoint_disabled_reason; what is left out is spelled as in the example (D-24).
         */
        spelling_webhook_endpoint_disabled_reason?: {
            CONSECUTIVE_FAILURES?: string;
            MANUAL?: string;
        };
        /**
         * How the target spells the values of test_webhook_endpoint_response_error; what is left out is spelled as in the example (D-25).
         */
        spelling_test_webhook_endpoint_response_error?: {
            dns_error?: string;
            connect_error?: string;
            tls_error?: string;
            timeout?: string;
            address_denied?: string;
            protocol_error?: string;
        };
    };
};

/**
 * The key ring. Values are names of environment variables.
 */
export type Keys = {
    /**
     * Equivalent keys; more keys make a run shorter.
     */
    full: Array<string>;
    /**
     * Key of the owner of `full` with the scope employees:read only. The NAME of an environment variable, never the key itself.
     */
    employees_read?: string;
    /**
     * Key of the owner of `full` with the scope documents:read only. The NAME of an environment variable, never the key itself.
     */
    documents_read?: string;
    /**
     * Key of the owner of `full` with the scope documents:write only. The NAME of an environment variable, never the key itself.
     */
    documents_write?: string;
    /**
     * Key of the owner of `full` with the scope webhooks:manage only. The NAME of an environment variable, never the key itself.
     */
    webhooks_manage?: string;
    /**
     * Key of the owner of `full` with the scope ingest:write only, made by a super-administrator. The NAME of an environment variable, never the key itself.
     */
    ingest_write?: string;
    /**
     * Key without any scope. The NAME of an environment variable, never the key itself.
     */
    no_scope?: string;
    /**
     * Key that was revoked. The NAME of an environment variable, never the key itself.
     */
    revoked?: string;
    /**
     * Key that has expired. The NAME of an environment variable, never the key itself.
     */
    expired?: string;
    /**
     * Key that is switched off. The NAME of an environment variable, never the key itself.
     */
    inactive?: string;
    /**
     * Key whose owner was removed from the tenant. The NAME of an environment variable, never the key itself.
     */
    owner_removed?: string;
    /**
     * All scopes; an owner who sees one department with its sub-departments and may not see persons.iin, persons.phone and employees.work_email. One or several equivalent keys; more make a run shorter. The NAME of an environment variable, never the key itself.
     */
    restricted_owner?: string | Array<string>;
    /**
     * All scopes; another owner of the same tenant who sees another set of employees and may not see persons.birth_date and persons.personal_email. One or several equivalent keys; more make a run shorter. The NAME of an environment variable, never the key itself.
     */
    second_owner?: string | Array<string>;
    /**
     * All scopes; the owner of `full`. The NAME of an environment variable, never the key itself.
     */
    second_key_same_owner?: string;
    /**
     * All scopes; an owner who is no employee and sees nobody. The NAME of an environment variable, never the key itself.
     */
    no_employee_owner?: string;
    /**
     * All scopes; an owner whose employee is terminated. The NAME of an environment variable, never the key itself.
     */
    terminated_owner?: string;
    /**
     * Key that carries ingest:write although no super-administrator made it. The NAME of an environment variable, never the key itself.
     */
    fake_super_admin_ingest?: string;
    /**
     * All scopes; an owner in another tenant, best one who is an employee there. The NAME of an environment variable, never the key itself.
     */
    other_tenant?: string;
    /**
     * All scopes; a tenant for which the interface is not enabled. The NAME of an environment variable, never the key itself.
     */
    flag_off?: string;
    /**
     * All scopes; a tenant of its own whose flag the admin commands switch. The NAME of an environment variable, never the key itself.
     */
    flag_toggle?: string;
    /**
     * All scopes; an owner of its own, a super-administrator, whose permissions the admin commands narrow and restore. The NAME of an environment variable, never the key itself.
     */
    narrowable?: string;
    /**
     * All scopes; an owner who can be parted from his employee (admin.detach_owner) and otherwise sees everything. The NAME of an environment variable, never the key itself.
     */
    detachable?: string;
    /**
     * All scopes; an owner who sees everybody and may not see persons.first_name; no other field is hidden from him in the settings. The NAME of an environment variable, never the key itself.
     */
    hides_first_name?: string;
    /**
     * All scopes; an owner who sees everybody and may not see persons.last_name; no other field is hidden from him in the settings. The NAME of an environment variable, never the key itself.
     */
    hides_last_name?: string;
    /**
     * All scopes; an owner who sees everybody and may not see persons.middle_name; no other field is hidden from him in the settings. The NAME of an environment variable, never the key itself.
     */
    hides_middle_name?: string;
    /**
     * All scopes; an owner who sees everybody and may not see persons.full_name; no other field is hidden from him in the settings. The NAME of an environment variable, never the key itself.
     */
    hides_full_name?: string;
    /**
     * All scopes; an owner who is no employee, hides nothing, and sees the employees of department_top_id and of all departments below it, nobody else. The NAME of an environment variable, never the key itself.
     */
    department_owner?: string;
    /**
     * All scopes; an owner who is an employee outside department_top_id and all departments below it, hides nothing, and sees himself and the employees of these departments, nobody else. The NAME of an environment variable, never the key itself.
     */
    department_and_self_owner?: string;
    /**
     * All scopes; an owner who is an employee, hides nothing, and sees himself and his direct reports, nobody else. The NAME of an environment variable, never the key itself.
     */
    reports_owner?: string;
    /**
     * All scopes; an owner who is an active employee and sees all documents but those of confidential types, and every document type. The NAME of an environment variable, never the key itself.
     */
    not_confidential_owner?: string;
    /**
     * All scopes; an owner who is an active employee, sees all documents but those of confidential types, and of the document types those of a list, with document_type_id and document_type_confidential_id in it, and without an active type that may be made through the interface from an upload. The NAME of an environment variable, never the key itself.
     */
    listed_types_owner?: string;
    /**
     * All scopes; used by the rules about the rate only, by nobody else. One or several: as many of these rules are checked at the same time. The NAME of an environment variable, never the key itself.
     */
    load?: string | Array<string>;
    /**
     * Keys that admin.revoke_key may revoke.
     */
    disposable?: Array<string>;
};

/**
 * Ids of things that exist; an absent one makes its rules UNTESTED. `x-seen-by` and `x-hidden-from` name the keys that must and must not see the thing; `conformance doctor` looks.
 */
export type Fixtures = {
    /**
     * Visible to `full` and `restricted_owner`; has a manager, a department, a job title, and no empty personal field.
     */
    employee_id?: string;
    /**
     * Visible to `full`, `restricted_owner` and `second_owner`.
     */
    employee_common_id?: string;
    /**
     * No manager, location, personnel number, start date, patronymic or work e-mail.
     */
    employee_without_manager_id?: string;
    /**
     * Visible to `full`, not to `restricted_owner`.
     */
    employee_hidden_from_restricted_id?: string;
    /**
     * A deleted employee of the tenant of `full`.
     */
    employee_deleted_id?: string;
    /**
     * An employee in draft (CREATED) of the tenant of `full`.
     */
    employee_draft_id?: string;
    /**
     * Visible to `other_tenant`.
     */
    employee_other_tenant_id?: string;
    /**
     * A department with 5 to 90 employees of at least two statuses.
     */
    department_id?: string;
    /**
     * Another department with 1 to 90 employees.
     */
    department_other_id?: string;
    /**
     * The department that `department_owner` is limited to; department_other_id does not lie below it.
     */
    department_top_id?: string;
    /**
     * The department between department_top_id and department_bottom_id, for the suite alone: admin.move_department moves it to department_other_id and back.
     */
    department_middle_id?: string;
    /**
     * A department two levels below department_top_id, with 1 to 90 employees.
     */
    department_bottom_id?: string;
    /**
     * The external_id by which the source KEDO knows department_top_id.
     */
    department_top_external_id?: string;
    /**
     * A department of the tenant of `other_tenant`.
     */
    department_other_tenant_id?: string;
    /**
     * Time zone of the tenant of `other_tenant`, by its IANA name, if it is not that of values.time_zone: best some hours away.
     */
    time_zone_other_tenant?: string;
    /**
     * An active template of document_type_id, visible to `full`, with at least one required variable.
     */
    document_template_id?: string;
    /**
     * A template of the tenant of `other_tenant`.
     */
    document_template_other_tenant_id?: string;
    /**
     * An active type visible to `full` and `restricted_owner`; documents of it may be made through the interface, from its template and from an upload.
     */
    document_type_id?: string;
    /**
     * An active type visible to `full`, not to `restricted_owner`; documents of it may be made through the interface from an upload.
     */
    document_type_hidden_from_restricted_id?: string;
    /**
     * An active confidential type visible to `full` and `not_confidential_owner`; documents of it may be made through the interface from an upload.
     */
    document_type_confidential_id?: string;
    /**
     * A type of the tenant of `other_tenant`.
     */
    document_type_other_tenant_id?: string;
    /**
     * A category with at least one type.
     */
    document_category_id?: string;
    /**
     * An active type visible to `full` with allow_upload, but without allow_api.
     */
    document_type_no_api_id?: string;
    /**
     * An active type visible to `full` with allow_api, but without allow_upload.
     */
    document_type_no_upload_id?: string;
    /**
     * An archived type visible to `full`, with allow_api and allow_upload.
     */
    document_type_archived_id?: string;
    /**
     * A legal entity of the tenant of `full`; not the one of owner_employee_id, if there are several.
     */
    organization_id?: string;
    /**
     * The employee who owns `full`; active, sees all employees and all documents.
     */
    owner_employee_id?: string;
    /**
     * The employee who owns `second_owner`; active, visible to `full`, managed by `owner_employee_id`, sees his own documents only.
     */
    second_owner_employee_id?: string;
    /**
     * The employee who owns `restricted_owner`; active, visible to `full`, sees his own documents only.
     */
    restricted_owner_employee_id?: string;
    /**
     * The employee who owns `reports_owner`; active, visible to `full`.
     */
    reports_owner_employee_id?: string;
    /**
     * A terminated employee visible to `full`.
     */
    employee_terminated_id?: string;
    /**
     * A tenant with more than 10,000 employees.
     */
    big?: {
        /**
         * The key whose tenant is large.
         */
        key: 'full' | 'other_tenant';
        /**
         * Employees that the key sees, at least.
         */
        employees_at_least: number;
    };
};

/**
 * Commands for what only the application settings can do: argument lists, run as processes; an absent one makes its rules UNTESTED.
 */
export type Admin = {
    /**
     * Working directory, relative to the profile.
     */
    cwd?: string;
    /**
     * A program that runs all commands below, so that no process has to be started for each. A line of its standard input is a command, {"id":1,"words":[…]}, and a line of its standard output how one ended, {"id":1,"code":0,"stdout":"","stderr":""}; it prints nothing else there, and ends with its input.
     */
    runner?: Array<string>;
    /**
     * Revokes a key; {prefix} is what lists show of it.
     */
    revoke_key?: Array<string>;
    /**
     * Lets the owner of keys.narrowable see only himself, and hides persons.iin.
     */
    narrow_owner?: Array<string>;
    /**
     * Undoes narrow_owner.
     */
    restore_owner?: Array<string>;
    /**
     * Takes the role of a super-administrator from the owner of keys.narrowable, and nothing else.
     */
    demote_owner?: Array<string>;
    /**
     * Undoes demote_owner.
     */
    promote_owner?: Array<string>;
    /**
     * Enables the interface for the tenant of keys.flag_toggle.
     */
    flag_on?: Array<string>;
    /**
     * Disables it.
     */
    flag_off?: Array<string>;
    /**
     * Applies the JSON lines of {file} to employees of the tenant of keys.full. What it prints contains the ids of the employees that it creates, in the order of the lines; without them, rules about drafts are UNTESTED.
     */
    apply_employee_changes?: Array<string>;
    /**
     * Renames {department_id} of the tenant of keys.full to {title}.
     */
    rename_department?: Array<string>;
    /**
     * Moves {department_id} of the tenant of keys.full, with all below it, under {parent_id}.
     */
    move_department?: Array<string>;
    /**
     * Parts the owner of keys.detachable from his employee, and lets him see only his own documents.
     */
    detach_owner?: Array<string>;
    /**
     * Undoes detach_owner.
     */
    attach_owner?: Array<string>;
    /**
     * Requests changes of {document_id} as {employee_id}, who holds an active slot, with {comment}.
     */
    request_changes?: Array<string>;
    /**
     * Revokes {document_id} as {employee_id}.
     */
    revoke_document?: Array<string>;
    /**
     * Deletes {document_id} as {employee_id}.
     */
    delete_document?: Array<string>;
    /**
     * Gives the slot of {document_id} that waits for {employee_id}, whose employment has ended, to {to_employee_id}.
     */
    reassign_slot?: Array<string>;
    /**
     * Prints a detached CMS over the bytes of {file}, in base64. {certificate} names the signer: `restricted` (IIN of restricted_owner_employee_id, accepted authority), `second` (another IIN, accepted authority), `foreign` (IIN of restricted_owner_employee_id, an authority that is not accepted), `expired` (as restricted, but no longer valid).
     */
    sign_cms?: Array<string>;
    /**
     * As sign_cms, by {certificate} with {scheme}. All certificates have the IIN of restricted_owner_employee_id and lead to the accepted authority: `restricted` (ECDSA on P-256), `restricted_p384`, `restricted_rsa`, `small_rsa` (RSA of 1,024 bits), `below` (from an authority below the accepted one; the CMS holds both certificates), `below_expired` (from one whose certificate has expired), `below_constrained` (from one whose name constraints, not critical, exclude every directory name), `below_servers` (from one whose extended key usage is serverAuth alone), `below_last` (from one that allows no authority below it), `below_beyond` (from one below that; the CMS holds all three certificates), `digital_signature` and `non_repudiation` (this key usage alone), `wrong_usage` (key usage keyEncipherment alone), `no_usage` (no key usage at all), `wrong_purpose` (extended key usage codeSigning alone). {scheme} is the hash, `sha1`, `sha256`, `sha384` or `sha512`; with `pss-` before it the key signs by RSASSA-PSS. Wrong on purpose are `sha256-then-sha512` (the digest algorithm is SHA-256, the signature has SHA-512) and `sha256-not-der` (the signed attributes have a length of one byte more than DER allows, and are signed as they are).
     */
    sign_cms_with?: Array<string>;
    /**
     * Restarts the service and returns when it answers again.
     */
    restart?: Array<string>;
    /**
     * Prints the log lines that all processes of the service have written since {since}, an RFC 3339 time; older ones may be among them.
     */
    logs?: Array<string>;
    /**
     * Disables a webhook endpoint of the tenant by hand; {endpoint_id} is its id.
     */
    disable_webhook_endpoint?: Array<string>;
    /**
     * Enables a disabled webhook endpoint again; {endpoint_id} is its id.
     */
    enable_webhook_endpoint?: Array<string>;
    /**
     * As apply_employee_changes, in the tenant of keys.flag_toggle, whatever its flag.
     */
    apply_toggle_employee_changes?: Array<string>;
    /**
     * Prints a JSON object with `records`: the outcomes of all records of the batch {ingest_request_id}, in their order, each with `outcome` (created, updated, unchanged, skipped), `reason` (why it was skipped) and `note` (what else is said of it).
     */
    show_ingest?: Array<string>;
    /**
     * Decides who is meant by a record of the batch {ingest_request_id} that was skipped because its number has another person. {record} is its place, from 0; {as} is `same` (the same person) or `successor`.
     */
    decide_ingest?: Array<string>;
};
