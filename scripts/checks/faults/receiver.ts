/**
 * A receiver of events with TLS, in the suite's own process. It records what arrived, when, and whether it was genuine.
 */
import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { listenOnLoopback } from '../../../conformance/processes/ports.ts';
import { verify } from '../../operate/receiver/verify.ts';
import { TestAuthority } from '../../testbed/receivers.ts';

/** One delivery as it arrived. */
export interface ReceivedEvent {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAtMs: number;
  /** `t` of its signature. */
  readonly signedMs: number;
  readonly atMs: number;
}

/** How a path answers: with a status, after a delay; or never. */
export interface Manner {
  readonly status: number;
  readonly afterMs?: number;
  readonly hangs?: boolean;
}

const GOOD: Manner = { status: 204 };

export class Receiver {
  readonly received: ReceivedEvent[] = [];
  /** Sentences about what was not signed correctly. */
  readonly wrong: string[] = [];
  /** The secret of each path. */
  readonly secrets = new Map<string, string>();
  /** How each path answers, by the first part of the path. */
  readonly manners = new Map<string, Manner>();
  /** Whether a signature must have the present time; false while the clock of the service is moved. */
  judgesAge = true;
  /** Requests that have not been answered yet. */
  readonly open = new Set<ServerResponse>();
  /** The path of the certificate of the authority that issued the receiver's certificate. */
  readonly authorityFile: string;
  readonly port: number;
  readonly stop: () => Promise<void>;

  constructor(authorityFile: string, port: number, stop: () => Promise<void>) {
    this.authorityFile = authorityFile;
    this.port = port;
    this.stop = stop;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  at(path: string): ReceivedEvent[] {
    return this.received.filter((one) => one.path === path);
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = Date.now();
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const [path, body] = [request.url ?? '', Buffer.concat(chunks)];
    const header = [request.headers['service-signature']].flat().join();
    const verdict = verify(this.secrets.get(path) ?? '', header, body, this.judgesAge ? atMs : 0);
    if (verdict !== 'genuine') this.wrong.push(`${path}: ${verdict}`);
    const { id, type, occurred_at, data } = JSON.parse(body.toString());
    const signedMs = 1_000 * Number(/^t=(\d+)/.exec(header)?.[1]);
    const subject = String(data.employee_id ?? data.document_id);
    this.received.push({ path, id, type, subject, occurredAtMs: Date.parse(occurred_at), signedMs, atMs });
    const { status, afterMs = 0, hangs } = this.manners.get(path.split('/')[1] ?? '') ?? GOOD;
    if (hangs) return;
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    response.writeHead(status).end();
  }
}

/**
 * Listens on loopback, on a port that the system picks.
 * @param authority issues its certificate; several receivers of one process need the same one, because authorities have
 *   the same name and TLS finds them by it
 */
export async function listen(authority = new TestAuthority()): Promise<Receiver> {
  const folder = temporaryFolder('faults-receiver-');
  const authorityFile = join(folder, 'ca.pem');
  writeFileSync(authorityFile, authority.pem);
  const sockets = new Set<Duplex>();
  const server = createServer(authority.server(['127.0.0.1']), (request, response) => {
    receiver.take(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  const port = await listenOnLoopback(server);
  const receiver = new Receiver(authorityFile, port, async () => {
    rmSync(folder, { recursive: true, force: true });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}
