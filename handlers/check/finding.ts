/** What a check of a deployment finds. */
import { codeOf, reasonOf } from '../runtime/outage-reasons.ts';

export const verdicts = ['OK', 'WARN', 'FAIL', 'SLOW', 'SKIPPED'] as const;

/**
 * `WARN`: it works, but not as an operator should leave it. `FAIL`: something that is promised does not hold. `SLOW`: this
 * program was too slow to tell.
 */
export type CheckVerdict = (typeof verdicts)[number];

/** What a check has found. */
export interface Judgement {
  readonly verdict: CheckVerdict;
  /** What was found, in plain words, without any secret. */
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
  /** Whether a clock of this program has decided. What says {@link LATE} has, too. */
  readonly isTimed?: boolean;
}

export interface CheckFinding extends Omit<Judgement, 'isTimed'> {
  readonly check: string;
}

export const fine = (says: string): Judgement => ({ verdict: 'OK', says });
export const doubtful = (says: string, todo: string): Judgement => ({ verdict: 'WARN', says, todo });
export const wrong = (says: string, todo: string): Judgement => ({ verdict: 'FAIL', says, todo });
export const timed = (judgement: Judgement, isTimed = true): Judgement => ({ ...judgement, isTimed });
export const skipped = (says: string): Judgement => ({ verdict: 'SKIPPED', says });

/** The hosts of this machine, also as the path of a socket. */
export const LOOPBACK = /^(127\.|localhost|\[?::1|\/)/i;

/** Thrown where a check needs something that another check tells about already. */
export class CheckSkip extends Error {}

/** Why something failed, in words, as far as it may be told. */
export const reasonFor = (error: unknown): string => reasonOf(codeOf(error));

/** How far a clock is off, such as `1.5 s ahead of`. @param aheadMs negative where it is behind */
export const aheadWords = (aheadMs: number): string =>
  `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
