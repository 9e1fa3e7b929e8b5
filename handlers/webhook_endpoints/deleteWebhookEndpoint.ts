import { fail } from '../answers/errors.ts';
import type { Handler } from '../http/handler.ts';

/** Deletes an endpoint, then cancels its pending deliveries (D-24); those of a missing endpoint are never attempted. */
export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = async ({ caller, path, webhooks }) => {
  const { _id } = await caller.webhookEndpoints.get(path.id);
  if (!(await caller.inTenant('webhook_endpoints').remove({ _id }))) fail('WEBHOOK_ENDPOINT_NOT_FOUND');
  await webhooks.cancelPending(caller.tenant.id, _id);
  return {};
};
