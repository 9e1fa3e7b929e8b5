/** A log whose lines a test reads. */
import { loggerTo } from '../../handlers/runtime/log.ts';

/** A log, and the lines that it has written. */
export function loggedLines() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: loggerTo('info', { write: (line) => void lines.push(JSON.parse(line)) }) };
}
