/** Faults that the rules of flow-routes.rules.ts must catch. */

import { answers, bodies, type Json, parse, permits, refusals, refuses } from '../mutation/alter.ts';
import { lenient, nothingHappened, walk } from '../mutation/alter-documents.ts';
import type { Fault, ProxiedRequest } from '../mutation/fault.ts';

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

const INVALID = 'INVALID_ARGUMENT';

/** How many participants the first step of a wanted route has. */
const participantsIn = (asked: ProxiedRequest): number => parse(asked.body)?.steps?.[0]?.participants?.length ?? 0;

export const faults: readonly Fault[] = [
  {
    id: 'flow-route-after-send',
    rule: 'FLOW-15',
    breaks: 'a route is set after the send',
    alter: nothingHappened('setDocumentRoute', STATE),
  },
  {
    id: 'flow-route-added',
    rule: 'FLOW-17',
    breaks: 'a second route keeps steps of the first',
    alter: answers('setDocumentRoute', (json, _asked, memory) => {
      const before = memory.notes.get('steps') as Json[] | undefined;
      memory.notes.set('steps', structuredClone(json.document.route.steps));
      if (before) json.document.route.steps = [...before, ...json.document.route.steps];
    }),
  },
  {
    id: 'flow-any-route',
    rule: 'FLOW-19',
    breaks: 'a route that breaks a rule is taken',
    alter: lenient('setDocumentRoute'),
  },
  {
    id: 'flow-route-last-step',
    rule: 'FLOW-19',
    breaks: 'the place in the route is not named',
    alter: refusals(INVALID, (json) => {
      for (const one of json.details) for (const violation of one.field_violations ?? []) violation.field = 'steps';
    }),
  },
  {
    id: 'flow-anybody-sends',
    rule: 'FLOW-20',
    breaks: 'who sees the document may send it',
    alter: permits(['sendDocument', 'setDocumentRoute'], 'full', (answer) => answer.status === 403),
  },
  {
    id: 'flow-anybody-participates',
    rule: 'FLOW-24',
    breaks: 'anybody may be a participant',
    alter: lenient('setDocumentRoute'),
  },
  {
    id: 'flow-absent-may-not-participate',
    rule: 'FLOW-24',
    breaks: 'somebody on leave cannot be a participant',
    alter: refuses('setDocumentRoute', 'INVALID_ARGUMENT', (asked) => participantsIn(asked) > 1),
  },
  {
    id: 'flow-index-from-one',
    rule: 'FLOW-27',
    breaks: 'steps are counted from 1',
    alter: walk((one) => {
      for (const step of one.route?.steps ?? []) step.index += 1;
    }),
  },
  {
    id: 'flow-rule-not-filled',
    rule: 'FLOW-27',
    breaks: 'a rule that was left out is ANY',
    alter: bodies('setDocumentRoute', (json) => {
      for (const step of json.steps ?? []) step.rule ??= 'STEP_RULE_ANY';
    }),
  },
];
