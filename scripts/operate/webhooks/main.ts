/** `npm run webhooks`: the commands of the client's package, which here also cause every event in an `npm start`. */
import { webhookCommands } from '../../../client/src/cli/main.ts';
import type { EventCause } from '../../../client/src/cli/trigger.ts';
import { standardOutput } from '../../kit/command-line.ts';
import { untilStopped } from '../../kit/ending.ts';

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const context = { ...standardOutput, name: 'npm run webhooks --', env: process.env, untilStopped };
  // Only `trigger` needs what can change the tenants of npm start.
  let cause: EventCause | undefined;
  return webhookCommands(argv, context, async (type, start) => {
    cause ??= (await import('./event-causes.ts')).demoEvents();
    return cause(type, start);
  });
}
