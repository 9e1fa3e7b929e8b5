/** Faults that the rules of authentication-timing.rules.ts must catch. */
import { keyOf } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'AUTH-26': {
    'auth-compared-by-letters': [
      'a key is compared letter by letter, so what is right of it takes time',
      async (asked, forward, memory) => {
        const [given, right] = [keyOf(asked) ?? '', memory.key('full')];
        const answer = await forward(asked);
        const start = right.indexOf('_') + 2;
        return given.slice(0, start) === right.slice(0, start) ? { ...answer, heldMs: 4 } : answer;
      },
    ],
  },
});
