/** What stands in front of a service, in the process of a test: a small terminator, with the faults that real ones have. */
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

export interface ProxyFaults {
  /** Bodies beyond this many bytes are refused with 413, as nginx does from 1 MiB. */
  readonly mostBytes?: number;
  /** Heads beyond this many bytes are refused with 431. */
  readonly mostHeadBytes?: number;
  /** `none` sends no X-Forwarded-For, `callers` hands on that of the caller; by default the caller's address is appended. */
  readonly forwarded?: 'none' | 'callers';
  /** The address from which it calls the service. */
  readonly from?: string;
  /** It answers with the head of its first answer at an address, as a cache does that looks at nothing else. */
  readonly caches?: boolean;
  /** Fields of requests and answers that it does not hand on. */
  readonly drops?: readonly string[];
  /** It sends its own name and port as Host, as most proxies do by default. */
  readonly rewritesHost?: boolean;
}

export interface FaultyProxy {
  readonly url: string;
  faults: ProxyFaults;
  stop(): Promise<void>;
}

/** Listens on loopback in front of a service. @param tls key and certificate; without them it speaks plain HTTP */
export async function proxyOf(target: string, faults: ProxyFaults = {}, tls?: TlsOptions): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const known = new Map<string | undefined, object>();
  const options = { maxHeaderSize: faults.mostHeadBytes ?? 32 * 1024 };
  const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
  server.on('request', (req, res) => {
    const { mostBytes = Number.POSITIVE_INFINITY, forwarded, from, drops = [], rewritesHost, caches } = proxy.faults;
    if (Number(req.headers['content-length']) > mostBytes) {
      return void res.writeHead(413, { Server: 'proxy', Connection: 'close' }).end('<html>413</html>');
    }
    const kept = (headers: object) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !drops.includes(name)));
    const headers: Record<string, unknown> = kept(req.headers);
    const callers = headers['x-forwarded-for'];
    const peer = req.socket.remoteAddress;
    if (forwarded === 'none') delete headers['x-forwarded-for'];
    else if (forwarded === undefined) headers['x-forwarded-for'] = callers === undefined ? peer : `${callers}, ${peer}`;
    if (rewritesHost) headers.host = `${hostname}:${targetPort}`;
    const { method, url: path } = req;
    const place = { hostname, port: targetPort, method, path, headers: headers as Record<string, string> };
    const sent = request({ ...place, agent: false, ...(from && { localAddress: from }) }, (answer) => {
      const first = known.get(path) ?? answer.headers;
      known.set(path, first);
      res.writeHead(answer.statusCode ?? 502, kept(caches ? first : answer.headers) as Record<string, string>);
      answer.on('error', () => res.destroy()).pipe(res);
    });
    sent.on('error', () => {
      // The service may answer, and close, before it has the whole body: that answer counts, and the rest is not kept.
      if (res.headersSent) req.resume();
      else res.writeHead(502).end();
    });
    res.on('close', () => sent.destroy());
    req.pipe(sent);
  });
  const port = await listenOnLoopback(server as Server);
  const proxy: FaultyProxy = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    faults,
    stop: () => closeServer(server),
  };
  return proxy;
}
