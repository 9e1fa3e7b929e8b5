/**
 * The webhook endpoints that exist because of the run, so that none is left when it ends or is stopped. A creation is
 * announced before it is sent: one whose answer has not come yet may make an endpoint, too.
 */
import type { Socket } from 'node:net';

/** How long a stop waits for the answers to creations, in milliseconds. */
const LAST_ANSWERS_MS = 3_000;

/** An endpoint, and the variable that holds a key that may delete it. */
export interface OpenEndpoint {
  readonly id: string;
  readonly key: string;
}

export class OpenEndpoints {
  readonly #made = new Map<string, OpenEndpoint>();
  /** The worker of each creation that has no answer yet. */
  #creating: Socket[] = [];
  #stopped: (() => void) | undefined;

  get all(): OpenEndpoint[] {
    return [...this.#made.values()];
  }

  /** A worker wants to create an endpoint. @param permit called if it may: never after {@link stop} */
  create(worker: Socket, permit: () => void): void {
    if (this.#stopped !== undefined) return;
    this.#creating.push(worker);
    permit();
  }

  /** A worker has the answer to a creation. @param id the id of the endpoint, or '' if there is none */
  created(worker: Socket, id: string, key: string): void {
    if (id !== '') this.#made.set(id, { id, key });
    this.#creating.splice(this.#creating.indexOf(worker), 1);
    this.#look();
  }

  deleted(id: string): void {
    this.#made.delete(id);
  }

  /** A worker is gone. */
  forget(worker: Socket): void {
    this.#creating = this.#creating.filter((one) => one !== worker);
    this.#look();
  }

  /** Permits no more creations. @returns settles when those that are under way have their answers, or take too long */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped = resolve;
      setTimeout(resolve, LAST_ANSWERS_MS).unref();
      this.#look();
    });
  }

  #look(): void {
    if (this.#creating.length === 0) this.#stopped?.();
  }
}
