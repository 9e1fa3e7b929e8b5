import { type CollectionDeclaration, query } from '../collection.ts';

/** A subscription of a tenant's URL to events (D-24). */
export interface WebhookEndpointRow {
  _id: string;
  tenant_id: string;
  /** Canonical, as `URL.href` writes it. */
  url: string;
  event_types: string[];
  status: 'ACTIVE' | 'DISABLED';
  disabled_reason: '' | 'CONSECUTIVE_FAILURES' | 'MANUAL';
  disabled_at: Date | null;
  /** The secret, encrypted and bound to this row's id. */
  sealed_secret: string;
  /** One of the tenant's 50 places; a unique index makes the limit exact. */
  slot: number;
  /** The latest deliveries in a row that failed for good. The 20th disables the endpoint; a success empties this. */
  failed_delivery_ids: string[];
  create_time: Date;
  update_time: Date;
}

export const webhookEndpoints: CollectionDeclaration<WebhookEndpointRow> = {
  keeps: {
    holds: 'webhook endpoints, until a request deletes them',
    until: 'the tenant is deleted',
    because: 'at most 50 for each tenant',
  },
  life: {
    url: 'kept',
    event_types: 'kept',
    status: 'kept',
    disabled_reason: 'kept',
    disabled_at: 'kept',
    sealed_secret: 'kept',
    slot: 'kept',
    failed_delivery_ids: 'kept',
    create_time: 'kept',
    update_time: 'kept',
  },
  indexes: [
    {
      key: { tenant_id: 1, slot: 1 },
      options: { unique: true },
      serves: [query.find('the endpoints of a tenant, at most 50')],
    },
    { key: { status: 1, disabled_reason: 1 }, serves: [query.count('metrics: how many are disabled')] },
  ],
};
