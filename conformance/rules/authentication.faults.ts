/** Faults that the rules of authentication.rules.ts must catch. */
import { after, everything, heads, isFor, keyOf, made, reasonOf, setHeader } from '../mutation/alter.ts';
import { faultsOf } from '../mutation/fault.ts';

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults = faultsOf({
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
