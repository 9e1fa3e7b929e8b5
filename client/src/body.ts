/** Envelopes are thin; whoever sends more is somebody else. */
export const LONGEST_BYTES = 65_536;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The bytes of a body as they came, or undefined if they are too many. @throws what the stream throws
 * @param body of any runtime and any make of `fetch`: a web stream, a stream of Node, or none
 */
export async function bodyParts(body: unknown, mostBytes: number): Promise<Bytes[] | undefined> {
  const parts: Bytes[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Bytes | string>) {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    size += bytes.length;
    if (size > mostBytes) return undefined;
    parts.push(bytes);
  }
  return parts;
}

/** The same in one piece. */
export async function bodyBytes(body: unknown, mostBytes: number): Promise<Bytes | undefined> {
  const parts = await bodyParts(body, mostBytes);
  return parts && joined(parts);
}

export function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
