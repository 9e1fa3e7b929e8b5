/** Receives the deliveries of a run and checks each one with the checks that the scenarios share. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Callbacks } from '../../../conformance/profile/profile.ts';
import { jsonOf, signatureProblem } from '../../../load/checks.ts';
import type { Deliveries } from '../../../load/report.ts';

/** Real envelopes are far smaller. */
const MOST_BYTES = 65_536;
const KEPT_PROBLEMS = 100;
const POLL_MS = 200;

/** Checks deliveries as they arrive. */
export class DeliveryChecker {
  #secret = '';
  #received = 0;
  readonly #completed = new Set<string>();
  readonly #problems: string[] = [];

  /** Set later, because the secret is known only when the endpoint has been made. */
  set secret(secret: string) {
    this.#secret = secret;
  }

  /** Takes one delivery. @returns the status of the answer */
  take(signature: string | undefined, raw: Buffer, nowMs: number): number {
    this.#received++;
    const hmac = (t: string) => createHmac('sha256', this.#secret).update(`${t}.`).update(raw).digest('hex');
    const problem = signatureProblem(signature, Math.floor(nowMs / 1000), hmac) || this.#envelopeProblem(raw);
    if (problem === '') return 204;
    if (this.#problems.length < KEPT_PROBLEMS) this.#problems.push(`delivery: ${problem}`);
    return 400;
  }

  #envelopeProblem(raw: Buffer): string {
    const { id, type, occurred_at, data } = (jsonOf(raw.toString()) ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof type !== 'string' || Number.isNaN(Date.parse(String(occurred_at)))) {
      return 'the envelope lacks id, type or occurred_at';
    }
    const { document_id } = (data ?? {}) as { document_id?: unknown };
    if (type.startsWith('document.') && typeof document_id !== 'string') return `${type} names no document`;
    if (type === 'document.completed') this.#completed.add(String(document_id));
    return '';
  }

  get sofar(): Deliveries {
    return { received: this.#received, completed: this.#completed.size, problems: [...this.#problems] };
  }
}

/** The address for the run's events, and how to stop listening. */
export interface Listener {
  readonly url: string;
  readonly checker: DeliveryChecker;
  /** Waits until events have reported this many documents as completed, or until the time is over. */
  waitForCompleted(completed: number, withinMs: number): Promise<Deliveries>;
  close(): Promise<void>;
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MOST_BYTES) parts.push(part);
  }
  return Buffer.concat(parts);
}

function serverFor({ certificate, key }: Callbacks, checker: DeliveryChecker): Server {
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    rawBody(request).then(
      (raw) => {
        const status = checker.take([request.headers['service-signature']].flat()[0], raw, Date.now());
        response.writeHead(status).end();
      },
      () => response.destroy(),
    );
  };
  return certificate !== undefined && key !== undefined
    ? createHttpsServer({ cert: readFileSync(certificate), key: readFileSync(key), minVersion: 'TLSv1.2' }, serve)
    : createHttpServer(serve);
}

/**
 * Listens as the profile's `callbacks` say.
 * @returns the reason why nothing listens, if the run must do without deliveries
 */
export async function listen(callbacks: Callbacks): Promise<Listener | { readonly missing: string }> {
  const { mode, listen: address, url } = callbacks;
  if (mode === 'none') return { missing: 'callbacks of the profile are none' };
  if (mode === 'command' || address === undefined)
    return { missing: `callbacks of mode ${mode} are for the conformance suite` };
  const checker = new DeliveryChecker();
  const server = serverFor(callbacks, checker);
  const [, host = '', port = '0'] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(address) ?? [];
  server.listen(Number(port), host);
  try {
    await once(server, 'listening');
  } catch (error) {
    return { missing: `nothing can listen on ${address} (${(error as Error).message})` };
  }
  const listening = (server.address() as AddressInfo).port;
  const base = url ?? `https://${host.includes(':') ? `[${host}]` : host}:${listening}`;
  return {
    url: `${base.replace(/\/$/, '')}/load`,
    checker,
    async waitForCompleted(completed, withinMs) {
      const end = performance.now() + withinMs;
      while (checker.sofar.completed < completed && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return checker.sofar;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
