/** The paths outside the prefix, which need no key: health, the contract and its docs. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { failMethod, unavailableError } from '../answers/errors.ts';
import type { Store } from '../data/store.ts';
import { monotonicMs } from '../runtime/clock.ts';
import type { ProgramVersion } from '../runtime/version.ts';
import { takeTokens } from './rate.ts';

/** The contract and what is made from it, each by the path that serves it; its ending is its media type. */
type ContractFiles = Readonly<Record<`/${string}.${'yaml' | 'json'}`, string>>;

/** What these paths answer with. Without a contract there are only the health paths. */
interface PublicPathSources {
  readonly contractFiles?: ContractFiles;
  readonly docsFile?: string;
  /** What /healthz tells besides that the process lives; it needs no key, so nothing about the machine. */
  readonly version: Pick<ProgramVersion, 'version' | 'revision'>;
  /** Whether requests can be served; asked on every call of /readyz. */
  ready(): Promise<boolean>;
  /** The variables on which the processes of the deployment disagree: /readyz tells them, and stays ready. */
  disagreed?(): readonly string[];
}

/**
 * `/healthz` (the process lives, and its version), `/readyz` (it can serve), `/docs`, and the files of the contract. Files are
 * read once, at start. `/` leads browsers to the docs.
 */
export function publicPaths({
  contractFiles,
  docsFile,
  version: { version, revision },
  ready,
  disagreed = () => [],
}: PublicPathSources): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const health = JSON.stringify({ status: 'ok', version, revision });
  router.get('/healthz', (_req, res) => send(res, 'application/json', health));
  router.get('/readyz', async (_req, res) => {
    if (!(await ready())) throw unavailableError('not_ready', { retryAfterMs: 1000 });
    const settings_disagree = disagreed();
    const body = { status: 'ready', ...(settings_disagree.length > 0 && { settings_disagree }) };
    send(res, 'application/json', JSON.stringify(body));
  });
  const paths = ['/healthz', '/readyz'];
  for (const [path, file] of Object.entries(contractFiles ?? {})) {
    router.get(path, servedFile(`application/${path.split('.').at(-1)}`, readFileSync(file)));
    paths.push(path);
  }
  if (docsFile !== undefined) {
    const docs = readFileSync(docsFile);
    const policy = policyOf(docs.toString('utf8'));
    const served = servedFile('text/html; charset=utf-8', docs);
    router.get('/docs', (req, res) => {
      res.setHeader('Content-Security-Policy', policy);
      return served(req, res);
    });
    // Programs that ask for a path that does not exist learn so.
    router.get('/', (req, res, next) => {
      if (req.headers.accept?.includes('text/html') !== true) return next();
      res.writeHead(302, { Location: 'docs', 'Content-Length': 0 }).end();
    });
    paths.push('/docs');
  }
  for (const path of paths) router.all(path, () => failMethod(['GET', 'HEAD']));
  return router;
}

/**
 * The Content-Security-Policy of the docs page: it may run its inline scripts, each named by its digest, and its inline
 * styles. It loads and sends nothing.
 */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script(?:\s[^>]*)?>(.*?)<\/script>/gs)].map(([, code = '']) => {
    return `'sha256-${hash('sha256', code, 'base64')}'`;
  });
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers with a file: compressed for who takes that, and not again for who has it. */
function servedFile(type: string, plain: Buffer): (req: Request, res: Response) => Promise<void> {
  // Only when somebody asks: most processes are never asked, and the docs are large.
  let zipped: Promise<Buffer> | undefined;
  const digest = hash('sha256', plain, 'base64url');
  return async (req, res) => {
    const isZipped = req.acceptsEncodings('gzip') !== false;
    // Strong: each of the two forms has its own.
    const etag = `"${digest}${isZipped ? '-gzip' : ''}"`;
    res.setHeader('ETag', etag);
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Cache-Control', 'no-cache');
    if (req.fresh) {
      res.writeHead(304).end();
      return;
    }
    if (!isZipped) return send(res, type, plain);
    zipped ??= promisify(gzip)(plain);
    const body = await zipped;
    res.setHeader('Content-Encoding', 'gzip');
    send(res, type, body);
  };
}

function send(res: Response, type: string, body: string | Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** How long a result counts, in milliseconds: /readyz needs no key, so calls of it cause one write in this time. */
const COUNTS_MS = 1_000;
/** A bucket beside those of keys; whether it has tokens does not matter. */
const ROW = 'readyz';
const BUCKET = { intervalMs: 1_000, capacityMs: 1_000 };

/**
 * Makes the write that every request makes to take a token of its limit. That the store answers is not enough: on a full
 * disk it reads and takes no write, so every request is refused.
 * @returns a function that says whether the store took such a write, within the last second
 */
export function storeReadiness({ rate_limits }: Pick<Store, 'rate_limits'>): () => Promise<boolean> {
  let askedMs = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve(false);
  return () => {
    if (monotonicMs() - askedMs < COUNTS_MS) return last;
    askedMs = monotonicMs();
    last = takeTokens(rate_limits, ROW, 1, BUCKET).then(
      () => true,
      () => false,
    );
    return last;
  };
}
