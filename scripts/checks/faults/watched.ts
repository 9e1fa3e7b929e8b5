/** Records the requests of a suite, each with its answer and its times. */

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

const PREFIX = '/developer/v1/';

export class WatchedClient {
  readonly seen: SeenAnswer[] = [];

  /** Sends a request as `fetch` does. Requests to the interface are recorded, once the whole answer has arrived. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { origin, pathname } = new URL(String(input));
    if (!pathname.startsWith(PREFIX)) return fetch(input, init);
    const fromMs = performance.now();
    const method = init?.method ?? 'GET';
    const note = (answer?: Response) => {
      const { status = 0, headers } = answer ?? {};
      const isWrite = method === 'POST' && status === 200 && headers?.get('idempotent-replayed') === null;
      const hasRetryAfter = Number(headers?.get('retry-after')) > 0;
      const what = `${method} ${pathname.slice(PREFIX.length).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`;
      this.seen.push({ fromMs, toMs: performance.now(), status, hasRetryAfter, isWrite, origin, what });
    };
    try {
      const answer = await fetch(input, init);
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

export const isRefused = ({ status }: SeenAnswer): boolean => status === 503;

/** Milliseconds. */
export const tookMs = ({ fromMs, toMs }: SeenAnswer): number => Math.round(toMs - fromMs);

/** What is wrong with answers: each kind, if any of them is of it, with the first of them. */
export function judged(
  seen: readonly SeenAnswer[],
  kinds: Readonly<Record<string, (one: SeenAnswer) => boolean>>,
): string[] {
  return Object.entries(kinds).flatMap(([kind, isOfIt]) => {
    const those = seen.filter(isOfIt);
    const [first] = those;
    if (first === undefined) return [];
    return [`${kind}: ${those.length} times, first ${first.what} with ${first.status} in ${tookMs(first)} ms`];
  });
}

/** The kinds of refusals that no outage excuses. @param mostMs how long a refusal may take */
export const wrongRefusals = (mostMs: number) => ({
  'refused without Retry-After': (one: SeenAnswer) => isRefused(one) && !one.hasRetryAfter,
  'refused late': (one: SeenAnswer) => isRefused(one) && tookMs(one) > mostMs,
});
