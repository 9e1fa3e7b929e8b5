/** `settings webhook-endpoints`: where the tenant's events are sent, and whether that works (D-24, D-27). */

import type { DeliveryAttempt } from '../../../handlers/data/collections/deliveries.ts';
import type { WebhookEndpointRow } from '../../../handlers/data/collections/webhook_endpoints.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { webhookSecretKeys } from '../../../handlers/runtime/config.ts';
import { cancelPending } from '../../../handlers/webhooks/schedule.ts';
import { SecretUnreadable, secretBox } from '../../../handlers/webhooks/secrets.ts';
import { EXIT, Failure, misuse, refuse } from '../../kit/command-line.ts';
import {
  type Answer,
  type Column,
  command,
  commandForAllTenants,
  factsOfShape,
  type Group,
  listing,
  type TenantContext,
  take,
} from './command.ts';
import { givenSecret } from './connect.ts';
import { kinds, row, rowsOf } from './lookup.ts';
import { rowShape, type Shape, same, shown } from './shape.ts';

/** The last outcome of an endpoint is looked up among this many of its newest deliveries. */
const NEWEST = 50;

interface ShownEndpoint extends WebhookEndpointRow {
  readonly pending: number;
  /** The latest attempt that has ended; absent if there was none. */
  readonly last: DeliveryAttempt | undefined;
}

/** A URL without its query, which may hold a secret token. */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '?…');
}

/** The result of an attempt in one word: the receiver's status or the class of the error. */
export function outcomeOf({ status_code, error }: DeliveryAttempt): string {
  return error || String(status_code);
}

function stateOf({ status, disabled_reason }: WebhookEndpointRow): string {
  return status === 'ACTIVE' ? 'active' : `disabled (${disabled_reason})`;
}

const columns: readonly Column<ShownEndpoint>[] = [
  ['URL', 'url'],
  ['STATE', stateOf],
  ['FAILED IN A ROW', ({ failed_delivery_ids }) => String(failed_delivery_ids.length)],
  ['PENDING', 'pending'],
  ['LAST OUTCOME', ({ last }) => (last ? `${outcomeOf(last)} ${shown(last.at)}` : '')],
  ['EVENTS', ({ event_types }) => String(event_types.length)],
  ['ID', '_id', 'id'],
];

const json: Shape<ShownEndpoint> = {
  ...rowShape('url', 'event_types', 'status', 'disabled_reason', 'disabled_at', 'create_time', 'update_time'),
  failures_in_a_row: ({ failed_delivery_ids }) => failed_delivery_ids.length,
  pending: ({ pending }) => pending,
  last_outcome: ({ last }) => last ?? null,
};

async function seen(at: TenantContext, row: WebhookEndpointRow): Promise<ShownEndpoint> {
  const { tenant_id, _id: endpoint_id } = row;
  const pending = await at.store.deliveries.countDocuments({ tenant_id, endpoint_id, status: 'PENDING' });
  const options = { projection: { attempts: 1 }, sort: { create_time: -1, _id: -1 }, limit: NEWEST } as const;
  const newest = await rowsOf(at, 'deliveries', { endpoint_id }, options);
  const [last] = newest.flatMap(({ attempts }) => attempts).sort((a, b) => b.at.getTime() - a.at.getTime());
  return { ...row, url: withoutQuery(row.url), pending, last };
}

async function answer(at: TenantContext, { _id }: WebhookEndpointRow, done: string): Promise<Answer<ShownEndpoint>> {
  const [row] = await rowsOf(at, 'webhook_endpoints', { _id });
  if (row === undefined) return refuse(`The webhook endpoint ${_id} was deleted meanwhile.`);
  return { of: await seen(at, row), text: `${done}: ${withoutQuery(row.url)} (${_id}).` };
}

