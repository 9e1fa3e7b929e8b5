/** Restarts the server of a running `npm start`. Exit codes: 0 restarted, 1 nothing runs there, or again, 2 usage. */
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, exitingWith, runProgram } from '../../../conformance/command-line.ts';
import { type Instance, instanceNote, RESTART_SIGNAL } from './notes.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 50;

/** Waits until the note names another server process as ready. @returns whether that happened in time */
async function isReplaced(dataDir: string, before: Instance): Promise<boolean> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const now = instanceNote.read(dataDir);
    if (now !== undefined && now.server_pid !== before.server_pid) return true;
  }
  return false;
}

async function restart(dataDir: string): Promise<number> {
  const before = instanceNote.read(dataDir);
  try {
    if (before === undefined) throw new Error('it has written no note');
    process.kill(before.start_pid, RESTART_SIGNAL);
  } catch (error) {
    console.error(`No service runs on the folder ${dataDir}: ${(error as Error).message}. Start it with npm start.`);
    return 1;
  }
  if (await isReplaced(dataDir, before)) return 0;
  console.error(`The server did not come back within ${TIMEOUT_MS / 1000} seconds; see server.log in ${dataDir}.`);
  return 1;
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Restarts the server of a running npm start, at the same addresses.';
  const program = commandLine('restart', about)
    .option('--data <folder>', 'the folder that npm start uses', '.data')
    .action(exitingWith(({ data }: { data: string }) => restart(data)));
  return runProgram(program, argv);
}
