/** Keeps what streams leave behind small. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 4 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
let since = 0;

/**
 * Tells that a stream moved bytes on. Node puts each piece into a buffer of its own, outside the heap, and V8 lets some
 * 60 MB of them gather before it looks: a collection of the young generation now and then, of a millisecond, keeps a
 * file of any size from being in memory as garbage after it never was there as a whole.
 */
export function passedOn(bytes: number): void {
  since += bytes;
  if (since < EVERY_BYTES) return;
  since = 0;
  collect({ type: 'minor' });
}