/** Encrypts every secret with the first key, in all tenants; a second run continues where the first one ended. */
async function rotateKey(store: Store, configured: string | undefined) {
  if (configured === undefined) return misuse('WEBHOOK_SECRET_KEYS is not set, so there is no key to change to.');
  const keys = webhookSecretKeys(configured);
  if (keys === undefined) return misuse('WEBHOOK_SECRET_KEYS must be comma-separated keys of 32 bytes in base64url.');
  const box = secretBox(store, keys);
  const unreadable: string[] = [];
  let [resealed, kept] = [0, 0];
  const rows = store.webhook_endpoints.find({}, { projection: { sealed_secret: 1 } }).sort({ _id: 1 });
  for await (const { _id, sealed_secret } of rows) {
    try {
      const sealed = await box.reseal(_id, sealed_secret);
      if (sealed === undefined) kept++;
      else {
        const change = { $set: { sealed_secret: sealed } };
        resealed += (await store.webhook_endpoints.updateOne({ _id, sealed_secret }, change)).modifiedCount;
      }
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable.push(_id);
    }
  }
  const done = `Encrypted ${resealed} secrets with the first key; ${kept} were before.`;
  const of = { resealed, kept, unreadable };
  if (unreadable.length === 0) return { of, text: `${done} The other keys are not needed any more.` };
  const missing =
    `No key of WEBHOOK_SECRET_KEYS opens the secrets of ${unreadable.length} endpoints:\n` +
    `  ${unreadable.join('\n  ')}\nAdd the key that they were encrypted with, and repeat this.`;
  return { of, text: done, failure: new Failure(EXIT.refused, missing) };
}

const endpoint = take.argument(row(kinds.webhook_endpoint));

export const webhookEndpoints: Group = {
  about: 'Webhook endpoints: list, show, disable, enable, and change the key that encrypts their secrets.',
  examples: ['webhook-endpoints list', 'webhook-endpoints disable ENDPOINT_ID', 'webhook-endpoints enable ENDPOINT_ID'],
  commands: {
    list: command({
      about: 'List the endpoints of the tenant: state, consecutive failures, pending deliveries, last outcome.',
      reads: true,
      json,
      examples: ['webhook-endpoints list', 'webhook-endpoints list --json'],
      async run(at) {
        const rows = await rowsOf(at, 'webhook_endpoints', {}, { sort: { slot: 1 } });
        return listing(await Promise.all(rows.map((row) => seen(at, row))), columns);
      },
    }),
    show: command({
      about: 'Show an endpoint with its event types. Nothing ever shows its secret again.',
      reads: true,
      json,
      takes: { endpoint },
      examples: ['webhook-endpoints show ENDPOINT_ID'],
      async run(at, { endpoint }) {
        const one = await seen(at, endpoint);
        return { of: one, text: [factsOfShape(json, one)] };
      },
    }),
    disable: command({
      about: 'Stop sending to an endpoint, and cancel its pending deliveries.',
      json,
      takes: { endpoint },
      examples: ['webhook-endpoints disable ENDPOINT_ID'],
      /** An attempt under way is the last one. */
      async run(at, { endpoint: row }) {
        const { _id, tenant_id } = row;
        const { modifiedCount } = await at.store.webhook_endpoints.updateOne(
          { _id, tenant_id, status: 'ACTIVE' },
          { $set: { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at.now, update_time: at.now } },
        );
        // Also if the endpoint was already disabled: the process that disabled it may have ended before it cancelled the
        // deliveries.
        await cancelPending(at.store, tenant_id, _id);
        const done = modifiedCount === 1 ? 'Disabled the webhook endpoint' : 'The webhook endpoint was disabled before';
        return answer(at, row, done);
      },
    }),
    enable: command({
      about: 'Send to an endpoint again. The count of failures is reset; events from the meantime are not sent.',
      json,
      takes: { endpoint },
      examples: ['webhook-endpoints enable ENDPOINT_ID'],
      async run(at, { endpoint: row }) {
        if (row.status === 'ACTIVE') return answer(at, row, 'The webhook endpoint is active already');
        const { _id, tenant_id } = row;
        await cancelPending(at.store, tenant_id, _id);
        const counted = { failed_delivery_ids: [], update_time: at.now };
        await at.store.webhook_endpoints.updateOne(
          { _id, tenant_id, status: 'DISABLED' },
          { $set: { status: 'ACTIVE', disabled_reason: '', disabled_at: null, ...counted } },
        );
        return answer(at, row, 'Enabled the webhook endpoint');
      },
    }),
    'rotate-key': commandForAllTenants({
      about: 'Encrypt the secrets of all tenants with the first key of WEBHOOK_SECRET_KEYS.',
      json: same('resealed', 'kept', 'unreadable'),
      note: `
First every process needs the new key behind the old one, then in front of it, as deploy/RUNBOOK.md says; then run this; then
drop the old key. It may be interrupted and repeated at any time, while the service runs.`,
      examples: ['webhook-endpoints rotate-key'],
      run: ({ store, env }) => rotateKey(store, givenSecret(env, 'WEBHOOK_SECRET_KEYS')),
    }),
  },
};
