/**
 * Prints in separate threads, so that no request waits for the layout of another's document. A process has one thread
 * that prints only short documents and two that print all, started with its first document. A tenant uses only one of
 * them at a time, so no matter what one tenant prints, another tenant finds a thread. If several tenants wait, they take
 * turns (D-33). The threads of long documents have a lower priority: where processors are few, requests and short
 * documents go first. A pool such as piscina's has one priority for its threads, and a queue that knows no tenants: it
 * would take two pools, and choosing, turns and times would be ours all the same.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError, unavailableError } from '../../answers/errors.ts';
import { Shares } from '../../fairness/shares.ts';
import { gauge, histogram, onScrape, timed, WAIT_SECONDS } from '../../runtime/metrics.ts';
import type { FilledDocument } from './layout.ts';
import type { SheetInput } from './sheet-layout.ts';

const printDuration = histogram(
  'printing_duration_seconds',
  'Time of printing a PDF, without the wait for its turn; error_type is absent if it succeeded.',
  WAIT_SECONDS,
  'kind',
  'error_type',
);

const printsUnderWay = gauge('printing_active_jobs', 'PDFs that this process is printing.');

const oldestPrint = gauge(
  'printing_oldest_job_seconds',
  'How long the PDF has been printing that has been printing longest; 0 if none is.',
);

export type Job =
  | { readonly kind: 'document'; readonly input: FilledDocument }
  | { readonly kind: 'sheet'; readonly input: SheetInput };

/** Start parameters of a thread. */
export interface ThreadData {
  /** Whether it starts before there is something to print, so that it has time to warm up. */
  readonly isAhead: boolean;
  /** Whether it prints long documents too, with a lower priority. */
  readonly isForLong: boolean;
}

export type PrintResult = { readonly bytes: Uint8Array } | { readonly failure: string };

/** The largest document takes a few seconds; more means that something is wrong. */
const LONGEST_MS = 30_000;
/** Of each thread, whether it prints long documents too; the others are preferred. */
const THREADS = [false, true, true];
/** The characters of a job as JSON from which on it is long: this takes some 30 ms. */
const LONG_CHARACTERS = 20_000;
/** How many documents may wait; the waiting tenants share this number. */
const MOST_WAITING = 200;
/**
 * How long a document waits for its turn. Together with its own printing, this stays below the longest silence on a
 * connection (`handlers/http/listener.ts`), so that its caller gets an answer.
 */
const LONGEST_WAIT_MS = 25_000;
/**
 * The worst document needs half of it. Young objects get little room, since a thread never returns memory that it has
 * used for them, and the objects of a document are soon garbage.
 */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12 };

/** When the caller of a refused document should try again, in milliseconds. */
const RETRY_AFTER_MS = 2_000;

const busy = () => unavailableError('printing', { retryAfterMs: RETRY_AFTER_MS });

/** When each job under way began, as `performance.now()`, in this order. */
const begun = new Set<{ readonly sinceMs: number }>();

onScrape(() => {
  const [oldest] = begun;
  printsUnderWay.set(begun.size);
  oldestPrint.set(oldest === undefined ? 0 : (performance.now() - oldest.sinceMs) / 1_000);
});

/** Measures a print from its beginning to its end. */
function measured<T>(kind: Job['kind'], printing: Promise<T>): Promise<T> {
  const print = { sinceMs: performance.now() };
  begun.add(print);
  return timed(
    () => printing.finally(() => begun.delete(print)),
    (ended, seconds) => printDuration.observe({ kind, ...ended }, seconds),
    (error) => (error instanceof ApiError ? 'unavailable' : 'other'),
  );
}

/** How long things may take, in milliseconds. */
interface PrintTimes {
  readonly longestMs?: number;
  readonly longestWaitMs?: number;
}

/** The threads, which tenants share. */
export class Printer {
  readonly #threads: readonly PrintingThread[];
  readonly #places: Shares;

