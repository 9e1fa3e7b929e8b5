/** One process of the service: connection, application, listeners, graceful stop. */
import type { RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { type KeyUse, keyUse } from './access/key-use.ts';
import { ApiError, type ErrorSource } from './answers/errors.ts';
import { onUnshowable } from './answers/shown-times.ts';
import { tellBacklog } from './backlog.ts';
import { deploymentWatch } from './check/watch.ts';
import { engineOf, logEngine, UnsupportedEngine } from './data/engine.ts';
import { isPartOfOutage, watchOutages } from './data/outages.ts';
import { collectionsOf, type Store, serviceOptions } from './data/store.ts';
import { pageTokenSource, sharedSecret } from './data/token-keys.ts';
import type { Gate } from './http/admit.ts';
import { failureThrottle } from './http/failed-keys.ts';
import { listen } from './http/listener.ts';
import { publicPaths, storeReadiness } from './http/public-paths.ts';
import { memoryRateLimiter, sharedRateLimiter } from './http/rate.ts';
import { writeRefusal } from './http/refusals.ts';
import { type RefusedCalls, refusedCalls } from './http/refused-calls.ts';
import { createServer, type ServerParts } from './http/server.ts';
import { checks, handlers } from './index.ts';
import { type ClockWatch, clockWatch } from './jobs/clock-watch.ts';
import { type AgreedParts, type AgreementWatch, agreementWatch } from './jobs/process-agreement.ts';
import { createSchedulerIndexes, openScheduler } from './jobs/scheduler.ts';
import { prepareStore } from './prepare-store.ts';
import { recurringWork } from './recurring-work.ts';
import type { Config } from './runtime/config.ts';
import { type InternalListener, serveControlClock, serveMetrics } from './runtime/internal-listeners.ts';
import { createLogger, describeError, type Log } from './runtime/log.ts';
import { gauge } from './runtime/metrics.ts';
import { Openssl } from './runtime/openssl.ts';
import { afterLongestStop } from './runtime/stop-deadline.ts';
import type { SpanExport } from './runtime/tracing-otlp.ts';
import { programVersion } from './runtime/version.ts';
import { type OpenStorage, openStorage } from './storage/open.ts';
import { configuredOutbound } from './webhooks/outbound/outbound.ts';
import { secretBox } from './webhooks/secrets.ts';
import { openWebhooks } from './webhooks/webhooks.ts';
import { type JobParts, type Jobs, startJobs } from './worker.ts';

const buildInfo = gauge(
  'developer_api_build_info',
  'Always 1; the labels say which program runs, and as what.',
  'version',
  'revision',
  'node_version',
  'role',
);

const RETRY_MS = 1_000;
/** How long a start waits for the first runs of what a worker repeats, in milliseconds. */
const FIRST_RUNS_MS = 500;
/** The contract, and what `npm run generate` makes of it: for generators of clients, and for Postman and Bruno. */
const CONTRACT_FILES = {
  '/openapi.yaml': resolve(import.meta.dirname, '../openapi.yaml'),
  '/openapi.json': resolve(import.meta.dirname, '../generated/openapi.json'),
  '/collection.json': resolve(import.meta.dirname, '../generated/collection.json'),
};

/**
 * Runs the process until it is asked to stop or an unhandled error ends it; it then has finished what was under way.
 * @param asked aborted with the name of the signal that asks it to stop, possibly before it has started
 * @returns the exit code
 * @throws Error in words for the operator: no port, a connection string, a folder or a database that cannot be
 * used
 */
export async function runProcess(config: Config, fontFiles: readonly string[], asked: AbortSignal): Promise<number> {
  const log = createLogger(config.LOG_LEVEL);
  onUnshowable((field, id) => log.warn({ event: 'unshowable_time', field, id }));
  const spans = await spanExport(config, log);
  try {
    return await runLogged({ config, fontFiles }, log, asked);
  } finally {
    await spans?.stop();
    await log.close();
  }
}

/** The SDK is loaded only where somebody wants its spans. */
async function spanExport(config: Config, log: Log): Promise<SpanExport | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_SDK_DISABLED } = config;
  if (OTEL_SDK_DISABLED || (all ?? traces) === undefined) return undefined;
  const { exportSpans } = await import('./runtime/tracing-otlp.ts');
  return exportSpans(config, log);
}

