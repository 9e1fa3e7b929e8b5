/**
 * Runs the admin commands of a profile in one process, since a command takes much less time than the start of a process.
 * A line of its input is a command, `{ id, words }`, and a line of its output how one ended, `{ id, code, stdout, stderr }`.
 */
import { createInterface } from 'node:readline';
import { type CommandEnd, endOf } from '../../../conformance/engine/admin-commands.ts';
import { now } from '../../../handlers/runtime/clock.ts';
import { keptOutput } from '../../kit/command-line.ts';
import { RunningProgram } from '../../kit/program.ts';
import { eds } from '../eds/main.ts';
import { settings } from '../settings/main.ts';

interface Command {
  readonly id: number;
  readonly words: readonly string[];
}

/** The programs that can run here; any other is started as a process. */
const programs: Readonly<Record<string, typeof settings>> = {
  'scripts/operate/settings/main.ts': settings,
  'scripts/operate/eds/main.ts': eds,
};

async function run(words: readonly string[]): Promise<CommandEnd> {
  const at = words.findIndex((word) => word in programs);
  const program = programs[words[at] ?? ''];
  if (program === undefined) return endOf(new RunningProgram(words));
  const { written, ...output } = keptOutput();
  const code = await program(words.slice(at + 1), { ...output, env: process.env, now }).catch((error: Error) => {
    output.stderr(error.stack ?? error.message);
    return 1;
  });
  return { code, stdout: written.out, stderr: written.err };
}

/** Settles when the input has ended, and each command. @returns the exit code */
export async function main(): Promise<number> {
  const running: Promise<unknown>[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, words } = JSON.parse(line) as Command;
    running.push(run(words).then((end) => process.stdout.write(`${JSON.stringify({ id, ...end })}\n`)));
  }
  await Promise.all(running);
  return 0;
}
