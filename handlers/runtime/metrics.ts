/**
 * What makes the metrics of a process, for Prometheus. Each stands beside what it counts; `docs/metrics.md` has all, by the
 * question that they answer. Names and labels follow the semantic conventions of OpenTelemetry where these have them. The
 * values of labels come from the contract or from closed lists, never from callers; tenants are labels only up to a number.
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

export const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
  new Counter<Label>({ name, help, labelNames, registers });

export const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
  new Gauge<Label>({ name, help, labelNames, registers });

export const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  ...labelNames: Label[]
) => new Histogram<Label>({ name, help, labelNames, buckets: [...buckets], registers });

/** Buckets in seconds: the first two as OpenTelemetry advises. */
export const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
export const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25];
export const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

export const publicPathRequests = counter(
  'public_path_requests_total',
  'Requests that are no calls: probes, the docs, the contract, and paths where nothing is (http_route other).',
  'http_route',
  'http_response_status_code',
);

const tenantRefusals = counter(
  'tenant_refusals_total',
  'Calls and prints of a tenant that its rate limit (cause rate_limit) or a share (cause is its name) refused. The first 100 tenants since the start have a series; all others together are tenant_id other.',
  'tenant_id',
  'cause',
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

/** Makes a run, and says how many seconds it took; also, by the kind of its error, of one that fails. */
export async function timed<T>(
  run: () => Promise<T>,
  observe: (ended: { readonly error_type?: string }, seconds: number) => void,
  kindOf = errorType,
): Promise<T> {
  const startedMs = performance.now();
  const end = (ended: { readonly error_type?: string }) => observe(ended, (performance.now() - startedMs) / 1_000);
  try {
    const result = await run();
    end({});
    return result;
  } catch (error) {
    end({ error_type: kindOf(error) });
    throw error;
  }
}

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
