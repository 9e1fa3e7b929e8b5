/** How long a run takes and how much it sends, estimated from what each rule took in a run against our own service. */
import type { ProbeKind } from '../judge/limit-facts.ts';
import type { Rule } from '../rules/rule.ts';
import { PACE } from './pacer.ts';
import { chainsOf, phasesOf } from './phases.ts';
import { costOf } from './recorded.ts';

type EstimatedRule = Pick<Rule, 'id' | 'runs' | 'holds'>;

/**
 * Milliseconds that the rules take: of each phase the time of the longest chain of rules of which one is checked at a
 * time, of all rules together, or of their requests, which are no faster than the keys allow.
 * @param keys how many equivalent keys the profile has
 */
export function estimateMs(rules: readonly EstimatedRule[], keys: number, probe: ProbeKind = 'light'): number {
  const sum = (of: readonly EstimatedRule[], what: 'ms' | 'requests') =>
    of.reduce((total, { id }) => total + costOf(id, probe)[what], 0);
  const ofPhase = ({ rules: beside, atOnce }: { rules: readonly EstimatedRule[]; atOnce: number }) => {
    const chains = [...chainsOf(beside).values(), ...beside.map((rule) => [rule])].map((chain) => sum(chain, 'ms'));
    const paced = atOnce === 1 ? 0 : (sum(beside, 'requests') / (PACE * Math.max(1, keys))) * 1000;
    return Math.max(...chains, sum(beside, 'ms') / atOnce, paced);
  };
  return phasesOf(rules).reduce((total, phase) => total + ofPhase(phase), 0);
}

/** The remaining time of a run, from the estimate and the pace so far. */
export class Progress {
  readonly #left: Map<string, EstimatedRule>;
  readonly #keys: number;
  readonly #beganMs: number;
  readonly #wholeMs: number;
  readonly #probe: ProbeKind;

  constructor(selected: readonly EstimatedRule[], keys: number, nowMs: number, probe: ProbeKind = 'light') {
    this.#left = new Map(selected.map((rule) => [rule.id, rule]));
    this.#keys = keys;
    this.#beganMs = nowMs;
    this.#probe = probe;
    this.#wholeMs = estimateMs(selected, keys, probe);
  }

  /** @returns milliseconds left after this rule is done */
  done(rule: string, nowMs: number): number {
    this.#left.delete(rule);
    if (this.#left.size === 0) return 0;
    const leftMs = estimateMs([...this.#left.values()], this.#keys, this.#probe);
    const expected = Math.max(1, this.#wholeMs - leftMs);
    // One slow rule at the beginning says little about the pace.
    const trust = Math.min(1, expected / this.#wholeMs / 0.2);
    const pace = Math.min(4, Math.max(0.25, (nowMs - this.#beganMs) / expected));
    return leftMs * (1 + (pace - 1) * trust);
  }
}

/** `~2 min left`; coarse, because it is an estimate. */
export function leftText(ms: number): string {
  if (ms <= 0) return '';
  const seconds = Math.ceil(ms / 10_000) * 10;
  return seconds < 60 ? `~${seconds} s left` : `~${Math.ceil(seconds / 60)} min left`;
}
