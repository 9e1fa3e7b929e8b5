/**
 * A rule: a promise of the contract, and how it is checked. Each rule is in a file `<section>.rules.ts` of this
 * folder, and the faults that it must catch in the `<section>.faults.ts` beside it.
 */
import type { DecisionId } from '../../generated/decisions.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/schema.ts';

/** The sections, in the order of reports. */
export const SECTIONS = [
  'GEN',
  'PRIV',
  'AUTH',
  'FLAG',
  'SCOPE',
  'EMP',
  'PAGE',
  'RED',
  'DT',
  'LOGIN',
  'FILE',
  'DOC',
  'IDEM',
  'DREAD',
  'REJ',
  'FLOW',
  'ING',
  'WHK',
  'SIG',
  'EVT',
  'DLV',
  'ERR',
  'LIM',
  'VER',
  'X',
] as const;

/** What must be available. If something is missing, the rule is UNTESTED and the reason says what. */
export interface Needs {
  keys?: readonly KeyName[];
  fixtures?: readonly FixtureName[];
  admin?: readonly AdminCommand[];
  clock?: true;
  replica?: true;
  callbacks?: true;
  /** Needs a tenant with more than 10,000 employees. */
  big?: true;
  /** Operations that may not be built yet; only rules that name one may be UNTESTED for that reason. */
  operations?: readonly OperationId[];
}

export interface RuleInfo {
  /** Section, hyphen, number. */
  id: string;
  /** SHOULD: the source does not demand it, but good practice does; a violation is a warning. */
  level: 'MUST' | 'SHOULD';
  /** The guarantee, in our own words. */
  text: string;
  /** Where the contract says it: an operation, a component, or a section of its description. */
  place: string;
  decisions?: readonly DecisionId[];
  needs?: Needs;
  /**
   * What may run beside the rule; without it, anything. `quiet`: no rule that changes the tenant. `changing`: this rule
   * changes the tenant, so no `quiet` or `changing` rule. `alone`: no other rule at all. `last`: no other rule, and
   * only after all others, because it judges what they saw.
   */
  runs?: 'quiet' | 'changing' | 'alone' | 'last';
}

export type Check = (t: TestContext) => Promise<void> | void;

/** As a rule is written down. `excluded` says why the suite cannot test it on any target; it stays visible. */
export type DeclaredRule = RuleInfo & ({ check: Check } | { excluded: string });

export interface Rule extends RuleInfo {
  section: string;
  decisions: readonly DecisionId[];
  check?: Check;
  excluded?: string;
}

const declared: Rule[] = [];
let listener: (rule: Rule) => void = () => {};

/** Declares a rule. */
export function rule(written: DeclaredRule): void {
  const { id } = written;
  const made = { decisions: [], ...written, section: id.slice(0, id.indexOf('-')) };
  declared.push(made);
  listener(made);
}

/** The rules declared so far in this process, in the order of their declaration. */
export const declaredRules: readonly Rule[] = declared;

/** Calls `onRule` for every rule that is declared from now on: this is how Jest gets a test for each. */
export function onEachRule(onRule: (rule: Rule) => void): void {
  listener = onRule;
}
