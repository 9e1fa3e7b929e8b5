/** The types of requests and answers. Requests are exact; answers tolerate what later releases of the service may add. */
import type { CallTypes, EventEnvelope } from '../../generated/client/calls.ts';
import type * as types from '../../generated/client/types.gen.ts';

export type OperationId = keyof CallTypes;

/**
 * A type of an answer. A value of an enumeration may be any text: editors still propose the known ones. `type` tells
 * alternatives apart and stays as it is. Objects may have further fields.
 */
export type Tolerant<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer Item)[]
    ? Tolerant<Item>[]
    : T extends Record<string, never>
      ? Record<string, unknown>
      : T extends object
        ? { [Key in keyof T]: Key extends 'type' ? T[Key] : Tolerant<T[Key]> }
        : T;

/** What an operation answers. */
export type Answer<Id extends OperationId> = Tolerant<CallTypes[Id]['answer']>;
/** The body that an operation takes. */
export type Body<Id extends OperationId> = Exclude<CallTypes[Id]['input']['body'], undefined>;
type QueryValues<T> = {
  [Key in keyof T]: T[Key] | (Key extends 'updated_since' | 'created_after' ? Date : never) | undefined;
};
/** The query parameters of an operation, none of which is required. An instant may be a Date. */
export type Query<Id extends OperationId> = QueryValues<Exclude<CallTypes[Id]['input']['query'], undefined>>;

export interface Employee extends Tolerant<types.Employee> {}
export interface Person extends Tolerant<types.Person> {}
export interface LoginMethod extends Tolerant<types.LoginMethod> {}
export interface Document extends Tolerant<types.Document> {}
export interface DocumentFile extends Tolerant<types.DocumentFile> {}
export interface Route extends Tolerant<types.Route> {}
export interface Step extends Tolerant<types.Step> {}
export interface Participant extends Tolerant<types.Participant> {}
export interface DocumentType extends Tolerant<types.DocumentType> {}
export interface DocumentCategory extends Tolerant<types.DocumentCategory> {}
export interface DocumentTemplate extends Tolerant<types.DocumentTemplate> {}
export interface UploadedFile extends Tolerant<types.UploadedFile> {}
export interface WebhookEndpoint extends Tolerant<types.WebhookEndpoint> {}
export type EmployeeStatus = Tolerant<types.EmployeeStatus>;
export type DocumentStatus = Tolerant<types.DocumentStatus>;

/** An event whose type came with a later release. */
export interface UnknownEvent {
  readonly id: string;
  /** Any other text, with or without these words: they keep the known types apart, so that `switch` narrows to them. */
  readonly type: `${string} of a later release`;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The envelope of a delivery; `type` tells what `data` names. */
export type WebhookEvent = EventEnvelope | UnknownEvent;
export type WebhookEventType = types.WebhookEventType;
