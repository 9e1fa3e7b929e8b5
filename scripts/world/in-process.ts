/** The application in the process of a test, which then controls its storage and its clock; keys have no rate limit. */
import { createServer as createHttpServer } from 'node:http';
import { Router } from 'express';
import { pageTokens } from '../../handlers/data/page.ts';
import type { Store } from '../../handlers/data/store.ts';
import type { Gate } from '../../handlers/http/admit.ts';
import { failureThrottle } from '../../handlers/http/failed-keys.ts';
import type { BodyChecks, Handlers } from '../../handlers/http/handler.ts';
import { createServer } from '../../handlers/http/server.ts';
import { createLogger } from '../../handlers/runtime/log.ts';
import type { Storage } from '../../handlers/storage/storage.ts';
import { openOutbound } from '../../handlers/webhooks/outbound/outbound.ts';
import { secretBox } from '../../handlers/webhooks/secrets.ts';
import { openWebhooks, type Webhooks } from '../../handlers/webhooks/webhooks.ts';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

export interface InProcess {
  /** Including the prefix. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A limit that admits every request. */
export const NO_LIMIT: Gate['limiter'] = {
  take: () => ({ admitted: true, tokensLeft: 1, untilFullMs: 0, retryAfterMs: 0 }),
};

/**
 * @param served handlers, and checks beyond the schema
 * @param webhooks by default to public addresses only
 * @param gate its limiter is asked after the key was read, and before the body is
 */
export async function serveInProcess(
  { handlers, checks }: { readonly handlers: Handlers; readonly checks: BodyChecks },
  store: Store,
  storage: Storage,
  webhooks: Webhooks = publicWebhooks(store),
  gate: Partial<Gate> = {},
): Promise<InProcess> {
  const tokens = pageTokens([new Uint8Array(32)]);
  const app = createServer({
    gate: {
      store,
      limiter: NO_LIMIT,
      failures: failureThrottle(undefined),
      tokens: () => tokens,
      used: () => {},
      refused: () => {},
      ...gate,
    },
    handlers,
    checks,
    storage,
    webhooks,
    errorSource: { domain: 'test' },
    trustedProxies: [],
    log: createLogger('silent'),
    publicPaths: Router(),
  });
  const server = createHttpServer(app);
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/developer/v1`,
    stop: () => closeServer(server),
  };
}

function publicWebhooks(store: Store): Webhooks {
  return openWebhooks(store, openOutbound({ ownPorts: () => [] }), secretBox(store, [new Uint8Array(32)]));
}
