/** How long a run takes and how much it sends, estimated from what each rule took in a run against our own service. */
import type { Profile } from '../profile/profile.ts';
import type { Rule } from '../rules/rule.ts';
import { PACE } from './pacer.ts';
import { chainsOf, phasesOf } from './phases.ts';
import { costOf } from './recorded.ts';

/** What of a profile makes a run shorter or longer. */
type Means = Pick<Profile, 'keys' | 'pool' | 'limit_probe'>;
type EstimatedRule = Pick<Rule, 'id' | 'runs' | 'holds'>;

/**
 * Milliseconds that the rules take: of each phase the time of the longest chain of rules of which one is checked at a
 * time, of all rules together, or of their requests, which are no faster than the keys allow.
 */
export function estimateMs(rules: readonly EstimatedRule[], { keys, pool = [], limit_probe: probe }: Means): number {
  const beside = { changing: pool.length + 1, load: [keys.load ?? []].flat().length };
  const full = [{ keys }, ...pool].reduce((total, tenant) => total + tenant.keys.full.length, 0);
  const sum = (some: readonly EstimatedRule[], what: 'ms' | 'requests') =>
    some.reduce((total, { id }) => total + costOf(id, probe)[what], 0);
  const ofPhase = ({ rules: of, atOnce }: { rules: readonly EstimatedRule[]; atOnce: number }) => {
    const longest = Math.max(...of.map(({ id }) => costOf(id, probe).ms));
    const chains = [...chainsOf(of)].map(([name, chain]) => sum(chain, 'ms') / (beside[name as 'load'] || 1));
    const paced = atOnce === 1 ? 0 : (sum(of, 'requests') / (PACE * full)) * 1000;
    // Those that wait for each other take as long as all their steps.
    const all = sum(of, 'ms') / (Number.isFinite(atOnce) ? atOnce : 1);
    return Math.max(longest, ...chains, all, paced);
  };
  return phasesOf(rules).reduce((total, phase) => total + ofPhase(phase), 0);
}

/** The remaining time of a run, from the estimate and the pace so far. */
export class Progress {
  readonly #left: Map<string, EstimatedRule>;
  readonly #means: Means;
  readonly #beganMs: number;
  readonly #wholeMs: number;

  constructor(selected: readonly EstimatedRule[], means: Means, nowMs: number) {
    this.#left = new Map(selected.map((rule) => [rule.id, rule]));
    this.#means = means;
    this.#beganMs = nowMs;
    this.#wholeMs = estimateMs(selected, means);
  }

  /** @returns milliseconds left after this rule is done */
  done(rule: string, nowMs: number): number {
    this.#left.delete(rule);
    if (this.#left.size === 0) return 0;
    const leftMs = estimateMs([...this.#left.values()], this.#means);
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
