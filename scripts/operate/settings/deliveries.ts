/** `settings deliveries`: the log of what was sent to webhook endpoints, each attempt separately (D-27). */

import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryAttempt, DeliveryRow } from '../../../handlers/data/collections/deliveries.ts';
import { FREE, NO_LEASE } from '../../../handlers/data/lease.ts';
import type { Filter } from '../../../handlers/data/store.ts';
import { createLogger } from '../../../handlers/runtime/log.ts';
import { refuse } from '../../kit/command-line.ts';
import {
  type Answer,
  type Column,
  command,
  factsOfShape,
  type Group,
  listing,
  type TenantContext,
  tableOf,
  take,
  type ValueType,
} from './command.ts';
import { find, kinds, row, rowsOf } from './lookup.ts';
import { rowShape, type Shape, same, shown } from './shape.ts';
import { limitOf } from './values.ts';
import { outcomeOf } from './webhook-endpoints.ts';

const status: ValueType<DeliveryRow['status']> = {
  placeholder: 'status',
  choices: ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'],
};

const lastOutcome = ({ attempts }: DeliveryRow): string => {
  const last = attempts.at(-1);
  return last ? outcomeOf(last) : '';
};

const columns: readonly Column<DeliveryRow>[] = [
  ['CREATED', 'create_time'],
  ['EVENT', 'event_type'],
  ['STATUS', 'status'],
  ['ATTEMPTS', 'attempt_count'],
  ['LAST', lastOutcome],
  ['NEXT', 'next_at'],
  ['ID (EVENT:ENDPOINT)', '_id', 'id'],
];

/** What there is beside the attempts. */
const head: Shape<DeliveryRow> = {
  ...rowShape('event_id', 'event_type', 'occurred_at'),
  webhook_endpoint_id: ({ endpoint_id }) => endpoint_id,
  /** As in the envelope of the event. */
  data: ({ subject }) => ({ [subject.name]: subject.id }),
  ...same('status', 'next_at', 'attempt_count', 'create_time', 'ended_at'),
};

const json: Shape<DeliveryRow> = { ...head, ...same('attempts') };

function changeLine(row: DeliveryRow): string {
  const { _id, attempts, attempt_count, event_type, next_at, status } = row;
  const last = attempts.at(-1);
  const tried = last ? `attempt ${attempt_count}: ${outcomeOf(last)} after ${last.duration_ms} ms` : 'no attempt yet';
  const next = next_at === null ? '' : `, next at ${shown(next_at)}`;
  return `${status.padEnd(9)} ${event_type}  ${tried}${next}  ${_id}`;
}

const attemptColumns: readonly Column<DeliveryAttempt>[] = [
  ['ATTEMPT', 'at'],
  ['STATUS CODE', ({ status_code }) => (status_code === 0 ? '' : String(status_code))],
  ['ERROR', 'error'],
  ['TOOK', ({ duration_ms }) => `${duration_ms} ms`],
];

const LOOK_EVERY_MS = 500;

/** The part of a row whose change is shown; a change of its lease is not. */
function stateOf({ status, next_at, attempts }: DeliveryRow): string {
  return JSON.stringify([status, next_at, attempts]);
}

/** The rows that `read` gives, oldest first, then each that is new or has changed, until it is stopped. */
async function* watch(
  read: () => Promise<DeliveryRow[]>,
  isShown: (row: DeliveryRow) => boolean,
  stopped: AbortSignal,
): AsyncGenerator<Answer<DeliveryRow>> {
  let before = new Map<string, string>();
  while (!stopped.aborted) {
    const rows = await read();
    for (const row of rows.toReversed()) {
      if (before.get(row._id) === stateOf(row) || !isShown(row)) continue;
      yield { of: row, text: changeLine(row) };
    }
    before = new Map(rows.map((row) => [row._id, stateOf(row)]));
    await delay(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => {});
  }
}

/** The deliveries that the options select, newest first. */
const newest = (at: TenantContext, filter: Filter<DeliveryRow>, limit: number): Promise<DeliveryRow[]> =>
  rowsOf(at, 'deliveries', filter, { sort: { create_time: -1, _id: -1 }, limit });

const delivery = take.argument(row(kinds.delivery));

