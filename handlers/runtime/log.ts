/**
 * Structured logs. Requests are logged by operation, status and time, never with their content; the masks, taken from
 * the contract's marks, are the second line of defence.
 */
import { type Logger, pino } from 'pino';
import { personalDataFields, secretFields } from '../../generated/personal-data.ts';

const masked = [...Object.keys(personalDataFields), ...secretFields, 'x-api-key', 'authorization', 'page_token'];

function quoted(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : `["${name}"]`;
}

/** Every place down to three levels where a marked field may stand. */
function paths(): string[] {
  return masked.flatMap((name) => {
    const field = quoted(name);
    const nested = field.startsWith('[') ? field : `.${field}`;
    return [field, `*${nested}`, `*.*${nested}`];
  });
}

export type { Logger };

/** The process's logger. @param level one of pino's levels, or `silent` */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: paths(), censor: '[masked]' },
  });
}

/**
 * What may be logged of an unexpected error: its kind, code and stack frames. Messages of the database's driver can
 * hold values of rows (a duplicate key's, for one), so they stay out.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { name, code, codeName } = error as Error & { code?: unknown; codeName?: unknown };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const fromDriver = name.startsWith('Mongo');
  return {
    kind: name,
    ...(code === undefined ? {} : { code }),
    ...(codeName === undefined ? {} : { code_name: codeName }),
    ...(fromDriver ? {} : { message: error.message }),
    frames: frames.slice(0, 12).map((line) => line.trim()),
  };
}
