/**
 * A proxy between target and receiver: it takes deliveries at the address that the target may call, and forwards them.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { closeServer, freePort } from '../../scripts/kit/ports.ts';
import { EVENT_TYPES } from '../callbacks/hooks.ts';
import { addressOf } from '../callbacks/open.ts';
import { signatureOf } from '../callbacks/signature.ts';
import { headerOf, headerPairs } from '../http/exchange.ts';
import type { Callbacks } from '../profile/profile.ts';
import { parse, setHeader } from './alter.ts';
import type { Deliver, ProxiedAnswer, ProxiedDelivery, ProxiedRequest, Reply } from './fault.ts';
import { HOP, MissingAnswer, noteFailure, type PlantedFault } from './proxy.ts';

interface Endpoint {
  rule: string;
  secret: string;
  /** It is subscribed to all events, so rules that only observe share it. */
  shared: boolean;
}

const signatureIn = (delivered: Pick<ProxiedDelivery, 'headers'>) =>
  /^t=(\d+),v1=([0-9a-f]+)$/.exec(headerOf(delivered, 'Service-Signature') ?? '') ?? [];

/**
 * Signs a delivery again, as the contract says.
 * @param t Unix seconds; by default those of the delivery, since the target's clock may be moved
 */
export function sign(
  delivered: ProxiedDelivery,
  t: number | string = signatureIn(delivered)[1] ?? Math.floor(Date.now() / 1000),
  secret = delivered.secret,
): void {
  const value = `t=${t},v1=${signatureOf(secret, t, delivered.body)}`;
  const old = delivered.headers.find(([name]) => /^service-signature$/i.test(name));
  // Keeps the header's position, so that signing unchanged content again leaves the delivery unchanged.
  if (old) delivered.headers = delivered.headers.map((one) => (one === old ? [old[0], value] : one));
  else setHeader(delivered, 'Service-Signature', value);
}

/** A proxy for the deliveries of a run. */
export class CallbackProxy {
  /** Overrides of the profile that make the suite's receiver listen where this proxy forwards deliveries. */
  env: Readonly<Record<string, string>> = {};
  readonly #server: Server;
  /** The port of the suite's receiver. */
  readonly #port: number;
  readonly #certificate: Buffer;
  readonly #byRule: ReadonlyMap<string, PlantedFault>;
  /** By path; two endpoints may have the same URL. */
  readonly #endpoints = new Map<string, Endpoint[]>();
  /** For each connection of the target one to the receiver, so that the receiver sees which ones are used again. */
  readonly #agents = new WeakMap<Socket, Agent>();
  /** The rule that created a document, by the document's id. */
  readonly #documents = new Map<string, string>();

