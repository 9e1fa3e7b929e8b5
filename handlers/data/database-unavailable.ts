/**
 * Tells which errors of the database's driver are temporary ("not now"), and repeats writes until the store is back.
 */
import { setTimeout } from 'node:timers/promises';
import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoExpiredSessionError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import type { UnavailableCause } from '../answers/errors.ts';
import { codeOf, reasonOf } from '../runtime/outage-reasons.ts';

/**
 * Server codes that mean "not now" rather than "wrong" (MongoDB's error_codes.yml): host away, no rights, cursor or
 * session gone, time limit, lock, shutting down, not initialised yet, write conflict, no primary, chunk moved, no space
 * …
 */
const PASSING_CODES = new Set([
  6, 7, 13, 18, 24, 43, 46, 50, 63, 64, 82, 89, 90, 91, 94, 100, 112, 133, 134, 136, 150, 175, 189, 202, 206, 211, 237,
  239, 246, 249, 262, 279, 290, 310, 317, 337, 365, 384, 391, 462, 8000, 9001, 10058, 10107, 11600, 11601, 11602, 13388,
  13435, 13436, 14031,
]);

/** Labels by which a server or the driver says that a retry may succeed, or that no connection could be made. */
const PASSING_LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'RetryableError',
  'SystemOverloadedError',
  'HandshakeError',
];

/**
 * The system's codes for a lost connection or name server, as the driver passes them on while it writes or looks up.
 */
const LOST_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ENOTCONN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ESERVFAIL',
  'EREFUSED',
  'ETIMEOUT',
]);

/** Errors that the driver counts as wrong use, but that come from a connection, session or server closed meanwhile. */
const CLOSED = [
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoServerClosedError,
  MongoExpiredSessionError,
];

/** Whether an error means that the store is away for the moment (503), rather than a bug of ours (500). */
export function isStoreAway(error: unknown): boolean {
  if (isLost(error)) return true;
  if (!(error instanceof MongoError)) return false;
  // The driver wraps every error that ends a bulk write as if a server had answered it.
  const cause = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  if (cause instanceof MongoError) return isStoreAway(cause);
  if (error instanceof MongoServerError) {
    const code: unknown = error.code ?? (cause as { code?: unknown } | undefined)?.code;
    return (typeof code === 'number' && PASSING_CODES.has(code)) || PASSING_LABELS.some((l) => error.hasErrorLabel(l));
  }
  return !(error instanceof MongoAPIError) || CLOSED.some((kind) => error instanceof kind);
}

const OUT_OF_TIME = 50;
/** No rights, no login, no space: nothing that is over by itself. */
const REFUSING_CODES = new Set<unknown>([13, 18, 8000, 14031]);
/** Time limits of a command, of a majority and of locks. */
const SLOW_CODES = new Set<unknown>([24, OUT_OF_TIME, 64, 202, 262]);
/** Time limits of the driver: of an operation, of an answer, of the wait for a connection. */
const SLOW_KINDS = new Set(['MongoOperationTimeoutError', 'MongoNetworkTimeoutError', 'MongoWaitQueueTimeoutError']);

/** Why the store is away, in one word. @param error one for which {@link isStoreAway} holds */
export function causeOfAbsence(error: unknown): UnavailableCause {
  const cause = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  if (cause instanceof MongoError) return causeOfAbsence(cause);
  const { code = (cause as { code?: unknown } | undefined)?.code, name } = error as { code?: unknown; name?: string };
  if (REFUSING_CODES.has(code)) return 'database_refuses';
  return SLOW_CODES.has(code) || SLOW_KINDS.has(name ?? '') ? 'database_slow' : 'database_away';
}

/** Whether the database gave up an operation because of its own time limit: it would be no faster if repeated. */
export const isOutOfTime = (error: unknown): boolean => (error as { code?: unknown }).code === OUT_OF_TIME;

function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && LOST_CODES.has(error.code);
}

/** Why the store is away, for an operator, server by server where that is known: nothing that was sent or stored. */
export function whyAway(error: unknown): string {
  const servers = error instanceof MongoServerSelectionError ? [...(error.reason?.servers.values() ?? [])] : [];
  const known = servers.filter(({ error: each }) => each !== null);
  if (known.length === 0) return reasonOf(codeOf(error));
  return known.map(({ address, error: each }) => `${address} ${reasonOf(codeOf(each))}`).join(', ');
}

/** How often a write is tried again, in milliseconds. */
const AGAIN_MS = 500;

/**
 * Makes a write that helps others, and repeats it while the store is away. Never throws, so nobody has to wait for it.
 * @param forMs how long the write is useful; after that it is given up
 */
export async function writeWhenBack(
  write: () => Promise<unknown>,
  forMs: number,
  stopping?: AbortSignal,
): Promise<void> {
  const overMs = performance.now() + forMs;
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isStoreAway(error) || stopping?.aborted || performance.now() > overMs) return;
      await setTimeout(AGAIN_MS, undefined, { ref: false, signal: stopping }).catch(() => {});
    }
  }
}
