/**
 * Runs one operation from admission to answer, in the order of D-6: scope, Idempotency-Key, media type, size and JSON,
 * parameters and body, handler. Nothing here depends on a particular operation; the generated table describes each.
 */
import { setImmediate } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Operation, OperationId } from '../../generated/contract.ts';
import { validators, type WalkedValue } from '../../generated/validators.js';
import type { Caller } from '../access/caller.ts';
import { fail, failField, MAX_VIOLATIONS, refuseIfAny, type Violation } from '../answers/errors.ts';
import { fingerprintOf } from '../data/canonical-json.ts';
import { everyTime, keyedOnce } from '../data/idempotency.ts';
import type { Store } from '../data/store.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { bulkInTurn, inParts, listInTurn } from '../fairness/work-in-turn.ts';
import type { Openssl } from '../runtime/openssl.ts';
import type { Storage } from '../storage/storage.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type Gate, readmit } from './admit.ts';
import {
  announcesBody,
  anyRoom,
  type BodyRoom,
  checkMediaType,
  checkSize,
  mostBytes,
  readBody,
  roomFor,
} from './body.ts';
import { giveFormOfHandlers, validParts } from './body-fields.ts';
import { exchanges } from './exchanges.ts';
import type { BodyCheck, CheckedRequest, Handler, HandlerRequest } from './handler.ts';
import { isBulk, type ReadBody, readJson } from './json-body.ts';
import { PORTION_BYTES } from './json-scan.ts';
import { parseQuery, queryTable } from './query.ts';
import { bodyViolations, parameterViolations } from './violations.ts';
import { parametersOf } from './walk.ts';

/** Runs one operation for a caller and returns the body of its 200. */
type OperationRun = (req: Request, res: Response, admitted: Caller) => Promise<object>;

/** What operations are run with. */
export interface Resources {
  readonly gate: Gate;
  readonly storage: Storage;
  readonly webhooks: Webhooks;
  readonly openssl?: Openssl;
}

/** Prepares everything that an operation needs, once at start. */
export function runnerOf<Id extends OperationId>(
  operation: Operation,
  handler: Handler<Id>,
  { gate, storage, webhooks, openssl }: Resources,
  check?: BodyCheck<Id>,
): OperationRun {
  const table = queryTable(operation);
  const takesBulk = isBulk(operation);
  const { parameters: validParameters, body: validBody } = validators[operation.operationId];
  const pathIds = operation.parameters.filter((p) => p.in === 'path' && p.isId).map((p) => p.name);

  const run = async (req: Request, res: Response, admitted: Caller, room: BodyRoom) => {
    let caller = admitted;
    checkScope(operation, caller);
    const wrong: Violation[] = [];
    const header = operation.idempotency === null ? NO_HEADERS : idempotencyHeader(req, operation.idempotency, wrong);
    let sent: WalkedValue | undefined;
    let bytes = NO_BYTES;
    if (operation.body !== 'none') {
      bytes = await bodyBytes(req, res, operation, room);
      if (exchanges.hasSubscribers) res.locals.sent = bytes;
      if (res.locals.cameWhole !== true) {
        // The key may have been revoked since it was read, while the body was still to come.
        caller = await readmit(gate, req);
        checkScope(operation, caller);
      }
      const read = await jsonBody(bytes, operation, caller.tenant.id);
      sent = read.value;
      wrong.push(...read.wrong);
    }
    const path: Record<string, unknown> = { ...req.params };
    for (const name of pathIds) path[name] = String(path[name]).toLowerCase();
    const mark = req.url.indexOf('?');
    const { values: query, violations } = parseQuery(mark < 0 ? '' : req.url.slice(mark + 1), table);
    wrong.push(...violations);
    if (!validParameters(parametersOf({ path, query, header })))
      wrong.push(...parameterViolations(validParameters.errors));
    const errors = validBody === null || sent === undefined || validBody(sent) ? [] : (validBody.errors ?? []);
    wrong.push(...bodyViolations(errors, operation.bodyFields));
    const body = sent === undefined ? undefined : validParts(sent, errors);
    const key =
      wrong.length > 0
        ? {}
        : keyOf(gate.store, operation, caller, { sent, bytes, res, idempotencyKey: header['idempotency-key'] });
    giveFormOfHandlers(body, operation);
    // Not if the answer is full already: the validators may then have stopped before the end of the body.
    if (check !== undefined && body !== undefined && wrong.length < MAX_VIOLATIONS) {
      const named = new Set(wrong.map(({ field }) => field));
      wrong.push(...(await check({ caller, path, webhooks, body, wrong: named } as unknown as CheckedRequest<Id>)));
    }
    refuseIfAny(wrong);
    const answer = (rest: Rest = setImmediate) => {
      const request = { caller, path, query, body, storage, webhooks, openssl, rest, ...key };
      return handler(request as unknown as HandlerRequest<Id>) as Promise<object>;
    };
    if (takesBulk) return bulkInTurn(caller.tenant.id, answer);
    return 'limit' in query ? listInTurn(caller.tenant.id, query, answer) : answer();
  };
  return async (req, res, admitted) => {
    // A large body stays in memory until the request is answered, so its room is reserved that long.
    const room = takesBulk ? roomFor(admitted.tenant.id, mostBytes(req, operation.bodyLimitBytes)) : anyRoom;
    try {
      return await run(req, res, admitted, room);
    } finally {
      room.release();
    }
  };
}

