/** Limits the garbage that streams leave in memory. */
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
