/**
 * All metrics of a process, for Prometheus; `docs/metrics.md` says which question each answers. Names and labels follow the
 * semantic conventions of OpenTelemetry where these have them. The values of labels come from the contract or from closed
 * lists, never from callers; tenants are labels only up to a number.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
collectDefaultMetrics({ register: registry });
// `_total` is the ending of counters, and these are gauges. Those without it have a series for each kind of resource.
for (const name of ['handles', 'requests', 'resources']) {
  registry.removeSingleMetric(`nodejs_active_${name}`);
  registry.removeSingleMetric(`nodejs_active_${name}_total`);
}

const registers = [registry];

const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
  new Counter<Label>({ name, help, labelNames, registers });

const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
  new Gauge<Label>({ name, help, labelNames, registers });

const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  ...labelNames: Label[]
) => new Histogram<Label>({ name, help, labelNames, buckets: [...buckets], registers });

/** Buckets in seconds: the first two as OpenTelemetry advises. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const DATABASE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25];
const WORK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/* Are calls served? */

export const requestDuration = histogram(
  'http_server_request_duration_seconds',
  'Time of calls, from the head of the request to the end of the answer; operation_id and http_route are none for a call of no operation.',
  HTTP_SECONDS,
  'operation_id',
  'http_request_method',
  'http_route',
  'http_response_status_code',
);

export const callsTotal = counter(
  'http_server_calls_total',
  'Calls by outcome: failed if they were answered with 5xx, else served. Both series are there from the start.',
  'outcome',
);
for (const outcome of ['served', 'failed']) callsTotal.inc({ outcome }, 0);

export const activeRequests = gauge('http_server_active_requests', 'Calls that this process is answering.');

export const droppedConnections = counter(
  'http_server_dropped_connections_total',
  'Connections that were closed unanswered because the process had MAX_CONNECTIONS of them.',
);

export const errorsTotal = counter(
  'api_errors_total',
  'Calls answered with an error, by its name in the contract (error_type).',
  'operation_id',
  'error_type',
);

export const unavailableTotal = counter('api_unavailable_total', 'Calls answered with UNAVAILABLE, by cause.', 'cause');

export const rateLimitRefusals = counter(
  'rate_limit_refusals_total',
  'Calls refused by a rate limit: that of the key, or that of an address whose authentications fail.',
  'limit',
);
for (const limit of ['key', 'address']) rateLimitRefusals.inc({ limit }, 0);

export const publicPathRequests = counter(
  'public_path_requests_total',
  'Requests that are no calls: probes, the docs, the contract, and paths where nothing is (http_route other).',
  'http_route',
  'http_response_status_code',
);

/* Which tenants wait or are refused, and for which share? */

export const shareUsed = gauge(
  'share_used_ratio',
  'How much of what tenants share in this process is in use, from 0 to 1.',
  'share',
);

export const shareWaiting = gauge('share_waiting_requests', 'Requests that wait for their turn at a share.', 'share');

export const shareOldestWait = gauge(
  'share_oldest_wait_seconds',
  'How long the oldest of the requests waits that wait for a share; 0 if none does.',
  'share',
);

export const shareWaitDuration = histogram(
  'share_wait_duration_seconds',
  'How long requests waited that had to wait for their turn at a share and got it.',
  WAIT_SECONDS,
  'share',
);

export const shareRefusals = counter(
  'share_refusals_total',
  'Requests that got no turn at a share: they waited too long (late), or too many waited already (full).',
  'share',
  'reason',
);

export const tenantRefusals = counter(
  'tenant_refusals_total',
  'Calls and prints of a tenant that its rate limit (cause rate_limit) or a share (cause is its name) refused. The first 100 tenants since the start have a series; all others together are tenant_id other.',
  'tenant_id',
  'cause',
);

export const tenantWaiting = gauge(
  'tenant_waiting_requests',
  'Requests of a tenant that wait for a share: of each share the 10 tenants with the most, the others together as tenant_id other.',
  'tenant_id',
  'share',
);

/* Do events arrive? */

export const outboxRows = gauge(
  'outbox_rows',
  'Changed rows with events that are not relayed yet, one or two each (of persons: whose events are not written yet). Of the whole store, counted up to 10000.',
  'db_collection_name',
);

export const outboxOldestAge = gauge(
  'outbox_oldest_age_seconds',
  'Age of the oldest event that is not relayed yet; 0 if there is none. Of the whole store.',
  'db_collection_name',
);

