/** Faults that the rules of flow-routes.rules.ts must catch. */

import { answers, type Json } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FLOW-17': {
    'flow-route-added': [
      'a second route keeps steps of the first',
      answers('setDocumentRoute', (json, _asked, memory) => {
        const before = memory.notes.get('steps') as Json[] | undefined;
        memory.notes.set('steps', structuredClone(json.document.route.steps));
        if (before) json.document.route.steps = [...before, ...json.document.route.steps];
      }),
    ],
  },
});
