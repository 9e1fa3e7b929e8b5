/**
 * A stand-in for the terminator in front of several processes, without TLS: it hands each request, on a connection of its
 * own, to the next process that is ready and accepts one. A request is never sent twice.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

const LOOPBACK = '127.0.0.1';
/** How often it asks each process whether it is ready, in milliseconds. */
export const CHECK_MS = 200;

/** Where a process takes requests, and where it says whether it is ready. */
interface BalancedProcess {
  readonly port: number;
  readonly readyPort: number;
}

export class Balancer {
  readonly url: string;
  readonly #server: Server;
  readonly #processes: readonly BalancedProcess[];
  readonly #unready = new Set<BalancedProcess>();
  readonly #aside = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  private constructor(url: string, server: Server, processes: readonly BalancedProcess[]) {
    this.url = url;
    this.#server = server;
    this.#processes = processes;
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref();
    server.on('request', (req: IncomingMessage, res: ServerResponse) => void this.#handOn(req, res));
  }

  /** Listens on loopback. @param processes which may come and go */
  static async listen(processes: readonly BalancedProcess[]): Promise<Balancer> {
    const server = createServer({ keepAliveTimeout: 65_000 });
    return new Balancer(`http://${LOOPBACK}:${await listenOnLoopback(server)}`, server, processes);
  }

  async #handOn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const ready = this.#processes.filter((each) => !this.#unready.has(each) && !this.#aside.has(each.port));
    const first = this.#next++ % Math.max(1, ready.length);
    for (const { port } of [...ready.slice(first), ...ready.slice(0, first)]) {
      if (await passed(req, res, port)) return;
    }
    res.writeHead(502).end('no process accepts connections');
  }

  /** Sends nothing more to a process, or again at once, as an administrator of a terminator can say. */
  setAside(port: number, isAside: boolean): void {
    if (isAside) this.#aside.add(port);
    else {
      this.#aside.delete(port);
      for (const each of this.#unready) if (each.port === port) this.#unready.delete(each);
    }
  }

  #check(): void {
    for (const each of this.#processes) {
      fetch(`http://${LOOPBACK}:${each.readyPort}/readyz`).then(
        ({ ok }) => (ok ? this.#unready.delete(each) : this.#unready.add(each)),
        () => this.#unready.add(each),
      );
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await closeServer(this.#server);
  }
}

/** Hands the request on. @returns false if nothing listens there, so that nothing was sent */
function passed(req: IncomingMessage, res: ServerResponse, port: number): Promise<boolean> {
  const { method, url, headers } = req;
  const onward = request({ agent: false, host: LOOPBACK, port, method, path: url, headers });
  return new Promise((resolve) => {
    let isSent = false;
    onward.once('socket', (socket) =>
      socket.once('connect', () => {
        isSent = true;
        req.pipe(onward);
      }),
    );
    onward.once('response', (answer) => {
      const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, kept);
      answer.once('error', () => res.destroy());
      answer.pipe(res).once('close', () => resolve(true));
    });
    onward.once('error', () => {
      if (isSent && !res.headersSent) res.writeHead(502).end('the process ended before it answered');
      else if (isSent) res.destroy();
      resolve(isSent);
    });
  });
}
