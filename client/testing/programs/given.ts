import {
  type DeveloperApi,
  type Employee,
  expressWebhook,
  fastifyWebhook,
  type WebhookEvent,
  webhookHandler,
} from 'developer-api-client';
import { fileAt } from 'developer-api-client/node';

declare const client: DeveloperApi;
declare const [type_id, template_id, secrets]: [string, string, string];
declare const template_values: Record<string, unknown>;
declare const steps: Parameters<DeveloperApi['documents']['setRoute']>[1]['steps'];
declare const signal: AbortSignal;
declare const load: () => Promise<string | undefined>;
declare const save: (employee: Employee) => Promise<void>;
declare const store: (since: string) => Promise<void>;
declare const onEvent: (event: WebhookEvent) => void;
declare const onError: (error: unknown) => void;
declare const onProgress: (sent: number, total: number) => void;
declare const app: { post(path: string, handler: unknown): void; register(plugin: unknown): void };
export const used = [expressWebhook, fastifyWebhook, webhookHandler, fileAt];
