/** The one address to which a test's service delivers, as a tunnel would: it hands on to ports of this machine. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { TestAuthority } from '../../scripts/world/receiver.ts';

export class DeliveryFront {
  /** Deliveries for a port where nobody listened. */
  undelivered = 0;
  /** With which the service delivers here. */
  readonly env: Readonly<Record<string, string>>;
  readonly #url: string;
  readonly #server: Server;

  private constructor(server: Server, env: Readonly<Record<string, string>>, url: string) {
    this.#server = server;
    this.env = env;
    this.#url = url;
  }

  /** @param folder gets the certificate of the authority */
  static async open(folder: string): Promise<DeliveryFront> {
    const authority = new TestAuthority();
    const server = createServer(authority.server(['127.0.0.1']), async (request, response) => {
      const headers = { 'Service-Signature': String(request.headers['service-signature']) };
      const sent = { method: 'POST', headers, body: await buffer(request) };
      const answer = await fetch(`http://127.0.0.1:${request.url?.slice(1)}/`, sent).catch(() => {
        front.undelivered += 1;
        return { status: 502 };
      });
      response.writeHead(answer.status).end();
    });
    const at = `127.0.0.1:${await listenOnLoopback(server)}`;
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.pem);
    const front = new DeliveryFront(server, { WEBHOOK_ALLOW_NETWORKS: at, WEBHOOK_CA_FILE: file }, `https://${at}`);
    return front;
  }

  /** The URL of an endpoint whose deliveries arrive at a port. */
  to(port: number | string): string {
    return `${this.#url}/${port}`;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }
}
