/** The service of `npm start`, for steps that need a running one. */
import { basename } from 'node:path';
import { nodeScript } from '../../../conformance/processes/program.ts';
import { background } from '../../testbed/run-program.ts';
import { joined, judged, type Outcome, type Say } from './run.ts';
import type { ServiceDatabase } from './service-database.ts';

/** How the service of a step is started. */
export interface ServiceStart {
  /** Its data directory, in which the profile is. */
  readonly data: string;
  readonly database: ServiceDatabase;
  /** Further options of `npm start`. */
  readonly options?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the work while a service runs, and checks that the service ends as it should. @param say gets its log
 */
export async function withService(
  root: string,
  { data, database, options = [], env: more = {} }: ServiceStart,
  say: Say,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const start = nodeScript('scripts/operate/start/main.ts', '--port', '0', '--data', data, '--json', ...options);
  const env = { LOG_LEVEL: 'warn', ...more, ...(await database.env(basename(data))) };
  const service = await background(start, { cwd: root, env, hear: say });
  let outcome: Outcome;
  try {
    outcome = await work();
  } catch (error) {
    await service.stop();
    throw error;
  }
  const code = await service.stop();
  return joined([outcome, judged(code === 0, `the service ended with ${code} instead of 0`)]);
}
