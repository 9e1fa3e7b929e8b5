/** What a handler is: one function an operation, typed by the contract. */
import type { Answers, Inputs } from '../../generated/handlers.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { Caller } from '../access/caller.ts';
import type { Once } from '../data/once.ts';
import type { Rest } from '../fairness/thread-time.ts';
import type { Storage } from '../storage/storage.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { fail, type Violation } from './errors.ts';
import type { Sound } from './sound.ts';

/** A request that is authenticated, admitted, in scope, and whose shape is right. */
export interface HandlerRequest<Id extends OperationId> {
  readonly caller: Caller;
  readonly path: Inputs[Id]['path'];
  /** Defaults are filled in. */
  readonly query: Inputs[Id]['query'];
  readonly body: Inputs[Id]['body'];
  readonly storage: Storage;
  readonly webhooks: Webhooks;
  /** For operations with an Idempotency-Key; without one every request is a new one. */
  readonly once: Once;
  /** The Idempotency-Key itself, for operations that keep it with what they create; every other one uses {@link once}. */
  readonly idempotencyKey: string | undefined;
  /** What takes long calls it between its parts. */
  readonly rest: Rest;
}

/** Answers with the body of the 200, or refuses with {@link fail}. */
export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<Answers[Id]>;

/** One handler for every operation of the contract: an operation without one does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** A request that is refused for what its shape says. */
export interface RefusedRequest<Id extends OperationId>
  extends Pick<HandlerRequest<Id>, 'caller' | 'path' | 'webhooks'> {
  /** What of the body has the right shape. */
  readonly body: Sound<Inputs[Id]['body']>;
  /** Names of the fields and parameters that are wrong: what is missing of the body is one of them, or was not sent. */
  readonly wrong: ReadonlySet<string>;
}

/**
 * What else is wrong with a request that is refused anyway, as far as it can be known in the step of D-6 that judges
 * parameters and body: a caller hears of the shape and of the meaning of a body in one answer. It writes nothing. The
 * handler checks the same, in the order that the operation has.
 */
export type AlsoWrong<Id extends OperationId> = (
  request: RefusedRequest<Id>,
) => readonly Violation[] | Promise<readonly Violation[]>;

/** For operations whose bodies mean something beyond their shape. */
export type AlsoWrongs = { readonly [Id in OperationId]?: AlsoWrong<Id> };

/** Stands for an operation that is in the contract and not built yet: 501 in our error body. None is left in a release. */
export const notBuilt = async (): Promise<never> => fail('NOT_IMPLEMENTED');
