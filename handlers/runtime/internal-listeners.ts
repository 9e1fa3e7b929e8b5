/** Listeners besides the public one: metrics, and the control clock of a test instance, which is on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { clockOffsetMs, now, setClockOffset } from './clock.ts';
import { FROM_PEER, unsetPeers } from './control-clock-peers.ts';
import { exposition, publicPathRequests, registry } from './metrics.ts';

const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 1024;
/** A hundred years: within this offset every time is still a valid date. */
const MAX_OFFSET_MS = 100 * 366 * 86_400_000;

/** An internal listener that is up. */
export interface InternalListener {
  readonly url: string;
  stop(): void;
}

async function listen(
  host: string,
  port: number,
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<InternalListener> {
  const server: Server = createServer((req, res) => {
    answer(req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(500).end()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, stop };
}

/** Prometheus metrics at `/metrics`. */
export function serveMetrics(host: string, port: number): Promise<InternalListener> {
  return listen(host, port, async (req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end();
    publicPathRequests.inc({ http_route: '/metrics', http_response_status_code: 200 });
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(await exposition());
  });
}

/** Names by which a program on this machine calls it. A page that has its name lead here (DNS rebinding) uses another. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * The control clock: `GET /clock` → `{now, offset_ms}`; `POST /clock` with `{"offset_ms": n}`, as application/json,
 * sets how far the service's time is ahead of the machine's, `{"advance_ms": n}` moves it forward. It needs no key, so it
 * answers no page of a browser: not to another name than a loopback one, and not to another origin.
 * @param peers addresses of the control clocks of further processes, which are set to the same before it answers
 */
export function serveControlClock(port: number, peers: readonly string[] = []): Promise<InternalListener> {
  return listen(LOOPBACK, port, async (req, res) => {
    const { url, method = '', headers } = req;
    const { host = '', origin, 'content-type': type = '' } = headers;
    const isOwn = LOOPBACK_HOST.test(host) && (origin === undefined || origin === `http://${host}`);
    if (!isOwn) return void res.writeHead(403).end('{"error":"only programs on this machine may ask, and no pages"}');
    if (url !== '/clock') return void res.writeHead(404).end();
    if (!['GET', 'POST'].includes(method)) return void res.writeHead(405, { Allow: 'GET, POST' }).end();
    if (method === 'POST') {
      if (!/^application\/json(;|$)/i.test(type)) {
        return void res.writeHead(415).end('{"error":"send application/json"}');
      }
      const offset = requestedOffset(await smallBody(req));
      if (offset === undefined) {
        res.writeHead(400).end('{"error":"send {\\"offset_ms\\": n} or {\\"advance_ms\\": n}, a whole number"}');
        return;
      }
      setClockOffset(offset);
      // One that is set by a peer passes nothing on, so every process may name all of them.
      const behind = headers[FROM_PEER] === undefined ? await unsetPeers(peers, offset) : [];
      if (behind.length > 0) {
        const error = `set here, but not by ${behind.join(', ')} of CONTROL_PEERS`;
        return void res.writeHead(502).end(JSON.stringify({ error }));
      }
    }
    const body = JSON.stringify({ now: now().toISOString(), offset_ms: clockOffsetMs() });
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
}

async function smallBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += (chunk as Buffer).length;
    if (length > MAX_BODY_BYTES) return '';
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function requestedOffset(text: string): number | undefined {
  try {
    const { offset_ms, advance_ms } = JSON.parse(text);
    const base = offset_ms === undefined ? clockOffsetMs() : 0;
    const offset = base + (offset_ms ?? advance_ms ?? Number.NaN);
    return Number.isSafeInteger(offset) && Math.abs(offset) <= MAX_OFFSET_MS ? offset : undefined;
  } catch {
    return undefined;
  }
}
