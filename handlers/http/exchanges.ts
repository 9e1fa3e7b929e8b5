/**
 * Where a tool that is loaded beside the service watches what the interface is asked and what it answers, such as a second
 * validator. Without a watcher it costs one look, and no body is kept.
 */
import { channel } from 'node:diagnostics_channel';
import type { Response } from 'express';

/** A request with its answer. `res.locals.sent` has the body that was read, as the validators got it. */
export interface WatchedExchange {
  readonly res: Response;
  readonly answer: string | Buffer;
}

/** Publishes each {@link WatchedExchange} once its answer is on its way. */
export const exchanges = channel('developer-api.exchanges');
