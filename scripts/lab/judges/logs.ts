/** What a process may not have logged, and how it has to end. */
import type { RunningServer } from '../../world/server.ts';

/** The levels of log lines that report unexpected errors. */
const ERROR_LEVELS: readonly unknown[] = ['error', 'fatal'];

/** Whether a scenario itself causes what is logged: its database is away. */
function isCaused({ event, error }: Record<string, unknown>): boolean {
  const { kind = '', code } = (error ?? {}) as { readonly kind?: string; readonly code?: unknown };
  return /_unavailable$/.test(String(event)) || kind.startsWith('Mongo') || /^E[A-Z]+$/.test(String(code));
}

/** One sentence for each unexpected error that a process has logged. */
export function unexpectedLines({ log }: Pick<RunningServer, 'log'>): string[] {
  const errors = log().filter((line) => ERROR_LEVELS.includes(line.level) && !isCaused(line));
  return errors.map((line) => `an error: ${JSON.stringify(line)}`);
}

/** Ends a process, which must end well and have said nothing unexpected. */
export async function endedBadly(name: string, server: RunningServer): Promise<string[]> {
  const { process } = server;
  const wrong = unexpectedLines(server);
  const code = await process.stop();
  if (code !== 0 || process.stderr !== '') wrong.push(`${name} ended with ${code}: ${process.stderr}`);
  return wrong;
}
