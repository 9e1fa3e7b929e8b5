/** One request as a client of the deployment makes it, through everything that is in front of it. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { LATE } from '../runtime/outage-reasons.ts';
import { reasonFor } from './finding.ts';

export interface AskedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** So many blanks are sent instead of a body. */
  readonly blanks?: number;
  /** The address of this machine from which the request is sent. */
  readonly from?: string;
  readonly signal: AbortSignal;
  /** How long it may take, in milliseconds. */
  readonly withinMs?: number;
}

export interface GivenAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

export type AskedAnswer =
  | GivenAnswer
  /** Why there was no answer: {@link LATE}, or a code with its words. */
  | { readonly failure: string };

/** Whether no answer came in time. */
export const isLate = (answer: AskedAnswer): boolean => 'failure' in answer && answer.failure === LATE;

const WITHIN_MS = 8_000;
/** The metrics of a process that has worked for long have some hundred thousand. */
const MOST_CHARACTERS = 10_000_000;
const PIECE_BYTES = 64 * 1024;

/** Sends it. Never throws: that nothing answers is a finding. An answer that comes before the body is sent counts. */
export async function ask(
  url: URL,
  { method = 'GET', headers = {}, body = '', blanks = 0, from, signal, withinMs = WITHIN_MS }: AskedRequest,
): Promise<AskedAnswer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...(blanks > 0 && { 'Content-Length': blanks }), ...headers },
    // A connection of its own, as the first request of a client has one.
    agent: false,
    signal: within,
    ...(from && { localAddress: from }),
  });
  const answered = once(sent, 'response');
  // Once an answer has come, what the rest of the body meets tells nothing.
  sent.on('error', () => {});
  if (blanks > 0) Readable.from(piecesOf(blanks)).pipe(sent);
  else sent.end(body);
  try {
    const [answer]: IncomingMessage[] = await answered;
    return { status: answer?.statusCode ?? 0, text: await beginningOf(answer), headers: answer?.headers ?? {} };
  } catch (error) {
    return { failure: within.aborted ? LATE : reasonFor(error) };
  } finally {
    sent.destroy();
  }
}

/** What came of a body, however it ends. */
async function beginningOf(answer: IncomingMessage | undefined): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer?.setEncoding('utf8') ?? []) {
      text += chunk;
      if (text.length >= MOST_CHARACTERS) break;
    }
  } catch {}
  return text;
}

function* piecesOf(blanks: number): Iterable<Buffer> {
  for (let left = blanks; left > 0; left -= PIECE_BYTES) yield Buffer.alloc(Math.min(left, PIECE_BYTES), ' ');
}
