/** Acts on one document that are asked for at once. */

import { series } from './calls.ts';
import type { Action, ActorName } from './document-calls.ts';
import type { Move, PlannedStep } from './flow-model.ts';
import {
  approval,
  approvalOfAny,
  type DocumentState,
  SENT,
  signing,
  signingOfAny,
  TWO_STAGES,
  way,
} from './flow-states.ts';

/** The state of the document before, and the acts. */
export interface Race extends Pick<DocumentState, 'id' | 'what' | 'plan' | 'moves'> {
  atOnce: readonly Move<Action>[];
}

/** `_approve by full in 0`: in the slot of the first step. */
type ActInWords = `${Action} by ${ActorName}${'' | ` in ${number}`}`;

const race = (
  id: string,
  what: string,
  plan: readonly PlannedStep[],
  atOnce: readonly ActInWords[],
  before: readonly Parameters<typeof way>[1][] = SENT,
): Race => ({
  id,
  what,
  plan,
  moves: way(plan, ...before),
  atOnce: atOnce.map((words, nth) => {
    const [action, by, step] = words.split(/ by | in /) as [Action, ActorName, string | undefined];
    // Of two routes that are set, each is another one.
    const move = { action, by, plan: nth === 0 ? TWO_STAGES : [signing('second', 'full')] };
    return step === undefined ? move : { ...move, step: Number(step) };
  }),
});

const times = (count: number, ...acts: ActInWords[]): ActInWords[] => series(count, () => acts).flat();

const SET = ['_set_route by full'] as const;
const STEPS_OF_ONE = [approval('full'), approval('full'), signing('full'), signing('full')];

export const races: readonly Race[] = [
  race('FLOW-16', 'six approvals of one slot', [approval('full'), ...TWO_STAGES], times(6, '_approve by full')),
  race('FLOW-25', 'six sends', TWO_STAGES, times(6, '_send by full'), SET),
  race(
    'FLOW-26',
    'signatures of three participants',
    [signing('full', 'second', 'restricted')],
    ['_sign by full', '_sign by second', '_sign by restricted'],
  ),
  race(
    'FLOW-36',
    'approvals of three participants of whom one is enough',
    [approvalOfAny('full', 'second', 'restricted'), signing('full')],
    ['_approve by full', '_approve by second', '_approve by restricted'],
  ),
  race('FLOW-37', 'a route that is set, and a send', [signing('second')], ['_set_route by full', '_send by full'], SET),
  race(
    'REJ-20',
    'six rejections of one slot',
    [approval('full', 'second'), signing('second')],
    times(6, '_reject by full in 0'),
  ),
  race(
    'REJ-23',
    'approvals and rejections of one slot',
    [approval('full'), signing('second')],
    times(3, '_approve by full', '_reject by full in 0'),
  ),
  race(
    'FLOW-race.routes',
    'two routes that are set',
    [signing('full')],
    ['_set_route by full', '_set_route by full'],
    SET,
  ),
  race(
    'FLOW-race.approvals',
    'two approvals of one slot by an employee who has the next one too',
    STEPS_OF_ONE,
    times(2, '_approve by full in 0'),
  ),
  race(
    'FLOW-race.stages',
    'an approval and a signature of the next step',
    [approval('full'), signing('full')],
    ['_approve by full in 0', '_sign by full in 1'],
  ),
  race(
    'FLOW-race.signatures',
    'two signatures of one slot by an employee who has the next one too',
    [signing('full'), signing('full')],
    times(2, '_sign by full in 0'),
  ),
  race(
    'FLOW-race.end',
    'the last signature and a rejection by another',
    [signingOfAny('full', 'second')],
    ['_sign by full', '_reject by second in 0'],
  ),
];
