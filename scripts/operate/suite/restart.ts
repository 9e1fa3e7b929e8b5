/**
 * Restarts a process of the service by a command of its operator, and waits until the service answers. Exit codes: 0 it
 * answers, 1 the command failed or it does not answer, 2 usage.
 */
import { spawnSync } from 'node:child_process';
import { commaList, commandLine, exitingWith, runProgram } from '../../kit/command-line.ts';
import { eventually } from '../../kit/eventually.ts';

const TIMEOUT_MS = 45_000;
const ANSWER_MS = 2_000;

/** A gateway may hide the path; it then answers 404 for a process that it reaches. */
async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
    return false;
  }
}

async function restart(command: string, { url: urls }: { url: string[] }): Promise<number> {
  const { status, signal, error } = spawnSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    console.error(`The command for the restart ended with ${error?.message ?? status ?? signal}: ${command}`);
    return 1;
  }
  const areReady = async () => (await Promise.all(urls.map(isReady))).every(Boolean);
  if (await eventually('an answer', areReady, TIMEOUT_MS).catch(() => false)) return 0;
  console.error(`The service does not answer ${TIMEOUT_MS / 1000} seconds after the restart: ${urls.join(', ')}`);
  return 1;
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Restarts a process of the service, and waits until the service answers.';
  const program = commandLine('restart', about)
    .argument('<command>', 'a line for sh that ends after the old process has ended')
    .requiredOption('--url <urls>', 'addresses that must answer, comma-separated', commaList)
    .action(exitingWith(restart));
  return runProgram(program, argv);
}
