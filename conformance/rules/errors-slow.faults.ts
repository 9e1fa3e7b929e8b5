/** Faults that the rules of errors-slow.rules.ts must catch. */
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'err-slow-body-taken',
    rule: 'ERR-35',
    breaks: 'what has come of a body that does not go on is taken for all of it',
    wire: (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('Content-Length: 100', 'Content-Length: 9'), 'latin1'),
    alone: true,
  },
];
