/** What a receiver of the suite is told to answer, and what it keeps of each delivery. */

/**
 * One answer. A delay counts from the connection, or from a later request on it. `reset` breaks the connection once the
 * request was read; `hang` never answers; `endless` never ends.
 */
export type Reaction =
  | { answer: number; location?: string; delayMs?: number }
  | { answer: 'reset' }
  | { answer: 'hang' }
  | { answer: 'endless' }
  /** The head and a first byte at once, the rest of the body when the time is over. */
  | { answer: 'slow_body'; delayMs: number };

/** The answers to the attempts at one event, in their order; the last one is repeated. */
export type Reactions = readonly [Reaction, ...Reaction[]];

export const OK: Reactions = [{ answer: 200 }];

/** How the listener meets connections, before any HTTP. */
export type Door = 'open' | 'closed' | 'no_tls' | 'strange_certificate';

export interface Delivery {
  /** Counts all deliveries of a run. */
  n: number;
  route: string;
  /** Milliseconds since 1970, by the suite's clock, when the whole request was there. */
  at_ms: number;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  /** The raw bytes. */
  body: string;
  /** Whether the target's clock was moved meanwhile. */
  clock_moved: boolean;
}

/** An endpoint that a rule has made. */
export interface MadeEndpoint {
  id: string;
  /** Name of the variable with a key that may delete it. */
  key: string;
  route: string;
  secret: string;
  event_types: string[];
}

/** What a worker asks of the receiver in the main process. */
export type CallbackAsk =
  /** How a route answers from now on; with `containing` only to bodies that hold the text. */
  | { do: 'react'; route: string; reactions: Reactions; containing?: string }
  | { do: 'received'; route?: string; containing?: string }
  | { do: 'door'; state: Door }
  | { do: 'made'; endpoint: MadeEndpoint }
  | { do: 'gone'; id: string }
  | { do: 'endpoints' }
  /** Something that all workers of a run know. */
  | { do: 'note'; name: string; value?: unknown };

/** The raw bytes of a delivery: `body` is base64, since JSON between processes cannot hold any bytes. */
export const bytesOf = ({ body }: Delivery): Buffer => Buffer.from(body, 'base64');

/** @returns the first value of a header, whatever its case */
export function headerOf({ headers }: Delivery, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}
