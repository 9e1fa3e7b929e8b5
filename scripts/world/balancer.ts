/**
 * A stand-in for the terminator in front of several processes, without TLS: it hands each request, on a connection of its
 * own, to the next process that is ready and accepts one. A request is never sent twice.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

const LOOPBACK = '127.0.0.1';
/** How often it asks each process whether it is ready, in milliseconds. */
export const CHECK_MS = 200;

/** Where a process takes requests, and where it says whether it is ready. */
interface BalancedProcess {
  readonly port: number;
  readonly readyPort: number;
}

export type Balancer = Awaited<ReturnType<typeof balanced>>;

/** Listens on loopback. @param processes which may come and go */
export async function balanced(processes: readonly BalancedProcess[]) {
  const unready = new Set<BalancedProcess>();
  const aside = new Set<number>();
  let next = 0;
  const server = createServer({ keepAliveTimeout: 65_000 }, async (req, res) => {
    const ready = processes.filter((each) => !unready.has(each) && !aside.has(each.port));
    const first = next++ % Math.max(1, ready.length);
    for (const { port } of [...ready.slice(first), ...ready.slice(0, first)]) {
      if (await passed(req, res, port)) return;
    }
    res.writeHead(502).end('no process accepts connections');
  });
  const check = () => {
    for (const each of processes) {
      fetch(`http://${LOOPBACK}:${each.readyPort}/readyz`).then(
        ({ ok }) => (ok ? unready.delete(each) : unready.add(each)),
        () => unready.add(each),
      );
    }
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return {
    url: `http://${LOOPBACK}:${await listenOnLoopback(server)}`,

    /** Sends nothing more to a process, or again at once, as an administrator of a terminator can say. */
    setAside(port: number, isAside: boolean): void {
      if (isAside) aside.add(port);
      else {
        aside.delete(port);
        for (const each of unready) if (each.port === port) unready.delete(each);
      }
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await closeServer(server);
    },
  };
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
