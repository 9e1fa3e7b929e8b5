/**
 * Receives the deliveries of a whole run at one address: routes them by path, answers as the rules ask, and keeps the
 * raw bytes of all of them. A TCP listener accepts connections before TLS, so that it can also be closed, or refuse
 * TLS.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecureContextOptions, Server as TlsServer } from 'node:tls';
import { headerPairs, jsonFrom } from '../http/exchange.ts';
import { type Delivery, OK, type Reaction, type Reactions, type ReceiverMode } from './delivery.ts';
import { type Identity, strangeCertificate } from './strange-certificate.ts';

/** How a route answers, or only those bodies on it that hold a text. */
interface RouteReactions {
  containing: string | undefined;
  reactions: Reactions;
}

const LARGEST_BODY = 1024 * 1024;
/** More than a target reads, so that it can decide after a single turn even on a busy machine. */
const ENDLESS_PART = Buffer.alloc(131_072, 0x20);
/** Deliveries that were signed before the clock went back may arrive this much later. */
const CLOCK_SETTLES_MS = 30_000;
/**
 * How much of a handshake counts as waiting. With this limit a deliberately late answer still comes after a target's
 * timeout of ten seconds.
 */
const LONGEST_HANDSHAKE_MS = 900;

/** The versions of TLS that the listener speaks. */
function versionsOf(mode: ReceiverMode): SecureContextOptions {
  if (mode === 'tls_1_2') return { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' };
  // OpenSSL speaks such an old version only at its lowest level of security.
  if (mode === 'tls_1_1') return { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' };
  return { minVersion: 'TLSv1.2' };
}

/** The receiver of a run. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** How many connections have been made, also those over which nothing was delivered. */
  connectionsMet = 0;
  readonly #identity: Identity | undefined;
  readonly #inner: Server;
  readonly #sockets = new Set<Socket>();
  readonly #rules = new Map<string, RouteReactions[]>();
  readonly #attempts = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, number>();
  #connectionCount = 0;
  /** When connections were made that have not yet brought a request, by the sender's port. */
  readonly #madeAt = new Map<number, number>();
  #front: NetServer | undefined;
  #address: { host: string; port: number } = { host: '', port: 0 };
  #mode: ReceiverMode = 'open';
  #clockMovedUntil = 0;
  #clockWasMoved = false;
  #strange: Promise<Identity> | undefined;

  /** @param identity with which the receiver serves TLS itself; without one it serves plain HTTP */
  constructor(identity?: Identity) {
    this.#identity = identity;
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    this.#inner = identity ? createHttpsServer({ ...identity, minVersion: 'TLSv1.2' }, serve) : createHttpServer(serve);
    this.#inner.on('clientError', (_error, socket) => socket.destroy());
    this.#inner.on('tlsClientError', () => {});
    // Longer than any wait between two attempts of a run.
    this.#inner.keepAliveTimeout = 120_000;
  }

  get speaksTls(): boolean {
    return this.#identity !== undefined;
  }

  /** @returns the port */
  async listen(host: string, port: number): Promise<number> {
    this.#front = createServer((socket) => this.#meet(socket));
    this.#front.listen(port, host);
    await once(this.#front, 'listening');
    this.#address = { host, port: (this.#front.address() as AddressInfo).port };
    return this.#address.port;
  }

  async close(): Promise<void> {
    this.#dropConnections();
    if (this.#front === undefined) return;
    this.#front.close();
    await once(this.#front, 'close');
    this.#front = undefined;
  }

  /** Changes how connections are treated. Open ones are cut, so that the change applies to the next attempt. */
  async setMode(mode: ReceiverMode): Promise<void> {
    if (mode === this.#mode) return;
    const was = this.#mode;
    this.#mode = mode;
    if (this.#identity !== undefined) {
      if (mode === 'strange_certificate') this.#strange ??= strangeCertificate();
      const shown = mode === 'strange_certificate' ? await this.#strange : this.#identity;
      (this.#inner as unknown as TlsServer).setSecureContext({ ...(shown ?? this.#identity), ...versionsOf(mode) });
    }
    this.#dropConnections();
    if (mode === 'closed') await this.close();
    else if (was === 'closed') await this.listen(this.#address.host, this.#address.port);
  }

  /** Says how a route answers from now on. @param containing only to bodies that hold this text */
  react(route: string, reactions: Reactions, containing?: string): void {
    const others = (this.#rules.get(route) ?? []).filter((one) => one.containing !== containing);
    this.#rules.set(route, [{ containing, reactions }, ...others]);
    for (const key of this.#attempts.keys()) if (key.startsWith(`${route} `)) this.#attempts.delete(key);
  }

  /** The target's clock has been moved, or has been put back. */
  clockMoved(moved: boolean): void {
    this.#clockWasMoved ||= moved;
    this.#clockMovedUntil = moved ? Number.POSITIVE_INFINITY : Date.now() + CLOCK_SETTLES_MS;
  }

  #dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #meet(socket: Socket): void {
    this.connectionsMet++;
    this.#sockets.add(socket);
    const { remotePort = 0 } = socket;
    this.#madeAt.set(remotePort, performance.now());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#madeAt.delete(remotePort);
    });
    socket.on('error', () => socket.destroy());
    if (this.#mode === 'no_tls') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    else this.#inner.emit('connection', socket);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = this.#begunAt(request);
    const parts: Buffer[] = [];
    let size = 0;
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        size += part.length;
        if (size <= LARGEST_BODY) parts.push(part);
      }
    } catch {
      return;
    }
    const body = Buffer.concat(parts);
    const route = request.url?.split(/[?#]/, 1)[0]?.split('/').pop() ?? '';
    const at_ms = Date.now();
    const delivery: Delivery = {
      n: this.deliveries.length + 1,
      route,
      at_ms,
      method: request.method ?? '',
      is_reused: this.#connections.has(request.socket),
      connection: this.#numberOf(request.socket),
      headers: headerPairs(request.rawHeaders),
      body: body.toString('base64'),
      clock_moved: at_ms < this.#clockMovedUntil,
      clock_was_moved: this.#clockWasMoved,
    };
    this.deliveries.push(delivery);
    response.on('finish', () => {
      delivery.answered_after_ms = performance.now() - begunAt;
    });
    perform(this.#reactionTo(route, body), request, response, performance.now() - begunAt);
  }

  /**
   * When the sender began waiting, as far as it can be seen here. For the first request of a connection that is the
   * start of the connection: on a busy machine the handshake takes long, and the sender counts that time.
   */
  #begunAt({ socket: { remotePort = 0 } }: IncomingMessage): number {
    const madeAt = this.#madeAt.get(remotePort) ?? performance.now();
    this.#madeAt.delete(remotePort);
    return madeAt;
  }

  #numberOf(socket: Socket): number {
    const number = this.#connections.get(socket) ?? ++this.#connectionCount;
    this.#connections.set(socket, number);
    return number;
  }

  #reactionTo(route: string, body: Buffer): Reaction {
    const text = body.toString('utf8');
    const rule = (this.#rules.get(route) ?? [])
      .toSorted((a, b) => Number(b.containing !== undefined) - Number(a.containing !== undefined))
      .find(({ containing }) => containing === undefined || text.includes(containing));
    const reactions = rule?.reactions ?? OK;
    const key = `${route} ${idIn(text)}`;
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    return reactions[Math.min(attempt, reactions.length - 1)] ?? reactions[0];
  }
}

/** Attempts to deliver one event share its id. A body that is not an envelope is identified by its text. */
function idIn(text: string): string {
  const { id } = (jsonFrom(text) ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : text;
}

const TRICKLE_MS = 500;
const BETWEEN_PARTS_MS = 100;

/** @param spentMs how long the sender has already waited */
function perform(reaction: Reaction, request: IncomingMessage, response: ServerResponse, spentMs: number): void {
  const after = (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms - Math.min(spentMs, LONGEST_HANDSHAKE_MS));
    response.on('close', () => clearTimeout(timer));
  };
  const head = { 'Content-Type': 'text/plain' };
  switch (reaction.answer) {
    case 'reset':
      request.socket.destroy();
      return;
    case 'hang':
      return;
    case 'raw':
      void writeRaw(request.socket, reaction.parts);
      return;
    case 'endless': {
      response.writeHead(200, head);
      const more = () => {
        while (!response.destroyed && response.write(ENDLESS_PART));
      };
      response.on('drain', more);
      more();
      return;
    }
    case 'slow_body':
      response.writeHead(200, head);
      response.write('.');
      after(reaction.delayMs, () => response.end('.'));
      return;
    case 'trickle': {
      response.writeHead(200, head);
      const timer = setInterval(() => response.write('.'), TRICKLE_MS);
      response.on('close', () => clearInterval(timer));
      after(reaction.delayMs, () => response.end('.'));
      return;
    }
    default: {
      const { answer, location, delayMs = 0 } = reaction;
      const reply = () => {
        response.writeHead(answer, location === undefined ? head : { ...head, Location: location });
        // A text that must never appear in an answer of the target.
        response.end(answer === 204 || answer === 304 ? undefined : RECEIVER_TEXT);
      };
      if (delayMs === 0) reply();
      else after(delayMs, reply);
    }
  }
}

async function writeRaw(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const [i, part] of parts.entries()) {
    if (i > 0) await pause(BETWEEN_PARTS_MS);
    if (!socket.destroyed) socket.write(part, 'latin1');
  }
  socket.end();
}

/** The body of the receiver's answers. */
export const RECEIVER_TEXT = 'said-by-the-receiver-of-the-suite';
