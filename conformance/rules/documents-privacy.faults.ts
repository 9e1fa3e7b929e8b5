/** Faults that the rules of documents-privacy.rules.ts must catch. */
import { after, everything, jsonBody, parse } from '../mutation/alter.ts';
import { participants } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'PRIV-1': {
    'priv-document-says-name': [
      'a document holds the IIN of a participant',
      after(everything, (answer, _asked, memory) => {
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
      }),
    ],
  },
});
