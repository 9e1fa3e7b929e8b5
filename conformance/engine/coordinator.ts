/**
 * What all worker processes of a run share: the pacer, locks, and the limit on writes. It lives in the main process.
 * Workers ask it over a loopback socket; each question and each answer is one line of JSON.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { CallbackAsk } from '../callbacks/delivery.ts';
import type { Outcome } from '../judge/outcome.ts';
import { OpenEndpoints } from './open-endpoints.ts';
import { Pacer } from './pacer.ts';
import { UnderWay } from './under-way.ts';

export type LockMode = 'shared' | 'exclusive';

/** How a rule ended. */
export type DoneRule = Pick<Outcome, 'rule' | 'status' | 'code' | 'reason'>;

export type Question =
  /** A permit to send one request now with one of these equivalent keys. */
  | { op: 'slot'; names: string[] }
  | { op: 'lock'; name: string; mode: LockMode }
  | { op: 'unlock'; name: string }
  /** A permit for one write; refused when `max_writes` are used up. */
  | { op: 'write' }
  /** A permit to send the creation of a webhook endpoint; then its answer: the endpoint's id, or '' if it shows none. */
  | { op: 'creating' }
  | { op: 'created'; endpoint: string; key: string }
  | { op: 'deleted'; endpoint: string }
  /** The target's buckets are in an unknown state. */
  | { op: 'drain' }
  /** For the receiver of deliveries. */
  | { op: 'callbacks'; ask: CallbackAsk }
  /** The target's clock has been moved, or has been put back. */
  | { op: 'clock'; moved: boolean }
  /** A permit to check a rule; refused once the run ends early. */
  | { op: 'begin'; rule: string; changes: boolean }
  | ({ op: 'done' } & DoneRule);

export interface Reply {
  id: number;
  name?: string;
  granted?: boolean;
  /** The receiver's answer. */
  data?: unknown;
  /** What went wrong in the main process. */
  fault?: string;
}

interface Waiter {
  socket: Socket;
  mode: LockMode;
  grant: () => void;
}

/**
 * A lock that many may share or one may hold alone. A waiter that wants it alone goes before sharers that come later.
 */
class Lock {
  readonly #holders = new Map<Socket, { mode: LockMode; count: number }>();
  #waiting: Waiter[] = [];

  request(waiter: Waiter): void {
    this.#waiting.push(waiter);
    this.#advance();
  }

  release(socket: Socket): void {
    const held = this.#holders.get(socket);
    if (held && --held.count === 0) this.#holders.delete(socket);
    this.#advance();
  }

  forget(socket: Socket): void {
    this.#holders.delete(socket);
    this.#waiting = this.#waiting.filter((waiter) => waiter.socket !== socket);
    this.#advance();
  }

  #advance(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const taken = [...this.#holders.values()];
      const free = next.mode === 'exclusive' ? taken.length === 0 : taken.every(({ mode }) => mode === 'shared');
      if (!free) return;
      this.#waiting.shift();
      const held = this.#holders.get(next.socket);
      if (held) held.count++;
      else this.#holders.set(next.socket, { mode: next.mode, count: 1 });
      next.grant();
    }
  }
}

export interface CoordinatorOptions {
  maxWrites: number;
  failedAuthPerSecond: number;
  onDone?: (rule: DoneRule) => void;
  onCallbacks?: (ask: CallbackAsk) => Promise<unknown>;
  onClock?: (moved: boolean) => void;
}

/** How long a run that ends waits for the answers to creations of endpoints, in milliseconds. */
const LAST_ANSWERS_MS = 3_000;
/** How long rules that change the tenant may go on after the run has been told to end, in milliseconds. */
const LAST_CHANGES_MS = 20_000;

/** A rule that is being checked. */
interface RuleUnderWay {
  readonly rule: string;
  /** Whether it changes the tenant or its clock. */
  readonly changes: boolean;
}

/** Listens on a free loopback port until it is closed. */
export class Coordinator {
  readonly #options: CoordinatorOptions;
  readonly #pacer: Pacer;
  readonly endpoints = new OpenEndpoints();
  /** Creations of endpoints that have no answer yet: each may make one, too. */
  readonly creations = new UnderWay<'creation'>({ patienceMs: LAST_ANSWERS_MS });
  /** Those that change something are awaited, so that they can put it back. */
  readonly rules = new UnderWay<RuleUnderWay>({ patienceMs: LAST_CHANGES_MS, isAwaited: ({ changes }) => changes });
  readonly #locks = new Map<string, Lock>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #writes = 0;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#pacer = new Pacer(options.failedAuthPerSecond);
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** @returns the port */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get writes(): number {
    return this.#writes;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const lock of this.#locks.values()) lock.forget(socket);
      this.creations.forget(socket);
      this.rules.forget(socket);
    });
    const lines = createInterface({ input: socket });
    // A worker that is killed resets its connection, and the reader of lines reports that once more.
    lines.on('error', () => {});
    lines.on('line', (line) => {
      const { id, ...question } = JSON.parse(line) as Question & { id: number };
      this.#answer(socket, question as Question, (reply) => {
        if (!socket.destroyed) socket.write(`${JSON.stringify({ id, ...reply })}\n`);
      });
    });
  }

  #lock(name: string): Lock {
    let lock = this.#locks.get(name);
    if (!lock) {
      lock = new Lock();
      this.#locks.set(name, lock);
    }
    return lock;
  }

  #answer(socket: Socket, question: Question, reply: (reply: Omit<Reply, 'id'>) => void): void {
    const now = performance.now();
    switch (question.op) {
      case 'slot': {
        const name = this.#pacer.freest(question.names, now);
        const waitMs = this.#pacer.reserve(name, now);
        if (waitMs === 0) reply({ name });
        else setTimeout(() => reply({ name }), Math.ceil(waitMs));
        return;
      }
      case 'lock':
        this.#lock(question.name).request({ socket, mode: question.mode, grant: () => reply({ granted: true }) });
        return;
      case 'unlock':
        this.#lock(question.name).release(socket);
        reply({});
        return;
      case 'write':
        reply({ granted: this.#writes < this.#options.maxWrites });
        this.#writes++;
        return;
      case 'creating':
        // Without an answer the worker sends nothing.
        if (this.creations.begin(socket, 'creation')) reply({});
        return;
      case 'created':
        this.endpoints.created(question.endpoint, question.key);
        this.creations.end(socket);
        reply({});
        return;
      case 'deleted':
        this.endpoints.deleted(question.endpoint);
        reply({});
        return;
      case 'drain':
        this.#pacer.drainAll(now);
        reply({});
        return;
      case 'callbacks':
        Promise.resolve(this.#options.onCallbacks?.(question.ask)).then(
          (data) => reply({ data }),
          (error: unknown) => reply({ fault: error instanceof Error ? error.message : String(error) }),
        );
        return;
      case 'clock':
        this.#options.onClock?.(question.moved);
        reply({});
        return;
      case 'begin':
        reply({ granted: this.rules.begin(socket, { rule: question.rule, changes: question.changes }) });
        return;
      case 'done':
        this.rules.end(socket, ({ rule }) => rule === question.rule);
        this.#options.onDone?.(question);
        reply({});
    }
  }
}
