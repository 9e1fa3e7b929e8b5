/** One request as a client of the deployment makes it, through everything that is in front of it. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { reasonFor } from './finding.ts';

export interface AskedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** So many blanks are sent instead of a body. */
  readonly blanks?: number;
  /** Ends without the rest of the body once the server had time to refuse its size. */
  readonly isCut?: boolean;
  /** The address of this machine from which the request is sent. */
  readonly from?: string;
  readonly signal: AbortSignal;
  /** How long it may take, in milliseconds. */
  readonly withinMs?: number;
}

export type AskedAnswer =
  | { readonly status: number; readonly text: string; readonly headers: IncomingMessage['headers'] }
  /** Why there was no answer: a code, or `still waiting`. */
  | { readonly failure: string };

const WITHIN_MS = 8_000;
/** How long a server has time to refuse the size of a body, in milliseconds. */
const REFUSED_WITHIN_MS = 500;
/** No answer that a check reads is longer. */
const MOST_CHARACTERS = 100_000;
const PIECE = Buffer.alloc(64 * 1024, ' ');

/** Sends it. Never throws: that nothing answers is a finding. An answer that comes before the body is sent counts. */
export function ask(
  url: URL,
  {
    method = 'GET',
    headers = {},
    body = '',
    blanks = 0,
    isCut = false,
    from,
    signal,
    withinMs = WITHIN_MS,
  }: AskedRequest,
): Promise<AskedAnswer> {
  const length = blanks > 0 ? { 'Content-Length': String(blanks) } : {};
  const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  // A connection of its own, as the first request of a client has one.
  const options = { method, headers: { ...length, ...headers }, agent: false, signal: within };
  const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    ...options,
    ...(from && { localAddress: from }),
  });
  return new Promise<AskedAnswer>((resolve) => {
    let answered = false;
    const waiting = isCut ? setTimeout(() => resolve({ failure: 'still waiting' }), REFUSED_WITHIN_MS) : undefined;
    sent.once('response', (answer) => {
      answered = true;
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < MOST_CHARACTERS) text += chunk;
      });
      const end = () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers });
      answer.once('end', end).once('error', end).once('close', end);
    });
    sent.on('error', (error) => {
      if (!answered) resolve({ failure: within.aborted ? 'no answer in time' : reasonFor(error) });
    });
    sent.once('close', () => clearTimeout(waiting));
    if (blanks > 0) sendBlanks(sent, blanks, () => answered);
    else if (isCut) sent.write(body);
    else sent.end(body);
  }).finally(() => sent.destroy());
}

/** Sends them as fast as they are taken, until an answer has come. */
function sendBlanks(sent: ReturnType<typeof httpRequest>, blanks: number, isAnswered: () => boolean): void {
  let left = blanks;
  const send = () => {
    while (left > 0 && !isAnswered() && !sent.destroyed) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!sent.write(piece)) return void sent.once('drain', send);
    }
    sent.end();
  };
  send();
}
