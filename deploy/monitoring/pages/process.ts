/** Which version runs, and are the processes well? */
import type { QuestionPage } from './panels.ts';
import { rate, ratesBy } from './queries.ts';

const OURS = '{job="developer-api"}';

export const processes: QuestionPage = {
  name: 'process',
  question: 'Which version runs, and are its processes well?',
  about: 'The processes themselves: version, processor, memory, the main thread, the log.',
  numbers: [
    {
      title: 'Processes that answer',
      about: 'By role, as Prometheus reaches them.',
      unit: 'short',
      queries: { '{{role}}': `sum by (role) (up${OURS})` },
      limits: { warn: 2, bad: 1, isLow: true },
    },
    {
      title: 'Processes that do not answer',
      about: 'Targets that Prometheus cannot scrape.',
      unit: 'short',
      queries: { away: `count(up${OURS} == 0) or vector(0)` },
      limits: { warn: 1, bad: 2 },
    },
    {
      title: 'Versions that run',
      about: 'More than one only during an upgrade.',
      unit: 'short',
      queries: { versions: 'count(count by (version, revision) (developer_api_build_info))' },
      limits: { warn: 2, bad: 3 },
    },
    {
      title: 'Settings that differ',
      about:
        'Settings that must be the same in all processes and are not, such as PAGE_TOKEN_KEYS. Only while they are changed.',
      unit: 'short',
      queries: { settings: 'count(max by (setting) (deployment_processes_differing) > 0) or vector(0)' },
      limits: { warn: 1, bad: 2 },
    },
    {
      title: 'Checks that are not OK',
      about:
        'Of what the promises stand on: members, oplog, certificates, indexes, the bucket. npm run server -- check says why.',
      unit: 'short',
      queries: { checks: 'count(max by (check) (deployment_check_verdict{verdict=~"WARN|FAIL"})) or vector(0)' },
      limits: { warn: 1, bad: 3 },
    },
    {
      title: 'Log lines lost, of the last hour',
      about: 'Dropped because the reader of the log is too slow or gone.',
      unit: 'short',
      queries: { lost: 'sum(increase(log_lines_dropped_total[1h]))' },
      limits: { warn: 1, bad: 1000 },
    },
  ],
  others: [
    {
      kind: 'table',
      title: 'Version of each process',
      about: 'With its revision, role and version of Node.',
      unit: 'short',
      queries: {
        '{{instance}} {{role}} {{version}} {{revision}} {{node_version}}':
          'max by (instance, role, version, revision, node_version) (developer_api_build_info)',
      },
    },
    {
      title: 'Processes that the store knows, and that differ, by setting',
      about: 'Those that live, by role; and those with another value of a setting than most have.',
      unit: 'short',
      queries: {
        '{{role}}': 'max by (role) (deployment_processes)',
        'another {{setting}}': 'max by (setting) (deployment_processes_differing) > 0',
      },
    },
    {
      title: 'Time since the start, by process',
      about: 'A line that falls to 0 is a start.',
      unit: 's',
      queries: { '{{instance}}': `time() - process_start_time_seconds${OURS}` },
    },
    {
      title: 'Processor, by process',
      about: 'Processors that it keeps busy. An api process at 1 for long has a full main thread.',
      unit: 'short',
      limits: { warn: 0.8, bad: 1 },
      queries: { '{{instance}}': rate(`process_cpu_seconds_total${OURS}`) },
    },
    {
      title: 'How late the main thread is, the slowest 1 % of its turns',
      about: 'Long work keeps all calls of the process waiting.',
      unit: 's',
      limits: { warn: 0.1, bad: 0.5 },
      queries: { '{{instance}}': `nodejs_eventloop_lag_p99_seconds${OURS}` },
    },
    {
      title: 'Memory, by process',
      about: 'Resident memory. One that grows for days is a leak.',
      unit: 'bytes',
      queries: { '{{instance}}': `process_resident_memory_bytes${OURS}` },
    },
    {
      title: 'Heap in use, by process',
      about: 'JavaScript objects, without buffers.',
      unit: 'bytes',
      queries: { '{{instance}}': `nodejs_heap_size_used_bytes${OURS}` },
    },
    {
      title: 'Time of garbage collection, seconds a second',
      about: 'More than a tenth: the heap is too small for what is asked.',
      unit: 's',
      limits: { warn: 0.1, bad: 0.3 },
      queries: ratesBy(`nodejs_gc_duration_seconds_sum${OURS}`, 'instance'),
    },
    {
      title: 'Open files and connections, of those that the system allows',
      about: 'At 100 % the process can open no more. Raise its limit of files, or find what keeps connections open.',
      unit: 'percentunit',
      limits: { warn: 0.5, bad: 0.9 },
      queries: { '{{instance}}': `process_open_fds${OURS} / process_max_fds${OURS}` },
    },
    {
      title: 'Log lines lost, a second',
      about: 'By process.',
      unit: 'cps',
      queries: { '{{instance}}': rate('log_lines_dropped_total') },
    },
    {
      title: 'Connections closed unanswered, a second',
      about: 'The process had as many connections as MAX_CONNECTIONS allows.',
      unit: 'cps',
      queries: { '{{instance}}': rate('http_server_dropped_connections_total') },
    },
  ],
};
