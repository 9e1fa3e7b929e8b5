import { randomUUID } from 'node:crypto';
import { fail } from '../answers/errors.ts';
import type { WebhookEndpointRow } from '../data/collections/webhook_endpoints.ts';
import { untilWritten } from '../data/writes.ts';
import type { Handler } from '../http/handler.ts';
import { now } from '../runtime/clock.ts';
import { webhookEndpointView } from './view.ts';

/** How many endpoints a tenant may have; a unique index over their slots makes this exact (D-24). */
const MAX_ENDPOINTS = 50;

/** Subscribes a URL to events; the only answer that shows the secret (D-24, D-28). */
export const createWebhookEndpoint: Handler<'createWebhookEndpoint'> = async ({ caller, body, webhooks }) => {
  const url = new URL(body.url).href;
  const endpoints = caller.inTenant('webhook_endpoints');
  const _id = randomUUID();
  const { secret, sealed_secret } = await webhooks.newSecret(_id);
  // Each failed try has lost its place to another creation, so an honest client never needs more tries than places.
  return untilWritten(MAX_ENDPOINTS + 1, async () => {
    const taken = new Set((await endpoints.list({}, { slot: 1 })).map((row) => row.slot));
    const free = Array.from({ length: MAX_ENDPOINTS }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    // A random one, since simultaneous creations would all try the first one.
    const slot = free[Math.floor(Math.random() * free.length)];
    if (slot === undefined) fail('WEBHOOK_ENDPOINT_LIMIT_REACHED');
    const at = now();
    const row: WebhookEndpointRow = {
      _id,
      tenant_id: caller.tenant.id,
      url,
      event_types: [...body.event_types],
      status: 'ACTIVE',
      disabled_reason: '',
      disabled_at: null,
      sealed_secret,
      slot,
      failed_delivery_ids: [],
      create_time: at,
      update_time: at,
    };
    if (!(await endpoints.insert(row))) return undefined;
    return { webhook_endpoint: webhookEndpointView(row), secret };
  });
};
