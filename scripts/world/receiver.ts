/** Receivers of webhooks on loopback for tests and checks, with certificates of an authority that only these trust. */
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { parseSignature, verifies } from '../../conformance/callbacks/signature.ts';
import { allowedNetwork } from '../../handlers/runtime/addresses.ts';
import { now } from '../../handlers/runtime/clock.ts';
import { type Outbound, type OutboundOptions, openOutbound } from '../../handlers/webhooks/outbound/outbound.ts';
import { temporaryFolder } from '../kit/leftovers.ts';
import type { Identity } from './eds/certificates.ts';
import { newAuthority, newServer, pemOf } from './eds/folder.ts';

/** A name that no name server resolves. */
export const RECEIVER = 'receiver.test';

/** A certificate authority of a test; `pem` is what a deployment would be given as `WEBHOOK_CA_FILE`. */
export class TestAuthority {
  readonly identity: Identity = newAuthority('ec', now());
  readonly pem = pemOf(this.identity.certificate);

  /** Key and certificate of a server, as {@link createServer} takes them; valid for this many days from now. */
  server(hosts: readonly string[], { days = 1, ownIssuer = false } = {}, commonName?: string) {
    return newServer(ownIssuer ? undefined : this.identity, hosts, [-2, days], now(), commonName);
  }
}

/** Answers a request that has arrived completely. */
export type Answer = (socket: TLSSocket, request: string) => void;

export const plainly = (status: number): Answer => {
  return (socket) => void socket.write(`HTTP/1.1 ${status} Words\r\nContent-Length: 0\r\n\r\n`);
};

export interface TestReceiver {
  readonly port: number;
  readonly url: string;
  readonly requests: string[];
  /** Names that were asked for (SNI), one for each connection with TLS. */
  readonly names: (string | false)[];
  open(): number;
  bytesWritten(): number;
  answer: Answer;
  stop(): Promise<void>;
}

/** Listens for TLS on loopback. The URL has {@link RECEIVER} as its host. @param host the address to listen at */
export async function receiver(
  tls: TlsOptions,
  answer: Answer = plainly(204),
  host = '127.0.0.1',
): Promise<TestReceiver> {
  const sockets = new Set<TLSSocket>();
  let written = 0;
  const server = createServer(tls);
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    made.names.push(socket.servername ?? false);
    socket.on('error', () => {});
    socket.once('close', () => {
      written += socket.bytesWritten;
      sockets.delete(socket);
    });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const [head = '', body] = text.split('\r\n\r\n', 2);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      made.requests.push(Buffer.from(text, 'latin1').toString());
      text = '';
      made.answer(socket, made.requests.at(-1) as string);
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const made: TestReceiver = {
    port,
    url: `https://${RECEIVER}:${port}/hook`,
    requests: [],
    names: [],
    answer,
    open: () => sockets.size,
    bytesWritten: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, written),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return made;
}

/** A sender to receivers on loopback: {@link RECEIVER} and its subdomains lead there. */
export function loopbackOutbound(
  port: number,
  authority: TestAuthority,
  changes: Partial<OutboundOptions> = {},
): Outbound {
  const allowed = allowedNetwork(`127.0.0.1:${port}`);
  return openOutbound({
    ownPorts: () => [],
    allowed: allowed === undefined ? [] : [allowed],
    authority: authority.pem,
    lookup: async (name) => {
      if (name.endsWith(RECEIVER)) return ['127.0.0.1'];
      throw new Error(`${name} is unknown`);
    },
    ...changes,
  });
}

export interface ReceivedEvent {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAtMs: number;
  /** `t` of its signature. */
  readonly signedMs: number;
  readonly atMs: number;
  readonly traceparent: string | undefined;
}

/** How a path answers: with a status, after a delay; or never. */
export interface Manner {
  readonly status: number;
  readonly afterMs?: number;
  readonly hangs?: boolean;
}

const GOOD: Manner = { status: 204 };
/** A delivery that was signed longer ago may be a recorded one that somebody sends again. */
const MAX_AGE_MS = 300_000;

/** A {@link receiver} that records what arrived, when, and whether it was genuine; each path has its manner. */
export class EventReceiver {
  readonly received: ReceivedEvent[] = [];
  /** Sentences about what was not signed correctly. */
  readonly wrong: string[] = [];
  /** By path; of several secrets, any may have signed. */
  readonly secrets = new Map<string, string | readonly string[]>();
  readonly manners = new Map<string, Manner>();
  /** Whether a signature must have the present time; false while the clock of the service is moved. */
  judgesAge = true;
  /** The connections whose request has not been answered yet. */
  readonly open = new Set<TLSSocket>();
  /** The path of the certificate of the authority that issued the receiver's certificate. */
  readonly authorityFile: string;
  readonly #folder = temporaryFolder('events-');
  readonly #sockets = new WeakSet<TLSSocket>();
  readonly #under: TestReceiver;

  private constructor(under: TestReceiver, authority: TestAuthority) {
    this.#under = under;
    this.authorityFile = join(this.#folder, 'ca.pem');
    writeFileSync(this.authorityFile, authority.pem);
    under.answer = (socket, request) => this.#take(socket, request);
  }

  /** Listens on loopback. @param authority one for all receivers of a process: TLS finds authorities by their name */
  static async listen(authority = new TestAuthority()): Promise<EventReceiver> {
    return new EventReceiver(await receiver(authority.server(['127.0.0.1'])), authority);
  }

  get url(): string {
    return `https://127.0.0.1:${this.#under.port}`;
  }

  /** The configuration that allows a process to deliver to the receiver. */
  get env(): Readonly<Record<string, string>> {
    return { WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${this.#under.port}`, WEBHOOK_CA_FILE: this.authorityFile };
  }

  at(path: string): ReceivedEvent[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    await this.#under.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #take(socket: TLSSocket, request: string): void {
    const atMs = Date.now();
    this.#under.requests.length = 0;
    this.open.add(socket);
    if (!this.#sockets.has(socket)) socket.once('close', () => this.open.delete(socket));
    this.#sockets.add(socket);
    const [head = '', body = ''] = request.split('\r\n\r\n', 2);
    const [, path = ''] = /^POST (\S+)/.exec(head) ?? [];
    const [, header] = /^Service-Signature: (.*)$/im.exec(head) ?? [];
    const signature = parseSignature(header);
    const signedMs = 1_000 * (signature?.t ?? Number.NaN);
    const isBy = (secret: string) => signature !== undefined && verifies(secret, signature, Buffer.from(body));
    if (![this.secrets.get(path) ?? []].flat().some(isBy)) {
      this.wrong.push(`${path}: wrong signature`);
    } else if (this.judgesAge && atMs - signedMs > MAX_AGE_MS) this.wrong.push(`${path}: too old`);
    const { id, type, occurred_at, data } = JSON.parse(body);
    const subject = String(data.employee_id ?? data.document_id);
    const traceparent = /^traceparent: (.*)$/im.exec(head)?.[1];
    this.received.push({ path, id, type, subject, occurredAtMs: Date.parse(occurred_at), signedMs, atMs, traceparent });
    const { status, afterMs = 0, hangs } = this.manners.get(path.split('/')[1] ?? '') ?? GOOD;
    if (hangs) return;
    const answer = () => this.answer(socket, status);
    if (afterMs > 0) setTimeout(answer, afterMs);
    else answer();
  }

  answer(socket: TLSSocket, status: number): void {
    this.open.delete(socket);
    plainly(status)(socket, '');
  }
}
