/** Do events arrive? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowest, slowestOf } from './queries.ts';

export const events: QuestionPage = {
  name: 'events',
  question: 'Do events arrive?',
  about:
    'From a changed row (the outbox) to the attempt to deliver its event. Objective: 99 % of first attempts within 5 s of the change, in 30 days.',
  numbers: [
    {
      title: 'Age of the oldest event in the outbox',
      about: 'A worker relays events within a second. More means that no worker does.',
      unit: 's',
      queries: { oldest: 'max(outbox_oldest_age_seconds)' },
      limits: { warn: 10, bad: 60 },
    },
    {
      title: 'Longest overdue attempt',
      about:
        'How long the attempt has been due that has been due longest, of endpoints at which none is under way. More than seconds: workers have no free place.',
      unit: 's',
      queries: { overdue: 'max(webhook_deliveries_oldest_due_seconds)' },
      limits: { warn: 30, bad: 120 },
    },
    {
      title: 'First attempts later than 5 s',
      about: 'The share of the last 5 minutes.',
      unit: 'percentunit',
      queries: { late: 'slo:sli_error:ratio_rate5m{slo="delivery"}' },
      limits: { warn: 0.01, bad: 0.144 },
    },
    {
      title: 'Error budget left of 30 days',
      about: '100 %: no event came late. Below 0 % the objective is missed.',
      unit: 'percentunit',
      queries: { left: 'slo:error_budget_remaining:ratio{slo="delivery"}' },
      limits: { warn: 0.5, bad: 0, isLow: true },
    },
    {
      title: 'Endpoints that are disabled',
      about: 'Their customers get no events until they enable them again.',
      unit: 'short',
      queries: { disabled: 'max(sum by (instance) (webhook_endpoints_disabled))' },
    },
  ],
  others: [
    {
      title: 'Receivers that are slow',
      about: 'For how long events have waited for a receiver that answers others meanwhile: the five worst endpoints.',
      unit: 's',
      limits: { warn: 300, bad: 3_600 },
      queries: {
        '{{tenant_id}} {{endpoint_id}}': 'max by (tenant_id, endpoint_id) (webhook_endpoint_oldest_due_seconds)',
      },
    },
    {
      title: 'Time from the change to the first attempt',
      about: 'Half, 95 % and 99 % of the events are faster. The dashed line is the objective.',
      unit: 's',
      limits: { warn: 5, bad: 60 },
      queries: slowestOf([0.5, 0.95, 0.99], 'webhook_first_attempt_lag_seconds'),
    },
    {
      title: 'Events relayed and deliveries made, a second',
      about: 'Each event becomes a delivery for each endpoint that subscribes to it.',
      unit: 'cps',
      queries: {
        'events relayed': `sum(${rate('events_relayed_total')})`,
        'deliveries made': `sum(${rate('webhook_deliveries_created_total')})`,
      },
    },
    {
      title: 'Rows in the outbox, by collection',
      about: 'Changed rows whose events are not relayed yet. It falls to 0 again and again.',
      unit: 'short',
      queries: { '{{db_collection_name}}': 'max by (db_collection_name) (outbox_rows)' },
    },
    {
      title: 'Deliveries that are pending and due',
      about: 'Pending ones wait for an attempt: a failed one waits minutes or hours. Due ones should be few.',
      unit: 'short',
      queries: { pending: 'max(webhook_deliveries_pending)', due: 'max(webhook_deliveries_due)' },
    },
    {
      title: 'Attempts by result, a second',
      about: 'What receivers answer: success, the class of a status, or why there was no answer.',
      unit: 'cps',
      isStacked: true,
      queries: ratesBy('webhook_attempts_total', 'result'),
    },
    {
      title: 'Attempts by number, a second',
      about: 'Attempt 1 of each delivery; the others are repetitions. Many of them: receivers fail.',
      unit: 'cps',
      isStacked: true,
      queries: { 'attempt {{attempt}}': `sum by (attempt) (${rate('webhook_attempts_total')})` },
    },
    {
      title: 'Time that receivers take, the slowest 5 %',
      about: 'By result. Attempts end after 10 s; slow receivers keep the places of others.',
      unit: 's',
      limits: { warn: 5, bad: 10 },
      queries: {
        '{{result}}': slowest(0.95, 'webhook_attempt_duration_seconds', 'result'),
      },
    },
    {
      title: 'Attempts under way, by process',
      about: 'A process makes at most 256 at a time, and 64 of one tenant.',
      unit: 'short',
      limits: { warn: 200, bad: 256 },
      queries: { '{{instance}}': 'webhook_attempts_active' },
    },
    {
      title: 'Deliveries that ended, a second',
      about: 'FAILED: all 8 attempts failed. CANCELLED: the endpoint was deleted or disabled.',
      unit: 'cps',
      queries: ratesBy('webhook_deliveries_ended_total', 'status'),
    },
    {
      title: 'Endpoints that were disabled, an hour',
      about: 'After 20 deliveries in a row that failed, an endpoint is disabled.',
      unit: 'short',
      limits: { warn: 1, bad: 5 },
      queries: { disabled: 'sum(increase(webhook_endpoint_disablements_total[1h]))' },
    },
  ],
};
