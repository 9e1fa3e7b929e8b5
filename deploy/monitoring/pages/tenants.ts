/** Which tenants wait or are refused, and for which share? */
import type { QuestionPage } from './panels.ts';
import { rate, slowest } from './queries.ts';

export const tenants: QuestionPage = {
  name: 'tenants',
  question: 'Which tenants wait or are refused, and for which share?',
  about:
    'What tenants share in a process is in docs/operating.md. Tenants are named by their ids; the settings tool knows them.',
  numbers: [
    {
      title: 'Calls refused by the rate limit',
      about: 'The share of the last 5 minutes.',
      unit: 'percentunit',
      queries: {
        refused:
          'sum(rate(rate_limit_refusals_total{limit="key"}[5m])) / sum(rate(http_server_request_duration_seconds_count[5m]))',
      },
      limits: { warn: 0.05, bad: 0.2 },
    },
    {
      title: 'Requests that wait for a share',
      about: 'Now, in all processes.',
      unit: 'short',
      queries: { waiting: 'sum(share_waiting_requests)' },
    },
    {
      title: 'Longest wait for a share',
      about: 'How long the request waits now that waits longest. Most are refused after 5 s.',
      unit: 's',
      queries: { longest: 'max(share_oldest_wait_seconds)' },
      limits: { warn: 2, bad: 5 },
    },
    {
      title: 'Requests that got no turn, of the last hour',
      about: 'Refused with 503, because their turn at a share did not come.',
      unit: 'short',
      queries: { refused: 'sum(increase(share_refusals_total[1h])) or vector(0)' },
      limits: { warn: 1, bad: 100 },
    },
  ],
  others: [
    {
      kind: 'table',
      title: 'Tenants that are refused, of the last hour',
      about: 'cause: rate_limit, or the share that they got no turn at. other: all after the first 100 tenants.',
      unit: 'short',
      queries: {
        '{{tenant_id}} {{cause}}': 'topk(20, sum by (tenant_id, cause) (increase(tenant_refusals_total[1h])) > 0)',
      },
    },
    {
      kind: 'table',
      title: 'Tenants that wait now, by share',
      about: 'Requests of a tenant that wait for a share.',
      unit: 'short',
      queries: { '{{tenant_id}} {{share}}': 'topk(20, sum by (tenant_id, share) (tenant_waiting_requests) > 0)' },
    },
    {
      title: 'How much of each share is in use',
      about: 'The fullest process. At 100 % requests wait.',
      unit: 'percentunit',
      limits: { warn: 0.8, bad: 1 },
      queries: { '{{share}}': 'max by (share) (share_used_ratio)' },
    },
    {
      title: 'Requests that wait, by share',
      about: 'In all processes.',
      unit: 'short',
      queries: { '{{share}}': 'sum by (share) (share_waiting_requests)' },
    },
    {
      title: 'Time of waits that had their turn, the slowest 5 %',
      about: 'By share.',
      unit: 's',
      limits: { warn: 2, bad: 5 },
      queries: {
        '{{share}}': slowest(0.95, 'share_wait_duration_seconds', 'share'),
      },
    },
    {
      title: 'Requests that got no turn, a second',
      about: 'late: they waited too long. full: too many waited already.',
      unit: 'reqps',
      queries: { '{{share}} {{reason}}': `sum by (share, reason) (${rate('share_refusals_total')}) > 0` },
    },
    {
      title: 'Refusals of tenants, a second',
      about: 'The ten tenants with the most.',
      unit: 'reqps',
      queries: {
        '{{tenant_id}} {{cause}}': `topk(10, sum by (tenant_id, cause) (${rate('tenant_refusals_total')}) > 0)`,
      },
    },
  ],
};
