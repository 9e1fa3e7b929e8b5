/** Stands between target and receiver: it takes deliveries at the address that the target may call, and hands them on. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Callbacks } from '../profile.ts';
import { parse, setHeader } from './alter.ts';
import type { Answered, Asked, Delivered } from './fault.ts';
import type { Planted } from './proxy.ts';

interface Endpoint {
  rule: string;
  secret: string;
}

/** Signs a delivery anew, as the contract says. @param t Unix seconds */
export function sign(delivered: Delivered, t = Math.floor(Date.now() / 1000), secret = delivered.secret): void {
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(delivered.body).digest('hex');
  setHeader(delivered, 'Service-Signature', `t=${t},v1=${v1}`);
}

export class CallbackProxy {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
  readonly #endpoints: Map<string, Endpoint>;

  private constructor(env: Record<string, string>, close: () => Promise<void>, endpoints: Map<string, Endpoint>) {
    this.env = env;
    this.close = close;
    this.#endpoints = endpoints;
  }

  /**
   * Takes the address of the profile's callbacks; the suite listens on the port beside it.
   * @throws Error when the profile has no receiver of its own
   */
  static async open(callbacks: Callbacks, plants: readonly Planted[]): Promise<CallbackProxy> {
    const { listen = '', certificate, key } = callbacks;
    if (certificate === undefined || key === undefined)
      throw new Error('the callbacks of the profile have no certificate');
    const at = listen.lastIndexOf(':');
    const [host, port] = [listen.slice(0, at), Number(listen.slice(at + 1))];
    const inner = await freePort();
    const endpoints = new Map<string, Endpoint>();
    const byRule = new Map(plants.map((one) => [one.fault.rule, one]));
    const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, async (asked, answer) => {
      try {
        const parts: Buffer[] = [];
        for await (const part of asked) parts.push(part as Buffer);
        const headers: [string, string][] = [];
        for (let i = 0; i + 1 < asked.rawHeaders.length; i += 2)
          headers.push([asked.rawHeaders[i] ?? '', asked.rawHeaders[i + 1] ?? '']);
        const path = asked.url ?? '/';
        const endpoint = endpoints.get(path);
        const delivered: Delivered = { headers, body: Buffer.concat(parts), secret: endpoint?.secret ?? '' };
        const forward = (next: Delivered) => hand(inner, asked.method ?? 'POST', path, next);
        const one = byRule.get(endpoint?.rule ?? '');
        if (!one?.fault.delivery) answer.writeHead(await forward(delivered)).end();
        else {
          const before = JSON.stringify([delivered.headers, delivered.body.toString('base64')]);
          let forwarded = 0;
          let changed = false;
          const status = await one.fault.delivery(
            delivered,
            (next) => {
              forwarded++;
              changed ||= before !== JSON.stringify([next.headers, next.body.toString('base64')]);
              return forward(next);
            },
            one.memory,
          );
          if (changed || forwarded !== 1) one.changed++;
          answer.writeHead(status).end();
        }
      } catch {
        answer.destroy();
      }
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const env = { CONF_CALLBACKS_LISTEN: `${host}:${inner}`, CONF_CALLBACKS_URL: `https://${host}:${port}` };
    const close = () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
    return new CallbackProxy(env, close, endpoints);
  }

  /** Learns endpoints, their secrets and the rule that they are of from what passes the other proxy. */
  learn(asked: Asked, answered: Answered): void {
    if (asked.operation !== 'createWebhookEndpoint' || answered.status !== 200) return;
    const { url } = parse(asked.body) ?? {};
    const { secret } = parse(answered.body) ?? {};
    if (typeof url !== 'string' || typeof secret !== 'string') return;
    const { pathname, search } = new URL(url);
    this.#endpoints.set(`${pathname}${search}`, { rule: asked.rule, secret });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @returns the receiver's status */
function hand(port: number, method: string, path: string, { headers, body }: Delivered): Promise<number> {
  const message = { headers: headers.filter(([name]) => !/^(connection|transfer-encoding)$/i.test(name)) };
  setHeader(message, 'Content-Length', String(body.length));
  return new Promise((resolve, reject) => {
    const out = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: message.headers.flat() as unknown as Record<string, string>,
      rejectUnauthorized: false,
      agent: false,
      setHost: false,
    });
    out.on('error', reject);
    out.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', reject);
    });
    out.end(body);
  });
}
