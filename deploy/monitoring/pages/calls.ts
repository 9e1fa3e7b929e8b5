/** Are calls served? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowest, slowestOf } from './queries.ts';

const TIMES = 'http_server_request_duration_seconds';
const CALLS = `${TIMES}_count`;

export const calls: QuestionPage = {
  name: 'calls',
  question: 'Are calls served?',
  about: 'Calls of clients, without probes and other public paths. Objective: 99.9 % of them in 30 days without 5xx.',
  numbers: [
    {
      title: 'Calls a second',
      about: 'Calls that all api processes answer.',
      unit: 'reqps',
      queries: { calls: `sum(${rate(CALLS)})` },
    },
    {
      title: 'Calls answered with 5xx',
      about: 'The share of the last 5 minutes. Above 1.4 % for an hour, the budget of a month is gone in two days.',
      unit: 'percentunit',
      queries: { '5xx': 'slo:sli_error:ratio_rate5m{slo="availability"}' },
      limits: { warn: 0.001, bad: 0.0144 },
    },
    {
      title: 'Error budget left of 30 days',
      about: '100 %: no call failed. 0 %: as many as the objective allows. Below 0 % the objective is missed.',
      unit: 'percentunit',
      queries: { left: 'slo:error_budget_remaining:ratio{slo="availability"}' },
      limits: { warn: 0.5, bad: 0, isLow: true },
    },
    {
      title: 'Time of the slowest 1 % of calls',
      about: 'From the head of the request to the end of the answer.',
      unit: 's',
      queries: { p99: slowest(0.99, TIMES) },
      limits: { warn: 1, bad: 5 },
    },
    {
      title: 'Calls under way',
      about:
        'Calls that all api processes are answering now. If it grows while calls a second do not, something waits.',
      unit: 'short',
      queries: { 'under way': 'sum(http_server_active_requests)' },
    },
  ],
  others: [
    {
      title: 'Calls by status, a second',
      about: '2xx are served, 4xx refused for what they ask, 429 by the rate limit, 5xx failed.',
      unit: 'reqps',
      isStacked: true,
      queries: ratesBy(CALLS, 'http_response_status_code'),
    },
    {
      title: 'Time of calls: half, 95 % and 99 % are faster',
      about: 'Over all operations. The table below names the slow ones.',
      unit: 's',
      limits: { warn: 1, bad: 5 },
      queries: slowestOf([0.5, 0.95, 0.99], TIMES),
    },
    {
      title: 'Why are calls UNAVAILABLE? A second, by cause',
      about: 'database_*: see the page of the database. share: a tenant got no turn, see tenants.',
      unit: 'reqps',
      queries: ratesBy('api_unavailable_total', 'cause'),
    },
    {
      title: 'Errors by name, a second',
      about: 'Names of the contract. INTERNAL is a mistake of the service: its log has the request.',
      unit: 'reqps',
      queries: { '{{error_type}}': `sum by (error_type) (${rate('api_errors_total')}) > 0` },
    },
    {
      kind: 'table',
      title: 'Operations with failed calls, of the last hour',
      about: 'Calls that were answered with 5xx, by operation.',
      unit: 'short',
      queries: {
        '{{operation_id}}': `sum by (operation_id) (increase(${CALLS}{http_response_status_code=~"5.."}[1h])) > 0`,
      },
    },
    {
      kind: 'table',
      title: 'Operations, by the time of their slowest 5 %, of the last hour',
      about: 'An operation that is slower than usual, while the others are not, does something expensive.',
      unit: 's',
      limits: { warn: 1, bad: 5 },
      queries: {
        '{{operation_id}}': `topk(15, histogram_quantile(0.95, sum by (operation_id, le) (rate(${TIMES}_bucket[1h])))) > 0`,
      },
    },
    {
      title: 'Calls refused by a rate limit, a second',
      about: 'key: a key calls faster than it may. address: too many invalid keys from one address.',
      unit: 'reqps',
      queries: ratesBy('rate_limit_refusals_total', 'limit'),
    },
    {
      title: 'Probes and other public paths, a second',
      about: 'No calls: /healthz, /readyz, the docs, the contract. A process whose /readyz answers 503 gets no calls.',
      unit: 'reqps',
      queries: ratesBy('public_path_requests_total', 'http_route', 'http_response_status_code'),
    },
  ],
};
