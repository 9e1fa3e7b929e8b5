/** Receives deliveries on this machine: verifies each, hands it on to a program, and answers what that answers. */
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { bodyBytes, LONGEST_BYTES } from '../body.ts';
import type { WebhookEvent } from '../types.ts';
import { verifyWebhook, WebhookError, type WebhookFault } from '../webhooks.ts';
import { nextAttemptAt, numberOfAttempt } from './attempts.ts';
import { WHY_TOO_LARGE, whyAnswered, whyLocalFailed, whyRefused } from './reasons.ts';

/** As long as the service waits. */
export const LOCAL_TIMEOUT_MS = 10_000;
/** They belong to one connection, or are made anew for the next one. */
const HOP_BY_HOP =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** What is shown of a delivery. */
export interface DeliveryReport {
  readonly event: 'delivery';
  /** When it arrived. */
  readonly received_at: string;
  /** Why it is not genuine; '' if it is. */
  readonly fault: WebhookFault | 'too large' | '';
  /** Absent unless the delivery is genuine, because then nothing in it can be trusted. */
  readonly envelope?: WebhookEvent;
  /** Counted here, or more by its age: the service does not send it. 0 if the delivery is not genuine. */
  readonly attempt: number;
  /** From the event to its arrival, in milliseconds. */
  readonly latency_ms?: number;
  readonly status: number;
  /** How long the answer took, in milliseconds. */
  readonly duration_ms: number;
  /** What went wrong, in words; '' if nothing did. */
  readonly problem: string;
  /** When the service delivers it again at the earliest; null if it does not. */
  readonly next_attempt_at: string | null;
}

export interface ReceiverOptions {
  /** Known once the endpoint is; deliveries wait for them. */
  readonly secrets: Promise<readonly string[]>;
  /** The path of the endpoint, to explain deliveries for others. */
  readonly path: string | undefined;
  readonly forwardTo: URL | undefined;
  /** The status of the answer where nothing is forwarded. */
  readonly answer: number;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** How far the clock of this machine is ahead of the service's, in milliseconds, if that is known. */
  readonly clockAheadMs: () => number | undefined;
  readonly heard: (report: DeliveryReport) => void;
  readonly nowMs?: () => number;
}

/** An answer, and what is wrong with it. */
interface LocalAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly problem: string;
}

const empty = (status: number, problem = ''): LocalAnswer => ({ status, headers: [], body: new Uint8Array(), problem });

/** Makes the server; the caller starts it with `listen`. */
export function deliveryServer(options: ReceiverOptions): Server {
  const attempts = new Map<string, number>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    answered(request, options, attempts)
      .then((answer) => {
        response.writeHead(answer.status, [...answer.headers, 'Content-Length', String(answer.body.length)]);
        response.end(answer.body);
      })
      // The sender went away in the middle.
      .catch(() => response.destroy());
  };
  return options.tls === undefined ? createServer(take) : createTlsServer(options.tls, take);
}

async function answered(
  request: IncomingMessage,
  options: ReceiverOptions,
  attempts: Map<string, number>,
): Promise<LocalAnswer> {
  const { nowMs = Date.now, heard } = options;
  const receivedMs = nowMs();
  const common = { event: 'delivery', received_at: new Date(receivedMs).toISOString() } as const;
  const body = await bodyBytes(request, LONGEST_BYTES);
  if (body === undefined) {
    heard({ ...common, ...refused('too large', 413, WHY_TOO_LARGE) });
    return empty(413);
  }
  const header = request.headers['service-signature']?.toString();
  const secrets = await options.secrets;
  let envelope: WebhookEvent;
  try {
    envelope = await verifyWebhook(body, header, secrets, { nowMs: receivedMs });
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    const { path, clockAheadMs } = options;
    const facts = { request, body, header, secrets, path, signedMs: signedMs(header), receivedMs, clockAheadMs };
    heard({ ...common, ...refused(error.fault, 400, await whyRefused(error.fault, facts)) });
    return empty(400);
  }
  const before = attempts.get(envelope.id) ?? 0;
  const occurredMs = Date.parse(envelope.occurred_at);
  const attempt = numberOfAttempt(before, signedMs(header) - occurredMs);
  attempts.set(envelope.id, attempt);
  const answer = await localAnswer(request, body, options);
  const endedMs = nowMs();
  const isRepeated = answer.problem !== '' && envelope.type !== 'webhook_endpoint.test';
  heard({
    ...common,
    fault: '',
    envelope,
    attempt,
    latency_ms: Math.max(0, receivedMs - occurredMs),
    status: answer.status,
    duration_ms: endedMs - receivedMs,
    problem: answer.problem,
    next_attempt_at: isRepeated ? (nextAttemptAt(attempt, endedMs)?.toISOString() ?? null) : null,
  });
  return answer;
}

/** What is shown of a delivery that is not genuine. */
function refused(fault: DeliveryReport['fault'], status: number, problem: string) {
  return { fault, attempt: 0, status, duration_ms: 0, problem, next_attempt_at: null };
}

/** `t` of a signature, in milliseconds; NaN if there is none. */
function signedMs(header: string | undefined): number {
  return Number(/\bt=(\d+)/.exec(header ?? '')?.[1] ?? Number.NaN) * 1000;
}

async function localAnswer(
  request: IncomingMessage,
  body: Uint8Array,
  { forwardTo, answer }: ReceiverOptions,
): Promise<LocalAnswer> {
  if (forwardTo === undefined) return empty(answer, whyAnswered(answer, 'as --answer asks for'));
  try {
    return await forwarded(request, body, forwardTo);
  } catch (error) {
    const { code = '', name } = error as NodeJS.ErrnoException;
    const isLate = name === 'TimeoutError' || name === 'AbortError';
    return empty(isLate ? 504 : 502, whyLocalFailed(isLate ? 'late' : code, forwardTo));
  }
}

/** Sends the same bytes and headers to the program. */
function forwarded(request: IncomingMessage, body: Uint8Array, target: URL): Promise<LocalAnswer> {
  const headers = [...endToEnd(request.rawHeaders), 'Host', target.host, 'Content-Length', String(body.length)];
  const signal = AbortSignal.timeout(LOCAL_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(target, { method: 'POST', headers, signal, agent: false });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      const parts: Uint8Array[] = [];
      let size = 0;
      // The service reads no longer answer either.
      response.on('data', (part: Uint8Array) => {
        if (size + part.length <= LONGEST_BYTES) parts.push(part);
        size += part.length;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status, headers: endToEnd(rawHeaders), body: Buffer.concat(parts), problem: whyAnswered(status) }),
      );
    });
    sent.end(body);
  });
}

/** Raw headers without those of one connection. */
function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !HOP_BY_HOP.test(raw[at - (at % 2)] ?? ''));
}
