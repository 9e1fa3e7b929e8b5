/** The clients' way to the service: where their requests go, and what was answered to each. */
import { DeveloperApi } from '../../../client/src/index.ts';
import type { Random } from '../../kit/random.ts';

/** One answer as a client saw it; times in milliseconds by the clock of `performance`. */
export interface SeenAnswer {
  readonly fromMs: number;
  readonly toMs: number;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Whether it says that this very request has written something. */
  readonly isWrite: boolean;
  /** The server that was asked. */
  readonly origin: string;
  readonly what: string;
}

/** A process of the service, or what stands before several. */
interface Target {
  readonly url: string;
  readonly storageUrl: string;
}

const PREFIX = '/developer/v1/';
/** Stands for whichever server is asked. */
const BASE_URL = 'http://service.test';
/** Longer than the leases of several consecutive attempts with unknown results. */
export const PATIENCE_MS = 180_000;

export class Ledger {
  readonly seen: SeenAnswer[] = [];
  readonly #random: Random;
  readonly #clients = new Map<string, DeveloperApi>();
  readonly #storage = new Set<string>();
  #targets: readonly Target[] = [];
  #given = new AbortController();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Sends later requests to these servers, each to any of them. */
  use(...targets: readonly Target[]): void {
    this.#targets = targets;
    for (const { storageUrl } of targets) if (storageUrl !== '') this.#storage.add(new URL(storageUrl).origin);
  }

  /** Gives up the requests under way, as a client does after its timeout. */
  giveUp(): void {
    this.#given.abort();
    this.#given = new AbortController();
  }

  /** The client of a key. */
  client(key: string): DeveloperApi {
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const made = new DeveloperApi({ apiKey: key, baseUrl: BASE_URL, timeoutMs: PATIENCE_MS, fetch: this.fetch });
    this.#clients.set(key, made);
    return made;
  }

  /** Sends a request as `fetch` does. Requests to the interface are recorded, once the whole answer has arrived. */
  readonly fetch: typeof fetch = async (input, init) => {
    const asked = new URL(String(input));
    const target = this.#random.pick(this.#targets);
    const signals = [this.#given.signal, init?.signal].filter((signal) => signal != null);
    const sent = { ...init, signal: AbortSignal.any(signals) };
    if (asked.origin !== BASE_URL) {
      // Servers share their storage, so an upload may go to another one than that which signed its form.
      if (this.#storage.has(asked.origin)) asked.port = new URL(target.storageUrl).port;
      return fetch(asked, sent);
    }
    const { origin } = new URL(target.url);
    const fromMs = performance.now();
    const method = init?.method ?? 'GET';
    const note = (answer?: Response) => {
      const { status = 0, headers } = answer ?? {};
      const isWrite = method === 'POST' && status === 200 && headers?.get('idempotent-replayed') === null;
      const hasRetryAfter = Number(headers?.get('retry-after')) > 0;
      const what = `${method} ${asked.pathname.slice(PREFIX.length).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`;
      this.seen.push({ fromMs, toMs: performance.now(), status, hasRetryAfter, isWrite, origin, what });
    };
    try {
      const answer = await fetch(origin + asked.pathname + asked.search, sent);
      const body = await answer.arrayBuffer();
      note(answer);
      return new Response(body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      note();
      throw error;
    }
  };

  /** The answers that arrived from then on. */
  since(ms: number): SeenAnswer[] {
    return this.seen.filter(({ toMs }) => toMs >= ms);
  }
}
