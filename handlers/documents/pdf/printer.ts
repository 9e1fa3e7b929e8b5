/**
 * Hands printing to a thread of its own, so that no request waits for another's document to be laid out. There is one
 * such thread a process, started with the first document; it prints one after the other.
 */
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../runtime/errors.ts';
import type { DocumentInput } from './layout.ts';
import type { SheetInput } from './sheet-layout.ts';

export type Job =
  | { readonly kind: 'document'; readonly input: DocumentInput }
  | { readonly kind: 'sheet'; readonly input: SheetInput };

export type Printed = { readonly bytes: Uint8Array } | { readonly failure: string };

/** The largest document takes a few seconds; more means that something is wrong. */
const LONGEST_MS = 30_000;
const MOST_WAITING = 200;
/**
 * How long a document waits for its turn. With the one before it, that stays below what a connection may be still
 * (`handlers/runtime/listener.ts`), so that its caller gets an answer.
 */
const LONGEST_WAIT_MS = 25_000;
const MEMORY_MB = 512;

const busy = () => new ApiError('UNAVAILABLE', { retryAfterMs: 2_000 });

interface Order {
  readonly job: Job;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Ends the waiting. */
  readonly patience: NodeJS.Timeout;
}

/** A thread with the orders that wait for it. */
export class Printer {
  readonly #program: URL;
  readonly #longestMs: number;
  readonly #longestWaitMs: number;
  readonly #waiting = new Set<Order>();
  #worker: Worker | undefined;
  #current: Order | undefined;
  #deadline: NodeJS.Timeout | undefined;

  /** Times in milliseconds: for one document, and before its turn. */
  constructor(program: URL, longestMs = LONGEST_MS, longestWaitMs = LONGEST_WAIT_MS) {
    this.#program = program;
    this.#longestMs = longestMs;
    this.#longestWaitMs = longestWaitMs;
  }

  /** @throws ApiError UNAVAILABLE when too many wait, when its turn does not come, or when it takes too long */
  print(job: Job): Promise<Uint8Array> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.#waiting.delete(order);
        reject(busy());
      }, this.#longestWaitMs);
      const order: Order = { job, resolve, reject, patience };
      this.#waiting.add(order);
      this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    [this.#current] = this.#waiting;
    // An idle thread keeps no process alive; one at work does.
    if (!this.#current) return void this.#worker?.unref();
    this.#waiting.delete(this.#current);
    clearTimeout(this.#current.patience);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#current.job);
    this.#deadline = setTimeout(() => this.#worker && this.#lost(this.#worker, busy()), this.#longestMs);
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    worker.on('message', (printed: Printed) => {
      if (worker !== this.#worker) return;
      const order = this.#take();
      if ('bytes' in printed) order?.resolve(printed.bytes);
      else order?.reject(new Error(`the document cannot be printed: ${printed.failure}`));
      this.#next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#lost(worker, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? busy() : error),
    );
    worker.on('exit', () => this.#lost(worker, busy()));
    return worker;
  }

  #take(): Order | undefined {
    clearTimeout(this.#deadline);
    const order = this.#current;
    this.#current = undefined;
    return order;
  }

  /** Gives up the thread and what it printed; the next order starts another. */
  #lost(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#take()?.reject(error);
    this.#next();
  }
}

const printer = new Printer(new URL('./printing-thread.ts', import.meta.url));

/** Prints in this process' printing thread; see {@link Printer.print}. */
export const printed = (job: Job): Promise<Uint8Array> => printer.print(job);
