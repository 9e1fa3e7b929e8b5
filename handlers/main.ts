/** Starts one process of the service: configuration, connection, application, listeners, graceful stop. */
import { resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { handlers } from './index.ts';
import { type Config, describeConfig, readConfig } from './runtime/config.ts';
import { keyUse } from './runtime/key-use.ts';
import { listen } from './runtime/listener.ts';
import { createLogger, describeError, type Logger } from './runtime/log.ts';
import { pages } from './runtime/pages.ts';
import { memoryRateLimiter, sharedRateLimiter } from './runtime/rate.ts';
import { createServer } from './runtime/server.ts';
import { serveControlClock, serveMetrics } from './runtime/side.ts';
import { clientOptions, collectionsOf, createIndexes, type Store } from './runtime/store.ts';
import { pageTokenSource } from './runtime/token-keys.ts';

const USAGE = `Runs one process of the developer API. It is configured by environment variables:

${describeConfig()}

SIGTERM and SIGINT stop it gracefully. Exit codes: 0 stopped, 1 wrong configuration or no port.`;

const RETRY_MS = 1_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void console.log(USAGE);
  const read = readConfig(process.env);
  if ('problems' in read) {
    console.error(['The server cannot start:', ...read.problems, 'See npm run server -- --help.'].join('\n  '));
    process.exitCode = 1;
    return;
  }
  await run(read.config);
}

async function run(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  process.on('unhandledRejection', (error) => log.fatal({ event: 'unhandled_rejection', error: describeError(error) }));
  const client = new MongoClient(config.MONGODB_URI, clientOptions(config.DATABASE_TIMEOUT_MS));
  const store = collectionsOf(client, config.MONGODB_DATABASE);
  const stopping = new AbortController();
  let prepared = false;
  const uses = keyUse(store.api_keys);
  const app = createServer({
    gate: {
      store,
      limiter: config.RATE_LIMIT_STORE === 'memory' ? memoryRateLimiter() : sharedRateLimiter(store.rate_limits),
      tokens: pageTokenSource(store, config.PAGE_TOKEN_KEYS),
      used: uses.used,
    },
    handlers,
    errorDomain: config.ERROR_DOMAIN,
    trustedProxies: config.TRUSTED_PROXIES,
    log,
    pages: pages({
      contractFile: resolve(import.meta.dirname, '../openapi.yaml'),
      docsFile: config.DOCS_FILE,
      ready: async () => prepared && !stopping.signal.aborted && (await answers(store)),
    }),
  });
  const listener = await listen(app, {
    host: config.HOST,
    port: config.PORT,
    maxConnections: config.MAX_CONNECTIONS,
    errorDomain: config.ERROR_DOMAIN,
  });
  const metrics = config.METRICS_PORT === undefined ? undefined : await serveMetrics(config.METRICS_PORT);
  const control = config.CONTROL_PORT === undefined ? undefined : await serveControlClock(config.CONTROL_PORT);

  const stop = once(async (signal: string) => {
    log.info({ event: 'stopping', signal });
    stopping.abort();
    await listener.stop();
    uses.stop();
    await uses.flush();
    metrics?.stop();
    control?.stop();
    await store.close();
    log.info({ event: 'stopped' });
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

  await prepare(store, log, stopping.signal);
  if (stopping.signal.aborted) return;
  prepared = true;
  const addresses = { url: listener.url, control_url: control?.url ?? null, metrics_url: metrics?.url ?? null };
  log.info({ event: 'listening', on: Object.values(addresses).filter((address) => address !== null) });
  if (config.READY_JSON) console.log(JSON.stringify({ event: 'ready', ...addresses }));
}

/** Creates the indexes as soon as the store answers; until then requests get 503 and /readyz says so. */
async function prepare(store: Store, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await createIndexes(store);
      return;
    } catch (error) {
      log.warn({ event: 'store_unavailable', error: describeError(error) });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function answers(store: Store): Promise<boolean> {
  return store.db.command({ ping: 1 }).then(
    () => true,
    () => false,
  );
}

function once<Argument>(work: (argument: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
  let running: Promise<void> | undefined;
  return (argument) => {
    running ??= work(argument);
    return running;
  };
}

main().catch((error: NodeJS.ErrnoException) => {
  const reason = error.code === 'EADDRINUSE' ? 'the port is taken: set PORT to another one, or to 0' : error.message;
  console.error(`The server cannot start: ${reason}.`);
  process.exit(1);
});
