/** Which rules run. */
import { misuse } from '../../scripts/kit/command-line.ts';
import { ruleOf, rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';

/**
 * The rules that a run covers, in the order of reports.
 * @param only ids, also of an earlier release
 * @throws Failure naming what is unknown
 */
export function selectRules(only: readonly string[], sections: readonly string[]): Rule[] {
  const unknown = only.filter((id) => ruleOf(id) === undefined);
  const strange = sections.filter((name) => !rules.some((rule) => rule.section === name));
  if (unknown.length > 0) misuse(`unknown rule ${unknown.join(', ')}; --list shows all`);
  if (strange.length > 0) misuse(`unknown section ${strange.join(', ')}; --list shows all`);
  const all = only.length === 0 && sections.length === 0;
  const named = new Set(only.map(ruleOf));
  return rules.filter((rule) => all || named.has(rule) || sections.includes(rule.section));
}
