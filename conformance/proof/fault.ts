/**
 * A fault is a way of being wrong that a rule must notice. It is planted between suite and target, by altering what a
 * rule asks or is answered, so the product holds nothing of it. Faults are data: see `faults/`.
 */
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../generated/operations.ts';
import type { Headers } from '../exchange.ts';
import type { KeyName } from '../profile.ts';

/** A request on its way to the target. */
export interface Asked {
  readonly rule: string;
  readonly operation: OperationId | undefined;
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: Headers;
  body: Buffer;
  /** The request was sent to a replica's address. */
  readonly replica: boolean;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: Buffer;
  /** For how long it is held back. */
  heldMs?: number;
}

/** A delivery of an event on its way from the target to the suite. */
export interface Delivered {
  /** Where at the receiver it goes. */
  path: string;
  headers: Headers;
  body: Buffer;
  /** The secret of the endpoint, as its creation was answered. */
  readonly secret: string;
}

/** What a receiver says: its status at once, the rest as it comes. */
export interface Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly rest: IncomingMessage;
}

export type Forward = (asked: Asked) => Promise<Answered>;

/** What a fault may know while it is planted; each planted fault has its own. */
export interface Memory {
  /** The last success of each operation. */
  readonly successes: Map<string, Answered>;
  /** Whatever a fault notes for itself. */
  readonly notes: Map<string, unknown>;
  /** A key of the profile's ring. */
  key(name: KeyName, index?: number): string;
  /** Says that the fault has done something that bytes do not show, such as a delay. */
  mark(): void;
}

/** Stands between suite and target for every request of the rule. */
export type Alter = (asked: Asked, forward: Forward, memory: Memory) => Promise<Answered>;

/** Hands a delivery on, be it one that the target never made. Rejects where the receiver does not answer. */
export type Deliver = (delivered: Delivered) => Promise<Reply>;

/** Stands between target and receiver. @returns what the target sees: the reply as it is, or a status made up */
export type AlterDelivery = (delivered: Delivered, forward: Deliver, memory: Memory) => Promise<Reply | number>;

/** Alters the first bytes of a connection that names no rule; such a fault is planted alone. */
export type AlterBytes = (bytes: Buffer) => Buffer;

export interface Fault {
  /** Section and what is wrong, e.g. `page-drops-last-row`. */
  readonly id: string;
  /** The rule that must catch it. */
  readonly rule: string;
  /** What is wrong, for a reader. */
  readonly breaks: string;
  readonly alter?: Alter;
  /** Alters what storage answers; URLs that the target gives out are led past the proxy then. */
  readonly storage?: Alter;
  readonly delivery?: AlterDelivery;
  /** Alters requests that are sent over bare sockets. */
  readonly wire?: AlterBytes;
  /** It disturbs other rules, so it has a run of its own. */
  readonly alone?: true;
}

/** A rule that no fault can be planted for, and why. */
export interface OutOfReach {
  readonly rule: string;
  readonly reason: string;
}
