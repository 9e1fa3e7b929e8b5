/** Prometheus metrics, served on a separate loopback port. Labels come from the contract, never from callers. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
