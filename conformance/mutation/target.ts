/** The service that faults are planted at: one started here, as `npm start` runs it, or one that a profile names. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { nodeScript } from '../../scripts/kit/program.ts';
import { background } from '../../scripts/kit/run-program.ts';

const root = join(import.meta.dirname, '../..');

export interface Target {
  profile: string;
  stop(): Promise<void>;
}

/** Starts a service on free ports; its data is deleted when it stops. @throws Error if it does not start */
export async function startTarget(say: (text: string) => void): Promise<Target> {
  const data = temporaryFolder('mutation-target-');
  say('starting a service of its own …');
  const argv = nodeScript('scripts/operate/start/main.ts', '--port', '0', '--data', data, '--json');
  const service = await background(argv, { cwd: root, hear: (text) => process.stderr.write(text) });
  return {
    profile: String(service.ready.conformance_profile),
    async stop() {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
