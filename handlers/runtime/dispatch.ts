/**
 * One operation from admission to answer, in the order of D-6: scope, Idempotency-Key, media type, size and JSON,
 * parameters and body, handler. Nothing here knows which operation it runs; the generated table does.
 */
import type { Request, Response } from 'express';
import type { Operation, OperationId } from '../../generated/operations.ts';
import { validators } from '../../generated/validators.js';
import { announcesBody, bodyReader, checkMediaType, parseJson } from './body.ts';
import type { Caller } from './caller.ts';
import { fail, failField } from './errors.ts';
import type { Handler, HandlerRequest } from './handler.ts';
import { parseQuery, queryTable } from './query.ts';
import { failValidation } from './violations.ts';

/** Runs one operation for a caller and returns the body of its 200. */
export type Run = (req: Request, res: Response, caller: Caller) => Promise<object>;

const readers = new Map<number, ReturnType<typeof bodyReader>>();

function readerFor(limitBytes: number): ReturnType<typeof bodyReader> {
  const reader = readers.get(limitBytes) ?? bodyReader(limitBytes);
  readers.set(limitBytes, reader);
  return reader;
}

/** Prepares all that an operation needs, once at start. */
export function runnerOf<Id extends OperationId>(operation: Operation, handler: Handler<Id>): Run {
  const table = queryTable(operation);
  const { parameters: validParameters, body: validBody } = validators[operation.operationId];
  const lowerCased = operation.parameters.filter((p) => p.in === 'path' && p.format === 'uuid').map((p) => p.name);
  const read = readerFor(operation.bodyLimitBytes);

  return async (req, res, caller) => {
    if (operation.scope !== null && !caller.scopes.has(operation.scope)) {
      fail('SCOPE_INSUFFICIENT', {
        message: `This operation needs the scope ${operation.scope}.`,
        metadata: { required_scope: operation.scope },
      });
    }
    const header: Record<string, string> = {};
    if (operation.idempotency !== null) {
      const key = idempotencyKey(req, operation.idempotency);
      if (key !== undefined) header['idempotency-key'] = key;
    }
    const bytes = operation.body === 'none' ? undefined : await bodyBytes(req, res, operation, read);
    const path: Record<string, unknown> = { ...req.params };
    for (const name of lowerCased) path[name] = String(path[name]).toLowerCase();
    const mark = req.url.indexOf('?');
    const query = parseQuery(mark < 0 ? '' : req.url.slice(mark + 1), table);
    if (!validParameters({ path, query, header })) failValidation(validParameters.errors, 1);
    const body = bytes === undefined ? undefined : parseJson(bytes);
    if (validBody !== null && body !== undefined && !validBody(body)) failValidation(validBody.errors, 0);
    return (await handler({ caller, path, query, body } as unknown as HandlerRequest<Id>)) as object;
  };
}

const EMPTY_OBJECT = Buffer.from('{}');

async function bodyBytes(
  req: Request,
  res: Response,
  operation: Operation,
  read: ReturnType<typeof bodyReader>,
): Promise<Buffer> {
  if (announcesBody(req)) {
    checkMediaType(req);
    if (req.headers.expect !== undefined) res.writeContinue();
    const bytes = await read(req, res);
    if (bytes.length > 0) return bytes;
  }
  return operation.body === 'optional' ? EMPTY_OBJECT : failField('body', 'is required: a JSON object');
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Empty or repeated: missing where the key is required, wrong where it is optional (D-17). */
function idempotencyKey(req: Request, need: 'required' | 'optional'): string | undefined {
  const given = req.headersDistinct['idempotency-key'] ?? [];
  const [value = ''] = given;
  if (given.length === 0 && need === 'optional') return undefined;
  if (need === 'required' && (given.length !== 1 || value === '')) fail('IDEMPOTENCY_KEY_MISSING');
  if (given.length !== 1 || !VISIBLE_ASCII.test(value)) {
    failField('Idempotency-Key', 'must be given once, as 1 to 255 visible ASCII characters');
  }
  return value;
}
