/** Signed events for the endpoints of tenants. All webhooks are sent through here. */
import type { WebhookEndpointRow } from '../data/collections/webhook_endpoints.ts';
import type { Store } from '../data/store.ts';
import { nowMs } from '../runtime/clock.ts';
import { traceparent } from '../runtime/tracing.ts';
import { serviceSignature } from './delivery-signature.ts';
import type { Outbound, PostOutcome } from './outbound/outbound.ts';
import { cancelPending } from './schedule.ts';
import { newWebhookSecret, type SecretBox } from './secrets.ts';

/** The content of a delivery: a thin event, which names the object to read again. */
export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface Webhooks {
  /** See {@link Outbound.problemOf}. */
  problemOf: Outbound['problemOf'];
  /** A secret for a new endpoint, and its sealed form to be stored. */
  newSecret(endpointId: string): Promise<{ secret: string; sealed_secret: string }>;
  /**
   * Makes one attempt, signed with the present time (D-27); its `traceparent` is that of what is being done.
   * @throws SecretUnreadable, which is not a fault of the endpoint; the signal's reason if the attempt was given up
   */
  postSigned(endpoint: Receiver, envelope: Envelope, signal?: AbortSignal): Promise<PostOutcome>;
  /** Cancels the pending deliveries of a deleted endpoint (D-24). */
  cancelPending(tenantId: string, endpointId: string): Promise<void>;
}

/** The fields of an endpoint that a delivery needs. */
export type Receiver = Pick<WebhookEndpointRow, '_id' | 'url' | 'sealed_secret'>;

/** @param outbound sends the requests; its maker must stop it */
export function openWebhooks(
  store: Store,
  outbound: Pick<Outbound, 'problemOf' | 'post'>,
  secrets: SecretBox,
): Webhooks {
  return {
    problemOf: outbound.problemOf,
    async newSecret(endpointId) {
      const secret = newWebhookSecret();
      return { secret, sealed_secret: await secrets.seal(endpointId, secret) };
    },
    async postSigned({ _id, url, sealed_secret }, envelope, signal) {
      const secret = await secrets.open(_id, sealed_secret);
      const body = JSON.stringify(envelope);
      const parent = traceparent();
      const headers = {
        'Content-Type': 'application/json',
        'Service-Signature': serviceSignature(secret, body, nowMs()),
        'User-Agent': 'developer-api-webhooks',
        ...(parent !== undefined && { traceparent: parent }),
      };
      return outbound.post({ url, body, headers, signal });
    },
    cancelPending: (tenantId, endpointId) => cancelPending(store, tenantId, endpointId),
  };
}
