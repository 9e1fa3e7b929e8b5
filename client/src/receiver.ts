/** Receivers of deliveries for web frameworks. They keep the raw body, verify it, and handle each event once. */
import { bodyBytes, LONGEST_BYTES } from './body.ts';
import type { WebhookEvent } from './types.ts';
import { knownSecrets, verifyWebhook, WebhookError } from './webhooks.ts';

/** `Service-Signature`, in small letters, as Node's server has the names of headers. */
const SIGNATURE_HEADER = 'service-signature';

/** Where the ids of handled events are kept. A store that several processes share must be yours, such as a table. */
export interface EventStore {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): unknown;
}

export interface WebhookOptions {
  /** The secrets of the endpoint. */
  readonly secrets: string | readonly string[];
  /**
   * Handles an event, within 10 seconds. If it throws, the service delivers the event again. After a crash an event that
   * was handled may come once more.
   */
  readonly onEvent: (event: WebhookEvent) => unknown;
  /** By default the last 10,000 ids, in memory. */
  readonly seen?: EventStore | undefined;
  /** Is told why a delivery was refused or an event could not be handled; by default `console.error` is. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/** Handles a delivery. @returns the status to answer with */
type Delivery = (body: Uint8Array, signature: string | null | undefined) => Promise<number>;

/** Tells of an error, by whatever happens. */
function tell({ onError = printed }: WebhookOptions, error: unknown): void {
  try {
    onError(error);
  } catch (another) {
    printed(error);
    printed(another);
  }
}

const printed = (error: unknown) => console.error('A webhook delivery was not handled:', error);

function delivery(options: WebhookOptions): Delivery {
  const { secrets, onEvent, seen = new RecentEvents(), nowMs } = options;
  // Found when the program starts, not with the first delivery.
  knownSecrets(secrets);
  const underWay = new Map<string, Promise<void>>();
  const handleOnce = async (event: WebhookEvent) => {
    if (await seen.has(event.id)) return;
    await onEvent(event);
    await seen.add(event.id);
  };
  return async (body, signature) => {
    try {
      const event = await verifyWebhook(body, signature, secrets, { nowMs: nowMs?.() });
      // The service may send one attempt twice at the same time.
      const handling = underWay.get(event.id) ?? handleOnce(event);
      underWay.set(event.id, handling);
      await handling.finally(() => underWay.delete(event.id));
      return 200;
    } catch (error) {
      tell(options, error);
      return error instanceof WebhookError ? 400 : 500;
    }
  };
}

/** The ids of recent events, in memory. @param most how many are remembered */
export class RecentEvents implements EventStore {
  readonly #most: number;
  readonly #ids = new Set<string>();

  constructor(most = 10_000) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#most) break;
      this.#ids.delete(oldest);
    }
  }
}

/** For whatever speaks fetch: Deno, Bun, workers, Hono, Next.js. */
export function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const deliver = delivery(options);
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } });
    const body = await collected(request.body, options);
    const status = typeof body === 'number' ? body : await deliver(body, request.headers.get(SIGNATURE_HEADER));
    return new Response(null, { status });
  };
}

/** What Node's HTTP server and the frameworks on it know of a request. */
export interface RequestWithHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function signatureOf({ headers }: RequestWithHeaders): string | null {
  const { [SIGNATURE_HEADER]: signature } = headers;
  return typeof signature === 'string' ? signature : null;
}

/** A request of Node's HTTP server, of Express, or of what is like it. */
export interface IncomingRequest extends RequestWithHeaders, AsyncIterable<Uint8Array | string> {
  readonly body?: unknown;
}

export interface OutgoingAnswer {
  statusCode: number;
  end(): unknown;
}

/**
 * For Express and Node's HTTP server: `app.post('/hooks', expressWebhook({…}))`, before any `express.json()`, or after
 * `express.raw({ type: '*' + '/*' })`.
 */
export function expressWebhook(options: WebhookOptions) {
  const deliver = delivery(options);
  return async (request: IncomingRequest, answer: OutgoingAnswer): Promise<void> => {
    const body = request.body instanceof Uint8Array ? request.body : await unparsed(request, options);
    answer.statusCode = typeof body === 'number' ? body : await deliver(body, signatureOf(request));
    answer.end();
  };
}

function unparsed(request: IncomingRequest, options: WebhookOptions): Promise<Uint8Array | number> | number {
  if (request.body === undefined) return collected(request, options);
  tell(options, new TypeError('a JSON parser has read the body: put expressWebhook before it'));
  return 500;
}

/** What the plugin needs of Fastify. */
export interface FastifyLike {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  removeAllContentTypeParsers(): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

export interface FastifyRequestLike extends RequestWithHeaders {
  readonly body: unknown;
}

export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  send(): unknown;
}

/** For Fastify: `app.register(fastifyWebhook('/hooks', {…}))`. Other routes keep their parsers. */
export function fastifyWebhook(path: string, options: WebhookOptions) {
  const deliver = delivery(options);
  return async (instance: FastifyLike): Promise<void> => {
    instance.removeAllContentTypeParsers();
    const keepBytes = { parseAs: 'buffer', bodyLimit: LONGEST_BYTES } as const;
    instance.addContentTypeParser('*', keepBytes, (_request, body, done) => done(null, body));
    instance.post(path, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      return reply.code(await deliver(body, signatureOf(request))).send();
    });
  };
}

/** The bytes of a stream, or the status that refuses them. */
async function collected(stream: unknown, options: WebhookOptions): Promise<Uint8Array | number> {
  try {
    return (await bodyBytes(stream, LONGEST_BYTES)) ?? 413;
  } catch (error) {
    // The sender went away in the middle.
    tell(options, error);
    return 400;
  }
}
