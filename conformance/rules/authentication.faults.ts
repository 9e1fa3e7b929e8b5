/** Faults that the rules of authentication.rules.ts must catch. */
import { after, everything, heads, isFor, keyOf, made, reasonOf, setHeader } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = faultsOf({
  'AUTH-8': {
    'auth-revocation-late': [
      'the first request after a revocation is let in',
      after(everything, (answer, asked, memory) => {
        const name = `good ${keyOf(asked)}`;
        if (answer.status === 200) memory.notes.set(name, true);
        if (reasonOf(answer) !== KEY || !memory.notes.delete(name)) return answer;
        return made(200, {});
      }),
    ],
  },
  'AUTH-20': {
    'auth-tells-revoked': [
      'a refused key is distinguished by a header',
      heads(
        everything,
        (answer, asked) => {
          if (keyOf(asked) !== undefined) setHeader(answer, 'X-Reason', 'unknown');
        },
        isFor(KEY),
      ),
    ],
  },
});
