/** Endpoints, deliveries and a receiver for tests of the jobs. */
import { randomUUID } from 'node:crypto';
import type { DeliveryRow } from '../../handlers/data/collections/deliveries.ts';
import type { TenantRow } from '../../handlers/data/collections/tenants.ts';
import type { WebhookEndpointRow } from '../../handlers/data/collections/webhook_endpoints.ts';
import { NO_LEASE } from '../../handlers/data/lease.ts';
import type { Store } from '../../handlers/data/store.ts';
import { now } from '../../handlers/runtime/clock.ts';
import type { Sender, SendResult } from '../../handlers/webhooks/attempt.ts';
import type { Envelope } from '../../handlers/webhooks/webhooks.ts';
import { eventually } from '../kit/eventually.ts';
import { endpointRow } from './tenant.ts';

/** A tenant with endpoints, without owners or keys. */
export class Receivers {
  readonly store: Store;
  readonly tenantId = randomUUID();
  private slots = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** Makes the tenant, or sets its flag. @param more further fields of the row */
  async flag(developer_api_enabled = true, more: Partial<TenantRow> = {}): Promise<void> {
    const at = now();
    await this.store.tenants.updateOne(
      { _id: this.tenantId },
      {
        $set: { name: 'test', developer_api_enabled, ...more },
        $setOnInsert: { time_zone: 'Asia/Almaty', create_time: at, update_time: at },
      },
      { upsert: true },
    );
  }

  async endpoint(changes: Partial<WebhookEndpointRow> = {}): Promise<string> {
    const row = endpointRow({ tenant_id: this.tenantId, slot: this.slots++, ...changes });
    await this.store.webhook_endpoints.insertOne(row);
    return row._id;
  }

  async deliveries(endpoint_id: string, count: number, changes: Partial<DeliveryRow> = {}): Promise<string[]> {
    const own = { tenant_id: this.tenantId, endpoint_id, ...changes };
    const rows = Array.from({ length: count }, () => deliveryRow(own));
    await this.store.deliveries.insertMany(rows);
    return rows.map(({ _id }) => _id);
  }

  async delivery(id: string): Promise<DeliveryRow> {
    const row = await this.store.deliveries.findOne({ _id: id });
    if (row === null) throw new Error('no such delivery');
    return row;
  }

  async endpointRow(id: string): Promise<WebhookEndpointRow> {
    const row = await this.store.webhook_endpoints.findOne({ _id: id });
    if (row === null) throw new Error('no such endpoint');
    return row;
  }

  async statuses(endpoint_id: string): Promise<Record<string, number>> {
    const rows = await this.store.deliveries.find({ endpoint_id }, { projection: { status: 1 } }).toArray();
    const counts: Record<string, number> = {};
    for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

/** A delivery that is due, of an event of its own. */
function deliveryRow(changes: Partial<DeliveryRow> & Pick<DeliveryRow, 'tenant_id' | 'endpoint_id'>): DeliveryRow {
  const { event_id = randomUUID() } = changes;
  return {
    _id: `${event_id}:${changes.endpoint_id}`,
    event_id,
    event_type: 'document.sent',
    occurred_at: now(),
    subject: { name: 'document_id', id: randomUUID() },
    status: 'PENDING',
    next_at: now(),
    attempt_count: 0,
    ...NO_LEASE,
    attempts: [],
    create_time: now(),
    ended_at: null,
    ...changes,
  };
}

export const OK: SendResult = { status_code: 200, error: '', duration_ms: 3 };
export const DOWN: SendResult = { status_code: 503, error: '', duration_ms: 3 };

/** Records what is sent, and answers it. */
export class Outside {
  readonly sent: { readonly endpointId: string; readonly envelope: Envelope }[] = [];
  /** Sends that have no answer yet. */
  readonly open: { readonly endpointId: string; readonly answer: (sent: SendResult) => void }[] = [];
  /** Answers a send; if it is undefined, the send waits in {@link open}. */
  answer: (endpointId: string, envelope: Envelope) => SendResult | undefined = () => OK;

  readonly send: Sender = async ({ _id: endpointId }, envelope, signal) => {
    this.sent.push({ endpointId, envelope });
    const at = this.answer(endpointId, envelope);
    if (at !== undefined) return at;
    const { promise, resolve, reject } = Promise.withResolvers<SendResult>();
    this.open.push({ endpointId, answer: resolve });
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  };

  sentTo(endpointId: string): number {
    return this.sent.filter((each) => each.endpointId === endpointId).length;
  }

  async waiting(count: number): Promise<void> {
    await eventually(`${count} sends under way`, () => this.open.length === count);
  }
}
