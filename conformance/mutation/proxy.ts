/**
 * The altering proxy between suite and target. The User-Agent of a request names its rule, so many rules can run at the
 * same time, each with a fault. Requests of rules without a fault, and anything that is not plain HTTP, pass as bytes.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../../scripts/kit/ports.ts';
import { tenantsOf } from '../engine/tenants.ts';
import { exchangeOverHttp } from '../http/client.ts';
import { headerOf, headerPairs, ruleOfHead } from '../http/exchange.ts';
import { operationOf } from '../judge/contract.ts';
import type { LoadedProfile, Profile } from '../profile/profile.ts';
import type { KeyName } from '../profile/schema.ts';
import { jsonBody, parse, setHeader } from './alter.ts';
import type { Fault, Memory, ProxiedAnswer, ProxiedRequest } from './fault.ts';

/** Headers that belong to one connection. */
export const HOP = /^(connection|keep-alive|transfer-encoding)$/i;
/** A redirected URL of storage: the rule, then the origin. */
const AWAY = /^\/~([A-Z]+-[\w.-]+)~([^/]+)(\/.*)$/;
const UPSTREAM_MS = 60_000;

/** A planted fault and its counts. */
export interface PlantedFault {
  readonly fault: Fault;
  readonly memory: Memory;
  /** The key of the request that it has met last. */
  asking: string;
  /** How many exchanges or deliveries the fault has changed. */
  changed: number;
  /** Why the fault itself broke off, and where; what its rule says then proves nothing. */
  failure?: string;
}

/** The target or the receiver gave no final answer, but perhaps these bytes. */
export class MissingAnswer extends Error {
  readonly bytes: Buffer | string;

  constructor(bytes: Buffer | string = '', cause?: Error) {
    super('there was no final answer', { cause });
    this.bytes = bytes;
  }
}

/** Notes the error with which a fault ended, unless it only says that nobody answered. */
export function noteFailure(one: PlantedFault | undefined, error: unknown): void {
  if (one === undefined || error instanceof MissingAnswer) return;
  const [what = '', where = ''] = String(error instanceof Error ? error.stack : error).split('\n');
  one.failure ??= `${what} ${where.trim()}`.trim();
}

/**
 * Gives the secret of a key; '' if there is none.
 * @param index among equivalent keys
 * @param asking a secret of the tenant that has the key; of no tenant: the main one has it
 */
type KeyOf = (name: KeyName, index: number, asking: string) => string;

export function keysOf({ profile, secrets }: LoadedProfile): KeyOf {
  const rings = tenantsOf(profile).map(({ keys }) => keys);
  const has = (ring: Profile['keys'], secret: string) =>
    Object.values(ring)
      .flat()
      .some((name) => secrets[name] === secret);
  return (name, index, asking) => {
    const ring = rings.find((one) => has(one, asking)) ?? profile.keys;
    return secrets[[ring[name] ?? []].flat()[index] ?? ''] ?? '';
  };
}

/** A fault with a memory of its own. */
export function planted(fault: Fault, keyOf: KeyOf): PlantedFault {
  const mark = () => void one.changed++;
  const key: Memory['key'] = (name, index = 0) => keyOf(name, index, one.asking);
  const memory = { successes: new Map(), notes: new Map(), key, mark };
  const one: PlantedFault = { fault, memory, changed: 0, asking: '' };
  return one;
}

const isSame = (a: ProxiedAnswer, b: ProxiedAnswer) =>
  a.heldMs === b.heldMs &&
  a.status === b.status &&
  a.body.equals(b.body) &&
  JSON.stringify(a.headers) === JSON.stringify(b.headers);

