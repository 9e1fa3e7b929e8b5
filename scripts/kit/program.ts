/** Programs that this process starts: it waits until they are ready, keeps what they say, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';

/** After this long, in milliseconds, a wait reports a hang. Even a slow machine needs less. */
export const PATIENCE_MS = 120_000;
/** How many of the last characters that a program said explain why it ended. */
const SHOWN = 4_000;

export interface ProgramOptions {
  /** What messages call it: "The server". By default the name of the command. */
  readonly name?: string;
  readonly cwd?: string;
  /** All its variables; by default those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets its output, piece by piece. */
  readonly onOutput?: (text: string, from: 'stdout' | 'stderr') => void;
  /** How many of the last characters of each output are kept; all by default. */
  readonly keptOutput?: number;
  /**
   * Whether it leads a process group: signals reach all that it has started, and Ctrl-C in a terminal does not reach it,
   * so that this process can end its children in the right order.
   */
  readonly leadsGroup?: boolean;
  /** How much of the processors it, and all that it starts, leaves to others, up to 19. Then it leads a group. */
  readonly niceness?: number;
  /** Whether it can exchange messages with this process, as a child of `fork` can. */
  readonly hasMessages?: boolean;
  /** Whether its standard input stays open as long as this process lives. */
  readonly holdsInput?: boolean;
  /** How long it may take to end after {@link RunningProgram.stop}, before it is killed. */
  readonly endMs?: number;
}

/** The command line that runs a script with the same Node that runs this one. */
export function nodeScript(script: string, ...rest: string[]): string[] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, ...rest];
}

const running = new Set<RunningProgram>();
let areEnded = false;

/** The programs of this process that have not ended. */
export const runningPrograms = (): readonly RunningProgram[] => [...running];

/** Ends every program that was started, and those that start later. @returns settles when the former have ended */
export async function endPrograms(): Promise<void> {
  areEnded = true;
  await Promise.all(runningPrograms().map((program) => program.stop()));
}

/** A program that was started, with what it said so far. */
export class RunningProgram {
  readonly child: ChildProcess;
  readonly name: string;
  /** The lines of its standard output. */
  readonly lines: Interface;
  stdout = '';
  stderr = '';
  /** Settles when it has ended and all that it said is here: with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #options: ProgramOptions;
  readonly #leadsGroup: boolean;

  constructor(argv: readonly string[], options: ProgramOptions = {}) {
    const [command = '', ...args] = argv;
    const { cwd, env, name = command, niceness = 0 } = options;
    this.name = name;
    this.#options = options;
    this.#leadsGroup = niceness > 0 || options.leadsGroup === true;
    this.child = spawn(command, args, {
      cwd,
      env,
      detached: this.#leadsGroup,
      stdio: [options.holdsInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(options.hasMessages ? ['ipc' as const] : [])],
    });
    this.child.stdin?.on('error', () => {});
    for (const from of ['stdout', 'stderr'] as const) {
      this.child[from]?.setEncoding('utf8').on('data', (text: string) => this.#say(text, from));
    }
    this.lines = createInterface({ input: this.child.stdout ?? Readable.from([]) });
    this.child.once('error', ({ message }) => {
      this.#say(`${command} could not be run: ${message}\n`, 'stderr');
    });
    running.add(this);
    this.child.once('exit', () => running.delete(this));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        running.delete(this);
        resolve(code ?? String(signal));
      });
    });
    if (niceness > 0) this.#leaveRoom(niceness);
    if (areEnded) void this.stop();
  }

  #say(text: string, from: 'stdout' | 'stderr'): void {
    this[from] = (this[from] + text).slice(-(this.#options.keptOutput ?? Number.POSITIVE_INFINITY));
    this.#options.onOutput?.(text, from);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Why it ended, with the last that it said. */
  get endReason(): string {
    const { exitCode, signalCode } = this.child;
    const how = signalCode ? `was ended by ${signalCode}` : `ended with exit code ${exitCode}`;
    const said = this.stderr.slice(-SHOWN).trim();
    return said ? `${this.name} ${how}. It said:\n${said}` : `${this.name} ${how}.`;
  }

  /**
   * Waits for a line of its standard output.
   * @param find what the line says; undefined or false if it is a different line
   * @throws Error with the reason, when it ends first or the time is over; it is then stopped
   */
  async line<T>(find: (line: string) => T | false | undefined, timeoutMs = PATIENCE_MS): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const look = (line: string) => {
      try {
        const found = find(line);
        if (found !== undefined && found !== false) resolve(found);
      } catch (error) {
        reject(error);
      }
    };
    for (const line of this.stdout.split('\n').slice(0, -1)) look(line);
    this.lines.on('line', look);
    void this.ended.then(() => reject(new Error(this.endReason)));
    const late = () => reject(new Error(`${this.name} is not ready after ${timeoutMs / 1000} seconds.`));
    const timer = setTimeout(late, timeoutMs);
    try {
      return await promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      this.lines.off('line', look);
    }
  }

  /** Sends it a signal; if it leads a group, to all that it has started, too. */
  signal(signal: NodeJS.Signals): void {
    try {
      if (!this.#leadsGroup) this.child.kill(signal);
      else if (this.child.pid !== undefined) process.kill(-this.child.pid, signal);
    } catch {
      // It has already ended.
    }
  }

  /** Ends it with the signal, and with SIGKILL if that takes too long. @returns as {@link ended} */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    if (!this.hasEnded) this.signal(signal);
    const timer = setTimeout(() => this.signal('SIGKILL'), this.#options.endMs ?? PATIENCE_MS);
    const ending = await this.ended;
    clearTimeout(timer);
    return ending;
  }

  /** Linux first divides the processors among sessions, and only then looks at the priorities of processes. */
  #leaveRoom(niceness: number): void {
    try {
      setPriority(this.pid, niceness);
      writeFileSync(`/proc/${this.pid}/autogroup`, String(niceness));
    } catch {
      // It has already ended, or this system has no groups by session.
    }
  }
}

process.once('exit', () => {
  for (const program of running) program.signal('SIGTERM');
});
