import type { WebhookEndpoint } from '../../generated/client/types.gen.ts';
import type { WebhookEndpointRow } from '../data/collections/webhook_endpoints.ts';
import type { VisibleRow } from '../data/reads.ts';

/** A webhook endpoint as the contract shows it (D-24): never its secret. */
export function webhookEndpointView(row: VisibleRow<WebhookEndpointRow>): WebhookEndpoint {
  return {
    id: row._id,
    url: row.url,
    event_types: row.event_types as WebhookEndpoint['event_types'],
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? '',
    create_time: row.create_time.toISOString(),
    update_time: row.update_time.toISOString(),
  };
}
