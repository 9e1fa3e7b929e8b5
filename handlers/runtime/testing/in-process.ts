/** The application in the process of a test, so that the test can hold its storage and its clock; no key is limited. */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import type { Handlers } from '../handler.ts';
import { createLogger } from '../log.ts';
import { pageTokens } from '../page.ts';
import { createServer } from '../server.ts';
import type { Storage } from '../storage/storage.ts';
import type { Store } from '../store.ts';

/** An application that listens on loopback. */
export interface InProcess {
  /** Up to and with the prefix. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function serveInProcess(handlers: Handlers, store: Store, storage: Storage): Promise<InProcess> {
  const admitted = { admitted: true, tokensLeft: 20, untilFullMs: 0, retryAfterMs: 0 };
  const tokens = pageTokens([new Uint8Array(32)]);
  const app = createServer({
    gate: { store, limiter: { take: () => admitted }, tokens: () => tokens, used: () => {} },
    handlers,
    storage,
    errorDomain: 'test',
    trustedProxies: [],
    log: createLogger('silent'),
    pages: Router(),
  });
  const server = createHttpServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/developer/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
