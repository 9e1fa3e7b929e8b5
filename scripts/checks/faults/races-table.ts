/** The acts on one document that race each other. */
import type { RaceDeployment } from './races-deployment.ts';

/** Who acts: the initiator or one of three participants. */
export type Name = keyof RaceDeployment['racers'];
export type StepOf = readonly [kind: 'APPROVAL' | 'SIGNING', rule: 'ALL' | 'ANY', ...people: Name[]];
export type Doing = readonly [what: 'approve' | 'sign' | 'reject' | 'revoke' | 'send' | 'set_route', by: Name];

export interface Race {
  readonly route: readonly StepOf[];
  /** The acts before the race, after the route was set. */
  readonly before: readonly Doing[];
  /** The acts of the race. Acts in a slot name the slot that is active at the start. */
  readonly atOnce: readonly Doing[];
  /** All acts begin within this time: about as long as the longest of them takes, so that they overlap. */
  readonly spreadMs: number;
}

const QUICK = 6;
/** A signature that completes the document prints a PDF, which takes long. */
const COMPLETING = 600;

/** The route that `set_route` sets. */
export const REROUTED: readonly StepOf[] = [
  ['APPROVAL', 'ALL', 'b'],
  ['SIGNING', 'ALL', 'c'],
];

/** Each race by its name. */
export const races = {
  'approve, reject and revoke on one slot': {
    route: [
      ['APPROVAL', 'ALL', 'a'],
      ['SIGNING', 'ALL', 'b'],
    ],
    before: [['send', 'ini']],
    atOnce: [
      ['approve', 'a'],
      ['reject', 'a'],
      ['revoke', 'ini'],
    ],
    spreadMs: QUICK,
  },
  'send twice': {
    route: [['SIGNING', 'ALL', 'a']],
    before: [],
    atOnce: [
      ['send', 'ini'],
      ['send', 'ini'],
    ],
    spreadMs: QUICK,
  },
  'the same approval twice, with a later slot of the same employee': {
    route: [
      ['APPROVAL', 'ALL', 'a'],
      ['APPROVAL', 'ALL', 'a'],
      ['SIGNING', 'ALL', 'b'],
    ],
    before: [['send', 'ini']],
    atOnce: [
      ['approve', 'a'],
      ['approve', 'a'],
    ],
    spreadMs: QUICK,
  },
  'two rejections': {
    route: [['SIGNING', 'ALL', 'a', 'b']],
    before: [['send', 'ini']],
    atOnce: [
      ['reject', 'a'],
      ['reject', 'b'],
    ],
    spreadMs: QUICK,
  },
  'set the route and send': {
    route: [['SIGNING', 'ALL', 'a']],
    before: [],
    atOnce: [
      ['set_route', 'ini'],
      ['send', 'ini'],
    ],
    spreadMs: QUICK,
  },
  'the last signature and a revocation': {
    route: [['SIGNING', 'ALL', 'a']],
    before: [['send', 'ini']],
    atOnce: [
      ['sign', 'a'],
      ['revoke', 'ini'],
    ],
    spreadMs: COMPLETING,
  },
  'a rejection and the last signature': {
    route: [['SIGNING', 'ANY', 'a', 'b']],
    before: [['send', 'ini']],
    atOnce: [
      ['sign', 'a'],
      ['reject', 'b'],
    ],
    spreadMs: COMPLETING,
  },
  'the last two signatures': {
    route: [['SIGNING', 'ALL', 'a', 'b']],
    before: [['send', 'ini']],
    atOnce: [
      ['sign', 'a'],
      ['sign', 'b'],
    ],
    spreadMs: QUICK,
  },
} as const satisfies Readonly<Record<string, Race>>;

export type RaceName = keyof typeof races;

/** Whether a signature is among the acts of the race: such a race takes much longer. */
export function isCompleting(race: RaceName): boolean {
  return races[race].atOnce.some(([what]) => what === 'sign');
}