/** A request with the key under which it may be sent again. */
interface RepeatableRequest {
  readonly idempotencyKey: string | undefined;
  readonly sent: WalkedValue | undefined;
  /** The body as it came, decompressed. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly res: Response;
}

/** What the handler gets of the key, as its type says. */
function keyOf(
  store: Store,
  { operationId, idempotency }: Operation,
  caller: Caller,
  { idempotencyKey, sent, bytes, res }: RepeatableRequest,
) {
  // Digested by another thread: a body of 32 MiB takes long.
  const bodySha256 = async () => Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  if (idempotency !== 'optional') return { idempotencyKey, bodySha256 };
  if (idempotencyKey === undefined || sent === undefined) return { once: everyTime };
  const scope = { tenantId: caller.tenant.id, apiKeyId: caller.keyId, operationId, idempotencyKey };
  const markReplayed = () => void res.setHeader('Idempotent-Replayed', 'true');
  return { once: keyedOnce(store.idempotency_claims, scope, fingerprintOf(sent), caller.writing, markReplayed) };
}

function checkScope({ scope }: Operation, caller: Caller): void {
  if (scope === null || caller.scopes.has(scope)) return;
  fail('SCOPE_INSUFFICIENT', {
    message: `This operation needs the scope ${scope}.`,
    metadata: { required_scope: scope },
  });
}

/** The bytes of a body, of which there are none if none was announced. */
async function bodyBytes(req: Request, res: Response, { bodyLimitBytes }: Operation, room: BodyRoom) {
  if (!announcesBody(req)) return NO_BYTES;
  checkMediaType(req);
  checkSize(req, bodyLimitBytes);
  if (waitsForInvitation(req)) res.writeContinue();
  return readBody(req, bodyLimitBytes, room);
}

const NO_BYTES = Buffer.alloc(0);
const EMPTY = Buffer.from('{}');

async function jsonBody(sent: Buffer, operation: Operation, tenantId: string): Promise<ReadBody> {
  if (sent.length === 0 && operation.body === 'required') failField('body', 'is required, as a JSON object');
  const read = (rest?: Rest) => readJson(sent.length === 0 ? EMPTY : sent, operation, rest);
  if (isBulk(operation)) return bulkInTurn(tenantId, read);
  return sent.length > PORTION_BYTES ? inParts(tenantId, read) : read();
}

/** Whether the client sent `Expect: 100-continue` (RFC 9110 §10.1.1), which HTTP/1.0 does not have. */
function waitsForInvitation(req: Request): boolean {
  return req.httpVersion === '1.1' && /^100-continue$/i.test(req.headers.expect ?? '');
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** An empty or repeated key counts as missing where the key is required, and as wrong where it is optional (D-17). */
function idempotencyHeader(
  req: Request,
  need: 'required' | 'optional',
  wrong: Violation[],
): Readonly<Record<string, string>> {
  const given = req.headersDistinct['idempotency-key'] ?? [];
  const [value = ''] = given;
  if (given.length === 0 && need === 'optional') return NO_HEADERS;
  if (need === 'required' && (given.length !== 1 || value === '')) fail('IDEMPOTENCY_KEY_MISSING');
  if (given.length === 1 && VISIBLE_ASCII.test(value)) return { 'idempotency-key': value };
  wrong.push({ field: 'Idempotency-Key', description: 'must be given once, as 1 to 255 visible ASCII characters' });
  // Substitute a valid key, so that the validator does not report the same fault again.
  return { 'idempotency-key': 'x' };
}
