/** A server with nothing but a rate limiter for each key, right or wrong. A probe of the limit must distinguish them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Model } from '../../../conformance/judge/oracle-models.ts';
import { listenOnLoopback } from '../../../conformance/processes/ports.ts';
import { errors } from '../../../generated/errors.ts';

const { reason, rpcCode, message, httpStatus } = errors.RATE_LIMIT_EXCEEDED;
const REFUSAL = JSON.stringify({ code: rpcCode, message, details: [{ '@type': 'ErrorInfo', reason }] });

/** Starts the server on a free loopback port. @param newModel makes the limiter of a key */
export async function limiterServer(newModel: () => Model): Promise<{ url: string; stop(): Promise<void> }> {
  const models = new Map<string, Model>();
  const server = createServer((request, response) => {
    const key = String(request.headers['x-api-key']);
    const model = models.get(key) ?? newModel();
    models.set(key, model);
    const { admitted, delayMs } = model.take(performance.now());
    response.setHeader('Content-Type', 'application/json');
    setTimeout(() => response.writeHead(admitted ? 200 : httpStatus).end(admitted ? '{}' : REFUSAL), delayMs);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
