/** Do workers work, and when did each recurring job last succeed? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowest } from './queries.ts';

const RUNS = 'work_run_duration_seconds';

export const work: QuestionPage = {
  name: 'work',
  question: 'When did each job last succeed?',
  about: 'What workers repeat and what jobs begin. docs/operating.md says what runs on what.',
  numbers: [
    {
      title: 'Workers that answer',
      about: 'Processes with the role worker or all.',
      unit: 'short',
      queries: { workers: 'sum(up{job="developer-api", role=~"worker|all"})' },
      limits: { warn: 2, bad: 1, isLow: true },
    },
    {
      title: 'Since the last relay of the idlest worker',
      about: 'A worker relays events at least once a second. More: it runs, but does no work.',
      unit: 's',
      queries: { idle: 'max(time() - work_last_success_timestamp_seconds{work="relay_events"})' },
      limits: { warn: 15, bad: 60 },
    },
    {
      title: 'Since the last run of the latest recurring work',
      about: 'The longest interval is 10 minutes.',
      unit: 's',
      queries: { late: 'max(time() - max by (work) (recurring_work_last_run_timestamp_seconds))' },
      limits: { warn: 900, bad: 1800 },
    },
    {
      title: 'Runs that failed, of the last hour',
      about: 'The log has an error for each.',
      unit: 'short',
      queries: { failed: `sum(increase(${RUNS}_count{error_type!=""}[1h])) or vector(0)` },
      limits: { warn: 1, bad: 50 },
    },
  ],
  others: [
    {
      kind: 'table',
      title: 'Recurring work, by the time since its last run',
      about:
        'In any process. sweep_files, sweep_ingest and advance_statuses run every minute, prune_deliveries every ten.',
      unit: 's',
      limits: { warn: 900, bad: 1800 },
      queries: { '{{work}}': 'time() - max by (work) (recurring_work_last_run_timestamp_seconds)' },
    },
    {
      kind: 'table',
      title: 'Work, by the time since its last success in any process',
      about: 'Work that jobs begin (deliver, apply_ingest) succeeds only when there is something to do.',
      unit: 's',
      queries: { '{{work}}': 'time() - max by (work) (work_last_success_timestamp_seconds)' },
    },
    {
      title: 'Runs a second, by work',
      about: 'All processes together.',
      unit: 'cps',
      queries: ratesBy(`${RUNS}_count`, 'work'),
    },
    {
      title: 'Runs that fail, a second',
      about: 'By work and error.',
      unit: 'cps',
      queries: {
        '{{work}} {{error_type}}': `sum by (work, error_type) (${rate(`${RUNS}_count{error_type!=""}`)}) > 0`,
      },
    },
    {
      title: 'Time of runs, the slowest 5 %',
      about: 'By work.',
      unit: 's',
      queries: { '{{work}}': slowest(0.95, RUNS, 'work') },
    },
    {
      title: 'Since the last relay, by worker',
      about: 'A line that climbs is a worker that does nothing.',
      unit: 's',
      limits: { warn: 15, bad: 60 },
      queries: { '{{instance}}': 'time() - work_last_success_timestamp_seconds{work="relay_events"}' },
    },
  ],
};
