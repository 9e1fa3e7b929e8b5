/** Processes and folders that a test or a suite has at the moment, so that an interrupted run leaves none of them. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** Notes a process until it ends. */
export function note(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** A new folder. Its maker removes it; when a signal interrupts the run, {@link removeLeftoversOnSignal} does. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
}

/** Has SIGINT, SIGTERM and SIGHUP end this process with everything that it has started, and remove its folders. */
export function removeLeftoversOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const child of children) child.kill('SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      // What a shell reports of a process that a signal has ended.
      process.exit(128 + constants.signals[signal]);
    });
  }
}
