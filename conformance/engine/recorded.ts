/** What each rule took and used in a run against our own service. */
import type { ProbeKind } from '../judge/limit-facts.ts';
import written from './recorded.json' with { type: 'json' };
import type { Needs } from './uses.ts';

interface Cost {
  requests: number;
  writes: number;
  ms: number;
}

/** A row of the file: what the rule needs, and `cost` as requests, writes and milliseconds. */
export interface RecordedRule extends Needs {
  cost: [requests: number, writes: number, ms: number];
}

export const recorded = written as unknown as Readonly<Record<string, RecordedRule | undefined>>;

/** What a rule needs; undefined if it was never recorded, so that it finds out while it is checked. */
export function recordedNeeds(id: string): Needs | undefined {
  const { cost: _, ...needs } = recorded[id] ?? { cost: [] };
  return recorded[id] && needs;
}

/** The assumed cost of a rule that was never recorded. */
const UNKNOWN: Cost = { requests: 4, writes: 0, ms: 1500 };

/** What rules about the limit cost with the full probe; the file holds their cost with the light one. */
const FULL_PROBE: Readonly<Record<string, Cost>> = {
  'LIM-3': { requests: 615, writes: 0, ms: 63_000 },
  'LIM-5': { requests: 452, writes: 0, ms: 28_000 },
  'LIM-10': { requests: 460, writes: 0, ms: 30_000 },
  'LIM-16': { requests: 225, writes: 0, ms: 19_000 },
};

export function costOf(rule: string, probe: ProbeKind = 'light'): Cost {
  const full = probe === 'full' ? FULL_PROBE[rule] : undefined;
  const known = recorded[rule]?.cost;
  if (full) return full;
  return known ? { requests: known[0], writes: known[1], ms: known[2] } : UNKNOWN;
}
