/** The webhook endpoints that exist because of the run, so that none is left when it ends or is stopped. */
import { NOT_RUN, RuleUntested } from '../judge/outcome.ts';
import { settledWithin } from './bounded-wait.ts';

/** How long a run that ends waits for the answers to creations, in milliseconds. */
const LAST_ANSWERS_MS = 3_000;

/** An endpoint, and the variable that holds a key that may delete it. */
export interface OpenEndpoint {
  readonly id: string;
  readonly key: string;
}

export class OpenEndpoints {
  readonly #made = new Map<string, OpenEndpoint>();
  readonly #creations = new Set<Promise<unknown>>();
  #isStopped = false;

  get all(): OpenEndpoint[] {
    return [...this.#made.values()];
  }

  /**
   * Sends a creation.
   * @param key the variable of the key that sends it
   * @param idOf the id that the answer shows, or ''
   * @throws Untested after {@link stop}
   */
  async create<Answer>(key: string, send: () => Promise<Answer>, idOf: (answer: Answer) => string): Promise<Answer> {
    if (this.#isStopped) throw new RuleUntested('not_run', NOT_RUN);
    const creation = send().then((answer) => {
      const id = idOf(answer);
      if (id !== '') this.#made.set(id, { id, key });
      return answer;
    });
    this.#creations.add(creation);
    try {
      return await creation;
    } finally {
      this.#creations.delete(creation);
    }
  }

  deleted(id: string): void {
    this.#made.delete(id);
  }

  /** Lets no creation begin any more, and waits for the answers to those that were sent, each of which may make one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await settledWithin([...this.#creations], LAST_ANSWERS_MS);
  }
}
