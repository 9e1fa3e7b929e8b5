/** Exchanges as the conformance suite records them (`--record FILE`): one JSON object per line. */
import { createReadStream } from 'node:fs';

type Headers = readonly (readonly [name: string, value: string])[];

/** One request and its answer. */
export interface RecordedExchange {
  readonly rule: string;
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  readonly requestHeaders: Headers;
  readonly requestBody: Buffer | undefined;
  readonly operationId: string | undefined;
  /** Sent as raw bytes over a socket; it may not even be HTTP. */
  readonly wire: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Only \n ends a line: readline would also end one at U+2028, which JSON does not escape. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(file, 'utf8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Reads a record line by line. Bodies are recorded as text, so bytes that were not UTF-8 have changed. */
export async function* readRecord(file: string): AsyncGenerator<RecordedExchange> {
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