async function runLogged(given: AgreedParts, log: Log, asked: AbortSignal): Promise<number> {
  const { config } = given;
  log.info({ event: 'starting', ...programVersion(config), role: config.ROLE });
  const store = collectionsOf(clientOf(config), config.MONGODB_DATABASE);
  const stopping = new AbortController();
  let prepared = false;
  let jobs: Jobs | undefined;
  const clocks = clockWatch(store, log);
  const agreement = agreementWatch(store, given, log);
  const notes = { uses: keyUse(store.api_keys), refusals: refusedCalls(store.refused_calls) };
  const [files, openssl] = await Promise.all([openFiles(config, store, log), signatureJudge(config, log)]);
  const outages = watchDependencies(store, files, log);
  const ownPorts: number[] = files.port === null ? [] : [files.port];
  const outbound = configuredOutbound(config, () => ownPorts, log);
  const webhooks = openWebhooks(store, outbound, secretBox(store, config.WEBHOOK_SECRET_KEYS));
  const gate = gateOf(config, store, notes);
  const parts: ServerParts = {
    gate,
    handlers,
    checks,
    storage: files.storage,
    webhooks,
    openssl,
    errorSource: errorSourceOf(config),
    trustedProxies: config.TRUSTED_PROXIES,
    log,
    servesApi: servesApi(config),
    publicPaths: publicPathsOf(config, { clocks, agreement, outages }, () => prepared && !stopping.signal.aborted),
  };
  const { listener, metrics, control } = await openListeners(createServer(parts), config, store, log);
  for (const { url } of [listener, metrics, control].filter((each) => each !== undefined)) {
    ownPorts.push(Number(new URL(url).port || 80));
  }

  const ended = Promise.withResolvers<number>();
  const stop = async (exitCode: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    // Connections are still taken while the terminator learns from /readyz that it has to send them to other processes.
    if (exitCode === 0 && prepared && servesApi(config)) await pause(config.STOP_DELAY_MS);
    afterLongestStop(() => ended.resolve(1));
    await close({ listener, metrics, control, files, notes, outbound, clocks, agreement, store, outages }, jobs);
    log.info({ event: 'stopped' });
    ended.resolve(exitCode);
  };
  watch(log, asked, (exitCode) => void stop(exitCode).catch(() => ended.resolve(1)));

  const addresses = addressesOf({ listener, metrics, control }, files);
  log.info({ event: 'listening', ...addresses });
  const start = async () => {
    await prepare(store, files, [clocks, agreement], log, stopping.signal);
    if (stopping.signal.aborted) return;
    jobs = await startWork(given, store, { ...parts, send: webhooks.postSigned });
    // The first runs compile their code, for which the first requests would otherwise wait.
    await Promise.race([jobs.haveRun, pause(FIRST_RUNS_MS, undefined, { ref: false })]);
    if (stopping.signal.aborted) return;
    prepared = true;
    log.info({ event: 'ready', role: config.ROLE });
    if (config.READY_JSON) console.log(JSON.stringify({ event: 'ready', ...addresses }));
  };
  // A stop closes the database, without which nothing more starts.
  start().catch((error: unknown) => stopping.signal.aborted || ended.reject(error));
  return ended.promise;
}

/** An api process only schedules jobs, for the workers. */
function startWork(
  given: AgreedParts,
  store: Store,
  { storage, ...parts }: Pick<JobParts, 'log' | 'send'> & Pick<ServerParts, 'storage'>,
): Promise<Jobs> {
  const { ROLE, WEBHOOK_ATTEMPTS_PER_ENDPOINT: perEndpoint } = given.config;
  if (ROLE === 'api') return openScheduler(store, parts.log);
  const recurring = recurringWork(store, storage);
  return startJobs({ ...parts, store, perEndpoint, recurring, others: [deploymentWatch(given)] });
}

/** Where the process listens, as its log says it. */
function addressesOf({ listener, metrics, control }: OpenListeners, files: OpenStorage) {
  return {
    url: listener.url,
    storage_url: files.url,
    control_url: control?.url ?? null,
    metrics_url: metrics?.url ?? null,
  };
}

type OpenListeners = Awaited<ReturnType<typeof openListeners>>;

/** What is noted of keys, after the answers. */
interface KeyNotes {
  readonly uses: KeyUse;
  readonly refusals: RefusedCalls;
}

