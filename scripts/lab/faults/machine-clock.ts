/**
 * Loaded before the server (`node --import`), so that the product contains no switch for faults: a machine whose clock is
 * wrong, and may be set while the server runs. The file MACHINE_CLOCK holds by how many milliseconds it is ahead.
 */
import { readFileSync } from 'node:fs';

/** How often the file is read. */
const LOOK_MS = 20;

const { MACHINE_CLOCK = '' } = process.env;
const RealDate = Date;

/** While the file is being written, the last number counts. */
function read(last: number): number {
  const text = readFileSync(MACHINE_CLOCK, 'utf8');
  return /^-?\d+$/.test(text) ? Number(text) : last;
}

let aheadMs = read(0);
setInterval(() => {
  aheadMs = read(aheadMs);
}, LOOK_MS).unref();

const now = () => RealDate.now() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// What the machine's clock showed when the process began.
const origin = performance.timeOrigin + aheadMs;
Object.defineProperty(performance, 'timeOrigin', { get: () => origin });
