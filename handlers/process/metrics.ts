/** Prometheus metrics, served on a separate loopback port. Labels come from the contract, never from callers. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

export const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the request head to the end of the answer.',
  labelNames: ['operation_id', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const errorsTotal = new Counter({
  name: 'api_errors_total',
  help: 'Answers with an error, by its name in the catalogue.',
  labelNames: ['error_name'],
  registers: [registry],
});

export const eventsRelayed = new Counter({
  name: 'events_relayed_total',
  help: 'Events that left the outbox, whether or not somebody subscribes to them.',
  registers: [registry],
});

export const deliveriesCreated = new Counter({
  name: 'webhook_deliveries_created_total',
  help: 'Deliveries that the relay has made: one for each event and subscribed endpoint.',
  registers: [registry],
});

export const deliveriesEnded = new Counter({
  name: 'webhook_deliveries_ended_total',
  help: 'Deliveries that came to their end, by what it was.',
  labelNames: ['status'],
  registers: [registry],
});

export const deliveryAttempts = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Time of one attempt of a delivery; the result is success, the class of a status, or of an error.',
  labelNames: ['result'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const deliveriesUnderWay = new Gauge({
  name: 'webhook_attempts_under_way',
  help: 'Attempts of deliveries that this process is making.',
  registers: [registry],
});

export const clockDifference = new Gauge({
  name: 'clock_difference_seconds',
  help: "How far the database's clock is ahead of this machine's.",
  registers: [registry],
});
