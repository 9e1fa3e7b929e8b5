/** The rules that are being checked, so that a run that ends early lets them put back what they have changed. */
import type { Socket } from 'node:net';

/** How long rules that change the tenant may go on after the run has been told to end, in milliseconds. */
const LAST_CHANGES_MS = 20_000;

export class RulesUnderWay {
  readonly #rules = new Map<string, { worker: Socket; changes: boolean }>();
  #stopped: (() => void) | undefined;

  /** @param changes whether the rule changes the tenant or its clock @returns false after {@link stop} */
  begin(worker: Socket, rule: string, changes: boolean): boolean {
    if (this.#stopped !== undefined) return false;
    this.#rules.set(rule, { worker, changes });
    return true;
  }

  done(rule: string): void {
    this.#rules.delete(rule);
    this.#look();
  }

  /** A worker is gone. */
  forget(worker: Socket): void {
    for (const [rule, one] of this.#rules) if (one.worker === worker) this.#rules.delete(rule);
    this.#look();
  }

  /** Lets no rule begin any more, and waits for those that change something. @returns those that take too long */
  async stop(): Promise<string[]> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      setTimeout(resolve, LAST_CHANGES_MS).unref();
      this.#look();
    });
    return this.#changing();
  }

  #changing(): string[] {
    return [...this.#rules].flatMap(([rule, { changes }]) => (changes ? [rule] : []));
  }

  #look(): void {
    if (this.#changing().length === 0) this.#stopped?.();
  }
}
