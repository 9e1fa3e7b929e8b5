/** What workers have begun and not ended, so that a run that is stopped can wait for it. */
import type { Socket } from 'node:net';

interface UnderWayOptions<Work> {
  /** How long a stop waits, in milliseconds. */
  readonly patienceMs: number;
  /** Whether a stop waits for this work; by default it does. */
  readonly isAwaited?: (work: Work) => boolean;
}

export class UnderWay<Work> {
  readonly #options: UnderWayOptions<Work>;
  #begun: { readonly worker: Socket; readonly work: Work }[] = [];
  #stopped: (() => void) | undefined;

  constructor(options: UnderWayOptions<Work>) {
    this.#options = options;
  }

  /** @returns false after {@link stop}: then the worker must not begin */
  begin(worker: Socket, work: Work): boolean {
    if (this.#stopped !== undefined) return false;
    this.#begun.push({ worker, work });
    return true;
  }

  /** A worker has ended the first of its works that fit. */
  end(worker: Socket, fits: (work: Work) => boolean = () => true): void {
    const at = this.#begun.findIndex((one) => one.worker === worker && fits(one.work));
    if (at >= 0) this.#begun.splice(at, 1);
    this.#look();
  }

  /** A worker is gone. */
  forget(worker: Socket): void {
    this.#begun = this.#begun.filter((one) => one.worker !== worker);
    this.#look();
  }

  /** Lets nothing begin any more, and waits for the end of what is awaited. @returns what takes too long */
  async stop(): Promise<Work[]> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      setTimeout(resolve, this.#options.patienceMs).unref();
      this.#look();
    });
    return this.#awaited();
  }

  #awaited(): Work[] {
    const { isAwaited = () => true } = this.#options;
    return this.#begun.map(({ work }) => work).filter(isAwaited);
  }

  #look(): void {
    if (this.#awaited().length === 0) this.#stopped?.();
  }
}
