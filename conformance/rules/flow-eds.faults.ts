/** Faults that the rules of flow-eds.rules.ts must catch. */
import { type Json, parse } from '../mutation/alter.ts';
import { lenient, walk } from '../mutation/alter-documents.ts';
import type { Answered, Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'flow-cms-not-kept',
    rule: 'FLOW-30',
    breaks: 'the CMS is no file of the document',
    alter: walk((one) => {
      one.files = one.files?.filter((file: Json) => !/SIGNATURE|CMS|P7S/i.test(file.file_type));
    }),
  },
  {
    id: 'flow-cms-any',
    rule: 'FLOW-31',
    breaks: 'a signature that is damaged is taken',
    alter: lenient('signDocument'),
  },
  {
    id: 'flow-cms-again',
    rule: 'FLOW-31',
    breaks: 'a signature of one document signs another of the same bytes',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== 'signDocument') return answer;
      const key = `of ${parse(asked.body)?.signature?.value}`;
      if (answer.status === 200) memory.notes.set(key, answer);
      return (memory.notes.get(key) as Answered | undefined) ?? answer;
    },
  },
];
