/**
 * A rule: a promise of the contract, and how it is checked. Each rule is in a file `<section>.rules.ts` of this
 * folder, and the faults that it must catch in the `<section>.faults.ts` beside it.
 */
import type { DecisionId } from '../../generated/decisions.ts';
import { recordedNeeds } from '../engine/recorded.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Needs } from '../engine/uses.ts';
import type { KeyName } from '../profile/schema.ts';

/** The sections, in the order of reports. */
// biome-ignore format: a table
export const SECTIONS = [
  'GEN', 'PRIV', 'AUTH', 'FLAG', 'SCOPE', 'EMP', 'PAGE', 'RED', 'DT', 'LOGIN', 'FILE', 'DOC', 'IDEM',
  'DREAD', 'REJ', 'FLOW', 'ING', 'WHK', 'SIG', 'EVT', 'DLV', 'ERR', 'LIM', 'VER', 'X',
] as const;

export interface RuleInfo {
  /** Section, hyphen, number. */
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
  /** Ids of earlier releases that this rule now covers: command lines, baselines and comparisons may still name them. */
  replaces?: readonly string[];
  /**
   * What may run beside the rule; without it, anything. `quiet`: no rule that changes the tenant. `changing`: this rule
   * changes the tenant, so no `quiet` or `changing` rule. `alone`: no other rule at all. `late`: only rules that run
   * late, too, after all before, because they judge what these have left: deliveries and logs. `last`: only rules that
   * run last, too, after all others, because they judge every exchange.
   */
  runs?: 'quiet' | 'changing' | 'alone' | 'late' | 'last';
  /** What no other rule that holds it uses meanwhile: a key in {@link HELD_KEYS}, or another name for what they share. */
  holds?: readonly string[];
}

/**
 * Keys of which a rule measures the limit, or changes the tenant, the owner or the key itself. Only a rule that holds
 * such a key may use it; the rules of section LIM hold `load`.
 */
export const HELD_KEYS: readonly KeyName[] = ['load', 'flag_toggle', 'narrowable', 'detachable', 'disposable'];
const HELD_BY_SECTION: Readonly<Record<string, readonly string[]>> = { LIM: ['load'] };

export type Check = (t: TestContext) => Promise<void> | void;

/** `excluded` says why the suite cannot test the rule on any target; it stays visible. */
type RuleCheck = { check: Check } | { excluded: string };

/** As a rule is written down. */
export type DeclaredRule = RuleInfo & RuleCheck;

export interface Rule extends RuleInfo {
  section: string;
  level: 'MUST' | 'SHOULD';
  decisions: readonly DecisionId[];
  /** Absent if no run has recorded it yet. */
  needs?: Needs;
  check?: Check;
  excluded?: string;
}

const declared: Rule[] = [];

/** Declares a rule. */
export function rule(written: DeclaredRule): void {
  const { id } = written;
  const section = id.slice(0, id.indexOf('-'));
  const holds = HELD_BY_SECTION[section] ?? [];
  const needs = recordedNeeds(id);
  declared.push({ level: 'MUST', decisions: [], ...(needs ? { needs } : {}), holds, ...written, section });
}

/**
 * {@link rule} for a file whose rules have something in common.
 * @param common what holds for each of them, unless it says something else itself
 */
export const rulesWith =
  <Common extends Partial<RuleInfo>>(common: Common) =>
  (written: Omit<RuleInfo, keyof Common> & Partial<RuleInfo> & RuleCheck): void =>
    rule({ ...common, ...(written as DeclaredRule) });

/** The rules declared so far in this process, in the order of their declaration. */
export const declaredRules: readonly Rule[] = declared;
