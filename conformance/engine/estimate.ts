/** How long a run takes and how much it sends, estimated from what each rule took in a run against our own service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProbeKind } from '../judge/limit-facts.ts';
import { fileOfRule } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { PACE } from './pacer.ts';

export const WORKERS = 6;
/** Time to start Jest and its workers. */
const STARTUP_MS = 6000;

export interface Cost {
  requests: number;
  writes: number;
  ms: number;
}

type EstimatedRule = Pick<Rule, 'id' | 'runs'>;

/** The assumed cost of a rule that was never measured. */
const UNKNOWN: Cost = { requests: 4, writes: 0, ms: 1500 };

const file = join(import.meta.dirname, 'costs.json');
const costs = JSON.parse(readFileSync(file, 'utf8')) as Record<string, [requests: number, writes: number, ms: number]>;

/** What rules about the limit cost with the full probe; the file holds their cost with the light one. */
const FULL_PROBE: Readonly<Record<string, Cost>> = {
  'LIM-2': { requests: 452, writes: 0, ms: 28_000 },
  'LIM-3': { requests: 615, writes: 0, ms: 63_000 },
  'LIM-5': { requests: 0, writes: 0, ms: 0 },
  'LIM-6': { requests: 0, writes: 0, ms: 0 },
  'LIM-10': { requests: 460, writes: 0, ms: 30_000 },
  'LIM-16': { requests: 225, writes: 0, ms: 19_000 },
};

export function costOf(rule: string, probe: ProbeKind = 'light'): Cost {
  const full = probe === 'full' ? FULL_PROBE[rule] : undefined;
  if (full) return full;
  const known = costs[rule];
  return known ? { requests: known[0], writes: known[1], ms: known[2] } : UNKNOWN;
}

/**
 * Milliseconds that the rules take. Files run in parallel, the rules of a file one after another, and requests no
 * faster than the keys allow; the rules that run alone follow.
 * @param keys how many equivalent keys the profile has
 */
export function estimateMs(rules: readonly EstimatedRule[], keys: number, probe: ProbeKind = 'light'): number {
  const byFile = new Map<string, number>();
  let alone = 0;
  let requests = 0;
  for (const { id, runs } of rules) {
    const { ms, requests: sent } = costOf(id, probe);
    if (runs === 'alone' || runs === 'last') alone += ms;
    else {
      const name = fileOfRule(id) ?? '';
      byFile.set(name, (byFile.get(name) ?? 0) + ms);
      requests += sent;
    }
  }
  const parallel = [...byFile.values()];
  const total = parallel.reduce((sum, ms) => sum + ms, 0);
  const paced = (requests / (PACE * Math.max(1, keys))) * 1000;
  return Math.max(0, ...parallel, total / WORKERS, paced) + alone;
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
    this.#wholeMs = estimateMs(selected, keys, probe) + STARTUP_MS;
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
