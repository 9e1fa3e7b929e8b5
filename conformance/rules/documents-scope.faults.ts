/** Faults that the rules of documents-scope.rules.ts must catch. */
import { reasonOf, refuses, setHeader } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

export const faults: readonly Fault[] = [
  {
    id: 'scope-done-anyway',
    rule: 'SCOPE-27',
    breaks: 'what is refused for its scope is done all the same',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (reasonOf(answer) === SCOPE && asked.method === 'POST') {
        const next = { ...asked, headers: [...asked.headers] };
        for (let n = 0; n < 4; n++) {
          setHeader(next, 'X-API-Key', memory.key('full', n));
          if ((await forward({ ...next, headers: [...next.headers] })).status === 200) break;
        }
      }
      return answer;
    },
  },
  {
    id: 'scope-write-is-not-enough',
    rule: 'SCOPE-29',
    breaks: 'documents:write alone cannot send',
    alter: refuses('sendDocument', 'SCOPE_INSUFFICIENT'),
  },
];
