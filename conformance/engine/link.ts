/** A worker's connection to the coordinator of the run. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { CallbackAsk } from '../callbacks/delivery.ts';
import type { LockMode, Question, Reply } from './coordinator.ts';

/** The coordinator cannot be reached, so the suite itself is broken. */
export class LinkLost extends Error {
  constructor() {
    super('the connection to the coordinator of the run was lost');
    this.name = 'LinkLost';
  }
}

/** Several questions may be open at once; each gets its own answer. The socket does not keep the process alive. */
export class Link {
  readonly #socket: Socket;
  readonly #open = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  #next = 1;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    const lost = () => {
      for (const { reject } of this.#open.values()) reject(new LinkLost());
      this.#open.clear();
    };
    this.#socket.on('error', lost);
    this.#socket.on('close', lost);
    const lines = createInterface({ input: this.#socket }).on('error', lost);
    lines.on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      this.#open.get(reply.id)?.resolve(reply);
      this.#open.delete(reply.id);
      if (this.#open.size === 0) this.#socket.unref();
    });
  }

  ask(question: Question): Promise<Reply> {
    if (this.#socket.destroyed) return Promise.reject(new LinkLost());
    const id = this.#next++;
    this.#socket.ref();
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#socket.write(`${JSON.stringify({ id, ...question })}\n`);
    });
  }

  /** Waits until a request may be sent with one of these keys. @returns the variable name of the key */
  async slot(names: readonly string[]): Promise<string> {
    return (await this.ask({ op: 'slot', names: [...names] })).name ?? '';
  }

  /** Runs `work` while holding a lock. */
  async holding<T>(name: string, mode: LockMode, work: () => Promise<T>): Promise<T> {
    await this.ask({ op: 'lock', name, mode });
    try {
      return await work();
    } finally {
      await this.ask({ op: 'unlock', name });
    }
  }

  /** Asks the receiver of deliveries. @throws Error with what went wrong there */
  async callbacks<T = void>(ask: CallbackAsk): Promise<T> {
    const { data, fault } = await this.ask({ op: 'callbacks', ask });
    if (fault !== undefined) throw new Error(`the receiver of deliveries: ${fault}`);
    return data as T;
  }

  close(): void {
    this.#socket.destroy();
  }
}
