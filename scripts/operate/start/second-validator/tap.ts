/**
 * Loaded before the service (`node --import`), so that the service knows nothing of it: sends each exchange to the second
 * validator, as a line in the form of the suite's records. It waits for nothing.
 */
import { connect } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { announcesBody } from '../../../../handlers/http/body.ts';
import { exchanges, type WatchedExchange } from '../../../../handlers/http/exchanges.ts';

/** Of the request and of the answer, in bytes. An empty line stands for an exchange that has more. */
const LARGEST = 1024 * 1024;
/** What is judged; no key leaves the service. */
const HEADERS = ['content-type', 'content-encoding', 'idempotency-key'];

const { SECOND_VALIDATOR: place } = process.env;
if (place && isMainThread) {
  // Without a second validator the service goes on.
  const socket = connect(place)
    .on('error', () => {})
    .unref();
  exchanges.subscribe((watched) => socket.write(`${lineOf(watched as WatchedExchange)}\n`));
}

function lineOf({ res, answer }: WatchedExchange): string {
  const { req, locals } = res;
  const sent: Buffer | undefined = locals.sent;
  if (Math.max(sent?.length ?? 0, Buffer.byteLength(answer)) > LARGEST) return '';
  return JSON.stringify({
    method: req.method,
    target: req.originalUrl,
    request_headers: HEADERS.flatMap((name) => (req.headersDistinct[name] ?? []).map((value) => [name, value])),
    request_body: sent?.toString() ?? null,
    isUnread: sent === undefined && announcesBody(req),
    status: res.statusCode,
    body: answer.toString(),
  });
}
