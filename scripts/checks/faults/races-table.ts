/** The acts on one document that race each other. */

/** Who acts: the initiator or one of three participants. */
export const NAMES = ['ini', 'a', 'b', 'c'] as const;
export type Name = (typeof NAMES)[number];
/** A step of a route. */
export type StepOf = `${'APPROVAL' | 'SIGNING'} of ${'ALL' | 'ANY'}: ${Name}${'' | `, ${Name}`}`;
export type Doing = `${'approve' | 'sign' | 'reject' | 'revoke' | 'send' | 'set_route'} by ${Name}`;

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
export const REROUTED: readonly StepOf[] = ['APPROVAL of ALL: b', 'SIGNING of ALL: c'];

/** Each race by its name. */
export const races = {
  'approve, reject and revoke on one slot': {
    route: ['APPROVAL of ALL: a', 'SIGNING of ALL: b'],
    before: ['send by ini'],
    atOnce: ['approve by a', 'reject by a', 'revoke by ini'],
    spreadMs: QUICK,
  },
  'send twice': {
    route: ['SIGNING of ALL: a'],
    before: [],
    atOnce: ['send by ini', 'send by ini'],
    spreadMs: QUICK,
  },
  'the same approval twice, with a later slot of the same employee': {
    route: ['APPROVAL of ALL: a', 'APPROVAL of ALL: a', 'SIGNING of ALL: b'],
    before: ['send by ini'],
    atOnce: ['approve by a', 'approve by a'],
    spreadMs: QUICK,
  },
  'two rejections': {
    route: ['SIGNING of ALL: a, b'],
    before: ['send by ini'],
    atOnce: ['reject by a', 'reject by b'],
    spreadMs: QUICK,
  },
  'set the route and send': {
    route: ['SIGNING of ALL: a'],
    before: [],
    atOnce: ['set_route by ini', 'send by ini'],
    spreadMs: QUICK,
  },
  'the last signature and a revocation': {
    route: ['SIGNING of ALL: a'],
    before: ['send by ini'],
    atOnce: ['sign by a', 'revoke by ini'],
    spreadMs: COMPLETING,
  },
  'a rejection and the last signature': {
    route: ['SIGNING of ANY: a, b'],
    before: ['send by ini'],
    atOnce: ['sign by a', 'reject by b'],
    spreadMs: COMPLETING,
  },
  'the last two signatures': {
    route: ['SIGNING of ALL: a, b'],
    before: ['send by ini'],
    atOnce: ['sign by a', 'sign by b'],
    spreadMs: QUICK,
  },
} as const satisfies Readonly<Record<string, Race>>;

export type RaceName = keyof typeof races;

/** Whether a signature is among the acts of the race: such a race takes much longer. */
export function isCompleting(race: RaceName): boolean {
  return races[race].atOnce.some((doing) => doing.startsWith('sign '));
}

/** What is done, and who does it. */
export function partsOf<What extends string>(doing: `${What} by ${Name}`): [what: What, by: Name] {
  return doing.split(' by ') as [What, Name];
}
