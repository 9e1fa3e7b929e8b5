/** Envelopes are thin; whoever sends more is somebody else. */
export const LONGEST_BYTES = 65_536;

/**
 * All bytes of a body, or undefined if they are too many. @throws what the stream throws
 * @param body of any runtime and any make of `fetch`: a web stream, a stream of Node, or none
 */
export async function bodyBytes(body: unknown, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array | string>) {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    size += bytes.length;
    if (size > mostBytes) return undefined;
    parts.push(bytes);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
