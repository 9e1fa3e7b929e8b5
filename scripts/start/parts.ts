/** The processes of one `npm start`: when one ends, all end. */
import type { Child } from './child.ts';

/** The running parts; they are ended in the reverse order of their start. */
export class Parts {
  readonly #running: { child: Child; after?: () => void }[] = [];
  readonly #leaving = new Set<Child>();
  readonly #atEnd: (() => void)[] = [];
  #stopping: Promise<void> | undefined;
  /** Settles with the reason when a part ends without having been asked to. */
  readonly died: Promise<string>;
  readonly #died: (reason: string) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.died = promise;
    this.#died = resolve;
  }

  add(child: Child, after?: () => void): void {
    this.#running.push(after ? { child, after } : { child });
    this.#watch(child);
  }

  /** Adds work to do once every part has ended. */
  atEnd(work: () => void): void {
    this.#atEnd.push(work);
  }

  #watch(child: Child): void {
    void child.ended.then((reason) => this.#stopping ?? (this.#leaving.has(child) || this.#died(reason)));
  }

  /** Stops a part and starts another in its place. If the new one does not start, the whole `npm start` ends. */
  async replace<Part extends Child>(part: Part, next: () => Promise<Part>): Promise<Part> {
    const entry = this.#running.find(({ child }) => child === part);
    if (entry === undefined || this.#stopping !== undefined) return part;
    this.#leaving.add(part);
    await part.stop();
    try {
      const successor = await next();
      entry.child = successor;
      this.#watch(successor);
      if (this.#stopping !== undefined) await successor.stop();
      return successor;
    } catch (error) {
      this.#died((error as Error).message);
      return part;
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      for (const { child, after } of this.#running.toReversed()) {
        await child.stop();
        after?.();
      }
      for (const work of this.#atEnd) work();
    })();
    return this.#stopping;
  }
}
