/** Exchanges as the conformance suite records them (`--record FILE`): one JSON object a line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

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

function bytes(base64: unknown): Buffer | undefined {
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
}

/** Reads a record line by line. */
export async function* readRecord(file: string): AsyncGenerator<Recorded> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line === '') continue;
    const { request_headers, request_body, operation_id, body, ...rest } = JSON.parse(line);
    yield {
      ...rest,
      requestHeaders: request_headers,
      requestBody: bytes(request_body),
      operationId: operation_id ?? undefined,
      body: bytes(body) ?? Buffer.alloc(0),
    };
  }
}
