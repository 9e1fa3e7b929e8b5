/** Requests that are sent again while the service asks for it, as the contract tells clients: reads, and what may be sent twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from './eventually.ts';

interface HeadedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null | undefined };
}

/** Those of a connection. */
interface SeveralAnswers {
  readonly answers: readonly HeadedAnswer[];
}

/** Whether the service asks for the request again. On a busy machine its database is away for a moment. */
export function isPutOff({ status, headers }: HeadedAnswer): boolean {
  return status === 503 && Number(headers.get('retry-after')) > 0;
}

/**
 * Sends a request, and sends it again after the time that an answer 503 names. Any other answer is returned, as is a 503
 * that names no time.
 */
export async function patiently<T extends HeadedAnswer | SeveralAnswers>(send: () => Promise<T>): Promise<T> {
  return eventually('an answer other than 503', async () => {
    const got = await send();
    const answers: readonly HeadedAnswer[] = 'answers' in got ? got.answers : [got];
    const putOff = answers.find(isPutOff);
    if (putOff === undefined) return got;
    await pause(1_000 * Number(putOff.headers.get('retry-after')));
    return undefined;
  });
}