export const eventsRelayed = counter(
  'events_relayed_total',
  'Events that left the outbox, whether or not somebody subscribes to them.',
);

export const deliveriesCreated = counter(
  'webhook_deliveries_created_total',
  'Deliveries that the relay has made: one for each event and subscribed endpoint.',
);

export const deliveriesEnded = counter(
  'webhook_deliveries_ended_total',
  'Deliveries that came to their end, by what it was.',
  'status',
);
for (const status of ['DELIVERED', 'FAILED', 'CANCELLED']) deliveriesEnded.inc({ status }, 0);

export const deliveriesPending = gauge(
  'webhook_deliveries_pending',
  'Deliveries that are neither delivered nor given up. Of the whole store, counted up to 10000.',
);

export const deliveriesDue = gauge(
  'webhook_deliveries_due',
  'Pending deliveries whose next attempt is due, with those that are being attempted. Of the whole store, counted up to 10000.',
);

export const deliveriesOldestDue = gauge(
  'webhook_deliveries_oldest_due_seconds',
  'For how long the attempt has been due that has been due longest, of endpoints at which none is under way; 0 if none is. Of the whole store.',
);

export const endpointOldestDue = gauge(
  'webhook_endpoint_oldest_due_seconds',
  'For how long deliveries have been due to a receiver that is slow: of the five endpoints, with attempts under way, whose have been due longest among the first 1000. Of the whole store.',
  'tenant_id',
  'endpoint_id',
);

export const firstAttemptLag = histogram(
  'webhook_first_attempt_lag_seconds',
  'Time from the change that an event is about to the beginning of the first attempt to deliver it, without that in which all places of its endpoint were taken.',
  LAG_SECONDS,
);

export const attemptsTotal = counter(
  'webhook_attempts_total',
  'Attempts of deliveries, by their number (1 to 8) and result: success, the class of a status, or of an error.',
  'attempt',
  'result',
);

export const attemptDuration = histogram(
  'webhook_attempt_duration_seconds',
  'Time of one attempt of a delivery, by its result.',
  HTTP_SECONDS,
  'result',
);

export const attemptsUnderWay = gauge('webhook_attempts_active', 'Attempts of deliveries that this process is making.');

export const endpointsDisabled = gauge(
  'webhook_endpoints_disabled',
  'Endpoints that are disabled, by reason. Of the whole store, counted up to 10000.',
  'disabled_reason',
);

export const disablements = counter(
  'webhook_endpoint_disablements_total',
  'Endpoints that this process has disabled because 20 deliveries in a row had failed.',
);

/* Does ingest keep up? */

export const batchesAccepted = counter('ingest_batches_accepted_total', 'Batches that were accepted.');

export const recordsAccepted = counter('ingest_records_accepted_total', 'Records of the batches that were accepted.');

export const batchesWaiting = gauge(
  'ingest_batches_waiting',
  'Batches that are accepted and not applied to their end. Of the whole store, counted up to 10000.',
);

export const recordsWaiting = gauge(
  'ingest_records_waiting',
  'Records of the batches that wait which are not applied yet. Of the whole store, of up to 1000 batches.',
);

export const oldestBatchAge = gauge(
  'ingest_oldest_batch_age_seconds',
  'Age of the oldest batch that is not applied to its end; 0 if there is none. Of the whole store, of up to 1000 batches.',
);

export const recordsApplied = counter(
  'ingest_records_applied_total',
  'Records that this process has applied, by outcome.',
  'outcome',
);
for (const outcome of ['created', 'updated', 'unchanged', 'skipped']) recordsApplied.inc({ outcome }, 0);

export const applyLag = histogram(
  'ingest_apply_lag_seconds',
  'Time from the acceptance of a batch to the end of its application.',
  LAG_SECONDS,
);

/* Is the database well? */

export const databaseUp = gauge(
  'database_up',
  '1 if the gauges of the whole store could be read for this scrape; otherwise 0, and they are absent.',
);

export const primaryKnown = gauge('database_primary_known', '1 while this process knows a server that takes writes.');

export const clockDifference = gauge(
  'clock_difference_seconds',
  "How far the database's clock is ahead of this machine's.",
);

export const commandDuration = histogram(
  'db_client_operation_duration_seconds',
  'Time of commands to the database, without the wait for a connection; error_type is absent if they succeeded.',
  DATABASE_SECONDS,
  'db_system_name',
  'db_operation_name',
  'db_collection_name',
  'error_type',
);

export const connections = gauge(
  'db_client_connections',
  'Connections to the database that are used or idle.',
  'db_client_connection_state',
);

