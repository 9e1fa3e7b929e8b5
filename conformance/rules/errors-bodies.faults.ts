/** Faults that the rules of errors-bodies.rules.ts must catch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'ERR-31': {
    'err-demanding-body': [
      'a body with many digits takes long',
      async (asked, forward, memory) => {
        if (asked.body.includes('0'.repeat(1_000))) {
          memory.mark();
          await sleep(6_000);
        }
        return forward(asked);
      },
    ],
  },
});
