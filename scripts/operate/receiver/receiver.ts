/** A receiver of events to start from: verify, remember the id, answer, then read the record again. */
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { verify } from './verify.ts';

export interface Delivery {
  readonly verdict: ReturnType<typeof verify>;
  readonly status: number;
  /** The envelope; absent if the delivery is not genuine, because then nothing in it can be trusted. */
  readonly event?: unknown;
  /** Whether an event with this id came before: deliveries are made at least once. */
  readonly again?: boolean;
}

export interface ReceiverOptions {
  readonly secret: string;
  /** Certificate and key of the server, PEM. */
  readonly cert: string;
  readonly key: string;
  readonly status: number;
  readonly heard: (delivery: Delivery) => void;
}

/** Real envelopes are far smaller. */
const MOST_BYTES = 65_536;

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Makes the server; the caller starts it with `listen`. */
export function receiver({ secret, cert, key, status, heard }: ReceiverOptions): Server {
  const known = new Set<string>();
  return createServer({ cert, key }, async (request, response) => {
    try {
      const body = await rawBody(request);
      const verdict = verify(secret, [request.headers['service-signature']].flat().join(), body);
      if (verdict !== 'genuine') {
        heard({ verdict, status: 401 });
        return void response.writeHead(401).end();
      }
      const event = JSON.parse(body.toString());
      const again = known.has(event.id);
      // A real receiver keeps the ids in its database, and after answering it reads the record again with its key.
      if (status < 300) known.add(event.id);
      heard({ verdict, status, event, again });
      response.writeHead(status).end();
    } catch {
      response.destroy();
    }
  });
}
