/** Counts and hashes bytes while they pass on their way into storage. */
import { createHash } from 'node:crypto';
import { passedOn } from './garbage-limit.ts';

/** The bytes of one object. */
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
      passedOn(chunk.length);
    }
  }

  /** What was added, with the digest in lower-case hex. Can be called once. */
  total(): { size_bytes: number; sha256: string } {
    return { size_bytes: this.#length, sha256: this.#hash.digest('hex') };
  }
}
