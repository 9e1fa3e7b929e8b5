/** Prints lines of logs that are files, for the conformance suite. Exit codes: 0 printed, 1 no file is there, 2 usage. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { commandLine, exitingWith, invalid, runProgram } from '../../kit/command-line.ts';

const TIME = /"time":"([^"]+)"/;

/** @param sinceMs milliseconds since 1970; a line without a time is as old as the line before it */
async function printSince(file: string, sinceMs: number): Promise<void> {
  let isOld = false;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, time] = TIME.exec(line) ?? [];
    if (time !== undefined) isOld = Date.parse(time) < sinceMs;
    if (!isOld && !process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  }
}

async function print(files: readonly string[], { since }: { since: number }): Promise<number> {
  // The writer of such a file keeps the one before it.
  const found = files.flatMap((file) => [`${file}.old`, file]).filter((file) => existsSync(file));
  for (const file of found) await printSince(file, since);
  if (found.length > 0) return 0;
  console.error(`There is no log: ${files.join(', ')}`);
  return 1;
}

function instant(text: string): number {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? invalid('Give a time such as 2026-05-04T10:00:00Z.') : ms;
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const program = commandLine('logs', 'Prints the lines of logs that the service wrote since a moment.')
    .argument('<files...>', 'the logs, one for each process')
    .option('--since <time>', 'without lines of before this moment', instant, 0)
    .action(exitingWith(print));
  return runProgram(program, argv);
}
