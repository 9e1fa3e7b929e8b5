export type { ErrorReason } from '../../generated/client/calls.ts';
export type { FieldViolation, StatusDetail } from '../../generated/client/types.gen.ts';
export type { ChangesQuery, EmployeeChanges, FollowQuery } from './changes.ts';
export { DeveloperApi, type FreeRequestInput } from './client.ts';
export type { Clock } from './clock.ts';
export * from './errors.ts';
export type { PagedList } from './paging.ts';
export * from './receiver.ts';
export type { UploadOptions, UploadSource } from './storage.ts';
export {
  type AttemptReport,
  answerOf,
  type CallOptions,
  type ClientOptions,
  type Fetch,
  type KeyedCallOptions,
  type Logger,
  type RawAnswer,
} from './transport.ts';
export type * from './types.ts';
export { VERSION } from './version.ts';
export { DocumentEndedError, type WaitOptions } from './waiting.ts';
export { signWebhook, type VerifyOptions, verifyWebhook, WebhookError, type WebhookFault } from './webhooks.ts';
