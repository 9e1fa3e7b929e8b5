/** For tests: receivers of webhooks on loopback, with certificates of an authority that only the tests trust. */
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { now } from '../../handlers/process/clock.ts';
import { allowedNetwork } from '../../handlers/webhooks/outbound/addresses.ts';
import { type Outbound, type OutboundOptions, openOutbound } from '../../handlers/webhooks/outbound/outbound.ts';
import { type Identity, makeCertificate, newKey } from './eds/certificates.ts';
import { newAuthority, pemOf } from './eds/folder.ts';

/** A name that no name server resolves. */
export const RECEIVER = 'receiver.test';
const DAY_MS = 86_400_000;

/** A certificate authority of a test; `pem` is what a deployment would be given as `WEBHOOK_CA_FILE`. */
export class TestAuthority {
  readonly identity: Identity = newAuthority('ec', now());
  readonly pem = pemOf(this.identity.certificate);

  /** Key and certificate of a server, as {@link createServer} takes them; valid for this many days from now. */
  server(hosts: readonly string[], { days = 1, ownIssuer = false } = {}): { key: string; cert: string } {
    const key = newKey('ec');
    const certificate = makeCertificate({
      commonName: 'TEST RECEIVER',
      key,
      ...(!ownIssuer && { issuer: this.identity }),
      notBefore: new Date(now().getTime() - 2 * DAY_MS),
      notAfter: new Date(now().getTime() + days * DAY_MS),
      hosts,
    });
    return { key: key.export({ format: 'pem', type: 'pkcs8' }) as string, cert: pemOf(certificate) };
  }
}

/** Answers a request that has arrived completely. */
export type Answer = (socket: TLSSocket, request: string) => void;

/** An empty answer with this status. */
export const plainly = (status: number): Answer => {
  return (socket) => void socket.write(`HTTP/1.1 ${status} Words\r\nContent-Length: 0\r\n\r\n`);
};

/** A receiver that is up. */
export interface TestReceiver {
  readonly port: number;
  readonly url: string;
  /** The requests in the order of their arrival. */
  readonly requests: string[];
  /** Names that were asked for (SNI), one for each connection with TLS. */
  readonly names: (string | false)[];
  /** How many connections are open. */
  open(): number;
  /** Bytes sent over all connections. */
  bytesWritten(): number;
  answer: Answer;
  stop(): Promise<void>;
}

/** Listens for TLS on loopback. The URL has {@link RECEIVER} as its host. @param host the address to listen at */
export async function receiver(
  tls: TlsOptions,
  answer: Answer = plainly(204),
  host = '127.0.0.1',
): Promise<TestReceiver> {
  const sockets = new Set<TLSSocket>();
  let written = 0;
  const server = createServer(tls);
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    made.names.push(socket.servername ?? false);
    socket.on('error', () => {});
    socket.once('close', () => {
      written += socket.bytesWritten;
      sockets.delete(socket);
    });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const [head = '', body] = text.split('\r\n\r\n', 2);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      made.requests.push(Buffer.from(text, 'latin1').toString());
      text = '';
      made.answer(socket, made.requests.at(-1) as string);
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const made: TestReceiver = {
    port,
    url: `https://${RECEIVER}:${port}/hook`,
    requests: [],
    names: [],
    answer,
    open: () => sockets.size,
    bytesWritten: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, written),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return made;
}

/** A sender to receivers on loopback: {@link RECEIVER} and its subdomains lead there. */
export function loopbackOutbound(
  port: number,
  authority: TestAuthority,
  changes: Partial<OutboundOptions> = {},
): Outbound {
  const allowed = allowedNetwork(`127.0.0.1:${port}`);
  return openOutbound({
    ownPorts: () => [],
    allowed: allowed === undefined ? [] : [allowed],
    authority: authority.pem,
    lookup: async (name) => {
      if (name.endsWith(RECEIVER)) return ['127.0.0.1'];
      throw new Error(`${name} is unknown`);
    },
    ...changes,
  });
}