  constructor(program: URL, { longestMs = LONGEST_MS, longestWaitMs = LONGEST_WAIT_MS }: PrintTimes = {}) {
    this.#threads = THREADS.map((isForLong) => new PrintingThread(program, longestMs, isForLong));
    this.#places = new Shares({
      name: 'printing',
      inAll: THREADS.length,
      ofTenant: 1,
      patienceMs: longestWaitMs,
      retryAfterMs: RETRY_AFTER_MS,
      mostWaiting: MOST_WAITING,
    });
  }

  /** @throws ApiError UNAVAILABLE when too many wait, when its turn does not come, or when it takes too long */
  async print(job: Job, tenantId: string): Promise<Uint8Array> {
    const isLong = JSON.stringify(job).length >= LONG_CHARACTERS;
    let printing: Promise<Uint8Array> | undefined;
    /** Gives the job to a free thread, if there is one for it. */
    const begins = () => {
      const thread = this.#threads.find(({ isBusy, isForLong }) => !isBusy && (isForLong || !isLong));
      printing = thread && measured(job.kind, thread.print(job));
      return printing !== undefined;
    };
    try {
      return await this.#places.during(tenantId, 1, () => printing as Promise<Uint8Array>, begins);
    } finally {
      // So the other threads are ready for the next tenant: starting a thread takes longer than printing most documents.
      if (printing !== undefined) for (const each of this.#threads) each.prepare();
    }
  }
}

interface CurrentPrint {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: NodeJS.Timeout;
}

/** One thread, which prints one document at a time. */
class PrintingThread {
  readonly isForLong: boolean;
  readonly #program: URL;
  readonly #longestMs: number;
  #worker: Worker | undefined;
  #current: CurrentPrint | undefined;

  constructor(program: URL, longestMs: number, isForLong: boolean) {
    this.isForLong = isForLong;
    this.#program = program;
    this.#longestMs = longestMs;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Starts the thread, unless it runs, and lets it print a sample to warm up. */
  prepare(): void {
    if (this.#worker !== undefined) return;
    this.#worker = this.#start({ isAhead: true });
    this.#worker.unref();
  }

  /** @throws ApiError UNAVAILABLE when it takes too long, or too much memory */
  print(job: Job): Promise<Uint8Array> {
    this.#worker ??= this.#start({ isAhead: false });
    const worker = this.#worker;
    // An idle thread keeps no process alive; one at work does.
    worker.ref();
    worker.postMessage(job);
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#lost(worker, busy()), this.#longestMs);
      this.#current = { resolve, reject, deadline };
    });
  }

  #start({ isAhead }: Pick<ThreadData, 'isAhead'>): Worker {
    const workerData: ThreadData = { isAhead, isForLong: this.isForLong };
    const worker = new Worker(this.#program, { workerData, resourceLimits: MEMORY });
    worker.on('message', (printed: PrintResult) => {
      if (worker !== this.#worker) return;
      worker.unref();
      const printing = this.#end();
      if ('bytes' in printed) printing?.resolve(printed.bytes);
      else printing?.reject(new Error(`the document cannot be printed: ${printed.failure}`));
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#lost(worker, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? busy() : error),
    );
    worker.on('exit', () => this.#lost(worker, busy()));
    return worker;
  }

  #end(): CurrentPrint | undefined {
    const printing = this.#current;
    clearTimeout(printing?.deadline);
    this.#current = undefined;
    return printing;
  }

  /** Gives up the thread and what it printed; the next document starts another. */
  #lost(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#end()?.reject(error);
  }
}

// In the image it is compiled, as this file is.
const printer = new Printer(new URL(`./printing-thread${extname(import.meta.filename)}`, import.meta.url));

/** Prints in the threads of this process; see {@link Printer.print}. */
export const printed = (job: Job, tenantId: string): Promise<Uint8Array> => printer.print(job, tenantId);
