/** Restarts the server of a running `npm start`. Exit codes: 0 restarted, 1 nothing runs there, or again, 2 usage. */
import { commandLine, exitingWith, runProgram } from '../../kit/command-line.ts';
import { eventually } from '../../kit/eventually.ts';
import { type Instance, instanceNote, RESTART_SIGNAL } from './notes.ts';

const TIMEOUT_MS = 120_000;

/** Whether the note names another server process as ready. */
function isReplaced(dataDir: string, before: Instance): boolean {
  const now = instanceNote.read(dataDir);
  return now !== undefined && now.server_pid !== before.server_pid;
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
  const replaced = eventually('another process', () => isReplaced(dataDir, before), TIMEOUT_MS);
  if (await replaced.catch(() => false)) return 0;
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