interface OpenProcess extends OpenListeners {
  readonly files: OpenStorage;
  readonly notes: KeyNotes;
  readonly outbound: ReturnType<typeof configuredOutbound>;
  readonly clocks: ClockWatch;
  readonly agreement: AgreementWatch;
  readonly store: Store;
  readonly outages: ReturnType<typeof watchDependencies>;
}

/** Lets what is under way finish, and closes everything. */
async function close(opened: OpenProcess, jobs: Jobs | undefined): Promise<void> {
  const { files, notes, outbound, clocks, agreement, store, outages, ...listeners } = opened;
  // A connection that this process closes itself is no outage.
  outages.stop();
  await Promise.all([listeners.listener.stop(), files.stop(), jobs?.stop(), clocks.stop(), agreement.stop()]);
  for (const each of [notes.uses, notes.refusals]) {
    each.stop();
    await each.flush();
  }
  outbound.stop();
  listeners.metrics?.stop();
  listeners.control?.stop();
  await store.close();
}

const servesApi = ({ ROLE }: Config) => ROLE !== 'worker';

/** The last judge of signatures. @throws Error where the one that is named cannot judge */
async function signatureJudge(config: Config, log: Log): Promise<Openssl | undefined> {
  if (!servesApi(config)) return undefined;
  const found = await Openssl.find(config);
  if (found instanceof Openssl) {
    log.info({ event: 'openssl_found', program: found.program, version: found.version });
    return found;
  }
  if (config.OPENSSL !== undefined) throw new Error(`OPENSSL: ${found}`);
  log.warn({ event: 'openssl_missing', reason: found }, 'Signatures are judged by this service alone.');
  return undefined;
}

const errorSourceOf = ({ ERROR_DOMAIN, DOCS_URL }: Config): ErrorSource => ({
  domain: ERROR_DOMAIN,
  docsUrl: DOCS_URL,
});

function openFiles(config: Config, store: Store, log: Log): Promise<OpenStorage> {
  // Clients never send requests for files to a worker.
  const own = servesApi(config) ? config : { ...config, HOST: '127.0.0.1', STORAGE_PORT: 0 };
  return named(
    'STORAGE_PORT',
    openStorage(own, () => sharedSecret(store, 'storage'), log),
  );
}

function gateOf(config: Config, store: Store, { uses, refusals }: KeyNotes): Gate {
  const isAlone = config.RATE_LIMIT_STORE === 'memory';
  return {
    store,
    limiter: isAlone ? memoryRateLimiter() : sharedRateLimiter(store.rate_limits),
    failures: failureThrottle(isAlone ? undefined : store.rate_limits),
    tokens: pageTokenSource(store, config.PAGE_TOKEN_KEYS),
    used: uses.used,
    refused: refusals.refused,
  };
}

/** Logs outages of the database and of the storage, each as a whole. */
function watchDependencies(store: Store, files: OpenStorage, log: Log) {
  const { hosts, srvHost } = store.client.options;
  const takesWrites = storeReadiness(store);
  const stops = [
    watchOutages('store', { log, place: srvHost ?? hosts.join(), isBack: takesWrites }),
    watchOutages('storage', { log, place: files.place, isBack: files.takesWrites }),
  ];
  const stop = () => {
    for (const each of stops) each();
  };
  return { takesWrites, stop };
}

function publicPathsOf(
  config: Config,
  { clocks, agreement, outages }: Pick<OpenProcess, 'clocks' | 'agreement' | 'outages'>,
  isPrepared: () => boolean,
) {
  const ready = async () => {
    clocks.check();
    return isPrepared() && outages.takesWrites();
  };
  const health = { version: programVersion(config), ready, disagreed: agreement.disagreed };
  if (!servesApi(config)) return publicPaths(health);
  return publicPaths({ ...health, contractFiles: CONTRACT_FILES, docsFile: config.DOCS_FILE });
}

/** Opens the port of the application, and those for operators and tests. */
async function openListeners(app: RequestListener, config: Config, store: Store, log: Log) {
  const listener = await named(
    'PORT',
    listen(app, {
      host: config.HOST,
      port: config.PORT,
      maxConnections: config.MAX_CONNECTIONS,
      headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
      onIdleEnd: idleEndTeller(config, log),
      refuse: (socket, code) => writeRefusal(socket, code, errorSourceOf(config)),
    }),
  );
  const { METRICS_PORT, CONTROL_PEERS, CONTROL_PORT } = config;
  const metrics =
    METRICS_PORT === undefined
      ? undefined
      : await named('METRICS_PORT', openMetrics(config, METRICS_PORT, store), 'METRICS_HOST');
  const control =
    CONTROL_PORT === undefined
      ? undefined
      : await named('CONTROL_PORT', serveControlClock(CONTROL_PORT, CONTROL_PEERS));
  return { listener, metrics, control };
}

