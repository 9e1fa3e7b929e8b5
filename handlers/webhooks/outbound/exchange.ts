/** One POST on a pool of connections, within the remaining time of the attempt's deadline (D-27). */
import type { Dispatcher } from 'undici';
import { ConnectionFailure, type Lease } from './connections.ts';

/** How much of an answer is read; beyond it the connection is closed and the status counts. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Interim answers (1xx) are skipped, up to this number; no honest receiver sends more. */
const MOST_INTERIM = 32;

export type Exchanged =
  | { readonly status_code: number }
  | { readonly error: 'connect_error' | 'tls_error' | 'timeout' };

interface Post {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends the request and reads the answer. The status counts once the answer has ended, reached the size limit, or
 * broken off. An answer that is still arriving at the deadline is a timeout.
 * @throws the signal's reason if the request was given up
 */
export function exchange(lease: Lease, post: Post, timeoutMs: number, signal?: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined;
    let over = false;
    let status = 0;
    let interim = 0;
    let bytes = 0;

    const end = (settle: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      // Closes the connection, unless the answer was read to its end.
      started?.abort(new Error('over'));
      settle();
    };
    const giveUp = () => end(() => reject(signal?.reason));
    const answer = (result: Exchanged) => end(() => resolve(result));
    const timer = setTimeout(
      () => {
        // Without a connection the class is the same, whether it was refused or not answered.
        answer({ error: started === undefined && !lease.isGreeting() ? 'connect_error' : 'timeout' });
      },
      Math.max(0, timeoutMs),
    );
    signal?.addEventListener('abort', giveUp, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // A connection that is ready too late gets no request; and a request is never sent again on another connection.
        if (over || started !== undefined) return controller.abort(new Error('over'));
        started = controller;
      },
      onResponseStart(_controller, code) {
        if (code >= 200) status = code;
        else if (++interim > MOST_INTERIM) answer({ error: 'connect_error' });
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (bytes >= MAX_ANSWER_BYTES) answer({ status_code: status });
      },
      onResponseEnd() {
        started = undefined;
        answer({ status_code: status });
      },
      onResponseError(_controller, error) {
        started = undefined;
        if (status > 0) return answer({ status_code: status });
        answer({ error: error instanceof ConnectionFailure ? error.error : 'connect_error' });
      },
    };
    const { path, body, headers } = post;
    lease.pool.dispatch({ path, method: 'POST', headers, body }, handler);
  });
}
