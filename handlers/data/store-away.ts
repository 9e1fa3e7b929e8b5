/** Which errors of the database's driver mean "not now", and what to do until then. */
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

/**
 * Server codes that say "not now" rather than "wrong" (MongoDB's error_codes.yml): host away, no rights (any more), cursor
 * or session gone, time limit, lock, network, shutting down, not initialised yet, write conflict, no primary, interrupted,
 * no keys for the cluster's time yet, a snapshot that is not there, a chunk that has moved, read-only, overloaded, no space.
 */
const PASSING_CODES = new Set([
  ...[6, 7, 13, 18, 24, 43, 46, 50, 63, 64, 82, 89, 90, 91, 94, 100, 112, 133, 134, 136, 150, 175, 189, 202, 206, 211],
  ...[237, 239, 246, 249, 262, 279, 290, 310, 317, 337, 365, 384, 391, 462],
  ...[8000, 9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436, 14031],
]);

/** Labels by which a server or the driver says that a repeat may succeed, or that no connection came about. */
const PASSING_LABELS = [
  ...['RetryableWriteError', 'TransientTransactionError', 'RetryableError', 'SystemOverloadedError', 'HandshakeError'],
];

/**
 * What the system says of a lost connection or a name server that does not answer. The driver passes it on as it is where
 * a command waits for the socket to take the rest of it, and where a name is looked up (mongodb+srv).
 */
const LOST_CODES = new Set([
  ...['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ECONNABORTED', 'ENOTCONN', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN'],
  ...['ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT'],
]);

/** Errors of use that come of a connection, a session or a server that was closed meanwhile. */
const CLOSED = [
  ...[MongoNotConnectedError, MongoTopologyClosedError, MongoClientClosedError],
  ...[MongoServerClosedError, MongoExpiredSessionError],
];

/** Whether an error means that the store is away for the moment (503), rather than a fault of ours (500). */
export function isStoreAway(error: unknown): boolean {
  if (isLost(error)) return true;
  if (!(error instanceof MongoError)) return false;
  // Whatever ends a bulk write, the driver wraps it as if a server had answered.
  const cause = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  if (cause instanceof MongoError) return isStoreAway(cause);
  if (error instanceof MongoServerError) {
    const code: unknown = error.code ?? (cause as { code?: unknown } | undefined)?.code;
    return (typeof code === 'number' && PASSING_CODES.has(code)) || PASSING_LABELS.some((l) => error.hasErrorLabel(l));
  }
  return !(error instanceof MongoAPIError) || CLOSED.some((kind) => error instanceof kind);
}

function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && LOST_CODES.has(error.code);
}

/**
 * Why the store is away, for an operator: each server that was looked for and what came of it, such as
 * `db-1:27017 ECONNREFUSED`. Nothing of what was sent or stored is in it.
 */
export function whyAway(error: unknown): string {
  const servers = error instanceof MongoServerSelectionError ? [...(error.reason?.servers.values() ?? [])] : [];
  if (servers.length === 0) return codeOf(error);
  return servers.map(({ address, error: each }) => `${address} ${each ? codeOf(each) : 'takes no writes'}`).join(', ');
}

/** The code of an error, or of what caused it; else its kind. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, codeName, cause, name } = error as Error & { code?: unknown; codeName?: unknown };
  if (typeof codeName === 'string') return codeName;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : name;
}

/** How often a write is tried again, in milliseconds. */
const AGAIN_MS = 500;

/**
 * Makes a write that only helps others, as soon as the store is there: it is tried again while the store is away. Never
 * throws, so that it need not be waited for.
 * @param forMs after so long nobody is helped by it any more
 * @param stopping nothing is tried again once it is aborted
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
      await setTimeout(AGAIN_MS, undefined, { ref: false, ...(stopping && { signal: stopping }) }).catch(() => {});
    }
  }
}
