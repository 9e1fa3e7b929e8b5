/**
 * express-openapi-validator as an independent second validator: it reads the same contract with different code, and judges
 * requests and answers that were already exchanged.
 */
import { createServer, request } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { closeServer, listenOnLoopback } from '../../../conformance/processes/ports.ts';
import type { RecordedExchange } from './recorded.ts';

/** The opinion of the second validator: undefined if it finds everything right, otherwise its objection. */
export interface Opinion {
  readonly status: number;
  readonly objections: readonly string[];
}

export interface SecondValidator {
  /** Is the request what the contract describes? */
  request(recorded: RecordedExchange): Promise<Opinion | undefined>;
  /** Is the answer one that the contract describes for this operation and status? */
  answer(recorded: RecordedExchange): Promise<Opinion | undefined>;
  close(): Promise<void>;
}

interface Complaint {
  readonly status?: number;
  readonly message?: string;
  readonly errors?: readonly { path?: string; message?: string }[];
}

/** Starts the second validator on a free loopback port. @param contract path of the OpenAPI document */
export async function startSecondValidator(contract: string): Promise<SecondValidator> {
  const replays = new Map<string, RecordedExchange>();
  const app = express();
  app.set('query parser', 'simple');
  const shared = {
    apiSpec: contract,
    validateSecurity: false as const,
    validateApiSpec: false,
    ajvFormats: { mode: 'full' as const },
  };
  const judges = {
    request: openApiValidator.middleware({ ...shared, validateRequests: true, validateResponses: false }),
    answer: openApiValidator.middleware({ ...shared, validateRequests: false, validateResponses: true }),
  };
  const judgeOf = (req: Request) =>
    req.headers['x-cross-check-judges'] === 'request' ? judges.request : judges.answer;
  app.use(express.json({ limit: '64mb', strict: false, type: () => true }));
  app.use((req, res, next) => chain(judgeOf(req), req, res, next));
  app.use((req: Request, res: Response) => {
    const recorded = replays.get(String(req.headers['x-cross-check-id']));
    if (req.headers['x-cross-check-judges'] === 'request' || recorded === undefined) res.status(200).json({});
    else res.status(recorded.status).json(JSON.parse(recorded.body.toString('utf8')));
  });
  app.use((error: Complaint, _req: Request, res: Response, _next: NextFunction) => {
    const objections = error.errors?.map(({ path, message }) => `${path}: ${message}`) ?? [error.message ?? 'objects'];
    const opinion: Opinion = { status: error.status ?? 500, objections };
    res.writeHead(299, { 'Content-Type': 'application/json' }).end(JSON.stringify(opinion));
  });
  const server = createServer({ maxHeaderSize: 256 * 1024 }, app);
  const port = await listenOnLoopback(server);
  let next = 0;

  async function ask(judges: 'request' | 'answer', recorded: RecordedExchange): Promise<Opinion | undefined> {
    const id = String(next++);
    replays.set(id, recorded);
    try {
      return await replay(port, recorded, { 'x-cross-check-judges': judges, 'x-cross-check-id': id });
    } finally {
      replays.delete(id);
    }
  }

  return {
    request: (recorded) => ask('request', recorded),
    answer: (recorded) => ask('answer', recorded),
    close: () => closeServer(server),
  };
}

type Middleware = ReturnType<typeof openApiValidator.middleware>;

/** Runs the validator's middlewares in order. */
function chain(middlewares: Middleware, req: Request, res: Response, done: NextFunction): void {
  const step = (index: number) => (error?: unknown) => {
    const middleware = error === undefined ? middlewares[index] : undefined;
    if (middleware === undefined) done(error);
    else Promise.resolve(middleware(req, res, step(index + 1))).catch(done);
  };
  step(0)();
}

/** The headers that the contract describes; the second validator gets no others. */
const JUDGED = /^(?:content-type|idempotency-key)$/i;

function replay(
  port: number,
  recorded: RecordedExchange,
  marks: Readonly<Record<string, string>>,
): Promise<Opinion | undefined> {
  const headers: Record<string, string> = { ...marks, 'x-api-key': 'present' };
  for (const [name, value] of recorded.requestHeaders) if (JUDGED.test(name)) headers[name] = value;
  const body = marks['x-cross-check-judges'] === 'request' ? recorded.requestBody : undefined;
  if (body !== undefined) headers['content-length'] = String(body.length);
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, method: recorded.method, path: recorded.target, headers, agent: false },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve(res.statusCode === 299 ? (JSON.parse(text) as Opinion) : undefined);
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
