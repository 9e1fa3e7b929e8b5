/** What stands outside the prefix and needs no key: health, the contract and its rendering. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Response, Router } from 'express';
import { fail } from './errors.ts';

/** What the pages show. */
export interface PageSources {
  readonly contractFile: string;
  readonly docsFile: string | undefined;
  /** Whether the store answers; asked on every call of /readyz. */
  ready(): Promise<boolean>;
}

/** `/healthz` (the process lives), `/readyz` (it can serve), `/docs`, `/openapi.yaml`. */
export function pages({ contractFile, docsFile, ready }: PageSources): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => send(res, 200, 'application/json', '{"status":"ok"}'));
  router.get('/readyz', async (_req, res) => {
    if (await ready()) send(res, 200, 'application/json', '{"status":"ready"}');
    else fail('UNAVAILABLE', { retryAfterMs: 1000 });
  });
  router.get('/openapi.yaml', async (_req, res) => send(res, 200, 'application/yaml', await readFile(contractFile)));
  if (docsFile !== undefined && existsSync(docsFile)) {
    router.get('/docs', async (_req, res) => send(res, 200, 'text/html; charset=utf-8', await readFile(docsFile)));
  }
  return router;
}

function send(res: Response, status: number, type: string, body: string | Buffer): void {
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}
