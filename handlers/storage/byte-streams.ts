/** Bytes that pass through streams: counted and hashed, or watched for a failure. */
import { createHash } from 'node:crypto';

/** Counts and hashes the bytes of one object on their way into storage. */
export class MeasuredBytes {
  readonly #hash = createHash('sha256');
  #length = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#length += chunk.length;
  }

  /** The same chunks; each is added when it is taken. */
  async *passing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.add(chunk);
      yield chunk;
    }
  }

  /** What was added, with the digest in lower-case hex. Can be called once. */
  total(): { size_bytes: number; sha256: string } {
    return { size_bytes: this.#length, sha256: this.#hash.digest('hex') };
  }
}

/** The same chunks. @param refuse is told of a failure on the way, and throws what whoever reads them gets */
export async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  refuse: (error: unknown) => never,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    refuse(error);
  }
}
