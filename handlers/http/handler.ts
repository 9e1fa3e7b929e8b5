/** The type of a handler: one function for each operation, typed by the contract. */
import type { Answers, Inputs, KeyedOperations, OperationId } from '../../generated/contract.ts';
import type { Caller } from '../access/caller.ts';
import { fail, type Violation } from '../answers/errors.ts';
import type { JsonText } from '../answers/json-text.ts';
import type { Once } from '../data/idempotency.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import type { Openssl } from '../runtime/openssl.ts';
import type { Storage } from '../storage/storage.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ValidParts } from './body-fields.ts';

/** A request that is authenticated, admitted and in scope, and has the right shape. */
export type HandlerRequest<Id extends OperationId> = ShapedRequest<Id> & KeyOf<Id>;

/**
 * What a handler gets of the Idempotency-Key. Where the contract demands one, the handler stores it with what it creates,
 * which uses it up, and with the digest of the body, in hex. Where one may be sent, the creation may be repeated; without a key every request counts as new.
 */
type KeyOf<Id extends OperationId> = Id extends keyof KeyedOperations
  ? KeyedOperations[Id] extends 'required'
    ? { readonly idempotencyKey: string; readonly bodySha256: () => Promise<string> }
    : { readonly once: Once }
  : unknown;

interface ShapedRequest<Id extends OperationId> {
  readonly caller: Caller;
  readonly path: Inputs[Id]['path'];
  /** Defaults are filled in. */
  readonly query: Inputs[Id]['query'];
  /** Its ids are in lower case, and no optional field is `null` (D-6a). */
  readonly body: Inputs[Id]['body'];
  readonly storage: Storage;
  readonly webhooks: Webhooks;
  /** The last judge of signatures, where this machine has it. */
  readonly openssl: Openssl | undefined;
  /** Long work calls this between its parts, to let other requests run. */
  readonly rest: Rest;
}

/** Answers with the body of the 200, or refuses with {@link fail}. */
export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
) => Promise<Answers[Id] | JsonText<Answers[Id]>>;

/** One handler for every operation of the contract: if one is missing, the code does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** What a check of a body may look at. */
export interface CheckedRequest<Id extends OperationId>
  extends Pick<ShapedRequest<Id>, 'caller' | 'path' | 'webhooks'> {
  /** The parts of the body that have the right shape, as handlers get them: all parts if nothing is wrong. */
  readonly body: ValidParts<Inputs[Id]['body']>;
  /** Names of the wrong fields and parameters. A field missing from `body` is either one of them or was not sent. */
  readonly wrong: ReadonlySet<string>;
}

/**
 * Finds what is wrong with a body beyond its shape, as far as the step of D-6 that judges parameters and body can know,
 * and writes nothing. It comes before the handler, also for a request whose shape is wrong elsewhere: so one answer
 * reports faults of both kinds, and a handler gets only bodies that have passed.
 */
export type BodyCheck<Id extends OperationId> = (
  request: CheckedRequest<Id>,
) => readonly Violation[] | Promise<readonly Violation[]>;

/** For operations whose bodies have rules beyond their shape. */
export type BodyChecks = { readonly [Id in OperationId]?: BodyCheck<Id> };

/** For an operation in the contract that is not built yet: answers 501 with our error body. A release has none. */
export const notBuilt = async (): Promise<never> => fail('NOT_IMPLEMENTED');
