/** The service that faults are planted at: one started here, as `npm start` runs it, or one that a profile names. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../processes/leftovers.ts';
import { RunningProgram } from '../processes/program.ts';

const root = join(import.meta.dirname, '../..');

export interface Target {
  profile: string;
  stop(): Promise<void>;
}

/** Starts an npm command. Signals reach what it starts, since npm does not pass every signal on. */
export function startNpm(...args: readonly string[]): RunningProgram {
  return new RunningProgram(['npm', ...args], { name: `npm ${args[0]}`, cwd: root, leadsGroup: true });
}

/** Starts a service on free ports; its data is deleted when it stops. @throws Error if it does not start */
export async function startTarget(say: (text: string) => void): Promise<Target> {
  const data = temporaryFolder('mutation-target-');
  const args = ['start', '--silent', '--', '--port', '0', '--data', data, '--json'];
  const service = startNpm(...args);
  service.child.stderr?.pipe(process.stderr, { end: false });
  say('starting a service of its own …');
  const profile = await service.line((line) => {
    if (!line.startsWith('{')) return undefined;
    const { event, conformance_profile } = JSON.parse(line) as { event?: string; conformance_profile?: string };
    return event === 'ready' ? conformance_profile : undefined;
  });
  return {
    profile,
    async stop() {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
