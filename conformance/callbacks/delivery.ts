/** How a receiver of the suite has to answer, and what it stores of each delivery. */

import { jsonFrom } from '../http/exchange.ts';
import { remembered } from '../remembered.ts';

/**
 * One answer. A delay counts from the start of the connection, or of a later request on it. `reset` breaks the
 * connection after reading the request, without a byte; `hang` never answers; `endless` never ends its body.
 */
export type Reaction =
  | { answer: number; location?: string; delayMs?: number }
  | { answer: 'reset' }
  | { answer: 'hang' }
  | { answer: 'endless' }
  /** Sends these bytes (ISO 8859-1), a tenth of a second between two parts, and ends the connection. */
  | { answer: 'raw'; parts: readonly string[] }
  /** Sends the head and a first byte at once, and the rest of the body after the delay. */
  | { answer: 'slow_body'; delayMs: number }
  /** Sends the head at once, and the body byte by byte, each half a second after the one before, until the delay. */
  | { answer: 'trickle'; delayMs: number };

/** The answers to the attempts to deliver one event, in order; the last one is repeated. */
export type Reactions = readonly [Reaction, ...Reaction[]];

export const OK: Reactions = [{ answer: 200 }];

/** How the listener treats connections, before any HTTP. `tls_1_1` and `tls_1_2` are the only versions it speaks. */
export type ReceiverMode = 'open' | 'closed' | 'no_tls' | 'strange_certificate' | 'tls_1_1' | 'tls_1_2';

export interface Delivery {
  /** Number of the delivery among all of the run. */
  n: number;
  route: string;
  /** Milliseconds since 1970, by the suite's clock, when the whole request had arrived. */
  at_ms: number;
  method: string;
  /** How long the sender had waited when the answer had left as a whole, in milliseconds; absent until then. */
  answered_after_ms?: number;
  /** Number of the connection that brought it, among all of the run. */
  connection: number;
  /** Whether the connection had brought a request before, also one to another endpoint. */
  is_reused: boolean;
  headers: [name: string, value: string][];
  /** The raw bytes, in base64. */
  body: string;
  /** Whether the target's clock was moved at that time. */
  clock_moved: boolean;
  /** Whether it had been moved at any time before: an event of that time may be delivered long after it. */
  clock_was_moved: boolean;
}

/** An endpoint that a rule has created. */
export interface MadeEndpoint {
  route: string;
  secret: string;
}

/** The raw bytes of a delivery. `body` is base64, since the JSON of deferred checks cannot hold arbitrary bytes. */
export const bytesOf = remembered(({ body }: Delivery): Buffer => Buffer.from(body, 'base64'));

export interface Envelope {
  id: string;
  type: string;
  occurred_at: string;
  data: Record<string, string>;
}

/** The envelope of a delivery; {} if it is not a JSON object. */
export function envelopeOf(delivery: Delivery): Envelope {
  const value = jsonFrom(bytesOf(delivery));
  return (typeof value === 'object' && value !== null ? value : {}) as Envelope;
}
