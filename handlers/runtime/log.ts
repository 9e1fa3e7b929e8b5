/**
 * Structured logs. Requests are logged with operation, status and time, never with their content. The masks, taken from
 * the marks in the contract, are a second protection.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { personalDataFields, secretFields } from '../../generated/contract.ts';
import { counter } from './metrics.ts';
import { currentTrace } from './tracing.ts';

const logLinesDropped = counter(
  'log_lines_dropped_total',
  'Lines of the log that were dropped because their reader was too slow or gone.',
);

/**
 * Names that are marked in the contract but too common to identify a personal field: masking them would hide
 * addresses and counts and protect nothing.
 */
export const commonNames: readonly string[] = ['number', 'url', 'value', 'fields'];

const maskedNames: ReadonlySet<string> = new Set(
  [...Object.keys(personalDataFields), ...secretFields, 'x-api-key', 'authorization', 'page_token', 'idempotency-key']
    .filter((name) => !commonNames.includes(name))
    .map((name) => name.toLowerCase()),
);
const MASK = '[masked]';
const MAX_DEPTH = 4;

/** The value with all fields of personal or secret names masked, down to four levels; deeper levels are cut off. */
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

/** A log that can be closed. */
export interface Log extends Logger {
  /**
   * Writes what is buffered, as far as the reader takes it in time, and closes the log, before the process exits. Never
   * fails, and takes no longer than {@link END_MS}.
   */
  close(): Promise<void>;
}

/** Lines are written together, at the latest after this time: one write for each would cost more than its request. */
const BATCH = { minLength: 4096, periodicFlush: 100 };
/**
 * Buffer for lines while the reader stalls. Lines beyond it are dropped, because the service goes on without its log.
 */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** How long closing waits for the reader, in milliseconds. */
const END_MS = 300;

/**
 * The process's logger, on standard output. A reader that is slow, gone or out of disk space never delays or ends the
 * service. @param level one of pino's levels, or `silent`
 */
export function createLogger(level: string): Log {
  // Using `process.stdout` here makes a full pipe report itself instead of blocking a thread. The listener keeps an
  // error from ending the process.
  if (!process.stdout.listeners('error').includes(ignored)) process.stdout.on('error', ignored);
  const destination = pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES, ...BATCH });
  destination.on('error', ignored);
  const log: Log = Object.assign(
    loggerTo(
      level,
      countedLosses(destination, () => log),
    ),
    {
      // Not `flushSync`, which tries for ever if writing fails.
      async close() {
        // What still ends meanwhile logs into nothing.
        log.level = 'silent';
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
        // What is left has no reader; pino would keep trying when the process exits.
        destination.destroy();
      },
    },
  );
  return log;
}

/** Where lines go, with a count of those that go nowhere, which the log tells once it goes on. */
function countedLosses(destination: Destination, log: () => Logger): DestinationStream {
  let untold = 0;
  let isGone = false;
  const lost = () => {
    logLinesDropped.inc();
    untold += 1;
  };
  destination.on('drop', lost);
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Nobody will ever read it again: what is buffered counts as lost line by line, as it would be dropped.
    isGone ||= code === 'EPIPE' || code === 'EBADF';
  });
  destination.on('drain', () => {
    if (untold === 0) return;
    const lines = untold;
    untold = 0;
    log().warn({ event: 'log_lines_lost', lines }, 'The reader of the log was too slow, or its disk was full.');
  });
  return { write: (line) => void (isGone ? lost() : destination.write(line)) };
}

type Destination = ReturnType<typeof pino.destination>;

function ignored(): void {}

/** A logger that writes its lines elsewhere. */
export function loggerTo(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: traceOfLine,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => masked(fields) as Record<string, unknown>,
      },
    },
    destination,
  );
}

/** Lines under a request or a delivery name its trace. */
function traceOfLine(): object {
  const trace = currentTrace();
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}

/**
 * Error classes whose messages contain only names from the code, unless they are about a file; others may quote what was
 * parsed, sent or stored.
 */
const SPEAKING = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'AssertionError']);

/**
 * What may be logged of an unexpected error: its class, code and stack frames. Messages of the database's driver and of
 * parsers can hold values (a duplicate key, a broken JSON text), so they are left out.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { name, code, codeName, message, cause } = error as Error & { code?: unknown; codeName?: unknown };
  const stack = (error.stack ?? '').replace(message, '');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    kind: name,
    code,
    code_name: codeName,
    ...(SPEAKING.has(name) && !('path' in error) ? { message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
    cause: cause instanceof Error ? { kind: cause.name } : undefined,
  };
}
