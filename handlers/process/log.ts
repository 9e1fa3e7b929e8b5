/**
 * Structured logs. Requests are logged by operation, status and time, never with their content; the masks, taken from
 * the contract's marks, are the second line of defence.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { personalDataFields, secretFields } from '../../generated/personal-data.ts';

/**
 * Marked in the contract, yet too common as names to say what a log field holds: masking them would hide addresses and
 * counts and protect nothing.
 */
export const commonNames: readonly string[] = ['number', 'url', 'value', 'fields'];

const maskedNames: ReadonlySet<string> = new Set(
  [...Object.keys(personalDataFields), ...secretFields, 'x-api-key', 'authorization', 'page_token', 'idempotency-key']
    .filter((name) => !commonNames.includes(name))
    .map((name) => name.toLowerCase()),
);
const MASK = '[masked]';
const MAX_DEPTH = 4;

/** The value with whatever stands under a personal or secret name masked, down to four levels; deeper ones are cut. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  const safe: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    safe[name] = maskedNames.has(name.toLowerCase()) ? MASK : masked(inner, depth + 1);
  }
  return safe;
}

export type { Logger };

/** A log with an end. */
export interface Log extends Logger {
  /**
   * Writes what is buffered, as far as somebody reads it soon, and closes the log: the process is about to go. Never fails,
   * and takes no longer than {@link END_MS}.
   */
  close(): Promise<void>;
}

/** Lines are written together, at the latest after this time: a write for each would cost more than its request. */
const BATCH = { minLength: 4096, periodicFlush: 100 };
/** Lines that wait for a reader who stalls; beyond it they are dropped, because the service goes on without its log. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** How long the end waits for a reader, in milliseconds. */
const END_MS = 300;

/**
 * The process's logger, on standard output. A reader who is slow, gone, or out of disk space never holds up or ends
 * the service. @param level one of pino's levels, or `silent`
 */
export function createLogger(level: string): Log {
  // Opened here so that a full pipe says so instead of blocking a thread. Whoever listens keeps its error from ending the process.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
  const destination = pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES, ...BATCH });
  destination.on('error', () => {});
  return Object.assign(loggerTo(level, destination), {
    // Not `flushSync`, which tries for ever where writing fails.
    async close() {
      const written = new Promise<void>((resolve) => {
        for (const event of ['close', 'error']) destination.once(event, resolve);
        setTimeout(resolve, END_MS);
      });
      try {
        destination.end();
      } catch {
        // It is closed already.
      }
      await written;
      // Whatever is left has no reader; pino would go on trying at the process's exit.
      destination.destroy();
    },
  });
}

/** A logger that writes its lines elsewhere. */
export function loggerTo(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => masked(fields) as Record<string, unknown>,
      },
    },
    destination,
  );
}

/** Kinds whose messages are made of names in the code; others may quote what was parsed, sent or stored. */
const SPEAKING = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'AssertionError']);

/**
 * What may be logged of an unexpected error: its kind, code and stack frames. The messages of the database's driver
 * and of parsers can hold values (a duplicate key's, a broken JSON text's), so they stay out.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { name, code, codeName, message, cause } = error as Error & { code?: unknown; codeName?: unknown };
  const stack = (error.stack ?? '').replace(message, '');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    kind: name,
    ...(code === undefined ? {} : { code }),
    ...(codeName === undefined ? {} : { code_name: codeName }),
    ...(SPEAKING.has(name) ? { message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
    ...(cause instanceof Error ? { cause: { kind: cause.name } } : {}),
  };
}
