/** Runs the admin commands of a profile: each as a process, or all by the one program that the profile names. */

import { RunningProgram } from '../../scripts/kit/program.ts';
import { jsonFrom } from '../http/exchange.ts';
import type { Profile } from '../profile/profile.ts';

const TIMEOUT_MS = 60_000;

/** How a command ended: with an exit code, or the signal that ended it. */
export interface CommandEnd {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the runner writes about a command: one line of JSON. */
type RunnerLine = CommandEnd & { readonly id: number };

/** A runner: a program that runs commands until it is ended, several at the same time. */
class CommandRunner {
  readonly #program: RunningProgram;
  /** What waits for an answer of it. */
  readonly #waiting = new Map<number | undefined, (end: CommandEnd) => void>();
  #sent = 0;
  #hasFailed = false;

  constructor(program: RunningProgram) {
    this.#program = program;
    program.lines.on('line', (line) => this.#hear(line));
    void endOf(program).then(({ code, stderr }) =>
      this.#fail(code, `The runner of the admin commands has ended. ${stderr}`),
    );
  }

  /** Whether it takes no command any more: it has ended, or was asked to. */
  get isOver(): boolean {
    return this.#hasFailed || this.#program.hasEnded;
  }

  /** Has it run a command to its end. */
  run(words: readonly string[]): Promise<CommandEnd> {
    const id = ++this.#sent;
    this.#program.child.stdin?.write(`${JSON.stringify({ id, words })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Ends it; the commands that it was running have failed. @param why for people */
  async stop(why = 'The runner of the admin commands was stopped.'): Promise<void> {
    this.#fail('SIGTERM', why);
    await this.#program.stop();
  }

  #hear(line: string): void {
    const { id, ...end } = (jsonFrom(line) ?? {}) as Partial<RunnerLine>;
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (answer !== undefined) answer(end as CommandEnd);
    // The command that it belongs to may never get its answer. A long text loses its beginning, so the line stands there.
    else void this.stop(`"${line}" is what the runner of the admin commands printed in place of an answer.`);
  }

  #fail(code: CommandEnd['code'], stderr: string): void {
    this.#hasFailed = true;
    for (const answer of this.#waiting.values()) answer({ code, stdout: '', stderr });
    this.#waiting.clear();
  }
}

/** The admin commands of a run. */
export class AdminCommands {
  readonly #admin: Profile['admin'];
  readonly #timeoutMs: number;
  /** The latest runner is the last one; those before it have failed. */
  readonly #runners: CommandRunner[] = [];

  constructor(admin: Profile['admin'], timeoutMs = TIMEOUT_MS) {
    this.#admin = admin;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs a command to its end, also if this process is stopped by Ctrl-C. What hangs is ended after a minute; of a runner,
   * all that it is running.
   * @param name what a message calls the command
   */
  async run(words: readonly string[], name = 'An admin command'): Promise<CommandEnd> {
    const { runner } = this.#admin;
    const program = runner === undefined ? this.#start(words) : this.#runnerOf(runner);
    const why = `${name} took longer than ${this.#timeoutMs / 1000} s.`;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void (program instanceof CommandRunner ? program.stop(`The runner was stopped: ${why}`) : program.stop());
    }, this.#timeoutMs);
    const end = await (program instanceof CommandRunner ? program.run(words) : endOf(program));
    clearTimeout(timer);
    return isLate && !end.stderr.includes(why) ? { ...end, stderr: `${end.stderr}\n${why}` } : end;
  }

  /** Ends every runner. */
  async close(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
  }

  #start(words: readonly string[], isRunner = false): RunningProgram {
    const { cwd } = this.#admin;
    return new RunningProgram(words, { leadsGroup: true, holdsInput: isRunner, cwd });
  }

  /** The running runner, or a new one. */
  #runnerOf(argv: readonly string[]): CommandRunner {
    const latest = this.#runners.at(-1);
    if (latest?.isOver === false) return latest;
    const runner = new CommandRunner(this.#start(argv, true));
    this.#runners.push(runner);
    return runner;
  }
}

/** Waits for the end of a program that runs one command. */
export async function endOf(program: RunningProgram): Promise<CommandEnd> {
  const code = await program.ended;
  const { stdout, stderr } = program;
  return { code, stdout, stderr };
}
