/** The service that the proof is made on: one of its own, as `npm start` runs it, or one that a profile names. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

export interface Target {
  profile: string;
  stop(): Promise<void>;
}

/** Starts a service on free ports, with data that goes when it stops. @throws Error when it does not start */
export async function startTarget(say: (text: string) => void): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'proof-target-'));
  const args = ['start', '--silent', '--', '--port', '0', '--data', data, '--json'];
  const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = () => {
    // The group: npm does not pass every signal on.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGTERM');
  };
  process.once('exit', end);
  const stop = async () => {
    end();
    await ended;
    process.off('exit', end);
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
