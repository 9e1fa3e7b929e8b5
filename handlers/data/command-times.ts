/**
 * Measures the commands of the driver (mongodb 7.8). Its own monitoring would decode each answer a second time for its
 * events, also those that handlers pass on as BSON; this asks for nothing but the clock.
 */
import { createRequire } from 'node:module';
import { type MongoClient, MongoServerError } from 'mongodb';
import {
  commandDuration,
  connections,
  connectionsMax,
  connectionsPending,
  connectionTimeouts,
  connectionWait,
  errorType,
  onScrape,
} from '../runtime/metrics.ts';
import { noteSpan, type SpanDescription } from '../runtime/tracing.ts';

/** The part of the driver's connection that this uses. */
interface TimedConnection {
  command(ns: unknown, command: Readonly<Record<string, unknown>>, ...more: unknown[]): Promise<unknown>;
}

/** Marks the driver itself, and holds what counts: tests load this module anew for each file, and the driver once. */
const TIMED = Symbol.for('developer-api: commands are timed');

type Count = (command: Readonly<Record<string, unknown>>, startedMs: number, error?: unknown) => void;

/** The collections whose commands are measured: a label shows no other name. */
const timed = new Set<string>();

/** Measures every command of the process on these collections, too, from here on. */
export function timeCommands(collections: readonly string[]): void {
  for (const each of collections) timed.add(each);
  const require = createRequire(import.meta.url);
  const { Connection: kind } = require('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: TimedConnection };
  };
  const driver = kind.prototype as TimedConnection & { [TIMED]?: Count };
  const isTimed = TIMED in driver;
  driver[TIMED] = count;
  if (isTimed) return;
  const { command: send } = driver;
  driver.command = async function (ns, command, ...more) {
    const startedMs = performance.now();
    try {
      const answer = await send.call(this, ns, command, ...more);
      driver[TIMED]?.(command, startedMs);
      return answer;
    } catch (error) {
      driver[TIMED]?.(command, startedMs, error);
      throw error;
    }
  };
}

function count(command: Readonly<Record<string, unknown>>, startedMs: number, error?: unknown): void {
  let name = '';
  for (name in command) break;
  const collection = name === 'getMore' ? command.collection : command[name];
  // Handshakes, checks whether a server is there, and other commands about no rows are not of interest.
  if (typeof collection !== 'string' || !timed.has(collection)) return;
  const labels = { db_system_name: 'mongodb', db_operation_name: name, db_collection_name: collection };
  const seconds = (performance.now() - startedMs) / 1_000;
  const error_type = error === undefined ? undefined : nameOf(error);
  commandDuration.observe(error_type === undefined ? labels : { ...labels, error_type }, seconds);
  noteSpan(() => spanOf(name, collection), startedMs, error_type);
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
