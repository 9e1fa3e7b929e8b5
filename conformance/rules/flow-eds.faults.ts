/** Faults that the rules of flow-eds.rules.ts must catch. */
import { after, parse } from '../mutation/alter.ts';
import { type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FLOW-31': {
    'flow-cms-again': [
      'a signature of one document signs another of the same bytes',
      after('signDocument', (answer, asked, memory) => {
        const key = `of ${parse(asked.body)?.signature?.value}`;
        if (answer.status === 200) memory.notes.set(key, answer);
        return (memory.notes.get(key) as ProxiedAnswer | undefined) ?? answer;
      }),
    ],
  },
});
