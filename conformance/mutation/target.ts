/** The service that faults are planted at: one started here, as `npm start` runs it, or one that a profile names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startNpm } from './npm-child.ts';

export interface Target {
  profile: string;
  stop(): Promise<void>;
}

/** Starts a service on free ports; its data is deleted when it stops. @throws Error if it does not start */
export async function startTarget(say: (text: string) => void): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'mutation-target-'));
  const args = ['start', '--silent', '--', '--port', '0', '--data', data, '--json'];
  const { child, ended, stop: stopChild } = startNpm(args);
  child.stderr.pipe(process.stderr, { end: false });
  const stop = async () => {
    await stopChild();
    rmSync(data, { recursive: true, force: true });
  };
  say('starting a service of its own …');
  const profile = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { event, conformance_profile } = JSON.parse(line) as { event?: string; conformance_profile?: string };
      if (event === 'ready' && conformance_profile) resolve(conformance_profile);
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error('`npm start` ended before it was ready')));
  });
  return { profile, stop };
}
