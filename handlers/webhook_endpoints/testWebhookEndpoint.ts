import { randomUUID } from 'node:crypto';
import { fail } from '../answers/errors.ts';
import { timeText } from '../answers/shown-times.ts';
import type { Handler } from '../http/handler.ts';
import { now } from '../runtime/clock.ts';

/** Sends one test event, which is never repeated and never counts, and returns its outcome (D-25). */
export const testWebhookEndpoint: Handler<'testWebhookEndpoint'> = async ({ caller, path, webhooks }) => {
  const endpoint = await caller.webhookEndpoints.get(path.id);
  if (endpoint.status === 'DISABLED') fail('WEBHOOK_ENDPOINT_DISABLED');
  const { status_code, error } = await webhooks.postSigned(endpoint, {
    id: randomUUID(),
    type: 'webhook_endpoint.test',
    occurred_at: timeText(now(), 'occurred_at', endpoint._id),
    data: { webhook_endpoint_id: endpoint._id },
  });
  return { status_code, error };
};
