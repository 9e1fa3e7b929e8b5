/** Faults that the rules of flow-routes.rules.ts must catch. */

import { answers, bodies, type Json, parse, put, refusals, refuses } from '../mutation/alter.ts';
import { lenient, shown } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

/** How many participants the first step of a wanted route has. */
const participantsIn = (asked: ProxiedRequest): number => parse(asked.body)?.steps?.[0]?.participants?.length ?? 0;

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
  'FLOW-19': {
    'flow-any-route': ['a route that breaks a rule is taken', lenient('setDocumentRoute')],
    'flow-route-last-step': [
      'the place in the route is not named',
      refusals('INVALID_ARGUMENT', put('details[].field_violations[].field', 'steps')),
    ],
  },
  'FLOW-24': {
    'flow-anybody-participates': ['anybody may be a participant', lenient('setDocumentRoute')],
    'flow-manager-may-not-participate': [
      'the own manager cannot be a participant',
      refuses('setDocumentRoute', 'INVALID_ARGUMENT', (asked) => participantsIn(asked) === 1),
    ],
    'flow-absent-may-not-participate': [
      'somebody on leave cannot be a participant',
      refuses('setDocumentRoute', 'INVALID_ARGUMENT', (asked) => participantsIn(asked) > 1),
    ],
  },
  'FLOW-27': {
    'flow-index-from-one': ['steps are counted from 1', shown(put('route.steps[].index', (index) => index + 1))],
    'flow-rule-not-filled': [
      'a rule that was left out is ANY',
      bodies('setDocumentRoute', (json) => {
        for (const step of json.steps ?? []) step.rule ??= 'STEP_RULE_ANY';
      }),
    ],
  },
});
