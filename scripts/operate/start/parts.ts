/** The processes of one `npm start`: when one ends, all end. */
import type { RunningProgram } from '../../../conformance/processes/program.ts';

/** The running parts; they are ended in the reverse order of their start. */
export class Parts {
  readonly #running: { part: RunningProgram; after?: () => void }[] = [];
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

  add(part: RunningProgram, after?: () => void): void {
    this.#running.push(after ? { part, after } : { part });
    this.#watch(part);
  }

  /** Adds work to do once every part has ended. */
  atEnd(work: () => void): void {
    this.#atEnd.push(work);
  }

  #watch(part: RunningProgram): void {
    void part.ended.then(() => this.#stopping ?? (this.#leaving.has(part) || this.fail(part.endReason)));
  }

  /** Stops a part, or kills it, and starts another in its place. If the new one does not start, everything ends. */
  async replace<Part extends RunningProgram>(
    part: Part,
    next: () => Promise<Part>,
    signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
  ): Promise<Part> {
    const entry = this.#running.find((one) => one.part === part);
    if (entry === undefined || this.#stopping !== undefined) return part;
    this.#leaving.add(part);
    await part.stop(signal);
    try {
      const successor = await next();
      entry.part = successor;
      this.#watch(successor);
      if (this.#stopping !== undefined) await successor.stop();
      return successor;
    } catch (error) {
      this.fail((error as Error).message);
      return part;
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      for (const { part, after } of this.#running.toReversed()) {
        await part.stop();
        after?.();
      }
      for (const work of this.#atEnd) work();
    })();
    return this.#stopping;
  }
}
