/** Envelopes are thin; whoever sends more is somebody else. */
export const LONGEST_BYTES = 65_536;

/** The bytes of a delivery, or undefined if they are too many. @throws what the stream throws */
export async function bodyBytes(
  stream: AsyncIterable<Uint8Array | string> | Iterable<never>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    size += bytes.length;
    if (size > LONGEST_BYTES) return undefined;
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
