/** What a rule says of itself, without how it is checked. */
import type { DecisionId } from '../../generated/contract.ts';
import type { Needs } from '../engine/uses.ts';
import type { KeyName } from '../profile/schema.ts';

export interface RuleInfo {
  /** Section, hyphen, number; of a member of a family, what it is about. `ids.json` may give the rule another id. */
  id: string;
  /** SHOULD: the source does not demand it, but good practice does; a violation is a warning. MUST if it is left out. */
  level?: 'MUST' | 'SHOULD';
  /** The guarantee, in our own words. */
  text: string;
  /** Where the contract says it: an operation, a component, or a section of its description. */
  place: string;
  decisions?: readonly DecisionId[];
  /** The family that makes this rule from the contract or from a table. A rule without one is written by hand. */
  family?: string;
  /**
   * What may run beside the rule; without it, anything. `quiet`: no rule that changes the tenant. `changing`: this rule
   * changes the tenant, so no `quiet` or `changing` rule of that tenant. `moving`: only rules that move the clock or restart
   * the target, too; each step is made when all of them wait for one. `alone`: no other rule at all. `late`: only rules that run
   * late, too, after all before, because they judge what these have left: deliveries and logs. `last`: only rules that
   * run last, too, after all others, because they judge every exchange.
   */
  runs?: 'quiet' | 'changing' | 'moving' | 'alone' | 'late' | 'last';
  /** Why the rule runs alone. Reports show it. */
  because?: string;
  /**
   * What no other rule that holds it uses meanwhile: a key in {@link HELD_KEYS}, or another name for what they share. Of
   * several keys `load`, each rule holds one.
   */
  holds?: readonly string[];
  /** What the rule judges, where rules of several files judge the same: it is made once, in the tenant of all of them. */
  world?: string;
}

/**
 * Keys of which a rule measures the limit, or changes the tenant, the owner or the key itself. Only a rule that holds
 * such a key may use it; the rules of section LIM hold `load`.
 */
export const HELD_KEYS: readonly KeyName[] = ['load', 'flag_toggle', 'narrowable', 'detachable', 'disposable'];

/** As its own check knows it. */
export interface CheckedRule extends RuleInfo {
  id: string;
  /** Ids of earlier releases that the rule now covers. */
  replaces?: readonly string[];
  section: string;
  level: 'MUST' | 'SHOULD';
  decisions: readonly DecisionId[];
  /** Absent if no run has recorded it yet. */
  needs?: Needs;
}
