/** Are storage and printing well? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowest } from './queries.ts';

const OPERATIONS = 'storage_operation_duration_seconds';

export const storage: QuestionPage = {
  name: 'storage',
  question: 'Are storage and printing well?',
  about: 'Files of documents in the folder or the bucket, and the threads that print PDFs.',
  numbers: [
    {
      title: 'Operations on files that fail',
      about: 'The share of the last 5 minutes.',
      unit: 'percentunit',
      queries: {
        failed: `(sum(rate(${OPERATIONS}_count{error_type!=""}[5m])) or vector(0)) / sum(rate(${OPERATIONS}_count[5m]))`,
      },
      limits: { warn: 0.01, bad: 0.1 },
    },
    {
      title: 'Time of the slowest 1 % of operations on files',
      about: 'Of a read, until its bytes begin.',
      unit: 's',
      queries: { p99: slowest(0.99, OPERATIONS) },
      limits: { warn: 1, bad: 5 },
    },
    {
      title: 'Longest wait for a print',
      about: 'How long the document waits now that waits longest for its turn. After 25 s it is refused.',
      unit: 's',
      queries: { wait: 'max(share_oldest_wait_seconds{share="printing"})' },
      limits: { warn: 5, bad: 10 },
    },
    {
      title: 'Longest print',
      about: 'How long the document has been printing that has been printing longest. After 30 s its thread is ended.',
      unit: 's',
      queries: { print: 'max(printing_oldest_job_seconds)' },
      limits: { warn: 5, bad: 20 },
    },
  ],
  others: [
    {
      title: 'Operations on files, a second',
      about: 'What the service does; uploads to a bucket and downloads from it do not pass through it.',
      unit: 'cps',
      queries: ratesBy(`${OPERATIONS}_count`, 'storage_operation'),
    },
    {
      title: 'Operations on files that fail, a second, by error',
      about: 'By operation and error: rights, no connection, a full disk.',
      unit: 'cps',
      queries: {
        '{{storage_operation}} {{error_type}}': `sum by (storage_operation, error_type) (${rate(`${OPERATIONS}_count{error_type!=""}`)}) > 0`,
      },
    },
    {
      title: 'Time of operations on files, the slowest 5 %',
      about: 'By operation.',
      unit: 's',
      limits: { warn: 1, bad: 5 },
      queries: {
        '{{storage_operation}}': slowest(0.95, OPERATIONS, 'storage_operation'),
      },
    },
    {
      title: 'Uploads and downloads at the processes, a second',
      about: 'Only where files are kept in a folder: clients send to the processes, and get from them.',
      unit: 'reqps',
      queries: ratesBy(
        'storage_server_request_duration_seconds_count',
        'http_request_method',
        'http_response_status_code',
      ),
    },
    {
      title: 'PDFs printed, a second',
      about: 'By kind. With an error: the thread was lost, took too long, or the document could not be printed.',
      unit: 'cps',
      queries: ratesBy('printing_duration_seconds_count', 'kind', 'error_type'),
    },
    {
      title: 'Time of a print, and of the wait for it, the slowest 5 %',
      about: 'A wait that grows while prints do not: there are too few threads for what is asked.',
      unit: 's',
      limits: { warn: 5, bad: 25 },
      queries: {
        print: slowest(0.95, 'printing_duration_seconds'),
        wait: `histogram_quantile(0.95, sum by (le) (${rate('share_wait_duration_seconds_bucket{share="printing"}')}))`,
      },
    },
    {
      title: 'Documents that are printing and that wait, by process',
      about: 'A process has three threads.',
      unit: 'short',
      queries: {
        'printing: {{instance}}': 'printing_active_jobs',
        'waiting: {{instance}}': 'share_waiting_requests{share="printing"}',
      },
    },
    {
      title: 'Prints that got no turn, a second',
      about: 'late: they waited too long. full: too many waited already. Their callers got 503.',
      unit: 'cps',
      queries: ratesBy('share_refusals_total{share="printing"}', 'reason'),
    },
  ],
};
