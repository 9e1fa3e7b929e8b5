/** The operations of the contract, one class for each tag. Names are what the operationId says besides the tag. */
import { type ChangesQuery, EmployeeChanges, type FollowQuery, followChanges } from './changes.ts';
import { ApiError } from './errors.ts';
import { PagedList } from './paging.ts';
import { downloaded, streamOf, type UploadOptions, type UploadSource, uploadFile, wholeFile } from './storage.ts';
import type { CallOptions, KeyedCallOptions, Transport } from './transport.ts';
import type * as t from './types.ts';
import { type WaitOptions, waitForDocument } from './waiting.ts';
import { hexOf } from './webhooks.ts';

type PagedId = {
  [Id in t.OperationId]: t.Answer<Id> extends { next_page_token: string } ? Id : never;
}[t.OperationId];
type Page<Id extends PagedId> = t.Answer<Id> & { readonly next_page_token: string };
type List<Row, Id extends PagedId> = PagedList<Row, Page<Id>>;
type Reply<Id extends t.OperationId> = Promise<t.Answer<Id>>;

/** How an act is refused whose slot has acted, among others. */
const ACTED = 'DOCUMENT.INVALID_STATUS_TRANSITION';
const DONE = /_(APPROVED|SIGNED)$/;
/** Another attempt without a slot might act in the next step, where the owner may have another one. */
const SENT_ONCE = 'not sent again, since no slot was named: read the document, then give participant_id';

/** What every tag has: the connection to the service. */
abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected paged<Id extends PagedId, Row>(
    id: Id,
    rows: (page: t.Answer<Id>) => readonly Row[],
    query: t.Query<Id> | undefined,
    options: CallOptions | undefined,
  ): List<Row, Id> {
    const read = async (pageToken: string | undefined) => {
      const given = pageToken === undefined ? query : { ...query, page_token: pageToken };
      return (await this.transport.call(id, { query: given }, options)) as Page<Id>;
    };
    return new PagedList(id, read, rows);
  }
}

export class ApiKey extends Resource {
  /** Whether the key is accepted; a wrong one is an ApiError with status 401. */
  verify(options?: CallOptions): Reply<'verifyApiKey'> {
    return this.transport.call('verifyApiKey', {}, options);
  }
}

export class LoginMethods extends Resource {
  /** The ways in which people sign in. */
  list(options?: CallOptions): Reply<'listLoginMethods'> {
    return this.transport.call('listLoginMethods', {}, options);
  }
}

export class Employees extends Resource {
  /** The employees that the owner of the key may see, newest first. */
  list(query?: t.Query<'listEmployees'>, options?: CallOptions): List<t.Employee, 'listEmployees'> {
    return this.paged('listEmployees', (page): t.Employee[] => page.employees, query, options);
  }

  /** One employee. */
  get(id: string, query?: t.Query<'getEmployee'>, options?: CallOptions): Reply<'getEmployee'> {
    return this.transport.call('getEmployee', { path: { employee_id: id }, query }, options);
  }

  /** One round of keeping a copy: who changed since the last round. */
  changes(query: ChangesQuery = {}, options: CallOptions = {}): EmployeeChanges {
    return new EmployeeChanges(this.transport, query, options);
  }

  /** Rounds of {@link changes} without end, each to be read to its end. */
  follow(query: FollowQuery = {}, options: CallOptions = {}): AsyncGenerator<EmployeeChanges, void, undefined> {
    return followChanges(this.transport, query, options);
  }
}

export class Documents extends Resource {
  /** The documents that the owner of the key may see, newest first. */
  list(query?: t.Query<'listDocuments'>, options?: CallOptions): List<t.Document, 'listDocuments'> {
    return this.paged('listDocuments', (page): t.Document[] => page.documents, query, options);
  }

  /** Creates a draft, once, however often the request must be sent. */
  create(body: t.Body<'createDocument'>, options?: KeyedCallOptions): Reply<'createDocument'> {
    return this.transport.call('createDocument', { body }, options);
  }

  /** One document. */
  get(id: string, options?: CallOptions): Reply<'getDocument'> {
    return this.transport.call('getDocument', { path: { document_id: id } }, options);
  }

