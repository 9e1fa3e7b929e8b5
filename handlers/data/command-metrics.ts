/** Measures the commands to the database, and the connections to it, by the events of the driver. */
import { type MongoClient, MongoServerError } from 'mongodb';
import { counter, errorType, gauge, histogram, onScrape } from '../runtime/metrics.ts';
import { noteSpan, type SpanDescription } from '../runtime/tracing.ts';

const DATABASE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

const commandDuration = histogram(
  'db_client_operation_duration_seconds',
  'Time of commands to the database, without the wait for a connection; error_type is absent if they succeeded.',
  DATABASE_SECONDS,
  'db_system_name',
  'db_operation_name',
  'db_collection_name',
  'error_type',
);

const connections = gauge(
  'db_client_connections',
  'Connections to the database that are used or idle.',
  'db_client_connection_state',
);

const connectionsMax = gauge(
  'db_client_connection_max',
  'The most connections to the database that this process opens to one server.',
);

const connectionsPending = gauge(
  'db_client_connection_pending_requests',
  'Commands that wait for a connection to the database.',
);

const connectionWait = histogram(
  'db_client_connection_wait_time_seconds',
  'How long commands waited for a connection to the database.',
  DATABASE_SECONDS,
);

const connectionTimeouts = counter(
  'db_client_connection_timeouts_total',
  'Commands that got no connection to the database in time.',
);

interface BegunCommand {
  readonly operation: string;
  readonly collection: string;
  readonly startedMs: number;
}

/** The commands under way, by the number that the driver gives to no other command of the process. */
const underWay = new Map<number, BegunCommand>();

/** Measures the commands of a client that are about a collection. */
export function timeCommands(client: MongoClient): void {
  client.on('commandStarted', ({ requestId, commandName: operation, command }) => {
    const collection = operation === 'getMore' ? command.collection : command[operation];
    // Handshakes, checks whether a server is there, and other commands about no rows are not of interest.
    if (typeof collection === 'string') {
      underWay.set(requestId, { operation, collection, startedMs: performance.now() });
    }
  });
  client.on('commandSucceeded', ({ requestId }) => count(requestId));
  client.on('commandFailed', ({ requestId, failure }) => count(requestId, nameOf(failure)));
}

function count(requestId: number, error_type?: string): void {
  const begun = underWay.get(requestId);
  if (begun === undefined) return;
  underWay.delete(requestId);
  const { operation, collection, startedMs } = begun;
  const labels = { db_system_name: 'mongodb', db_operation_name: operation, db_collection_name: collection };
  const seconds = (performance.now() - startedMs) / 1_000;
  commandDuration.observe(error_type === undefined ? labels : { ...labels, error_type }, seconds);
  noteSpan(() => spanOf(operation, collection), startedMs, error_type);
}

/** By the semantic conventions of OpenTelemetry; never with values of the command. */
function spanOf(operation: string, collection: string): SpanDescription {
  const attributes = {
    'db.system.name': 'mongodb',
    'db.operation.name': operation,
    'db.collection.name': collection,
  };
  return { name: `${operation} ${collection}`, kind: 'client', attributes };
}

/** The database's name of an error, or the class of the driver's. */
function nameOf(error: unknown): string {
  const named = error instanceof MongoServerError ? error.codeName : undefined;
  return typeof named === 'string' && /^\w{1,60}$/.test(named) ? named : errorType(error);
}

/** Connections and those who wait for one, as plain numbers: a gauge costs as much as the histogram of a command. */
const pool = { open: 0, used: 0, pending: 0 };

onScrape(() => {
  connections.set({ db_client_connection_state: 'used' }, pool.used);
  connections.set({ db_client_connection_state: 'idle' }, pool.open - pool.used);
  connectionsPending.set(pool.pending);
});

/** Counts the connections of a client, which may still be connecting. */
export function countConnections(client: MongoClient): void {
  connectionsMax.set(client.options.maxPoolSize);
  client.on('connectionCreated', () => void pool.open++);
  client.on('connectionClosed', () => void pool.open--);
  client.on('connectionCheckOutStarted', () => void pool.pending++);
  client.on('connectionCheckedOut', ({ durationMS }) => {
    pool.pending--;
    pool.used++;
    connectionWait.observe(durationMS / 1_000);
  });
  client.on('connectionCheckOutFailed', ({ reason }) => {
    pool.pending--;
    if (reason === 'timeout') connectionTimeouts.inc();
  });
  client.on('connectionCheckedIn', () => void pool.used--);
}
