/** Faults that the rules of documents-scope.rules.ts must catch. */
import { after, everything, reasonOf, setHeader } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

export const faults: readonly Fault[] = faultsOf({
  'SCOPE-27': {
    'scope-done-anyway': [
      'what is refused for its scope is done all the same',
      after(everything, async (answer, asked, memory, forward) => {
        if (reasonOf(answer) === SCOPE && asked.method === 'POST') {
          const next = { ...asked, headers: [...asked.headers] };
          for (let n = 0; n < 4; n++) {
            setHeader(next, 'X-API-Key', memory.key('full', n));
            if ((await forward({ ...next, headers: [...next.headers] })).status === 200) break;
          }
        }
        return answer;
      }),
    ],
  },
});
