/** Exchanges as the conformance suite records them (`--record FILE`): one JSON object per line. */
import { operationOf } from '../../../conformance/judge/contract.ts';

/** One request and its answer. */
export interface RecordedExchange {
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly requestBody: Buffer | undefined;
  /** What the request addresses, if it is an operation. */
  readonly operationId: string | undefined;
  /** Sent as raw bytes over a socket; it may not even be HTTP. */
  readonly wire?: boolean;
  /** The service has refused it without its body, which is not known. */
  readonly isUnread?: boolean;
  readonly status: number;
  readonly body: Buffer;
}

/** The lines of a text that comes in parts. Only \n ends one: readline would also end one at U+2028, which JSON does not escape. */
export async function* linesOf(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** The exchange of a line. Bodies are recorded as text, so bytes that were not UTF-8 have changed. */
export function exchangeOf(line: string): RecordedExchange {
  const { request_headers, request_body, body, ...rest } = JSON.parse(line);
  return {
    ...rest,
    requestHeaders: request_headers,
    requestBody: request_body === null ? undefined : Buffer.from(request_body),
    operationId: operationOf(rest.method, rest.target),
    body: Buffer.from(body ?? ''),
  };
}
