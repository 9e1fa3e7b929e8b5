/** Bytes that pass through streams: counted, hashed, and without garbage that fills the memory. */
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 4 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
let since = 0;

/**
 * Call after a stream has passed on bytes. Node puts each piece into a buffer outside the heap, and V8 lets about 60 MB
 * of these gather. A collection of the young generation from time to time, which takes a millisecond, prevents that.
 */
export function passedOn(bytes: number): void {
  since += bytes;
  if (since < EVERY_BYTES) return;
  since = 0;
  collect({ type: 'minor' });
}

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
      passedOn(chunk.length);
    }
  }

  /** What was added, with the digest in lower-case hex. Can be called once. */
  total(): { size_bytes: number; sha256: string } {
    return { size_bytes: this.#length, sha256: this.#hash.digest('hex') };
  }
}