  /** Sets the route of a draft. */
  setRoute(id: string, body: t.Body<'setDocumentRoute'>, options?: CallOptions): Reply<'setDocumentRoute'> {
    return this.transport.call('setDocumentRoute', { path: { document_id: id }, body }, options);
  }

  /** Sends a draft that has a route. */
  send(id: string, body: t.Body<'sendDocument'> = {}, options?: CallOptions): Reply<'sendDocument'> {
    return this.transport.call('sendDocument', { path: { document_id: id }, body }, options);
  }

  /** Approves as the owner of the key, in the slot of `participant_id` or, without one, in the only active slot. */
  approve(id: string, body: t.Body<'approveDocument'> = {}, options?: CallOptions): Reply<'approveDocument'> {
    return this.#act('approveDocument', id, body, options);
  }

  /** Signs as the owner of the key, in the slot of `participant_id` or, without one, in the only active slot. */
  sign(id: string, body: t.Body<'signDocument'> = {}, options?: CallOptions): Reply<'signDocument'> {
    return this.#act('signDocument', id, body, options);
  }

  /** Acts in a slot, which is named wherever it is known, so that no attempt acts in another step. */
  async #act<Id extends 'approveDocument' | 'signDocument'>(
    operation: Id,
    id: string,
    body: t.Body<'approveDocument'> | t.Body<'signDocument'>,
    options: CallOptions | undefined,
  ): Reply<Id> {
    const slot = body.participant_id || (await this.#onlyActiveSlot(id, options));
    const path = { document_id: id };
    if (!slot) return this.transport.call(operation, { path, body, advice: SENT_ONCE }, options);
    try {
      const named = { ...body, participant_id: slot };
      return await this.transport.call(operation, { path, body: named, isRepeatable: true }, options);
    } catch (error) {
      if (!(error instanceof ApiError && error.mayHaveTakenEffect && error.reason === ACTED)) throw error;
      const answer = await this.get(id, options);
      if (slotsOf(answer).some((one) => one.id === slot && DONE.test(one.status))) return answer as t.Answer<Id>;
      throw error;
    }
  }

  /**
   * The slot in which the owner acts if the act succeeds. Of several that are active, nothing tells which is the
   * owner's; and the act itself is refused better than its reading.
   */
  async #onlyActiveSlot(id: string, options: CallOptions | undefined): Promise<string | undefined> {
    try {
      const active = slotsOf(await this.get(id, options)).filter(
        ({ status }) => status === 'PARTICIPANT_STATUS_ACTIVE',
      );
      return active.length === 1 ? active[0]?.id : undefined;
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  /** Rejects as the owner of the key. */
  reject(id: string, body: t.Body<'rejectDocument'>, options?: CallOptions): Reply<'rejectDocument'> {
    return this.transport.call('rejectDocument', { path: { document_id: id }, body }, options);
  }

  /** Where a file of the document can be fetched, for five minutes and without the key. */
  download(id: string, query?: t.Query<'downloadDocument'>, options?: CallOptions): Reply<'downloadDocument'> {
    return this.transport.call('downloadDocument', { path: { document_id: id }, query }, options);
  }

  /** The bytes of a file of the document. */
  async content(id: string, query?: t.Query<'downloadDocument'>, options: CallOptions = {}): Promise<Blob> {
    return downloaded(this.transport, await this.download(id, query, options), options, wholeFile);
  }

  /**
   * The same as they come, so that memory need not hold the file. `timeoutMs` and retries count until the first byte,
   * `signal` until the last.
   */
  async contentStream(
    id: string,
    query?: t.Query<'downloadDocument'>,
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const file = await this.download(id, query, options);
    return downloaded(this.transport, file, options, (body) => streamOf(body, options.signal));
  }

  /** Waits until the document has one of the statuses. */
  waitFor(
    id: string,
    statuses: t.DocumentStatus | readonly t.DocumentStatus[],
    options: WaitOptions = {},
  ): Promise<t.Document> {
    return waitForDocument(this.transport, id, [statuses].flat() as t.DocumentStatus[], options);
  }
}

const slotsOf = ({ document }: t.Answer<'getDocument'>) =>
  document.route.steps.flatMap(({ participants }) => participants);

export class DocumentTypes extends Resource {
  /** The kinds of documents that the owner of the key may see. */
  list(query?: t.Query<'listDocumentTypes'>, options?: CallOptions): List<t.DocumentType, 'listDocumentTypes'> {
    return this.paged('listDocumentTypes', (page): t.DocumentType[] => page.document_types, query, options);
  }
}

export class DocumentCategories extends Resource {
  /** The tree in which document types are filed. */
  list(
    query?: t.Query<'listDocumentCategories'>,
    options?: CallOptions,
  ): List<t.DocumentCategory, 'listDocumentCategories'> {
    const rows = (page: t.Answer<'listDocumentCategories'>): t.DocumentCategory[] => page.document_categories;
    return this.paged('listDocumentCategories', rows, query, options);
  }
}

export class DocumentTemplates extends Resource {
  /** The templates, each with its latest version. */
  list(
    query?: t.Query<'listDocumentTemplates'>,
    options?: CallOptions,
  ): List<t.DocumentTemplate, 'listDocumentTemplates'> {
    const rows = (page: t.Answer<'listDocumentTemplates'>): t.DocumentTemplate[] => page.document_templates;
    return this.paged('listDocumentTemplates', rows, query, options);
  }

  /** One template; its `variable_schema` says which values it takes. */
  get(id: string, query?: t.Query<'getDocumentTemplate'>, options?: CallOptions): Reply<'getDocumentTemplate'> {
    return this.transport.call('getDocumentTemplate', { path: { template_id: id }, query }, options);
  }
}

export class Files extends Resource {
  /** Reserves an upload; {@link upload} does this and the rest. */
  reserve(body: t.Body<'reserveFile'>, options?: CallOptions): Reply<'reserveFile'> {
    return this.transport.call('reserveFile', { body }, options);
  }

  /** Confirms an upload. Confirming it again changes nothing, so this may be sent again. */
  confirm(id: string, body: t.Body<'confirmFile'> = {}, options?: CallOptions): Reply<'confirmFile'> {
    return this.transport.call('confirmFile', { path: { file_id: id }, body, isRepeatable: true }, options);
  }

  /** Uploads a PDF in one call: reserves, sends the bytes to storage, confirms. Its id is a document's `file_id`. */
  upload(source: UploadSource, options: UploadOptions = {}): Promise<t.UploadedFile> {
    return uploadFile(this.transport, source, options);
  }
}

export class Ingest extends Resource {
  /** Loads a batch of records, once, however often the request must be sent. */
  async records(source: string, body: t.Body<'ingestRecords'>, options?: KeyedCallOptions): Reply<'ingestRecords'> {
    try {
      return await this.transport.call('ingestRecords', { path: { source_type: source }, body }, options);
    } catch (error) {
      if (!(error instanceof ApiError && (await isAccepted(error, body)))) throw error;
      const id = error.metadata.ingest_request_id ?? '';
      return { ingest_request_id: id, status: 'ACCEPTED', record_count: body.records.length };
    }
  }
}

/** Whether an earlier attempt of the same call was accepted, and only its answer was lost on its way. */
async function isAccepted({ mayHaveTakenEffect, status, reason, metadata }: ApiError, body: object): Promise<boolean> {
  if (!mayHaveTakenEffect || status !== 409 || reason !== 'INTEGRATION.IDEMPOTENCY_REQUIRED') return false;
  const sent = new TextEncoder().encode(JSON.stringify(body));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', sent));
  return metadata.body_sha256 === hexOf(digest);
}

export class WebhookEndpoints extends Resource {
  /** Subscribes a URL. The answer holds the secret, this once. */
  create(body: t.Body<'createWebhookEndpoint'>, options?: CallOptions): Reply<'createWebhookEndpoint'> {
    return this.transport.call('createWebhookEndpoint', { body }, options);
  }

  /** Sends a test event and answers with what happened. */
  test(id: string, body: t.Body<'testWebhookEndpoint'> = {}, options?: CallOptions): Reply<'testWebhookEndpoint'> {
    return this.transport.call('testWebhookEndpoint', { path: { id }, body }, options);
  }

  /** Deletes an endpoint. */
  delete(id: string, options?: CallOptions): Reply<'deleteWebhookEndpoint'> {
    return this.transport.call('deleteWebhookEndpoint', { path: { id } }, options);
  }
}
