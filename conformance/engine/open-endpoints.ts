/** The webhook endpoints that exist because of the run, so that none is left when it ends or is stopped. */

/** An endpoint, and the variable that holds a key that may delete it. */
export interface OpenEndpoint {
  readonly id: string;
  readonly key: string;
}

export class OpenEndpoints {
  readonly #made = new Map<string, OpenEndpoint>();

  get all(): OpenEndpoint[] {
    return [...this.#made.values()];
  }

  /** A creation was answered. @param id the id of the endpoint, or '' if there is none */
  created(id: string, key: string): void {
    if (id !== '') this.#made.set(id, { id, key });
  }

  deleted(id: string): void {
    this.#made.delete(id);
  }
}
