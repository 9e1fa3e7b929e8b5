/**
 * A fault is a deviation that a rule must notice. It is planted between suite and target, by altering a rule's requests
 * or their answers, so the product contains none of it. Faults are data: see `rules/*.faults.ts`.
 */
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../generated/contract.ts';
import type { Headers } from '../http/exchange.ts';
import type { KeyName } from '../profile/schema.ts';

/** A request on its way to the target. */
export interface ProxiedRequest {
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

export interface ProxiedAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** Milliseconds for which the answer is delayed. */
  heldMs?: number;
}

/** A delivery of an event on its way from the target to the suite. */
export interface ProxiedDelivery {
  /** The path and query at the receiver. */
  path: string;
  headers: Headers;
  body: Buffer;
  /** The secret of the endpoint, from the answer to its creation. */
  readonly secret: string;
}

/** A receiver's answer: its status at once, the rest as it arrives. */
export interface Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly rest: IncomingMessage;
}

export type Forward = (asked: ProxiedRequest) => Promise<ProxiedAnswer>;

/** What a fault may use while it is planted; each planted fault has its own. */
export interface Memory {
  /** The last success of each operation. */
  readonly successes: Map<string, ProxiedAnswer>;
  /** Anything that a fault notes for itself. */
  readonly notes: Map<string, unknown>;
  /** A key of the profile's ring. */
  key(name: KeyName, index?: number): string;
  /** Reports that the fault had an effect that the bytes do not show, such as a delay. */
  mark(): void;
}

/** Handles every request of the rule between suite and target. */
export type Alter = (asked: ProxiedRequest, forward: Forward, memory: Memory) => Promise<ProxiedAnswer>;

/**
 * Forwards a delivery, even one that the target never made. Rejects if the receiver does not answer, or if the target
 * gives up before; with `outlasts` the receiver is waited for nevertheless.
 */
export type Deliver = (delivered: ProxiedDelivery, options?: { outlasts?: boolean }) => Promise<Reply>;

/**
 * Handles deliveries between target and receiver. @returns what the target gets: the reply unchanged, or a made-up
 * status
 */
export type AlterDelivery = (delivered: ProxiedDelivery, forward: Deliver, memory: Memory) => Promise<Reply | number>;

/** Alters the first bytes of a connection that names no rule; only one such fault is planted at a time. */
type AlterBytes = (bytes: Buffer) => Buffer;

export interface Fault {
  /** Section and deviation, e.g. `doc-burns-upload`. */
  readonly id: string;
  /** The rule that must catch it. */
  readonly rule: string;
  /** The deviation, for a reader. */
  readonly breaks: string;
  readonly alter?: Alter;
  /** Alters the answers of storage. URLs of storage in the target's answers are then redirected to the proxy. */
  readonly storage?: Alter;
  readonly delivery?: AlterDelivery;
  /** Alters requests sent over bare sockets. */
  readonly wire?: AlterBytes;
  /**
   * The fault disturbs rules with which its own shares what it makes: those of this file of rules, or with true of its
   * own file. So only one such fault of a file is planted at a time.
   */
  readonly alone?: true | string;
}

/** A fault in a table: what it breaks and how it alters traffic, or all of it where there is more to say. */
type FaultRow = readonly [breaks: string, alter: Alter] | Omit<Fault, 'id' | 'rule'>;

const isPair = (row: FaultRow): row is readonly [breaks: string, alter: Alter] => Array.isArray(row);

/** Faults by their ids or names. */
export type FaultRows = Readonly<Record<string, FaultRow>>;

/**
 * The faults that one rule must find. A member of a family has the faults of the others under other ids.
 * @param about the subject of what they break, where that is no whole sentence
 * @param idOf the id of the fault of a name
 */
export const faultsFor = (rule: string, rows: FaultRows, about = '', idOf = (name: string) => name): Fault[] =>
  Object.entries(rows).map(([name, row]) => {
    const { breaks, ...how } = isPair(row) ? { breaks: row[0], alter: row[1] } : row;
    return { id: idOf(name), rule, breaks: `${about} ${breaks}`.trim(), ...how };
  });

/** The row of a fault in what storage answers. */
export const inStorage = (breaks: string, storage: Alter): FaultRow => ({ breaks, storage });

/** The row of a fault in deliveries. @param alter what it must see or change in requests */
export const inDeliveries = (breaks: string, delivery: AlterDelivery, alter?: Alter) => ({
  breaks,
  delivery,
  alter,
});

/** The faults of a table: rule → id → fault. */
export const faultsOf = (table: Readonly<Record<string, FaultRows>>): Fault[] =>
  Object.entries(table).flatMap(([rule, rows]) => faultsFor(rule, rows));

/** A rule for which no fault can be planted, and why. */
export interface OutOfReach {
  readonly rule: string;
  readonly reason: string;
}
