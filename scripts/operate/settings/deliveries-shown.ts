/** How the settings tool shows deliveries. They hold only ids, states and times. */
import type { DeliveryRow } from '../../../handlers/data/collections/deliveries.ts';
import { type Answer, type Column, tableOf } from './command.ts';
import { shown } from './values.ts';
import { outcomeOf } from './webhook-endpoints.ts';

const lastOutcome = ({ attempts }: DeliveryRow): string => {
  const last = attempts.at(-1);
  return last ? outcomeOf(last) : '';
};

export const columns: readonly Column<DeliveryRow>[] = [
  ['CREATED', ({ create_time }) => shown(create_time)],
  ['EVENT', ({ event_type }) => event_type],
  ['STATUS', ({ status }) => status],
  ['ATTEMPTS', ({ attempt_count }) => String(attempt_count)],
  ['LAST', lastOutcome],
  ['NEXT', ({ next_at }) => shown(next_at)],
  ['ID (EVENT:ENDPOINT)', ({ _id }) => _id],
];

/** A delivery for scripts, without its lease: scripts need not know which process works on it. */
export function deliveryJson({ lease_id: _, lease_until: __, ...row }: DeliveryRow): object {
  return row;
}

/** One line about a delivery that has changed. */
export function changeLine(row: DeliveryRow): string {
  const { _id, attempts, attempt_count, event_type, next_at, status } = row;
  const last = attempts.at(-1);
  const tried = last ? `attempt ${attempt_count}: ${outcomeOf(last)} after ${last.duration_ms} ms` : 'no attempt yet';
  const next = next_at === null ? '' : `, next at ${shown(next_at)}`;
  return `${status.padEnd(9)} ${event_type}  ${tried}${next}  ${_id}`;
}

/** A delivery with the log of its attempts. */
export function deliveryAnswer(row: DeliveryRow): Answer {
  const facts: [string, string][] = [
    ['id', row._id],
    ['endpoint', row.endpoint_id],
    ['event', `${row.event_type} ${row.event_id}`],
    ['occurred', shown(row.occurred_at)],
    ['about', `${row.subject.name} ${row.subject.id}`],
    ['status', row.status],
    ['attempts', String(row.attempt_count)],
    ['next', shown(row.next_at)],
    ['created', shown(row.create_time)],
    ['ended', shown(row.ended_at)],
  ];
  const attempts = tableOf(row.attempts, [
    ['ATTEMPT', ({ at }) => shown(at)],
    ['STATUS CODE', ({ status_code }) => (status_code === 0 ? '' : String(status_code))],
    ['ERROR', ({ error }) => error],
    ['TOOK', ({ duration_ms }) => `${duration_ms} ms`],
  ]);
  return { json: deliveryJson(row), text: row.attempts.length === 0 ? [{ facts }] : [{ facts }, attempts] };
}