/** A proxy for the requests of a run. */
export class AlteringProxy {
  readonly #target: URL;
  readonly #http = createHttpServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    void this.#serve(request, response);
  });
  readonly #listeners: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #replicas = new Set<number>();
  #planted: ReadonlyMap<string, PlantedFault> = new Map();
  #everywhere: PlantedFault | undefined;
  /** Sees each request and answer as it passes. */
  onExchange: (asked: ProxiedRequest, answered: ProxiedAnswer) => void = () => {};

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Sets the planted faults, by rule; they replace earlier ones. */
  plant(faults: readonly PlantedFault[]): void {
    this.#planted = new Map(faults.map((one) => [one.fault.rule, one]));
  }

  /** Plants one fault for the requests of all rules. */
  plantEverywhere(fault: PlantedFault): void {
    this.#everywhere = fault;
  }

  #of(rule: string | undefined): PlantedFault | undefined {
    return rule === undefined ? undefined : (this.#planted.get(rule) ?? this.#everywhere);
  }

  /** Opens another port. @param replica whether requests to it are meant for a replica. @returns its URL */
  async listen(replica = false): Promise<string> {
    const listener = createServer((socket) => this.#meet(socket));
    const port = await listenOnLoopback(listener);
    this.#listeners.push(listener);
    if (replica) this.#replicas.add(port);
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#http.close();
    await Promise.all(this.#listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  }

  /** Decides by the first bytes of a connection whether this proxy handles it or passes it on. */
  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.once('data', (first: Buffer) => {
      socket.pause();
      const head = first.toString('latin1', 0, 16_384);
      const own = AWAY.test(head.split(' ', 2)[1] ?? '') || this.#of(ruleOfHead(head)) !== undefined;
      if (own) {
        this.#http.emit('connection', socket);
        socket.unshift(first);
        socket.resume();
        return;
      }
      const through = connect(Number(this.#target.port), this.#target.hostname);
      this.#sockets.add(through);
      through.on('error', () => socket.destroy());
      through.on('close', () => this.#sockets.delete(through));
      through.write(/^user-agent:/im.test(head) ? first : this.#rewritten(first));
      socket.pipe(through).pipe(socket);
    });
  }

  /** Alters the bytes of a bare socket, which name no rule. */
  #rewritten(bytes: Buffer): Buffer {
    const at = [...this.#planted.values()].find(({ fault }) => fault.wire);
    const altered = at?.fault.wire?.(bytes) ?? bytes;
    if (at && !altered.equals(bytes)) at.changed++;
    return altered;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let at: PlantedFault | undefined;
    try {
      const body = await buffer(request);
      const headers = headerPairs(request.rawHeaders);
      const away = AWAY.exec(request.url ?? '');
      const agent = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const rule = away?.[1] ?? ruleOfHead(agent) ?? '';
      const target = away?.[3] ?? request.url ?? '';
      const method = request.method ?? 'GET';
      const asked: ProxiedRequest = {
        rule,
        operation: away ? undefined : operationOf(method, target),
        method,
        target,
        headers: headers.filter(([name]) => !HOP.test(name) && !/^expect$/i.test(name)),
        body,
        replica: this.#replicas.has(request.socket.localPort ?? 0),
      };
      const origin = away?.[2] === undefined ? this.#target : new URL(`http://${decodeURIComponent(away[2])}`);
      at = this.#of(rule);
      const answer = await this.#altered(asked, origin, away !== null);
      if (answer.heldMs !== undefined) await sleep(answer.heldMs);
      this.#send(response, method, answer);
    } catch (error) {
      noteFailure(at, error);
      response.destroy();
    }
  }

  async #altered(asked: ProxiedRequest, origin: URL, isStorage: boolean): Promise<ProxiedAnswer> {
    const at = this.#of(asked.rule);
    const before = JSON.stringify([asked.method, asked.target, asked.headers, asked.body.toString('base64')]);
    let forwarded = 0;
    let altered = false;
    let last: ProxiedAnswer | undefined;
    const forward = async (next: ProxiedRequest): Promise<ProxiedAnswer> => {
      forwarded++;
      altered ||= before !== JSON.stringify([next.method, next.target, next.headers, next.body.toString('base64')]);
      const answer = await this.#ask(next, origin);
      this.onExchange(next, answer);
      last = { ...answer, headers: answer.headers.map(([name, value]) => [name, value]) };
      return answer;
    };
    const alter = isStorage ? at?.fault.storage : at?.fault.alter;
    if (!at) return forward(asked);
    at.asking = headerOf(asked, 'x-api-key') ?? at.asking;
    const answer = alter ? await alter(asked, forward, at.memory) : await forward(asked);
    if (altered || forwarded !== 1 || !last || !isSame(last, answer)) at.changed++;
    if (last && last.status === 200 && asked.operation) at.memory.successes.set(asked.operation, last);
    return at.fault.storage && !isStorage ? this.#ledAway(answer, asked) : answer;
  }

  /** Redirects the storage URL in an answer to this proxy. */
  #ledAway(answer: ProxiedAnswer, { rule, headers }: ProxiedRequest): ProxiedAnswer {
    const json = parse(answer.body);
    const holder = json?.upload ?? json;
    if (typeof holder?.url !== 'string' || !holder.url.startsWith('http:')) return answer;
    const url = new URL(holder.url);
    const here = headerOf({ headers }, 'host') ?? '';
    holder.url = `http://${here}/~${rule}~${encodeURIComponent(url.host)}${url.pathname}${url.search}`;
    return { ...answer, body: jsonBody(json) };
  }

  async #ask(asked: ProxiedRequest, origin: URL): Promise<ProxiedAnswer> {
    const { method, target, body } = asked;
    const isOfTarget = origin === this.#target;
    const headers = asked.headers.filter(
      ([name]) => !/^content-length$/i.test(name) && (isOfTarget || !/^host$/i.test(name)),
    );
    const hasBody = body.length > 0 || headerOf(asked, 'content-length') !== undefined;
    const request = { baseUrl: origin.origin, method, target, headers, timeoutMs: UPSTREAM_MS };
    const answer = await exchangeOverHttp({ ...request, body: hasBody ? body : undefined }).catch((error: Error) => {
      throw new MissingAnswer('', error);
    });
    return { ...answer, headers: answer.headers.filter(([name]) => !HOP.test(name)) };
  }

  #send(response: ServerResponse, method: string, answer: ProxiedAnswer): void {
    const message = { headers: [...answer.headers] };
    if (method !== 'HEAD' && answer.status !== 204 && answer.status !== 304)
      setHeader(message, 'Content-Length', String(answer.body.length));
    if (!headerOf(message, 'date')) message.headers.push(['Date', new Date().toUTCString()]);
    response.sendDate = false;
    response.writeHead(answer.status, message.headers.flat());
    response.end(method === 'HEAD' ? undefined : answer.body);
  }
}
