/** Folders that a test or a suite has at the moment, so that an interrupted run leaves none of them, and no process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningPrograms } from './program.ts';

const folders = new Set<string>();

/** A new folder. Its maker removes it; an interrupted run removes it automatically. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
}

/** Has SIGINT, SIGTERM and SIGHUP end this process with everything that it has started, and remove its folders. */
export function leaveNothing(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const program of runningPrograms()) program.signal('SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      // What a shell reports of a process that a signal has ended.
      process.exit(128 + constants.signals[signal]);
    });
  }
}