/** A terminator that keeps idle connections for longer than the service does loses requests as they are closed. */
function idleEndTeller({ TRUSTED_PROXIES, KEEP_ALIVE_TIMEOUT_MS: idle_ms }: Config, log: Log): () => void {
  // Without a terminator it is clients who leave their connections idle. Once says it all.
  let isTold = TRUSTED_PROXIES.length === 0;
  return () => {
    const message = 'Let the terminator end idle connections to the service earlier, or raise KEEP_ALIVE_TIMEOUT_MS.';
    if (!isTold) log.warn({ event: 'idle_connection_ended', idle_ms }, message);
    isTold = true;
  };
}

async function openMetrics(config: Config, port: number, store: Store): Promise<InternalListener> {
  const { version, revision = '', node: node_version } = programVersion(config);
  buildInfo.set({ version, revision, node_version, role: config.ROLE }, 1);
  const end = tellBacklog(store);
  const { url, stop } = await serveMetrics(config.METRICS_HOST, port);
  return {
    url,
    stop() {
      end();
      stop();
    },
  };
}

/** The driver's own words about a wrong connection string could quote its password. */
function clientOf(config: Config): MongoClient {
  try {
    return new MongoClient(config.MONGODB_URI, serviceOptions(config.DATABASE_TIMEOUT_MS));
  } catch {
    throw new Error('MONGODB_URI: is not a connection string that the MongoDB driver understands');
  }
}

/** What ends the process: being asked to, and errors that nothing handles. A closed standard output does not. */
function watch(log: Log, asked: AbortSignal, stop: (exitCode: number) => void): void {
  process.stderr.on('error', () => {});
  const stopAsAsked = () => {
    log.info({ event: 'stopping', signal: asked.reason });
    stop(0);
  };
  if (asked.aborted) stopAsAsked();
  else asked.addEventListener('abort', stopAsAsked, { once: true });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ event, error: describeError(error) });
      stop(1);
    });
  }
}

/**
 * Creates the indexes as soon as the store answers, and looks at the storage; until then requests get 503 and /readyz
 * says so.
 * @throws Error when the database or the storage can never be used as it is configured
 */
async function prepare(
  store: Store,
  files: OpenStorage,
  [clocks, agreement]: readonly [ClockWatch, AgreementWatch],
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  let isLogged = false;
  const logFault = (error: unknown) => {
    if (stopping.aborted || isPartOfOutage(error) || isLogged) return;
    isLogged = true;
    log.error({ event: 'store_not_prepared', error: describeError(error) }, 'It is tried again every second.');
  };
  while (!stopping.aborted) {
    try {
      // A client whose first connection failed stays closed until it connects again.
      await store.client.connect();
      logEngine(await engineOf(store.client), log);
      await clocks.start();
      for (const index of await prepareStore(store)) {
        log.error(
          { event: 'index_differs', index },
          'An index has other options than this release gives it. Drop it, and start again.',
        );
      }
      await createSchedulerIndexes(store);
      await agreement.start();
      break;
    } catch (error) {
      if (error instanceof UnsupportedEngine) throw error;
      logFault(error);
      await pause(RETRY_MS);
    }
  }
  while (!stopping.aborted) {
    try {
      return await files.check();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await pause(RETRY_MS);
    }
  }
}

const PORT_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; choose another one, or 0 for any that is free',
  EACCES: 'this user may not listen on the port; choose one from 1024 on',
};
const HOST_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** Says which variable a listener's failure is about. */
async function named<Listener>(variable: string, starting: Promise<Listener>, host = 'HOST'): Promise<Listener> {
  return starting.catch((error: NodeJS.ErrnoException) => {
    const { code } = error;
    // An error without a code explains itself already.
    if (code === undefined) throw error;
    if (HOST_CODES.includes(code)) throw new Error(`${host}: is no address of this machine`);
    throw new Error(`${variable}: ${PORT_REASONS[code] ?? error.message}`);
  });
}