export const connectionsMax = gauge(
  'db_client_connection_max',
  'The most connections to the database that this process opens to one server.',
);

export const connectionsPending = gauge(
  'db_client_connection_pending_requests',
  'Commands that wait for a connection to the database.',
);

export const connectionWait = histogram(
  'db_client_connection_wait_time_seconds',
  'How long commands waited for a connection to the database.',
  DATABASE_SECONDS,
);

export const connectionTimeouts = counter(
  'db_client_connection_timeouts_total',
  'Commands that got no connection to the database in time.',
);

/* Do all processes agree? */

export const deploymentProcesses = gauge(
  'deployment_processes',
  'Processes of the deployment that live, as the store shows them. Of the whole store.',
  'role',
);

export const deploymentDisagreements = gauge(
  'deployment_processes_differing',
  'Processes whose setting differs from what most have although it must be the same. Of the whole store.',
  'setting',
);

export const checkVerdict = gauge(
  'deployment_check_verdict',
  'What a check of the deployment has found, as npm run server -- check says it: 1 for its verdict. A worker looks every two minutes.',
  'check',
  'verdict',
);

/* Is storage well? */

export const storageDuration = histogram(
  'storage_operation_duration_seconds',
  'Time of operations on stored files, of a read until its bytes begin; error_type is absent if they succeeded.',
  HTTP_SECONDS,
  'storage_operation',
  'error_type',
);

export const storageServerDuration = histogram(
  'storage_server_request_duration_seconds',
  'Time of uploads and downloads that clients make at this process; only of a folder, not of a bucket.',
  HTTP_SECONDS,
  'http_request_method',
  'http_response_status_code',
);

/* Is printing stuck? The wait for a turn is that of the share printing. */

export const printDuration = histogram(
  'printing_duration_seconds',
  'Time of printing a PDF, without the wait for its turn; error_type is absent if it succeeded.',
  WAIT_SECONDS,
  'kind',
  'error_type',
);

export const printsUnderWay = gauge('printing_active_jobs', 'PDFs that this process is printing.');

export const oldestPrint = gauge(
  'printing_oldest_job_seconds',
  'How long the PDF has been printing that has been printing longest; 0 if none is.',
);

/* When did each job last succeed? */

export const workDuration = histogram(
  'work_run_duration_seconds',
  'Time of runs of work that a process repeats or that jobs begin, with the wait for their turn; error_type is absent if they succeeded.',
  WORK_SECONDS,
  'work',
  'error_type',
);

export const workLastSuccess = gauge(
  'work_last_success_timestamp_seconds',
  'When a run of the work last succeeded in this process, by the clock of the database.',
  'work',
);

export const recurringLastRun = gauge(
  'recurring_work_last_run_timestamp_seconds',
  'When a run of the recurring work last ended in any process, by the clock of the database. Of the whole store.',
  'work',
);

/* Are log lines lost? Which version runs? */

export const logLinesDropped = counter(
  'log_lines_dropped_total',
  'Lines of the log that were dropped because their reader was too slow or gone.',
);

export const buildInfo = gauge(
  'developer_api_build_info',
  'Always 1; the labels say which program runs, and as what.',
  'version',
  'revision',
  'node_version',
  'role',
);

/** What a scrape asks before it is answered; none may take longer than a fraction of a second, or fail. */
const collectors = new Set<() => Promise<void> | void>();

/** Calls the collector at each scrape, to set gauges. @returns a function that removes it */
export function onScrape(collect: () => Promise<void> | void): () => void {
  collectors.add(collect);
  return () => void collectors.delete(collect);
}

/** The class of an error as a label: these come from code, so there are few of them. */
export const errorType = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** All metrics in Prometheus' text format. */
export async function exposition(): Promise<string> {
  await Promise.all([...collectors].map((collect) => collect()));
  return registry.metrics();
}

/** The most tenants that have a series of {@link tenantRefusals}: they stay as long as the process, so they are bounded. */
export const MOST_TENANTS = 100;
export const OTHER_TENANTS = 'other';

const countedTenants = new Set<string>();

/** Counts a refusal for its tenant, as long as there are not too many of them. @param cause `rate_limit`, or a share */
export function countRefusal(tenantId: string, cause: string): void {
  if (countedTenants.size < MOST_TENANTS) countedTenants.add(tenantId);
  tenantRefusals.inc({ tenant_id: countedTenants.has(tenantId) ? tenantId : OTHER_TENANTS, cause });
}
