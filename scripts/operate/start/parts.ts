/** The processes of one `npm start`: when one ends, all end. */
import type { RunningProgram } from '../../kit/program.ts';

interface Startable {
  readonly process: RunningProgram;
}

/** The running parts; they are ended in the reverse order of their start. */
export class Parts {
  readonly #parts = new Map<string, Startable & { readonly start: () => Promise<Startable> }>();
  readonly #leaving = new Set<RunningProgram>();
  readonly #atEnd: (() => void)[] = [];
  #stopping: Promise<void> | undefined;
  /** Settles with the reason when a part ends without having been asked to. */
  readonly died: Promise<string>;
  /** Says that a part, which may be none of the processes, has failed. */
  readonly fail: (reason: string) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.died = promise;
    this.fail = resolve;
  }

  /** Starts a part, and returns once it has started. @param name for {@link restart} */
  async start<Part extends Startable>(name: string, start: () => Promise<Part>): Promise<Part> {
    const part = await start();
    const { process } = part;
    this.#parts.set(name, { process, start });
    void process.ended.then(() => this.#stopping ?? (this.#leaving.has(process) || this.fail(process.endReason)));
    return part;
  }

  /** Adds work to do once every part has ended. */
  atEnd(work: () => void): void {
    this.#atEnd.push(work);
  }

  pidOf(name: string): number {
    return this.#parts.get(name)?.process.pid ?? 0;
  }

  /**
   * Stops a part, or kills it, and starts it again in its place. If it does not start, everything ends.
   * @param away what happens in between
   */
  async restart(
    name: string,
    signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
    away: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    const part = this.#parts.get(name);
    if (part === undefined || this.#stopping !== undefined) return;
    this.#leaving.add(part.process);
    await part.process.stop(signal);
    try {
      await away();
      const { process } = await this.start(name, part.start);
      if (this.#stopping !== undefined) await process.stop();
    } catch (error) {
      this.fail((error as Error).message);
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      for (const { process } of [...this.#parts.values()].toReversed()) await process.stop();
      for (const work of this.#atEnd) work();
    })();
    return this.#stopping;
  }
}
