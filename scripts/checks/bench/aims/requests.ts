/** Requests to one process over connections that are kept alive, one by one or at a steady rate. */
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { prefix } from '../../../../generated/operations.ts';
import { refuse } from '../../../command-line.ts';

/** An answer with its times by the clock of `performance`, in milliseconds. */
export interface Answered {
  /** 0 if there was no answer; then the text says why. */
  readonly status: number;
  readonly text: string;
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** The part of a request that is not its path. */
export interface Asked {
  readonly key: string;
  /** JSON; with it the request is a POST. */
  readonly body?: string | Uint8Array;
  readonly idempotencyKey?: string | undefined;
}

/** A client of one process. */
export class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url + prefix;
  }

  /** Sends one request, and again if the process has just closed the connection because it was idle. @param path below the prefix */
  async send(path: string, asked: Asked): Promise<Answered> {
    for (;;) {
      const answer = await this.#once(path, asked);
      if (answer !== undefined) return answer;
    }
  }

  /** @returns undefined if the connection was closed before it was used again */
  #once(path: string, { key, body, idempotencyKey }: Asked): Promise<Answered | undefined> {
    const headers = {
      'X-API-Key': key,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const sentMs = performance.now();
    return new Promise((resolve) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(this.#url + path, { agent: this.#agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        const end = () => resolve({ status: response.statusCode ?? 0, text, sentMs, answeredMs: performance.now() });
        response.once('end', end);
        response.once('error', (error) =>
          resolve({ status: 0, text: error.message, sentMs, answeredMs: performance.now() }),
        );
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(undefined);
        else resolve({ status: 0, text: error.message, sentMs, answeredMs: performance.now() });
      });
      sent.end(body);
    });
  }

  /** Like {@link send}. @throws Failure for any answer except 200 */
  async must(path: string, asked: Asked): Promise<Answered> {
    const answer = await this.send(path, asked);
    if (answer.status !== 200) refuse(`${path} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer;
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** How often the clock is looked at for requests that are due, in milliseconds. */
const TICK_MS = 2;

/**
 * Sends requests at a steady rate, whether or not earlier ones are answered, until it is ended.
 * @param perSecond requests a second
 * @param send sends the nth request, counted from 0
 */
export class SteadyLoad<T> {
  readonly #sent: Promise<T>[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(perSecond: number, send: (nth: number) => Promise<T>) {
    const startedAt = performance.now();
    const sendDue = () => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      while (this.#sent.length < due) {
        const one = send(this.#sent.length);
        // Who ends the load learns of the failure.
        one.catch(() => {});
        this.#sent.push(one);
      }
    };
    this.#timer = setInterval(sendDue, TICK_MS);
  }

  /** Sends no more. @returns the answers, once all are here */
  end(): Promise<T[]> {
    clearInterval(this.#timer);
    return Promise.all(this.#sent);
  }
}

/** Sends requests at a steady rate for some seconds; see {@link SteadyLoad}. */
export async function steadily<T>(perSecond: number, seconds: number, send: (nth: number) => Promise<T>): Promise<T[]> {
  const load = new SteadyLoad(perSecond, send);
  await after(seconds * 1000);
  return load.end();
}

/** How long each answer took, in milliseconds. @throws Failure if one is not 200: its time means nothing */
export function times(answers: readonly Answered[]): number[] {
  const others = answers.filter(({ status }) => status !== 200);
  const [one] = others;
  if (one !== undefined) {
    const many = `${others.length} of ${answers.length} requests were not answered 200`;
    refuse(`${many}; the first of them ${one.status}: ${one.text.slice(0, 500)}`);
  }
  return answers.map(({ sentMs, answeredMs }) => answeredMs - sentMs);
}
