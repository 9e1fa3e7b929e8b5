/** Faults that the rules of documents-privacy.rules.ts must catch. */
import { jsonBody, parse } from '../mutation/alter.ts';
import { participants } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'priv-document-says-name',
    rule: 'PRIV-1',
    breaks: 'a document holds the IIN of a participant',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      for (const one of [json?.employee, ...(json?.employees ?? [])])
        if (one?.person?.iin) memory.notes.set(one.id, one.person.iin);
      for (const one of [json?.document, ...(json?.documents ?? [])])
        for (const slot of one ? participants(one) : [])
          if (memory.notes.has(slot.employee_id)) {
            one.title += ` ${memory.notes.get(slot.employee_id)}`;
            answer.body = jsonBody(json);
          }
      return answer;
    },
  },
];
