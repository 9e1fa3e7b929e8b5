/** Folders that a program or a test has at the moment, so that an interrupted one leaves none of them, and no process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningPrograms } from './program.ts';

const folders = new Set<string>();

/** A new folder. Its maker removes it; an interrupted run removes it with everything that it has started. */
export function temporaryFolder(prefix: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, prefix));
  if (folders.size === 0) process.once('exit', leaveNothing);
  folders.add(folder);
  return folder;
}

function leaveNothing(): void {
  // What still writes there must not make the folder again.
  for (const program of runningPrograms()) program.signal('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
