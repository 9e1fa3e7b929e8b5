/** `npm run conformance -- --list`. */
import { needsText } from '../engine/needs.ts';
import { selectRules } from '../engine/selection.ts';
import { promiseOf } from '../report/promise.ts';
import type { Rule } from '../rules/rule.ts';

/** What `--list --json FILE` writes of a rule, beside its promise. */
const LISTED = ['id', 'level', 'text', 'place', 'decisions', 'replaces', 'needs'] as const;

/** A rule as `--list --json FILE` writes it. */
interface ListedRule extends Pick<Rule, (typeof LISTED)[number]> {
  /** Where the docs say it: an anchor on their page, or the address where the page is known. */
  readonly promise: string;
}

function listedRule(rule: Rule, docs: string): ListedRule {
  const fields = LISTED.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]]));
  return { ...(Object.fromEntries(fields) as Pick<Rule, (typeof LISTED)[number]>), promise: docs + promiseOf(rule) };
}

/** The chosen rules. @param docs the page of the docs @throws Failure */
export function listed(only: readonly string[], sections: readonly string[], docs = ''): ListedRule[] {
  return selectRules(only, sections).map((rule) => listedRule(rule, docs));
}

/** For a terminal. */
export function listText(all: readonly ListedRule[]): string[] {
  const indent = ' '.repeat(17);
  const lines = all.flatMap(({ id, level, text, place, promise, decisions, replaces = [], needs }) => [
    `${id.padEnd(9)} ${level.padEnd(6)} ${text}`,
    `${indent}${place}${decisions.length > 0 ? ` · rests on ${decisions.join(', ')}` : ''} · needs ${needsText(needs)}`,
    ...(replaces.length > 0 ? [`${indent}in earlier releases ${replaces.join(', ')}`] : []),
    ...(promise.startsWith('#') ? [] : [`${indent}${promise}`]),
  ]);
  return [...lines, `${all.length} rules`];
}
