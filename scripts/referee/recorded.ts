/** Exchanges as the conformance suite records them (`--record FILE`): one JSON object per line. */
import { createReadStream } from 'node:fs';

type Headers = readonly (readonly [name: string, value: string])[];

/** One request and its answer. */
export interface Recorded {
  readonly rule: string;
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  readonly requestHeaders: Headers;
  readonly requestBody: Buffer | undefined;
  readonly operationId: string | undefined;
  /** Sent as raw bytes over a socket, perhaps no HTTP at all. */
  readonly wire: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Lines end with \n alone: readline would also end one at U+2028, which JSON leaves as it is. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(file, 'utf8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Reads a record line by line. Bodies stand there as text, so what was no UTF-8 is not what it was. */
export async function* readRecord(file: string): AsyncGenerator<Recorded> {
  for await (const line of linesOf(file)) {
    if (line === '') continue;
    const { operation, request_headers, request_body, body, ...rest } = JSON.parse(line);
    yield {
      ...rest,
      requestHeaders: request_headers,
      requestBody: request_body === null ? undefined : Buffer.from(request_body),
      operationId: operation ?? undefined,
      body: Buffer.from(body ?? ''),
    };
  }
}
