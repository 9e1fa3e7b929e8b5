import type { methods } from '../../generated/client/calls.ts';
import * as resources from './resources.ts';
import { type ClientOptions, type KeyedCallOptions, type RawAnswer, Transport } from './transport.ts';
import type { OperationId } from './types.ts';

export interface FreeRequestInput {
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** The Developer API for one key. It paces the requests of the key, so make one and share it. */
export class DeveloperApi {
  readonly apiKey: resources.ApiKey;
  readonly loginMethods: resources.LoginMethods;
  readonly employees: resources.Employees;
  readonly documents: resources.Documents;
  readonly documentTypes: resources.DocumentTypes;
  readonly documentCategories: resources.DocumentCategories;
  readonly documentTemplates: resources.DocumentTemplates;
  readonly files: resources.Files;
  readonly ingest: resources.Ingest;
  readonly webhookEndpoints: resources.WebhookEndpoints;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.apiKey = new resources.ApiKey(transport);
    this.loginMethods = new resources.LoginMethods(transport);
    this.employees = new resources.Employees(transport);
    this.documents = new resources.Documents(transport);
    this.documentTypes = new resources.DocumentTypes(transport);
    this.documentCategories = new resources.DocumentCategories(transport);
    this.documentTemplates = new resources.DocumentTemplates(transport);
    this.files = new resources.Files(transport);
    this.ingest = new resources.Ingest(transport);
    this.webhookEndpoints = new resources.WebhookEndpoints(transport);
  }

  /**
   * Sends any request, such as an operation of a later release, or one whose headers are wanted.
   * @param path with the prefix `/developer/v1`
   */
  request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { query, body }: FreeRequestInput = {},
    options: KeyedCallOptions = {},
  ): Promise<RawAnswer> {
    const { idempotencyKey } = options;
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined;
    return this.#transport.send(
      { operation: `${method} request`, method, path, query, body, headers, isRepeatable },
      options,
    );
  }
}

type MissingMethod = {
  [Id in OperationId]: (typeof methods)[Id]['name'] extends keyof DeveloperApi[(typeof methods)[Id]['resource']]
    ? never
    : Id;
}[OperationId];
/** Does not compile while an operation of the contract has no method. */
type EveryMethod<Missing extends never> = Missing;
export type AllOperationsHaveMethods = EveryMethod<MissingMethod>;