export const deliveries: Group = {
  about: 'Deliveries of events to webhook endpoints: list, watch, show, cancel, resend. They are kept for 30 days.',
  examples: ['deliveries list --status FAILED', 'deliveries list --watch', 'deliveries resend DELIVERY_ID'],
  commands: {
    list: command({
      about: 'List deliveries, newest first.',
      reads: true,
      json,
      takes: {
        endpoint: take.optional(row(kinds.webhook_endpoint), 'only deliveries to this endpoint: id or URL'),
        status: take.optional(status, 'only deliveries with this status'),
        limit: limitOf(50),
        watch: take.flag('then print each change of the newest ones, line by line, until Ctrl-C'),
      },
      examples: [
        'deliveries list --endpoint ENDPOINT_ID --status PENDING',
        'deliveries list --watch',
        'deliveries list --limit 1000 --json',
      ],
      async run(at, { endpoint, status, limit, watch: isWatching }) {
        const filter = endpoint ? { endpoint_id: endpoint._id } : {};
        if (isWatching) {
          const isShown = (row: DeliveryRow) => status === undefined || status === row.status;
          return watch(() => newest(at, filter, limit), isShown, at.untilStopped());
        }
        const rows = await newest(at, { ...filter, ...(status && { status }) }, limit);
        return listing(rows, columns);
      },
    }),
    show: command({
      about: 'Show a delivery: the time and the result of each attempt, and when the next one is due.',
      reads: true,
      json,
      takes: { delivery },
      examples: ['deliveries show DELIVERY_ID', 'deliveries show EVENT_ID --json'],
      async run(_, { delivery }) {
        const tables = delivery.attempts.length === 0 ? [] : [tableOf(delivery.attempts, attemptColumns)];
        return { of: delivery, text: [factsOfShape(head, delivery), ...tables] };
      },
    }),
    cancel: command({
      about: 'Make no further attempt of a pending delivery. An attempt in progress may still succeed.',
      json,
      takes: { delivery },
      examples: ['deliveries cancel DELIVERY_ID'],
      async run(at, { delivery: { _id, tenant_id } }) {
        const row = await at.store.deliveries.findOneAndUpdate(
          { _id, tenant_id, status: 'PENDING' },
          { $set: { status: 'CANCELLED', next_at: null, ended_at: at.now } },
          { returnDocument: 'after' },
        );
        if (row !== null)
          return { of: row, text: `Cancelled the delivery ${_id} after ${row.attempt_count} attempts.` };
        const { status } = await find(at, kinds.delivery, _id);
        return refuse(`The delivery ${_id} is ${status}; only a pending one can be cancelled.`);
      },
    }),
    resend: command({
      about: 'Send an event to its endpoint again, with the same event id: up to eight attempts, starting immediately.',
      json,
      takes: { delivery },
      examples: ['deliveries resend DELIVERY_ID'],
      /** Up to eight more times; the earlier attempts stay in the log. */
      async run(at, { delivery: { _id, endpoint_id } }) {
        const { store, tenant } = at;
        const [endpoint] = await rowsOf(at, 'webhook_endpoints', { _id: endpoint_id });
        if (endpoint === undefined)
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
          { _id, tenant_id: tenant._id, status: { $ne: 'PENDING' }, ...FREE },
          { $set: { status: 'PENDING', next_at: at.now, attempt_count: 0, ended_at: null, ...NO_LEASE } },
          { returnDocument: 'after' },
        );
        if (row === null) {
          const { status } = await find(at, kinds.delivery, _id);
          if (status === 'PENDING')
            return refuse(`The delivery ${_id} is pending already. See: settings deliveries show ${_id}`);
          return refuse(
            `An attempt of the delivery ${_id} is under way. Repeat this in half a minute, if it is needed then.`,
          );
        }
        // It no longer counts as failed for good. If it fails again, it is counted again.
        await store.webhook_endpoints.updateOne({ _id: endpoint_id }, { $pull: { failed_delivery_ids: _id } });
        // Otherwise a worker finds it only when its watch looks. Other commands need no Agenda.
        const { openScheduler } = await import('../../../handlers/jobs/scheduler.ts');
        await (await openScheduler(store, createLogger('silent'))).schedule('deliver', endpoint_id, at.now);
        return { of: row, text: `The delivery ${_id} is sent again. Follow it: settings deliveries list --watch` };
      },
    }),
  },
};
