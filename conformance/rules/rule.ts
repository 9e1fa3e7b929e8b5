/**
 * A rule: a promise of the contract, and how it is checked. Each rule is in a file `<section>.rules.ts` of this
 * folder, and the faults that it must catch and no machine can make stand beside it, in a file of its first word.
 */
import { recordedNeeds } from '../engine/recorded.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import ids from './ids.json' with { type: 'json' };
import type { CheckedRule, RuleInfo } from './rule-info.ts';

/** The sections, in the order of reports. */
// biome-ignore format: a table
export const SECTIONS = [
  'GEN', 'PRIV', 'AUTH', 'FLAG', 'SCOPE', 'EMP', 'PAGE', 'RED', 'DT', 'LOGIN', 'FILE', 'DOC', 'IDEM',
  'DREAD', 'REJ', 'FLOW', 'ING', 'WHK', 'SIG', 'EVT', 'DLV', 'ERR', 'LIM', 'VER',
] as const;

/** @param full calls with the key `full`, which each profile has */
export type Check = (t: TestContext, full: Api) => Promise<void> | void;

/** The check of a rule that the contract makes and the suite cannot judge yet. @param why for people */
export const unable =
  (why: string): Check =>
  (t) =>
    t.untested('not_exercised', why);

/** As a rule is written down. */
export interface DeclaredRule extends RuleInfo {
  check: Check;
}

export interface Rule extends CheckedRule {
  check: Check;
}

const HELD_BY_SECTION: Readonly<Record<string, readonly string[]>> = { LIM: ['load'] };

/** By the id with which a rule is declared: its present id, and those of earlier releases that it covers. */
const known: Readonly<Record<string, readonly string[]>> = ids;

/** The present id of a rule that is declared with this one. */
export const idOf = (declared: string): string => known[declared]?.[0] ?? declared;

const declared: Rule[] = [];

/** Declares a rule. */
export function rule(written: DeclaredRule): void {
  const [id = written.id, ...replaces] = known[written.id] ?? [];
  const section = id.slice(0, id.indexOf('-'));
  const holds = HELD_BY_SECTION[section] ?? [];
  declared.push({
    level: 'MUST',
    decisions: [],
    needs: recordedNeeds(id),
    holds,
    replaces: replaces.length > 0 ? replaces : undefined,
    ...written,
    check: (t, full) => t.toTheEnd(() => written.check(t, full)),
    id,
    section,
  });
}

/**
 * {@link rule} for a file whose rules have something in common.
 * @param common what holds for each of them, unless it says something else itself
 */
export const rulesWith =
  <Common extends Partial<RuleInfo>>(common: Common) =>
  (written: Omit<DeclaredRule, keyof Common> & Partial<DeclaredRule>): void =>
    rule({ ...common, ...(written as DeclaredRule) });

/** The rules declared so far in this process, in the order of their declaration. */
export const declaredRules: readonly Rule[] = declared;
