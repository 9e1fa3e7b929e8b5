/**
 * express-openapi-validator as an independent second validator: it reads the same contract with different code, and judges
 * requests and answers that were already exchanged.
 */
import { readFileSync } from 'node:fs';
import { Agent, createServer, request, STATUS_CODES } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { closeServer, listenOnLoopback } from '../../kit/ports.ts';
import type { RecordedExchange } from './recorded.ts';

/** What is wrong, in words of the contract; undefined if nothing is. */
type Objections = readonly string[] | undefined;

/** Is the request what the contract describes, and the answer one that it describes for this operation and status? */
export interface Opinion {
  request?: Objections;
  answer?: Objections;
}

export interface SecondValidator {
  /** Judges one exchange at a time. */
  judge(recorded: RecordedExchange): Promise<Opinion>;
  /** The path of a field, in which names that are not of the contract are not shown: they may be anything. */
  shown(path: string): string;
  close(): Promise<void>;
}

interface Complaint {
  readonly status?: number;
  readonly errors?: readonly { path?: string; message?: string; errorCode?: string }[];
}

/** How the codes of errors end whose words come from Ajv: they quote the contract only. */
const BY_SCHEMA = '.openapi.validation';
const MOST_OBJECTIONS = 3;

/** Starts the second validator on a free loopback port. @param contract path of the OpenAPI document */
export async function startSecondValidator(contract: string): Promise<SecondValidator> {
  const shown = shownBy(readFileSync(contract, 'utf8'));
  const objectionsOf = ({ status = 500, errors = [] }: Complaint): Objections => {
    const bySchema = errors.filter(({ errorCode = '' }) => errorCode.endsWith(BY_SCHEMA)).slice(0, MOST_OBJECTIONS);
    if (bySchema.length === 0) return [`${STATUS_CODES[status]} ${shown(errors[0]?.path ?? '')}`];
    return bySchema.map(({ path = '', message }) => `${shown(path)} ${message}`);
  };
  const shared = {
    apiSpec: contract,
    validateSecurity: false as const,
    validateApiSpec: false,
    ajvFormats: { mode: 'full' as const },
  };
  let opinion: Opinion = {};
  let answered: Pick<RecordedExchange, 'status' | 'body'> = { status: 200, body: Buffer.from('{}') };
  const app = express();
  app.set('query parser', 'simple');
  app.use(express.json({ limit: '64mb', strict: false, type: () => true }));
  app.use(openApiValidator.middleware({ ...shared, validateRequests: true, validateResponses: false }));
  app.use((error: Complaint, _req: Request, _res: Response, next: NextFunction) => {
    opinion.request = objectionsOf(error);
    next();
  });
  app.use((req, _res, next) => {
    // It would compile the schemas of answers for each Content-Type of a request.
    delete req.headers['content-type'];
    next();
  });
  app.use(openApiValidator.middleware({ ...shared, validateRequests: false, validateResponses: true }));
  app.use((_req, res) => void res.status(answered.status).json(JSON.parse(answered.body.toString('utf8'))));
  app.use((error: Complaint, _req: Request, res: Response, _next: NextFunction) => {
    opinion.answer = objectionsOf(error);
    res.end();
  });
  const server = createServer({ maxHeaderSize: 256 * 1024 }, app);
  const port = await listenOnLoopback(server);
  const agent = new Agent({ keepAlive: true });
  // Otherwise the first exchange would wait while the contract is read.
  await replay({ method: 'GET', target: '/', requestHeaders: [], requestBody: undefined }, port, agent);
  return {
    async judge(recorded) {
      [opinion, answered] = [{}, recorded];
      await replay(recorded, port, agent);
      return opinion;
    },
    shown,
    close: () => closeServer(server),
  };
}

/** Shows of paths the numbers of items and the words that the contract has. */
function shownBy(contract: string): (path: string) => string {
  const words = new Set(contract.toLowerCase().match(/[\w$-]+/g));
  const isKnown = (name: string) => /^\d{1,5}$/.test(name) || words.has(name.toLowerCase());
  return (path) => path.replace(/[^/.[\]]+/g, (name) => (isKnown(name) ? name : '(unknown field)'));
}

/** The headers that the contract describes; the second validator gets no others. */
const JUDGED = /^(?:content-type|idempotency-key)$/i;

/** Sends the request again, to the second validator. */
function replay(
  {
    method,
    target,
    requestHeaders,
    requestBody,
  }: Pick<RecordedExchange, 'method' | 'target' | 'requestHeaders' | 'requestBody'>,
  port: number,
  agent: Agent,
): Promise<void> {
  const headers: Record<string, string> = { 'x-api-key': 'present' };
  for (const [name, value] of requestHeaders) if (JUDGED.test(name)) headers[name] = value;
  if (requestBody !== undefined) headers['content-length'] = String(requestBody.length);
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path: target, headers, agent }, (res) => {
      res.on('end', resolve).resume();
    });
    call.on('error', reject);
    call.end(requestBody);
  });
}
