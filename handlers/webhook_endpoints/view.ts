import type { WebhookEndpoint } from '../../generated/client/types.gen.ts';
import { shownTime } from '../answers/shown-times.ts';
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
    disabled_at: shownTime(row, 'disabled_at'),
    create_time: shownTime(row, 'create_time'),
    update_time: shownTime(row, 'update_time'),
  };
}