  private constructor(callbacks: Callbacks, port: number, rows: readonly PlantedFault[]) {
    const { certificate, key } = callbacks;
    if (certificate === undefined || key === undefined)
      throw new Error('the callbacks of the profile have no certificate');
    this.#certificate = readFileSync(certificate);
    this.#port = port;
    this.#byRule = new Map(rows.map((one) => [one.fault.rule, one]));
    this.#server = createServer({ cert: this.#certificate, key: readFileSync(key) }, (asked, answer) => {
      void this.#take(asked, answer);
    });
  }

  /**
   * Listens at the address of the profile's callbacks; the suite listens on another free port.
   * @throws Error if the profile has no receiver with its own certificate
   */
  static async open(callbacks: Callbacks, rows: readonly PlantedFault[]): Promise<CallbackProxy> {
    const proxy = new CallbackProxy(callbacks, await freePort(), rows);
    const { host, port } = addressOf(callbacks.listen ?? '');
    proxy.#server.listen(port, host);
    await once(proxy.#server, 'listening');
    const { port: taken } = proxy.#server.address() as AddressInfo;
    proxy.env = { CONF_CALLBACKS_LISTEN: `${host}:${proxy.#port}`, CONF_CALLBACKS_URL: `https://${host}:${taken}` };
    return proxy;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  /**
   * Learns endpoints, their secrets, and the rules that created them and documents, from the exchanges of the other
   * proxy.
   */
  learn(asked: ProxiedRequest, answered: ProxiedAnswer): void {
    if (answered.status !== 200) return;
    if (asked.operation === 'createDocument') {
      const id: unknown = parse(answered.body)?.document?.id;
      if (typeof id === 'string') this.#documents.set(id, asked.rule);
    }
    if (asked.operation !== 'createWebhookEndpoint') return;
    const { url, event_types } = parse(asked.body) ?? {};
    const { secret } = parse(answered.body) ?? {};
    if (typeof url !== 'string' || typeof secret !== 'string') return;
    const { pathname, search } = new URL(url);
    const shared = Array.isArray(event_types) && event_types.length === EVENT_TYPES.length;
    const path = `${pathname}${search}`;
    this.#endpoints.set(path, [...(this.#endpoints.get(path) ?? []), { rule: asked.rule, secret, shared }]);
  }

  /** The secret of the endpoint for which a delivery was signed, and the fault that applies to the delivery. */
  #meaning(
    path: string,
    body: Buffer,
    headers: [string, string][],
  ): { secret: string; planted: PlantedFault | undefined } {
    const known = this.#endpoints.get(path) ?? [];
    const [, t = '', v1] = signatureIn({ headers });
    const endpoint = known.find(({ secret }) => signatureOf(secret, t, body) === v1) ?? known.at(-1);
    const document = endpoint?.shared ? this.#documents.get(parse(body)?.data?.document_id) : undefined;
    return { secret: endpoint?.secret ?? '', planted: this.#byRule.get(document ?? endpoint?.rule ?? '') };
  }

  async #take(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    // If the target gives up, the request to the receiver is aborted too, unless a fault lets it outlast the target.
    const left = new AbortController();
    answer.on('close', () => left.abort());
    let at: PlantedFault | undefined;
    try {
      const body = await buffer(asked);
      const headers = headerPairs(asked.rawHeaders);
      const path = asked.url ?? '/';
      const { secret, planted } = this.#meaning(path, body, headers);
      at = planted;
      const delivered: ProxiedDelivery = { path, headers, body, secret };
      const { signal } = left;
      const hand: Deliver = (next, { outlasts = false } = {}) => this.#hand(asked, next, outlasts ? undefined : signal);
      give(answer, await (planted?.fault.delivery ? altered(planted, delivered, hand) : hand(delivered)));
    } catch (error) {
      noteFailure(at, error);
      if (error instanceof MissingAnswer && error.bytes.length > 0) asked.socket.end(error.bytes);
      else answer.destroy();
    }
  }

  #agentFor(socket: Socket): Agent {
    const known = this.#agents.get(socket);
    if (known !== undefined) return known;
    const agent = new Agent({
      keepAlive: true,
      // Trusts only the certificate of the receiver itself, as the target would.
      ca: this.#certificate,
      allowPartialTrustChain: true,
      checkServerIdentity: () => undefined,
    });
    this.#agents.set(socket, agent);
    return agent;
  }

  /** Interim answers pass at once. @throws MissingAnswer */
  #hand(
    { method = 'POST', socket }: IncomingMessage,
    { path, headers, body }: ProxiedDelivery,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const message = { headers: headers.filter(([name]) => !HOP.test(name)) };
    setHeader(message, 'Content-Length', String(body.length));
    return new Promise((resolve, reject) => {
      const out = request({
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers: message.headers.flat() as unknown as Record<string, string>,
        agent: this.#agentFor(socket),
        setHost: false,
        signal,
      });
      let before = 0;
      out.on('socket', ({ bytesRead }) => {
        before = bytesRead;
      });
      out.on('information', ({ statusCode }) => socket.write(`HTTP/1.1 ${statusCode} Words\r\n\r\n`));
      out.on('upgrade', (_answer, upgraded) => {
        upgraded.destroy();
        reject(new MissingAnswer('HTTP/1.1 101 Words\r\n\r\n'));
      });
      out.on('error', (error: Error & { rawPacket?: Buffer }) => {
        const hasBegun = (out.socket?.bytesRead ?? before) > before;
        reject(new MissingAnswer(error.rawPacket ?? (hasBegun ? 'HTTP/1.1 200' : '')));
      });
      out.on('response', (rest) => {
        rest.on('error', () => {});
        resolve({ status: rest.statusCode ?? 0, location: rest.headers.location, rest });
      });
      out.end(body);
    });
  }
}

/** Applies a fault to a delivery, and counts whether the fault changed anything. */
async function altered(planted: PlantedFault, delivered: ProxiedDelivery, hand: Deliver): Promise<Reply | number> {
  const textOf = ({ path, headers, body }: ProxiedDelivery) => JSON.stringify([path, headers, body.toString('base64')]);
  const before = textOf(delivered);
  let forwarded = 0;
  let changed = false;
  let last: Reply | undefined;
  const forward: Deliver = async (next, options) => {
    forwarded++;
    changed ||= before !== textOf(next);
    last = await hand(next, options);
    return last;
  };
  try {
    const reply = await planted.fault.delivery?.(delivered, forward, planted.memory);
    changed ||= forwarded !== 1 || reply !== last;
    return reply ?? 500;
  } finally {
    if (changed) planted.changed++;
  }
}

/** Answers the target with a status, or with the receiver's reply as it arrives. */
function give(answer: ServerResponse, reply: Reply | number): void {
  if (typeof reply === 'number') {
    answer.writeHead(reply).end();
    return;
  }
  if (answer.closed) {
    // The target has given up, and a fault has waited for the receiver nevertheless.
    reply.rest.destroy();
    return;
  }
  const kept = headerPairs(reply.rest.rawHeaders).filter(([name]) => !HOP.test(name));
  answer.sendDate = false;
  answer.writeHead(reply.status, kept.flat());
  answer.flushHeaders();
  pipeline(reply.rest, answer, () => {});
}
