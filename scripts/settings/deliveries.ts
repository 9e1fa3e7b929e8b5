/** `settings deliveries`: the log of what was sent to webhook endpoints, each attempt separately (D-27). */
import { type Command, Option } from 'commander';
import type { DeliveryRow, Filter } from '../../handlers/data/store.ts';
import { NO_LEASE } from '../../handlers/webhooks/schedule.ts';
import { limit } from './arguments.ts';
import { type Answer, type At, type Context, group, withExamples } from './context.ts';
import { columns, deliveryText, deliveryTold } from './deliveries-shown.ts';
import { watch } from './deliveries-watch.ts';
import { refuse } from './failure.ts';
import { findEndpoint } from './webhook-endpoints.ts';

const STATUSES: readonly DeliveryRow['status'][] = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'];

interface ListFlags {
  endpoint?: string;
  status?: DeliveryRow['status'];
  limit: number;
  watch?: boolean;
}

/** The deliveries that the options select, newest first. */
function newest({ store, tenant }: At, filter: Filter<DeliveryRow>, most: number): Promise<DeliveryRow[]> {
  return store.deliveries
    .find({ tenant_id: tenant._id, ...filter })
    .sort({ create_time: -1, _id: -1 })
    .limit(most)
    .toArray();
}

/** A delivery by its id, or by the id of its event if that event went to only one endpoint. */
async function find({ store, tenant }: At, wanted: string): Promise<DeliveryRow> {
  // The id of a delivery is the id of the event, a colon and a suffix. The semicolon is the next character after the
  // colon.
  const filter = { tenant_id: tenant._id, _id: { $gte: `${wanted}:`, $lt: `${wanted};` } };
  const whole = await store.deliveries.findOne({ _id: wanted, tenant_id: tenant._id });
  const [row, ...others] = whole ? [whole] : await store.deliveries.find(filter).limit(60).toArray();
  if (row === undefined)
    return refuse(`There is no delivery "${wanted}" in the tenant ${tenant.name}. See: settings deliveries list`);
  if (others.length === 0) return row;
  const ids = [row, ...others].map(({ _id }) => _id);
  return refuse(`That event went to several endpoints. Take the id of one delivery:\n  ${ids.join('\n  ')}`);
}

async function cancel(at: At, wanted: string): Promise<Answer> {
  const { _id, tenant_id } = await find(at, wanted);
  const row = await at.store.deliveries.findOneAndUpdate(
    { _id, tenant_id, status: 'PENDING' },
    { $set: { status: 'CANCELLED', next_at: null, ended_at: at.now } },
    { returnDocument: 'after' },
  );
  if (row === null) {
    const { status } = await find(at, _id);
    return refuse(`The delivery ${_id} is ${status}; only a pending one can be cancelled.`);
  }
  return { json: deliveryTold(row), text: `Cancelled the delivery ${_id} after ${row.attempt_count} attempts.` };
}

/**
 * Sends an event to an endpoint again, with the same event id: up to eight more attempts, the first at once. The
 * earlier attempts stay in the log.
 */
async function resend(at: At, wanted: string): Promise<Answer> {
  const { store, tenant } = at;
  const { _id, endpoint_id } = await find(at, wanted);
  const endpoint = await store.webhook_endpoints.findOne({ _id: endpoint_id, tenant_id: tenant._id });
  if (endpoint === null)
    return refuse(`The webhook endpoint ${endpoint_id} was deleted, so nothing can be sent to it.`);
  if (endpoint.status === 'DISABLED') {
    return refuse(
      `The webhook endpoint is disabled (${endpoint.disabled_reason}). Enable it first: settings webhook-endpoints enable ${endpoint_id}`,
    );
  }
  if (!tenant.developer_api_enabled) {
    return refuse(`The interface is switched off for the tenant ${tenant.name}, so nothing is sent.`);
  }
  // An attempt under way still has its result to write, and if it succeeds, no new attempt may be needed.
  const row = await store.deliveries.findOneAndUpdate(
    { _id, tenant_id: tenant._id, status: { $ne: 'PENDING' }, $expr: { $lt: ['$lease_until', '$$NOW'] } },
    {
      $set: {
        status: 'PENDING',
        next_at: at.now,
        attempt_count: 0,
        ended_at: null,
        lease_id: '',
        lease_until: NO_LEASE,
      },
    },
    { returnDocument: 'after' },
  );
  if (row !== null) {
    // It no longer counts as failed for good. If it fails again, it is counted again.
    await store.webhook_endpoints.updateOne({ _id: endpoint_id }, { $pull: { failed_delivery_ids: _id } });
    return {
      json: deliveryTold(row),
      text: `The delivery ${_id} is sent again. Follow it: settings deliveries list --watch`,
    };
  }
  const { status } = await find(at, _id);
  if (status === 'PENDING')
    return refuse(`The delivery ${_id} is pending already. See: settings deliveries show ${_id}`);
  return refuse(`An attempt of the delivery ${_id} is under way. Repeat this in half a minute, if it is needed then.`);
}

export function deliveriesCommand(context: Context): Command {
  const { inTenant, list } = context;
  const deliveries = group(
    'deliveries',
    'Deliveries of events to webhook endpoints: list, watch, show, cancel, resend. They are kept for 30 days.',
    ['deliveries list --status FAILED', 'deliveries list --watch', 'deliveries resend DELIVERY_ID'],
  );
  const lists = deliveries
    .command('list')
    .description('List deliveries, newest first.')
    .option('--endpoint <endpoint>', 'only those to one endpoint: id or URL')
    .addOption(new Option('--status <status>', 'only those in one status').choices(STATUSES))
    .option('--limit <N>', 'at most so many', limit, 50)
    .option('--watch', 'then print what changes among the newest ones, line by line, until Ctrl-C')
    .action(
      inTenant(async (at, flags: ListFlags) => {
        const filter = flags.endpoint ? { endpoint_id: (await findEndpoint(at, flags.endpoint))._id } : {};
        if (flags.watch) {
          await watch(context.surroundings, {
            read: () => newest(at, filter, flags.limit),
            isShown: ({ status }) => flags.status === undefined || flags.status === status,
            json: at.json,
          });
          return null;
        }
        const rows = await newest(at, { ...filter, ...(flags.status && { status: flags.status }) }, flags.limit);
        return list(rows, columns, rows.map(deliveryTold));
      }),
    );
  withExamples(lists, [
    'deliveries list --endpoint ENDPOINT_ID --status PENDING',
    'deliveries list --watch',
    'deliveries list --limit 1000 --json',
  ]);
  const show = deliveries
    .command('show')
    .description('Show a delivery: when each attempt was made, what came of it, when the next one is due.')
    .argument('<delivery>', 'id, or the id of an event that went to one endpoint')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await find(at, wanted);
        return { json: deliveryTold(row), text: deliveryText(row, context.surroundings.width) };
      }),
    );
  withExamples(show, ['deliveries show DELIVERY_ID', 'deliveries show EVENT_ID --json']);
  const cancelling = deliveries
    .command('cancel')
    .description('Make no further attempt of a pending delivery. An attempt under way may still succeed.')
    .argument('<delivery>', 'id, or the id of an event that went to one endpoint')
    .action(inTenant(cancel));
  withExamples(cancelling, ['deliveries cancel DELIVERY_ID']);
  const resending = deliveries
    .command('resend')
    .description('Send an event to its endpoint once more, under the same event id: up to eight attempts, at once.')
    .argument('<delivery>', 'id, or the id of an event that went to one endpoint')
    .action(inTenant(resend));
  withExamples(resending, ['deliveries resend DELIVERY_ID']);
  return deliveries;
}
