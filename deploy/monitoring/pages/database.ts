/** Is the database well? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy, slowest } from './queries.ts';

const COMMANDS = 'db_client_operation_duration_seconds';

export const database: QuestionPage = {
  name: 'database',
  question: 'Is the database well?',
  about: 'As the processes of the service see it. The machines of the database have their own exporters.',
  numbers: [
    {
      title: 'Processes with a database',
      about: 'Of those that answer, how many know a primary.',
      unit: 'percentunit',
      queries: { 'know a primary': 'avg(database_primary_known)' },
      limits: { warn: 1, bad: 0.5, isLow: true },
    },
    {
      title: 'Time of the slowest 1 % of commands',
      about: 'Without the wait for a connection.',
      unit: 's',
      queries: { p99: slowest(0.99, COMMANDS) },
      limits: { warn: 0.1, bad: 0.5 },
    },
    {
      title: 'Commands that fail',
      about: 'The share of the last 5 minutes.',
      unit: 'percentunit',
      queries: {
        failed: `(sum(rate(${COMMANDS}_count{error_type!=""}[5m])) or vector(0)) / sum(rate(${COMMANDS}_count[5m]))`,
      },
      limits: { warn: 0.01, bad: 0.05 },
    },
    {
      title: 'Greatest clock difference',
      about: 'Between a machine of the service and the database. Beyond 60 s the process is not ready.',
      unit: 's',
      queries: { difference: 'max(abs(clock_difference_seconds))' },
      limits: { warn: 1, bad: 60 },
    },
  ],
  others: [
    {
      title: 'Commands a second, by name',
      about: 'What the service asks of the database.',
      unit: 'cps',
      queries: ratesBy(`${COMMANDS}_count`, 'db_operation_name'),
    },
    {
      title: 'Time of commands, the slowest 1 % by name',
      about: 'One that grows alone names a query; all together: the database or the network.',
      unit: 's',
      limits: { warn: 0.1, bad: 0.5 },
      queries: {
        '{{db_operation_name}}': slowest(0.99, COMMANDS, 'db_operation_name'),
      },
    },
    {
      title: 'Commands that fail, a second, by error',
      about:
        'Network errors and elections: the replica set. Errors with a code: rights, space, or a command that takes too long.',
      unit: 'cps',
      queries: {
        '{{db_operation_name}} {{error_type}}': `sum by (db_operation_name, error_type) (${rate(`${COMMANDS}_count{error_type!=""}`)}) > 0`,
      },
    },
    {
      kind: 'table',
      title: 'Where the time of the database goes, seconds a second, of the last hour',
      about: 'By collection and command: the first ones are worth an index or a smaller page.',
      unit: 's',
      queries: {
        '{{db_collection_name}} {{db_operation_name}}': `topk(15, sum by (db_collection_name, db_operation_name) (rate(${COMMANDS}_sum[1h])))`,
      },
    },
    {
      title: 'Connections, by process and state',
      about: 'used ones carry a command. If all are used, commands wait.',
      unit: 'short',
      queries: {
        '{{instance}} {{db_client_connection_state}}': 'db_client_connections',
        'most of {{instance}}': 'db_client_connection_max',
      },
    },
    {
      title: 'Commands that wait for a connection',
      about: 'Above 0 for long: the database is too slow for the number of connections.',
      unit: 'short',
      limits: { warn: 1, bad: 20 },
      queries: { '{{instance}}': 'db_client_connection_pending_requests' },
    },
    {
      title: 'Wait for a connection, the slowest 1 %',
      about: 'By process.',
      unit: 's',
      limits: { warn: 0.1, bad: 1 },
      queries: { '{{instance}}': slowest(0.99, 'db_client_connection_wait_time_seconds', 'instance') },
    },
    {
      title: 'Commands that got no connection in time, a second',
      about: 'Their calls were answered with 503.',
      unit: 'cps',
      queries: { '{{instance}}': rate('db_client_connection_timeouts_total') },
    },
    {
      title: 'Clock differences, by process',
      about: 'How far the clock of the database is ahead of that of the machine.',
      unit: 's',
      queries: { '{{instance}}': 'clock_difference_seconds' },
    },
    {
      title: 'Does each process have its database?',
      about: '1: it knows a primary, and its gauges could be read for the scrape.',
      unit: 'short',
      limits: { warn: 1, bad: 0.5, isLow: true },
      queries: {
        'primary known: {{instance}}': 'database_primary_known',
        'gauges read: {{instance}}': 'database_up',
      },
    },
  ],
};
