/** The service of `npm start`, for the steps that talk to one. */
import { background, joined, judged, nodeScript, type Outcome } from './run.ts';

/**
 * Runs the work beside a service of its own and sees that it ends as it should.
 * @param data its data directory, in which the profile is
 * @param more further options of `npm start`
 * @param env further variables of its environment
 */
export async function withService(
  root: string,
  data: string,
  more: readonly string[],
  work: () => Promise<Outcome>,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const start = nodeScript('scripts/start/main.ts', '--port', '0', '--data', data, '--json', ...more);
  const service = await background(start, { cwd: root, env: { LOG_LEVEL: 'warn', ...env } });
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
