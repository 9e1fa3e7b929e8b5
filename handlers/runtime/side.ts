/** Loopback listeners beside the public one: metrics, and the control clock of a test instance. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clockOffsetMs, now, setClockOffset } from './clock.ts';
import { registry } from './metrics.ts';

const LOOPBACK = '127.0.0.1';

/** A side listener that is up. */
export interface SideListener {
  readonly url: string;
  stop(): void;
}

async function listenOnLoopback(
  port: number,
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<SideListener> {
  const server: Server = createServer((req, res) => {
    answer(req, res).catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => resolve());
  });
  const url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, stop };
}

/** Prometheus metrics at `/metrics`. */
export function serveMetrics(port: number): Promise<SideListener> {
  return listenOnLoopback(port, async (req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end();
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(await registry.metrics());
  });
}

/**
 * The control clock: `GET /clock` → `{now, offset_ms}`; `POST /clock` with `{"offset_ms": n}` sets how far the
 * service's present is ahead of the machine's, `{"advance_ms": n}` moves it on.
 */
export function serveControlClock(port: number): Promise<SideListener> {
  return listenOnLoopback(port, async (req, res) => {
    if (req.url !== '/clock') return void res.writeHead(404).end();
    if (req.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const offset = requestedOffset(Buffer.concat(chunks).toString('utf8'));
      if (offset === undefined) {
        res.writeHead(400).end('{"error":"send {\\"offset_ms\\": n} or {\\"advance_ms\\": n}, a whole number"}');
        return;
      }
      setClockOffset(offset);
    }
    const body = JSON.stringify({ now: now().toISOString(), offset_ms: clockOffsetMs() });
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
}

function requestedOffset(text: string): number | undefined {
  try {
    const { offset_ms, advance_ms } = JSON.parse(text);
    if (Number.isSafeInteger(offset_ms)) return offset_ms;
    return Number.isSafeInteger(advance_ms) ? clockOffsetMs() + advance_ms : undefined;
  } catch {
    return undefined;
  }
}
